package roman

import (
	"slices"
	"strings"
)

// arabic has the letters of Arabic, Persian, Urdu, Pashto, Kurdish and Uyghur.
// Only consonants and long vowels are written, so محمد comes out as "mhmd".
var arabic = table(`
ا a أ a إ i آ a ٱ a ب b ت t ث th ج j ح h خ kh د d ذ dh ر r ز z س s ش sh ص s ض d ط t
ظ z ع a غ gh ف f ق q ك k ل l م m ن n ه h و w ي y ى a ة a ء . ؤ w ئ y
پ p چ ch ژ zh گ g ک k ی y ٹ t ڈ d ڑ r ں n ے e ہ h ھ h ۃ a ۀ a ۓ e
ټ t ډ d ړ r ځ z څ ts ښ sh ږ zh ڼ n ې e ۍ y ګ g
ە a ێ e ۆ o ۇ u ۈ u ۋ v ڤ v ڭ ng ڵ l ڕ r ۉ u ۅ u ې e ھ h ڨ g ڥ v ڪ k ە e`)

// readArabic spells a word and sets the article apart: الحسين is "al", "hsyn". Egypt
// says g where others say j, and so does whoever writes a foreign g: جمال is "gmal"
// too. A foreign name may begin like the article and have none: الكسندر is "alksndr".
func readArabic(word []rune) [][]string {
	spelt := func(word []rune) string {
		var b strings.Builder
		for _, r := range word {
			writeApart(&b, arabic[r])
		}
		return b.String()
	}
	egyptian := func(word []rune) string { return strings.ReplaceAll(spelt(word), "j", "g") }
	hasJ := slices.Contains(word, 'ج')
	if len(word) <= 4 || word[0] != 'ا' || word[1] != 'ل' || word[2] == 'ل' && word[3] == 'ه' {
		if hasJ {
			return [][]string{{spelt(word)}, {egyptian(word)}}
		}
		return [][]string{{spelt(word)}}
	}
	out := [][]string{{"al", spelt(word[2:])}}
	if hasJ {
		out = append(out, []string{"al", egyptian(word[2:])})
	}
	return append(out, []string{egyptian(word)})
}

var hebrew = table(`
א a ב b ג g ד d ה h ו v ז z ח h ט t י y כ k ך k ל l מ m ם m נ n ן n ס s ע a פ p ף f
צ ts ץ ts ק k ר r ש sh ת t װ v ױ oy ײ y`)

// hebrewMarked are letters with a geresh, which writes foreign sounds.
var hebrewMarked = table(`ג j ז zh צ ch ץ ch ת th ד dh ח kh ו w`)

// readHebrew reads a word as it is written, and as a foreign one whose geresh was left
// out, as it mostly is: גורג is "gvrg" and "jvrj".
func readHebrew(word []rune) [][]string {
	own, foreign := fromHebrew(word, ""), fromHebrew(word, "גצץ")
	if own == foreign {
		return [][]string{{own}}
	}
	return [][]string{{own}, {foreign}}
}

// fromHebrew spells a word, some of its letters as if all had a geresh.
func fromHebrew(word []rune, marked string) string {
	var b strings.Builder
	vav := false // one that may be doubled is before
	for i, r := range word {
		if r == 'ו' && vav {
			vav = false
			continue // a doubled vav is a consonant, and one letter in Latin
		}
		vav = r == 'ו'
		s := hebrew[r]
		if i+1 < len(word) && word[i+1] == '׳' || strings.ContainsRune(marked, r) {
			if m, ok := hebrewMarked[r]; ok {
				s = m
			}
		}
		writeApart(&b, s)
	}
	return b.String()
}

// writeApart adds a letter to a word. A vowel that an abjad does not write keeps t and
// s apart, which are one sound in Latin letters: באטס is "bates".
func writeApart(b *strings.Builder, s string) {
	if s == "s" && strings.HasSuffix(b.String(), "t") {
		b.WriteByte('e')
	}
	b.WriteString(s)
}

var thai = table(`
ก k ขฃคฅฆ kh ง ng จ ch ฉชฌ ch ซศษส s ญย y ฎด d ฏต t ฐฑฒถทธ th ณน n บ b ป p ผพภ ph
ฝฟ f ม m ร r ลฬ l ว w หฮ h อ o ฤ rue ะ a ั a า a ำ am ิ i ี i ึ ue ื ue ุ u ู u
เ e แ ae โ o ใ ai ไ ai ็ . ่ . ้ . ๊ . ๋ . ์ .`)

// fromThai puts a vowel that is written before its consonant behind it, and
// leaves out letters that carry the mark of silence.
func fromThai(word []rune) string {
	var b strings.Builder
	for i := 0; i < len(word); i++ {
		r := word[i]
		if i+1 < len(word) && word[i+1] == '์' {
			i++
			continue
		}
		if r >= 'เ' && r <= 'ไ' && i+1 < len(word) {
			b.WriteString(thai[word[i+1]])
			i++
		}
		b.WriteString(thai[r])
	}
	return b.String()
}
