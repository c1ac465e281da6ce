package match

import "testing"

// A name may be short for so many others at most; what a line adds beyond is lost.
func TestShortNamesHaveRoom(t *testing.T) {
	for name, n := range known.names {
		if len(n.short) > shorts {
			t.Errorf("%s is short for %d names, there is room for %d", name, len(n.short), shorts)
		}
	}
}
