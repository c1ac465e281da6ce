package roman

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// latinSpecial are the Latin letters that do not fall apart into a plain letter
// and a mark.
var latinSpecial = map[rune]string{
	'ß': "ss", 'ẞ': "ss", 'æ': "ae", 'œ': "oe", 'ø': "o", 'đ': "d", 'ð': "d", 'þ': "th",
	'ł': "l", 'ħ': "h", 'ı': "i", 'ĸ': "k", 'ŋ': "ng", 'ŧ': "t", 'ſ': "s", 'ƀ': "b",
	'ƃ': "b", 'ɓ': "b", 'ƈ': "c", 'ɖ': "d", 'ɗ': "d", 'ƌ': "d", 'ǝ': "e", 'ə': "a",
	'ɛ': "e", 'ƒ': "f", 'ɠ': "g", 'ɣ': "gh", 'ƣ': "gh", 'ɨ': "i", 'ɩ': "i", 'ƙ': "k",
	'ƚ': "l", 'ƛ': "l", 'ɯ': "u", 'ɲ': "n", 'ƞ': "n", 'ɵ': "o", 'ɔ': "o", 'ƥ': "p",
	'ʀ': "r", 'ƨ': "s", 'ʃ': "sh", 'ƫ': "t", 'ƭ': "t", 'ʈ': "t", 'ʊ': "u", 'ʋ': "v",
	'ƴ': "y", 'ƶ': "z", 'ʒ': "zh", 'ƹ': "z", 'ƺ': "z", 'ƿ': "w", 'ǆ': "dz", 'ǉ': "lj",
	'ǌ': "nj", 'ǳ': "dz", 'ȝ': "y", 'ȣ': "ou", 'ȡ': "d", 'ȴ': "l", 'ȵ': "n", 'ȶ': "t",
	'ȷ': "j", 'ȸ': "db", 'ȹ': "qp", 'ⱥ': "a", 'ȼ': "c", 'ⱦ': "t", 'ȿ': "s", 'ɀ': "z",
	'ɇ': "e", 'ɉ': "j", 'ɋ': "q", 'ɍ': "r", 'ɏ': "y", 'ƍ': "d", 'ƕ': "hv", 'ƪ': "sh",
	'ƻ': "", 'ƽ': "", 'ƅ': "", 'ƾ': "ts", 'ǀ': "", 'ǁ': "", 'ǂ': "", 'ǃ': "",
	'ɂ': "", 'ǥ': "g", 'ȥ': "z", 'ʉ': "u", 'µ': "m", 'ʌ': "v", 'ᵹ': "g", 'ꞌ': "", 'ẜ': "s", 'ẝ': "s", 'ẟ': "d", 'ỻ': "ll", 'ỽ': "v", 'ỿ': "y",
	'ꬓ': "g", 'ⱡ': "l", 'ɫ': "l", 'ᵽ': "p", 'ɽ': "r", 'ɑ': "a", 'ɐ': "a", 'ɒ': "a",
	'ᴀ': "a", 'ʙ': "b", 'ᴄ': "c", 'ᴅ': "d", 'ᴇ': "e", 'ꜰ': "f", 'ɢ': "g", 'ʜ': "h", 'ɪ': "i", 'ᴊ': "j", 'ᴋ': "k", 'ʟ': "l", 'ᴍ': "m",
	'ɴ': "n", 'ᴏ': "o", 'ᴘ': "p", 'ꞯ': "q", 'ꜱ': "s", 'ᴛ': "t", 'ᴜ': "u", 'ᴠ': "v", 'ᴡ': "w", 'ʏ': "y", 'ᴢ': "z",
}

// latinTable is the plain spelling of every letter below its length: almost
// every name in Latin letters is read from here alone.
var latinTable = func() (t [0x250]string) {
	for r := range t {
		t[r] = latinSpelling(rune(r))
	}
	return t
}()

// FromLatin spells a Latin letter in a–z, lower case. What it does not know is
// the empty string.
func FromLatin(r rune) string {
	if r < 0x250 {
		return latinTable[r]
	}
	return latinSpelling(r)
}

func latinSpelling(r rune) string {
	low := unicode.ToLower(r)
	if s, ok := latinSpecial[low]; ok {
		return s
	}
	var b strings.Builder
	for _, d := range norm.NFKD.String(string(low)) {
		d = unicode.ToLower(d)
		switch {
		case d < 0x80 && (unicode.IsLetter(d) || unicode.IsDigit(d)):
			b.WriteRune(d)
		case d >= 0x80:
			b.WriteString(latinSpecial[d])
		}
	}
	return b.String()
}
