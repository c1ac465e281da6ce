package roman

import "unicode"

// A Script is a way of writing, as far as we treat it on its own.
type Script uint8

const (
	Other Script = iota // letters that we compare as they are
	Latin
	Cyrillic
	Greek
	Armenian
	Georgian
	Hebrew
	Arabic
	Indic
	Thai
	Ethiopic
	Kana
	Hangul
	Han
)

var scriptNames = [...]string{
	"other", "Latin", "Cyrillic", "Greek", "Armenian", "Georgian", "Hebrew",
	"Arabic", "Indic", "Thai", "Ethiopic", "Kana", "Hangul", "Han",
}

func (s Script) String() string { return scriptNames[s] }

// A Form says how far the letters of a romanised word can be trusted.
type Form uint8

const (
	Plain    Form = iota // Latin, as it was written
	Alphabet             // letter for letter from another alphabet
	Syllabic             // extra vowels, merged consonants: kana, Hangul, Han, Indic
	Abjad                // vowels mostly unwritten: Arabic, Hebrew, Thai
	Own                  // not romanised at all
)

// Form says how far words of a script can be trusted once romanised.
func (s Script) Form() Form {
	switch s {
	case Latin:
		return Plain
	case Cyrillic, Greek, Armenian, Georgian:
		return Alphabet
	case Hebrew, Arabic, Thai:
		return Abjad
	case Indic, Ethiopic, Kana, Hangul, Han:
		return Syllabic
	}
	return Own
}

// Of says which script a letter or mark belongs to.
func Of(r rune) Script {
	switch {
	case r < 0x250, r >= 0x1e00 && r < 0x1f00:
		return Latin
	case r >= 0x400 && r < 0x530, r >= 0x1c80 && r < 0x1c90:
		return Cyrillic
	case r >= 0x370 && r < 0x400, r >= 0x1f00 && r < 0x2000:
		return Greek
	case r >= 0x530 && r < 0x590:
		return Armenian
	case r >= 0x590 && r < 0x600:
		return Hebrew
	case r >= 0x600 && r < 0x700, r >= 0x750 && r < 0x780, r >= 0x8a0 && r < 0x900:
		return Arabic
	case r >= 0x900 && r < 0xd80:
		return Indic
	case r >= 0xe00 && r < 0xe80:
		return Thai
	case r >= 0x10a0 && r < 0x1100, r >= 0x1c90 && r < 0x1cc0, r >= 0x2d00 && r < 0x2d30:
		return Georgian
	case r >= 0x1200 && r < 0x1380:
		return Ethiopic
	case r >= 0xac00 && r < 0xd7a4:
		return Hangul
	case r >= 0x3041 && r < 0x3100, r >= 0x31f0 && r < 0x3200:
		return Kana
	case r == '々', r >= 0x3400 && r < 0xa000, r >= 0xf900 && r < 0xfb00, r >= 0x20000 && r < 0x32000:
		return Han
	case unicode.Is(unicode.Latin, r):
		return Latin
	}
	return Other
}
