package match

// A wordList recognises words with a slip in them. It maps what is left of each
// word without one of its letters, and the word itself, to the word.
type wordList struct {
	words map[string]string
	sums  [sumBits / 64]uint64 // a bit for what the letters of each key add up to
}

// sumBits is some times as many as there are keys, so that most of what is in no list
// is known by its sum.
const sumBits = 1 << 17

// letterSums are numbers of letters that hardly ever add up to the same.
var letterSums = func() (out [256]uint32) {
	for i := range out {
		out[i] = hash32(seedWord, []byte{byte(i)})
	}
	return out
}()

func letterSum(w string) (sum uint32) {
	for i := range len(w) {
		sum += letterSums[w[i]]
	}
	return sum
}

func newWordList() *wordList { return &wordList{words: map[string]string{}} }

func (l *wordList) add(w string) {
	l.put(w, w)
	for i := range len(w) {
		if key := w[:i] + w[i+1:]; l.words[key] == "" {
			l.put(key, w)
		}
	}
}

func (l *wordList) put(key, w string) {
	l.words[key] = w
	sum := letterSum(key) % sumBits
	l.sums[sum/64] |= 1 << (sum % 64)
}

// has says whether there may be a key whose letters add up so.
func (l *wordList) has(sum uint32) bool {
	sum %= sumBits
	return l.sums[sum/64]&(1<<(sum%64)) != 0
}

// correct returns the word of the list that w is but for a slip, or w itself.
func (l *wordList) correct(w string) string {
	if len(w) < 4 || len(w) > maxWord {
		return w
	}
	sum := letterSum(w)
	if l.has(sum) {
		r := l.words[w]
		if r == w || l.isSlip(w, r) {
			return r
		}
	}
	for i := range len(w) {
		if !l.has(sum - letterSums[w[i]]) {
			continue
		}
		if r := l.words[w[:i]+w[i+1:]]; l.isSlip(w, r) {
			return r
		}
	}
	return w
}

func (l *wordList) isSlip(w, r string) bool {
	return r != "" && written(w, r, costLetter) <= costLetter
}
