package roman

import "strings"

// hiragana, from ぁ (U+3041) on; katakana lie 0x60 above.
var hiragana = strings.Fields(`
a a i i u u e e o o ka ga ki gi ku gu ke ge ko go sa za shi ji su zu se ze so zo
ta da chi ji - tsu zu te de to do na ni nu ne no ha ba pa hi bi pi fu bu pu he be pe ho bo po
ma mi mu me mo ya ya yu yu yo yo ra ri ru re ro wa wa i e wo n vu ka ke`)

// small are the signs that change the one before: キャ is kya, ファ is fa.
const small = "ぁぃぅぇぉゃゅょゎ"

func fromKana(word []rune) string {
	var b []byte
	double := false
	before := rune(0)
	for _, r := range word {
		if r >= 0x30a1 && r <= 0x30f6 {
			r -= 0x60
		}
		if r == 'っ' {
			double = true
			continue
		}
		if r < 0x3041 || int(r-0x3041) >= len(hiragana) {
			continue // ー makes a vowel long, which Latin spellings leave out
		}
		s := hiragana[r-0x3041]
		if strings.ContainsRune(small, r) && len(b) > 0 {
			b = joinSmall(b, s, before)
			before = r
			continue
		}
		before = r
		if double {
			b = append(b, s[0])
			double = false
		}
		b = append(b, s...)
	}
	return string(b)
}

// joinSmall lets a small sign take the vowel of the syllable before it. Before
// ya, yu and yo an i becomes part of the consonant: shi-ya is sha, ki-ya is kya. Before
// another vowel u and i are consonants themselves: ウィ is wi, クォ is kwo, イェ is ye.
func joinSmall(b []byte, s string, before rune) []byte {
	last := b[len(b)-1]
	switch {
	case before == 'う' && s[0] != 'y':
		return append(b[:len(b)-1], 'w', s[0])
	case before == 'い' && s == "e":
		return append(b[:len(b)-1], "ye"...)
	case (before == 'く' || before == 'ぐ') && s[0] != 'y':
		return append(b[:len(b)-1], 'w', s[len(s)-1])
	}
	if !strings.ContainsRune("aiueo", rune(last)) {
		return append(b, s...)
	}
	b = b[:len(b)-1]
	if s[0] == 'y' && len(b) > 0 {
		if before := b[len(b)-1]; before == 'h' || before == 'j' {
			return append(b, s[1:]...)
		}
	}
	return append(b, s...)
}
