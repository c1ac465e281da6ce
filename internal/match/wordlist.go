package match

// A wordList recognises words with a slip in them. It maps what is left of each
// word without one of its letters, and the word itself, to the word.
type wordList map[string]string

func (l wordList) add(w string) {
	l[w] = w
	for i := range len(w) {
		if key := w[:i] + w[i+1:]; l[key] == "" {
			l[key] = w
		}
	}
}

// correct returns the word of the list that w is but for a slip, or w itself.
func (l wordList) correct(w string) string {
	if len(w) < 4 || len(w) > maxWord || l[w] == w {
		return w
	}
	try := func(key string) (string, bool) {
		if r := l[key]; r != "" && written(w, r, costLetter) <= costLetter {
			return r, true
		}
		return "", false
	}
	if r, ok := try(w); ok {
		return r
	}
	for i := range len(w) {
		if r, ok := try(w[:i] + w[i+1:]); ok {
			return r
		}
	}
	return w
}
