package match

import "bureau/internal/match/roman"

// A word is found under keys that survive mistakes: what is left of its
// beginning when up to two letters are taken away, and the skeleton of its
// sound. Two words with a mistake or two between them share one of the first;
// the same word in another script shares one of the second.

// Keys of one sort are not to be mistaken for those of another.
const (
	seedWord     = 0x51ed270b
	seedSkeleton = 0x2545f491
	seedSquash   = 0x9e3779b1
	seedInitials = 0x7f4a7c15
	seedShort    = 0x6c62272e
)

// keyPrefix is how much of a word its keys are made of. Mistakes behind it do
// not change them.
const keyPrefix = 7

// slips is how many letters are taken away to make keys of a word of n letters.
func slips(n int) int {
	switch {
	case n < 3:
		return 0
	case n < 6:
		return 1
	}
	return 2
}

// wordKeys calls put for each key of a word's letters.
func wordKeys(text []byte, put func(uint32)) {
	n := slips(len(text))
	var buf [keyPrefix + 1]byte
	head := buf[:copy(buf[:keyPrefix], text)]
	put(hash32(seedWord, head))
	if n == 0 {
		return
	}
	var less, least [keyPrefix]byte
	for i := range head {
		// Taking either of two equal letters leaves the same.
		if i > 0 && head[i] == head[i-1] {
			continue
		}
		one := without(less[:0], head, i)
		put(hash32(seedWord, one))
		if n < 2 {
			continue
		}
		for j := i; j < len(one); j++ {
			if j > i && one[j] == one[j-1] {
				continue
			}
			put(hash32(seedWord, without(least[:0], one, j)))
		}
	}
}

func without(dst, s []byte, i int) []byte {
	return append(append(dst, s[:i]...), s[i+1:]...)
}

// skeletonKeys calls put for the keys of a word's sound: the whole skeleton, and,
// where letters are guesses, the skeleton less one consonant.
func skeletonKeys(sound string, guesses bool, put func(uint32)) {
	var buf [maxWord]byte
	if len(sound) > maxWord {
		sound = sound[:maxWord]
	}
	bones := skeleton(buf[:0], sound)
	if len(bones) < 2 {
		shortKey(sound, put)
		return
	}
	put(hash32(seedSkeleton, bones))
	if !guesses || len(bones) < 3 {
		return
	}
	var less [maxWord]byte
	for i := range bones {
		put(hash32(seedSkeleton, without(less[:0], bones, i)))
	}
}

// shortKey calls put for the key of a sound that has one consonant, if any: Johnen,
// Jianyu. One is in half of all words, so that its vowels count too.
func shortKey(sound string, put func(uint32)) {
	var buf [maxWord]byte
	heard := buf[:0]
	for i := range len(sound) {
		if sound[i] != 'h' {
			heard = append(heard, sound[i])
		}
	}
	if len(heard) > 2 {
		put(hash32(seedShort, heard))
	}
}

// lettered is a Latin word with the sound it has to somebody who goes letter by
// letter, where that is another: each c is hard, and a t before an s is spoken. It is
// how кекил is Cecil, and how ワトソン is Watson. That sound is put into memory of the
// caller's, since words are compared far too often to ask for more each time.
func (t *token) lettered(into []byte) (other token, is bool) {
	if t.script != roman.Plain || t.mask&(1<<('c'-'a')|1<<('t'-'a')) == 0 {
		return token{}, false
	}
	var buf [2 * maxWord]byte
	text := buf[:0]
	for i := range min(len(t.text), maxWord) {
		c, next := t.text[i], byte(0)
		if i+1 < len(t.text) {
			next = t.text[i+1]
		}
		switch {
		case c == 'c' && (next == 'e' || next == 'i' || next == 'y'):
			text, is = append(text, 'k'), true
		case c == 't' && (next == 's' || next == 'z'):
			text, is = append(text, 't', 'e'), true
		default:
			text = append(text, c)
		}
	}
	if !is {
		return token{}, false
	}
	other = *t
	other.sound = view(soundInto(into[:0], view(text[:min(len(text), maxWord)])))
	other.bones = letters(other.sound) &^ vowels
	return other, true
}

// voiced is a word of a syllabary with the sound it has if its j is a z, which it has no
// other letter for before an i: ジセン is Zisen. The sound is put into memory of the
// caller's.
func (t *token) voiced(into []byte) (other token, is bool) {
	if t.script != roman.Syllabic || t.mask&jay == 0 {
		return token{}, false
	}
	var buf [maxWord]byte
	text := append(buf[:0], t.text[:min(len(t.text), maxWord)]...)
	for i, c := range text {
		if c == 'j' {
			text[i] = 'z'
		}
	}
	other = *t
	other.sound = view(soundInto(into[:0], view(text)))
	other.bones = letters(other.sound) &^ vowels
	return other, true
}

// eachSound calls do for the sound of a word, and for another one it may have: an
// abjad writes o and u as w or v, and g may be its j; a syllabary's j may be a z; a
// Latin word may have been spelt letter by letter.
func (t *token) eachSound(do func(sound string)) {
	do(t.sound)
	if other, is := t.lettered(nil); is {
		do(other.sound)
	}
	if other, is := t.voiced(nil); is {
		do(other.sound)
	}
	if t.script != roman.Abjad {
		return
	}
	var buf [4 * maxWord]byte
	other := buf[:0]
	for i := range len(t.text) {
		switch c := t.text[i]; c {
		case 'w', 'v', 'y':
		case 'j':
			other = append(other, 'g')
		default:
			other = append(other, c)
		}
	}
	if len(other) < len(t.text) || t.mask&letters("j") != 0 {
		do(sound(string(other)))
	}
}

// searchable says whether a word is looked up when its name is searched for.
func searchable(c class) bool { return c == word || c == generic || c == number }
