package monitor

import (
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// A Search finds a text inside others, in whatever case either is written.
type Search struct{ folded string }

// NewSearch makes a search for a text. Spaces around it do not count.
func NewSearch(text string) Search { return Search{fold(strings.TrimSpace(text))} }

// Empty reports whether the search is for nothing, which is in everything.
func (s Search) Empty() bool { return s.folded == "" }

// Folded is the text as SortName writes names.
func (s Search) Folded() string { return s.folded }

// In reports whether the text is in another.
func (s Search) In(text string) bool {
	return len(text) > 0 && strings.Contains(fold(text), s.folded)
}

// fold takes away the differences between letters that mean the same.
func fold(s string) string {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return cases.Fold().String(norm.NFKC.String(s))
		}
	}
	return strings.ToLower(s) // the same, at a fraction of the cost
}
