package company

import (
	"strings"
	"unicode"
)

// Unread are the words of records that could not be read. What a whole list does
// not hold is gone, but what a bad record of it may be about is not.
type Unread struct {
	words   map[string]struct{}
	anybody bool // a record may be about anybody: there are too many, or one without a word
}

// unreadMost is how many words are kept. A file with more of them in bad records
// is hardly one that should take anything away.
const unreadMost = 200_000

// Add keeps the words of a bad record.
func (u *Unread) Add(raw string) {
	if u.words == nil {
		u.words = map[string]struct{}{}
	}
	words := wordsOf(raw)
	for _, w := range words {
		u.words[w] = struct{}{}
	}
	if len(words) == 0 || len(u.words) > unreadMost {
		u.anybody, u.words = true, map[string]struct{}{}
	}
}

// MayName reports whether a bad record may be about somebody with this number:
// every word of it was in one.
func (u *Unread) MayName(number string) bool {
	if u.anybody {
		return true
	}
	if len(u.words) == 0 {
		return false
	}
	words := wordsOf(number)
	for _, w := range words {
		if _, ok := u.words[w]; !ok {
			return false
		}
	}
	return len(words) > 0
}

func wordsOf(s string) []string {
	return strings.FieldsFunc(strings.ToUpper(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
