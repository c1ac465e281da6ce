package pdf

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"bureau/internal/match/roman"
)

// A run is a piece of text in one font.
type run struct {
	face *face
	text string
}

// maxText bounds one text. Nobody reads more of a name than that.
const maxText = 4000

// clean takes out what nobody sees and what turns the direction of writing, and
// makes of every kind of space one space.
func clean(s string) string {
	if len(s) > maxText*utf8.UTFMax {
		s = s[:maxText*utf8.UTFMax]
	}
	var b strings.Builder
	n, space := 0, true
	for _, r := range norm.NFC.String(strings.ToValidUTF8(s, "")) {
		switch {
		case n >= maxText:
			return b.String() + "…"
		case unicode.IsSpace(r):
			if !space {
				b.WriteByte(' ')
			}
			space = true
			continue
		case unicode.Is(unicode.Cc, r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Co, r), unicode.Is(unicode.Cs, r):
			continue
		}
		space = false
		b.WriteRune(r)
		n++
	}
	return strings.TrimRight(b.String(), " ")
}

// runs divides a text into pieces that each have a font. romanised says that
// some of it could not be written as it is.
func (f *Fonts) runs(text string, want *face) (out []run, romanised bool) {
	add := func(face *face, s string) {
		if n := len(out); n > 0 && out[n-1].face == face {
			out[n-1].text += s
		} else if s != "" {
			out = append(out, run{face, s})
		}
	}
	letters := []rune(clean(text))
	for i := 0; i < len(letters); {
		r := letters[i]
		if face := f.faceOf(r, want); face != nil {
			add(face, string(r))
			i++
			continue
		}
		end := i + 1
		for end < len(letters) && f.faceOf(letters[end], want) == nil && roman.Of(letters[end]) == roman.Of(r) {
			end++
		}
		add(want, f.latin(letters[i:end], want))
		romanised = true
		i = end
	}
	return out, romanised
}

// faceOf is the font for a character: the wanted one if it has it, else one of
// the folder. Scripts whose letters change with their neighbours, or that run
// from right to left, are not put together from single letters.
func (f *Fonts) faceOf(r rune, want *face) *face {
	if want.has[r] && !isJoined(r) {
		return want
	}
	if isJoined(r) {
		return nil
	}
	for _, e := range f.extra {
		if e.has[r] {
			return e
		}
	}
	return nil
}

func isJoined(r rune) bool {
	switch roman.Of(r) {
	case roman.Arabic, roman.Hebrew, roman.Indic, roman.Thai:
		return true
	}
	return false
}

// latin writes letters in Latin ones. What even that does not reach is a
// question mark.
func (f *Fonts) latin(word []rune, want *face) string {
	upper := unicode.IsUpper(word[0]) || roman.Of(word[0]) != roman.Latin
	lower := []rune(strings.ToLower(string(word)))
	text := strings.Join(roman.Read(roman.Of(word[0]), lower, roman.Ask{})[0], " ")
	if upper {
		text = capital(text)
	}
	var b strings.Builder
	for _, r := range text {
		if want.has[r] && !isJoined(r) {
			b.WriteRune(r)
		} else if s := b.String(); !strings.HasSuffix(s, "?") {
			b.WriteByte('?')
		}
	}
	return b.String()
}

func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}
