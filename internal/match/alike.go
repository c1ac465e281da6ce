package match

import (
	"slices"
	"strings"

	"bureau/internal/match/roman"
)

// A how says why two words were taken for the same.
type how uint8

const (
	equal    how = iota
	sounds       // spelt otherwise, sounds the same
	typo         // a slip or two
	meaning      // the same word or name in another language
	short        // a nickname
	abridged     // cut short: Internat. for International
	first        // an initial
	across       // from another script, where letters are guesses
	joined       // one word here is two there
	acronym      // one word is made of the beginnings of others
)

// What a likeness that is none of letters counts for.
const (
	likeSound   = 0.96
	likeMeaning = 0.92
	likeShort   = 0.85
	likeCousin  = 0.82 // two short forms of one name
	likeCut     = 0.75 // to few letters
	likeCutLeft = 0.9  // to most of them
	likeFirst   = 0.8
	leastLike   = 0.6 // below this, words are different
)

// likeness is how alike two words are, from 0 to 1.
func likeness(a, b *token) (float32, how) {
	if a.class != b.class {
		return mixedLikeness(a, b)
	}
	switch a.class {
	case number:
		if a.text == b.text || a.symbol != 0 && a.symbol == b.symbol {
			return 1, equal
		}
		return 0, equal
	case initial, suffix, title, stop, form, particle:
		switch {
		case a.text == b.text:
			return 1, equal
		case a.symbol != 0 && a.symbol == b.symbol:
			return likeMeaning, meaning
		case a.class == initial && a.sound == b.sound && max(a.script, b.script) > roman.Plain:
			return likeSound, across
		}
		return 0, equal
	}
	if a.text == b.text {
		return 1, equal
	}
	if a.script == roman.Own || b.script == roman.Own {
		return 0, equal
	}
	s, h := spelling(a, b)
	if s < likeMeaning {
		if t, g := sense(a, b); t > s {
			if t == likeMeaning && s >= leastLike {
				return t, sounds // one name, as neighbours spell it
			}
			return t, g
		}
	}
	if s < likeCutLeft && abridges(a, b) {
		if cut := likeCutTo(a, b); cut > s {
			return cut, abridged
		}
	}
	if s < leastLike {
		return 0, equal
	}
	return s, h
}

// mixedLikeness compares words of two classes: an initial with the name that it
// begins, a word that is common on one side only.
func mixedLikeness(a, b *token) (float32, how) {
	if b.class == initial {
		a, b = b, a
	}
	switch {
	case a.class == initial && b.class == word:
		if b.script != roman.Own && len(b.text) > 0 && (a.text[0] == b.text[0] || len(b.sound) > 0 && a.sound == b.sound[:1]) {
			return likeFirst, first
		}
	case a.class == number && b.class <= generic, a.class <= generic && b.class == number:
		return countLike(a, b)
	case a.class <= generic && b.class <= generic:
		// A slip in a common word makes an uncommon one of it.
		if a.text == b.text {
			return 1, equal
		}
		s, h := spelling(a, b)
		if s >= 0.7 {
			return s, h
		}
		if abridges(a, b) {
			return likeCutTo(a, b), abridged
		}
	case a.sound == b.sound && len(a.sound) > 1 && max(a.script, b.script) > roman.Plain && a.class != form && b.class != form:
		return likeSound, across // ドナ is Donna, not only Doña
	case a.class == particle && b.class == word, a.class == word && b.class == particle:
		if a.text == b.text {
			return 1, equal
		}
	case a.text == b.text && a.class != form && b.class != form:
		return 1, equal
	}
	return 0, equal
}

// sense compares by what words mean.
func sense(a, b *token) (float32, how) {
	if a.symbol != 0 && a.symbol == b.symbol {
		return likeMeaning, meaning
	}
	if isShortFor(a, b.symbol) || isShortFor(b, a.symbol) {
		return likeShort, short
	}
	for _, symbol := range b.short {
		if isShortFor(a, symbol) {
			return likeCousin, short
		}
	}
	return 0, equal
}

func isShortFor(t *token, symbol uint16) bool {
	return symbol != 0 && t.short[0] != 0 && slices.Contains(t.short[:], symbol)
}

// spelling compares letter by letter.
func spelling(a, b *token) (float32, how) {
	if a.script == roman.Own || b.script == roman.Own {
		return 0, equal
	}
	worse := guessed(a.script, b.script)
	if worse > roman.Alphabet {
		like, why := acrossScripts(a, b, worse)
		if a.script < b.script {
			a, b = b, a
		}
		if like >= likeSound {
			return like, why
		}
		var buf [soundRoom]byte
		if other, is := b.lettered(buf[:]); is {
			if s, h := acrossScripts(a, &other, worse); s > like {
				like, why = s, h
			}
		}
		if other, is := a.voiced(buf[:]); is {
			if s, h := acrossScripts(&other, b, worse); s > like {
				like, why = s, h
			}
		}
		return like, why
	}
	if a.sound == b.sound && len(a.sound) > 1 {
		return likeSound, sounds
	}
	var best float32
	var why how
	longer := max(len(a.text), len(b.text))
	if allowed := edits(longer); allowed > 0 && !farApart(a, b, allowed) {
		best, why = slipLike(a.text, b.text, longer, allowed), typo
	}
	if limit, near := hearings[worse].near(len(a.sound), len(b.sound), a.bones, b.bones); near {
		if c := spoken(a.sound, b.sound, costsFor[worse], limit); c <= limit {
			n := max(len(a.sound), len(b.sound))
			if s := likeSound - 1.15*share(c, float32(min(n, 12))); s > best {
				best, why = s, sounds
				if worse > roman.Plain {
					why = across
				}
			}
		}
	}
	if best >= leastLike && (opposed(a.text, b.text) || otherWords(a, b)) {
		return 0, equal
	}
	return best, why
}

// guessed is how far the letters of two words can be trusted: as far as those of the worse
// of them, but between two words of an abjad there is nothing to guess: حسن is not حسين.
func guessed(a, b roman.Form) roman.Form {
	if a == roman.Abjad && b == roman.Abjad {
		return roman.Alphabet
	}
	return max(a, b)
}

// countLike compares a number with a word that may be one: a name that begins with Three
// is not numbered, but 3 is how others write it.
func countLike(a, b *token) (float32, how) {
	if b.class == number {
		a, b = b, a
	}
	if a.symbol != 0 && len(b.text) > 2 && known.numerals[b.text] == a.symbol {
		return likeMeaning, meaning
	}
	return 0, equal
}

// otherWords says that two words that look alike are known as two. Given names are if they
// stand for different ones, as Christian and Christina. Words of companies are if both
// are well known and not one in two forms: who prints does not paint, though a slip
// would do. Other names of people are weighed instead.
func otherWords(a, b *token) bool {
	if a.symbol != 0 && a.symbol == b.symbol {
		return false
	}
	if !a.company {
		return a.symbol != 0 && b.symbol != 0
	}
	if !a.common || !b.common {
		return false
	}
	if name := known.names[a.text].symbol; name != 0 && name == known.names[b.text].symbol {
		return false // the same given name, Georg and George
	}
	short, long := a.text, b.text
	if len(short) > len(long) {
		short, long = long, short
	}
	n := 0
	for n < len(short) && short[n] == long[n] {
		n++
	}
	return len(short)-n > 1 || len(long)-n > 2
}

// opposed says that two words are of two sides and otherwise the same: Ostfalen and
// Westfalen, Northgate and Southgate. They look alike, and are never one.
func opposed(a, b string) bool {
	if a[0] == b[0] {
		return false
	}
	sideA, restA := sideOf(a)
	if sideA == 0 {
		return false
	}
	sideB, restB := sideOf(b)
	return sideB != 0 && sideA != sideB && restA == restB
}

// sideOf is the symbol of the side that a word begins with, if any, and what follows.
func sideOf(w string) (side uint16, rest string) {
	for _, stem := range known.stems {
		if rest, is := strings.CutPrefix(w, stem); is {
			return known.generic[stem], rest
		}
	}
	return 0, ""
}

// slipLike is how alike two words are between which there are so many slips at
// most, or 0.
func slipLike(a, b string, longer, allowed int) float32 {
	limit := int32(allowed * costLetter)
	c := written(a, b, limit)
	if c > limit {
		return 0
	}
	like := 1 - share(c, float32(min(longer, 16)))
	if longer <= 4 {
		like -= 0.05
	}
	return like
}

// share is a cost in hundredths as a share of a number of letters.
func share(cost int32, letters float32) float32 { return float32(cost) / (costLetter * letters) }

// vowels are the letters that a sound may lose or change and still be the same.
const vowels = 1 | 1<<('e'-'a') | 1<<('i'-'a') | 1<<('o'-'a') | 1<<('u'-'a') | 1<<('y'-'a') | 1<<('h'-'a')

// acrossScripts compares where vowels or voices of consonants are guesses.
func acrossScripts(a, b *token, worse roman.Form) (float32, how) {
	n := max(len(a.sound), len(b.sound))
	if n == 0 || min(len(a.sound), len(b.sound)) == 0 {
		return 0, equal
	}
	if a.sound == b.sound {
		return likeSound, across
	}
	size := acrossSize(n, max(consonants(a.sound), consonants(b.sound)), worse)
	limit := int32(30 * size)
	if hearings[worse].atLeast(len(a.sound), len(b.sound), a.bones, b.bones) > limit {
		return 0, equal
	}
	c := spoken(a.sound, b.sound, costsFor[worse], limit)
	if loses(a, b) || loses(b, a) {
		c += costLost
	}
	if c > limit {
		return 0, equal
	}
	return likeSound - 1.1*share(c, size), across
}

// acrossSize is what a mistake is held against. Vowels are nearly free here, so it is
// consonants: Ali is not Vallabhbhai for having the same vowels.
func acrossSize(letters, consonants int, worse roman.Form) float32 {
	size := 0.25*float32(letters) + 0.9*float32(consonants)
	if worse == roman.Syllabic {
		size += 0.2 * float32(letters) // its vowels are written, if not always the same ones
	}
	return size
}

// A j sounds like a vowel because Latin letters cannot agree on it, but a script that
// writes one means a consonant: جورج is George and not Yury. loses says that a Latin
// word has none that it could be.
func loses(own, latin *token) bool {
	return own.script > roman.Plain && latin.script == roman.Plain && own.mask&jay != 0 && latin.mask&jays == 0
}

const (
	jay      = 1 << ('j' - 'a')
	jays     = jay | 1<<('g'-'a') | 1<<('z'-'a') | 1<<('c'-'a') | 1<<('d'-'a')
	costLost = 60
)

func consonants(sound string) (n int) {
	for i := range len(sound) {
		if c := sound[i]; c < 'a' || c > 'z' || vowels&(1<<(c-'a')) == 0 {
			n++
		}
	}
	return n
}

// abridges says that the shorter word is the longer cut short: its beginning, or
// what is left without its vowels. A full stop says so itself; without one, few
// letters are the beginning of too much.
func abridges(a, b *token) bool {
	if len(a.text) > len(b.text) {
		a, b = b, a
	}
	x, y := a.text, b.text
	if len(x) < 2 || len(y) < len(x)+2 || x[0] != y[0] {
		return false
	}
	if strings.HasPrefix(y, x) {
		return a.dotted || len(x) >= 4 || len(x) == 3 && (a.class == generic || b.class == generic)
	}
	return contracts(a, b)
}

// likeCutTo is how alike a word is to itself cut short: the more is left of it, the less
// else it could be.
func likeCutTo(a, b *token) float32 {
	return min(likeCut+0.03*float32(max(0, min(len(a.text), len(b.text))-5)), likeCutLeft)
}

// contracts says that x is y without most of its vowels and perhaps some more:
// mfg, svcs, Mhmd.
func contracts(a, b *token) bool {
	x, y := a.text, b.text
	if len(x) < 3 || a.mask&^b.mask != 0 || x[len(x)-1] != y[len(y)-1] {
		return false
	}
	n := consonants(x)
	if len(x)-n > 1+len(x)/5 || 2*n < consonants(y)+2 {
		return false
	}
	at := 0
	for i := range len(y) {
		if at < len(x) && x[at] == y[i] {
			at++
		}
	}
	return at == len(x)
}
