package fault_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"bureau/internal/fault"
)

func TestClipKeepsEnoughToKnowItAgain(t *testing.T) {
	if got := fault.Clip("GB-0-03375464"); got != "GB-0-03375464" {
		t.Errorf("a short text became %q", got)
	}
	for _, long := range []string{strings.Repeat("x", 5000), strings.Repeat("é", 5000), "x" + strings.Repeat("語", 5000)} {
		got := fault.Clip(long)
		if len(got) > 70 || len(got) < 50 || !utf8.ValidString(got) || !strings.HasSuffix(got, "…") || !strings.HasPrefix(long, strings.TrimSuffix(got, "…")) {
			t.Errorf("a long text became %q", got)
		}
	}
}
