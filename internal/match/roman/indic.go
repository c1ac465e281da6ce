package roman

import "strings"

// The blocks of India's scripts are laid out alike: what stands at 0x15 is k in
// Devanagari, Bengali, Tamil and all the others.
var (
	indicConsonants = [...]string{
		"k", "kh", "g", "gh", "ng", "ch", "chh", "j", "jh", "ny", "t", "th", "d", "dh", "n",
		"t", "th", "d", "dh", "n", "n", "p", "ph", "b", "bh", "m", "y", "r", "r", "l", "l",
		"zh", "v", "sh", "sh", "s", "h",
	} // 0x15–0x39
	indicVowels = [...]string{
		"a", "a", "i", "i", "u", "u", "ri", "l", "e", "e", "e", "ai", "o", "o", "o", "au",
	} // 0x05–0x14
	indicSigns = [...]string{
		"a", "i", "i", "u", "u", "ri", "ri", "e", "e", "e", "ai", "o", "o", "o", "au",
	} // 0x3e–0x4c
)

// fromIndic writes the vowel that every consonant carries unless another vowel
// or the mark of silence follows; at the end of a word it is not spoken.
func fromIndic(word []rune) string {
	var b strings.Builder
	for i, r := range word {
		at := int(r & 0x7f)
		switch {
		case at >= 0x15 && at <= 0x39:
			b.WriteString(indicConsonants[at-0x15])
			if i+1 < len(word) {
				if next := int(word[i+1] & 0x7f); next >= 0x05 && next <= 0x39 {
					b.WriteByte('a')
				}
			}
		case at >= 0x05 && at <= 0x14:
			b.WriteString(indicVowels[at-0x05])
		case at >= 0x3e && at <= 0x4c:
			b.WriteString(indicSigns[at-0x3e])
		case at == 0x01 || at == 0x02:
			b.WriteByte('n')
		case at >= 0x58 && at <= 0x5f:
			b.WriteString([]string{"q", "kh", "gh", "z", "r", "rh", "f", "y"}[at-0x58])
		}
	}
	return b.String()
}

// ethiopicRows are the consonants, eight signs each, in the order of the block.
var ethiopicRows = strings.Fields(`
h l h m s r s sh q q q q b v t ch h h n ny . k k kh kh w . z zh y d d j g g g t ch p ts ts f p`)

var ethiopicVowels = [...]string{"e", "u", "i", "a", "e", "", "o", "wa"}

func fromEthiopic(word []rune) string {
	var b strings.Builder
	for _, r := range word {
		row, vowel := int(r-0x1200)/8, int(r-0x1200)%8
		if row < 0 || row >= len(ethiopicRows) {
			continue
		}
		b.WriteString(strings.TrimSuffix(ethiopicRows[row], "."))
		b.WriteString(ethiopicVowels[vowel])
	}
	return b.String()
}
