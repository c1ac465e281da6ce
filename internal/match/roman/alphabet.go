package roman

import (
	"slices"
	"strings"
)

// table reads a list of letters and spellings, "а a б b …". A dot is a letter
// that is not spelt.
func table(list string) map[rune]string {
	m := map[rune]string{}
	words := strings.Fields(list)
	for i := 0; i+1 < len(words); i += 2 {
		for _, r := range words[i] {
			m[r] = strings.TrimSuffix(words[i+1], ".")
		}
	}
	return m
}

// cyrillic is nearest to the passports of Russia and to BGN/PCGN; the letters of
// other languages follow.
var cyrillic = table(`
а a б b в v г g д d е e ё e ж zh з z и i й y к k л l м m н n о o п p р r с s т t
у u ф f х kh ц ts ч ch ш sh щ shch ъ . ы y ь . э e ю yu я ya
і i ї i є ye ґ g ў u
ђ dj ј j љ lj њ nj ћ c џ dz ѓ gj ќ kj ѕ dz ѐ e ѝ i
ә a ғ gh қ q ң ng ө o ұ u ү u һ h ҳ h ҷ j ӣ i ӯ u җ j ҥ ng ҙ z ҫ s ҡ k ӑ a ӗ e ӳ u ӹ y ӱ u ӧ o ӓ a
ѣ e ѳ f ѵ i ѫ a ѧ ya ӏ .`)

// ukrainian is how Ukrainian and Belarusian read two letters that Russian reads
// otherwise. Their own letters, which Russian lacks, give them away.
var ukrainian = map[rune]string{'г': "h", 'и': "y"}

func fromCyrillic(word []rune) string {
	var own map[rune]string
	for _, r := range word {
		if strings.ContainsRune("іїєґў", r) {
			own = ukrainian
		}
	}
	var b strings.Builder
	for i, r := range word {
		if s, ok := own[r]; ok {
			b.WriteString(s)
			continue
		}
		// Bulgarian writes a vowel with what is a mute sign in Russian.
		if r == 'ъ' && i > 0 && i+1 < len(word) && !strings.ContainsRune("еёюяи", word[i+1]) {
			b.WriteByte('a')
			continue
		}
		b.WriteString(cyrillic[r])
	}
	return b.String()
}

var greek = table(`
α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t
υ y φ f χ ch ψ ps ω o`)

// greekPairs are two letters that make one sound.
var greekPairs = map[string]string{
	"ου": "ou", "αυ": "av", "ευ": "ev", "ηυ": "iv", "ει": "i", "οι": "i", "αι": "ai",
	"γγ": "ng", "γκ": "gk", "γχ": "nch", "μπ": "mp", "ντ": "nt", "τζ": "tz",
}

// greekFirst are those that make another at the start of a word.
var greekFirst = map[string]string{"μπ": "b", "ντ": "d", "γκ": "g"}

// greekForeign are pairs, and a letter, as Greeks write foreign names with them.
var greekForeign = map[string]string{
	"ου": "u", "αυ": "au", "ευ": "eu", "ηυ": "iy", "ει": "ei", "οι": "oi", "αι": "ai",
	"γγ": "ng", "γκ": "g", "γχ": "gh", "μπ": "b", "ντ": "d", "τζ": "j", "χ": "h",
}

// readGreek reads a word as Greek, and as a foreign one where that is another.
func readGreek(word []rune) [][]string {
	own, foreign := fromGreek(word, greekPairs), fromGreek(word, greekForeign)
	if own == foreign {
		return [][]string{{own}}
	}
	return [][]string{{own}, {foreign}}
}

func fromGreek(word []rune, sounds map[string]string) string {
	var b strings.Builder
	for i := 0; i < len(word); i++ {
		if i+1 < len(word) {
			pair := string(word[i : i+2])
			s, ok := sounds[pair]
			if first := greekFirst[pair]; i == 0 && first != "" {
				s = first
			}
			if ok {
				b.WriteString(s)
				i++
				continue
			}
		}
		if s, ok := sounds[string(word[i])]; ok {
			b.WriteString(s)
			continue
		}
		b.WriteString(greek[word[i]])
	}
	return b.String()
}

var armenian = table(`
ա a բ b գ g դ d ե e զ z է e ը e թ t ժ zh ի i լ l խ kh ծ ts կ k հ h ձ dz ղ gh ճ ch
մ m յ y ն n շ sh ո o չ ch պ p ջ j ռ r ս s վ v տ t ր r ց ts ւ v փ p ք k օ o ֆ f և ev`)

func fromArmenian(word []rune) string {
	s := spell(armenian, word)
	return strings.ReplaceAll(s, "ov", "u") // ու, two letters and one sound
}

var georgian = table(`
ა a ბ b გ g დ d ე e ვ v ზ z თ t ი i კ k ლ l მ m ნ n ო o პ p ჟ zh რ r ს s ტ t უ u
ფ p ქ k ღ gh ყ q შ sh ჩ ch ც ts ძ dz წ ts ჭ ch ხ kh ჯ j ჰ h ჱ e ჲ y ჳ u ჴ q ჵ o`)

// readGeorgian reads a word as Georgian, and as a foreign one if it has the letter
// that stands for the f that Georgian lacks.
func readGeorgian(word []rune) [][]string {
	own := spell(georgian, word)
	if !slices.Contains(word, 'ფ') {
		return [][]string{{own}}
	}
	var foreign strings.Builder
	for _, r := range word {
		if r == 'ფ' {
			foreign.WriteByte('f')
			continue
		}
		foreign.WriteString(georgian[r])
	}
	return [][]string{{own}, {foreign.String()}}
}

func spell(t map[rune]string, word []rune) string {
	var b strings.Builder
	for _, r := range word {
		b.WriteString(t[r])
	}
	return b.String()
}
