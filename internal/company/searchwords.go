package company

import (
	"strings"

	"bureau/internal/match"
)

// A match says whether two names mean the same. A search shows more: also names
// that only have the words that were asked for. That is what this file is about.

// shareOf is how much of a name, by letters, the names of a list have, each word
// equal, cut short, or a slip away. The best of them counts.
func shareOf(asked match.Name, kind match.Kind, names []string) float64 {
	words := asked.Words()
	best := 0.0
	for _, n := range names {
		kept := match.Read(kind, n).Words()
		// A person's name is too short for that: Ann Lee is not Ben Lee.
		if kind == match.Company && isMistyped(strings.Join(words, ""), strings.Join(kept, "")) {
			return 1
		}
		best = max(best, share(words, kept))
	}
	return best
}

// isMistyped reports whether two names, written in one, are a few slips apart.
func isMistyped(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return slips(a, b) <= len(b)/4
}

func share(asked, kept []string) float64 {
	got, all := 0, 0
	used := make([]bool, len(kept))
	for _, w := range asked {
		all += len(w)
		for i, o := range kept {
			if !used[i] && likeWord(w, o) {
				used[i] = true
				got += len(w)
				break
			}
		}
	}
	if all == 0 {
		return 0
	}
	return float64(got) / float64(all)
}

// likeWord reports whether two words may be one.
func likeWord(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return a == b || strings.HasPrefix(b, a) || isCutShort(a, b) || isMistyped(a, b)
}

// isCutShort reports whether a word is another without some of its letters, as
// intl is international.
func isCutShort(short, long string) bool {
	if len(short) < 3 || short[0] != long[0] {
		return false
	}
	for i := range len(long) {
		if short != "" && long[i] == short[0] {
			short = short[1:]
		}
	}
	return short == ""
}

// slips is how many letters must be changed, added or left out to make one text
// of a longer one. A bound keeps a hostile one from taking long.
func slips(a, b string) int {
	if len(b) > maxSlips || len(b)-len(a) > len(b)/4 {
		return len(b)
	}
	var row [maxSlips + 1]int
	for j := range len(b) + 1 {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := before
			if a[i] != b[j] {
				cost++
			}
			before = row[j+1]
			row[j+1] = min(cost, before+1, row[j]+1)
		}
	}
	return row[len(b)]
}

// maxSlips is the longest text whose slips are counted.
const maxSlips = 100

const (
	// likely is the score from which a name is an answer to a search by itself.
	likely = 0.5
	// mostWords is how much of the name that was asked for another must have.
	mostWords = 0.5
)

// isNear reports whether a company's name is an answer to a search.
func isNear(score float64, asked match.Subject, names []string) bool {
	return score >= likely || shareOf(asked.Names[0].Name, match.Company, names) >= mostWords
}

// isNearPerson is the same for people, who must have every word: half a name is
// anybody's.
func isNearPerson(score float64, asked match.Subject, names []string) bool {
	return score >= match.AlertScore || shareOf(asked.Names[0].Name, match.Person, names) > 0.99
}
