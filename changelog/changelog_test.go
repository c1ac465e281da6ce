package changelog

import (
	"strings"
	"testing"
	"testing/fstest"
)

// Every file beside us can be shown, and the newest comes first.
func TestEntries(t *testing.T) {
	list, err := Entries()
	if err != nil {
		t.Fatal(err)
	}
	if len(list) == 0 {
		t.Fatal("there is no entry")
	}
	for i, e := range list {
		if i > 0 && e.Date > list[i-1].Date {
			t.Errorf("%s comes after what is older", e.Name)
		}
	}
}

func TestEntriesThatCannotBeShown(t *testing.T) {
	for _, c := range []struct{ about, text, want string }{
		{"no title", "Something\n\n*add, 2026-01-02*\n\nText.", "not a title"},
		{"no text", "# Title\n\n*add, 2026-01-02*\n", "no text"},
		{"no kind", "# Title\n\nText.\n\nMore.", "does not say add"},
		{"another kind", "# Title\n\n*new, 2026-01-02*\n\nText.", "does not say add"},
		{"no day", "# Title\n\n*add, yesterday*\n\nText.", "has no day"},
	} {
		_, err := read(fstest.MapFS{"1.0/0001-x.md": {Data: []byte(c.text)}})
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "1.0/0001-x.md") {
			t.Errorf("%s: got %v, want %q", c.about, err, c.want)
		}
	}
}
