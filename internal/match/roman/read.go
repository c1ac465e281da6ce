package roman

import "strings"

// An Ask is what is known about a word besides its letters.
type Ask struct {
	Person bool   // it is part of a person's name
	Alone  bool   // it is the whole name
	Beside Script // another script of the same name: kana tell Japanese from Chinese
}

// Read writes a word of one script in Latin letters, in each way that it may be
// read. A reading may have several words. There is always at least one reading;
// letters of a script that we do not romanise stay as they are. The word is in
// lower case, composed, and without marks in alphabets that merely accent with
// them.
func Read(script Script, word []rune, ask Ask) [][]string {
	one := func(words ...string) [][]string { return [][]string{words} }
	switch script {
	case Latin:
		s := ""
		for _, r := range word {
			s += FromLatin(r)
		}
		return one(s)
	case Cyrillic:
		return one(fromCyrillic(word))
	case Greek:
		return readGreek(word)
	case Armenian:
		return one(fromArmenian(word))
	case Georgian:
		return readGeorgian(word)
	case Hebrew:
		return readHebrew(word)
	case Arabic:
		return readArabic(word)
	case Thai:
		return one(fromThai(word))
	case Indic:
		return one(fromIndic(word))
	case Ethiopic:
		return one(fromEthiopic(word))
	case Kana:
		return one(fromKana(word))
	case Hangul:
		return readHangul(word, ask)
	case Han:
		return fromHan(word, ask)
	}
	return one(string(word))
}

// readHangul reads a person's name also as its bearer is likely to spell it, and any
// word as a foreign one.
func readHangul(word []rune, ask Ask) [][]string {
	own, foreign := fromHangul(word, hangulVowel), fromHangul(word, hangulForeign)
	family, given, ok := hangulPerson(word)
	if !ask.Person || !ask.Alone || !ok {
		if own == foreign {
			return [][]string{{own}}
		}
		return [][]string{{own}, {foreign}}
	}
	regular := []string{fromHangul(family, hangulVowel), fromHangul(given, hangulVowel)}
	out := [][]string{regular}
	usual, known := surnames[family[0]]
	if !known {
		usual = regular[0]
	}
	out = append(out, asBorne(usual, given))
	if !known && !strings.ContainsRune(regularSurnames, family[0]) {
		out = append(out, []string{foreign})
	}
	return out
}
