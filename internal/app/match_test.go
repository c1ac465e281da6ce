package app

import (
	"strings"
	"testing"
)

// A line that is too long is answered as such, and the rest go on.
func TestLongLinesAreAnswered(t *testing.T) {
	const pair = `{"a":"Nordwind Shipping","b":"Nordwind Shipping","kind":"company"}`
	in := strings.Join([]string{pair, strings.Repeat("x", 3*maxLine), pair, strings.Repeat("x", maxLine+1)}, "\n")
	var out strings.Builder
	bad, err := MatchPairs(strings.NewReader(in), &out)
	if err != nil || bad != 2 {
		t.Fatalf("%d bad lines, %v; want 2", bad, err)
	}
	answers := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if len(answers) != 4 {
		t.Fatalf("%d answers to 4 lines", len(answers))
	}
	for i, want := range []string{`{"score":1,`, `{"error":"it is longer than 1048576 bytes"}`, `{"score":1,`, `{"error":"it is longer than`} {
		if !strings.HasPrefix(answers[i], want) {
			t.Errorf("line %d: %s, want %s", i+1, answers[i], want)
		}
	}
}
