package auth_test

import (
	"bytes"
	"strings"
	"testing"

	"bureau/internal/auth"
)

// B19: a cursor is good for whom it was written, for the list it was written
// for, and letter by letter.
func TestCursors(t *testing.T) {
	vault := func(key byte) *auth.Vault {
		v, err := auth.NewVault(bytes.Repeat([]byte{key}, auth.MasterKeySize))
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	v, other := vault(1), vault(2)
	ann := auth.Caller{Customer: 1, Account: 23}
	place := []byte(`{"id":"GB-0-1"}`)
	cursor := v.SealCursor(ann, "companies 100001", place)
	if got, ok := v.OpenCursor(ann, "companies 100001", cursor); !ok || string(got) != string(place) {
		t.Fatalf("got %q, %v; want what was sealed", got, ok)
	}
	if v.SealCursor(ann, "companies 100001", place) != cursor {
		t.Error("the same place has two cursors")
	}
	for name, by := range map[string]auth.Caller{
		"a colleague": {Customer: 1, Account: 24}, "another customer": {Customer: 2, Account: 23},
		"numbers that read alike": {Customer: 12, Account: 3}, "nobody": {},
	} {
		if _, ok := v.OpenCursor(by, "companies 100001", cursor); ok {
			t.Errorf("%s may use it", name)
		}
	}
	for _, list := range []string{"", "companies 100002", "companies 10000", "companies 100001 "} {
		if _, ok := v.OpenCursor(ann, list, cursor); ok {
			t.Errorf("it opens the list %q", list)
		}
	}
	if _, ok := other.OpenCursor(ann, "companies 100001", cursor); ok {
		t.Error("another house may use it")
	}
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/ \n"
	for i := range cursor {
		if _, ok := v.OpenCursor(ann, "companies 100001", cursor[:i]); ok {
			t.Errorf("its first %d letters will do", i)
		}
		for _, l := range letters {
			changed := cursor[:i] + string(l) + cursor[i+1:]
			if _, ok := v.OpenCursor(ann, "companies 100001", changed); ok && changed != cursor {
				t.Errorf("with letter %d changed to %q it still opens", i, l)
			}
		}
	}
	for _, more := range []string{"A", "=", "\n", " ", cursor} {
		if _, ok := v.OpenCursor(ann, "companies 100001", cursor+more); ok {
			t.Errorf("with %q behind it it still opens", more)
		}
	}
	if _, ok := v.OpenCursor(ann, "companies 100001", strings.Repeat("A", 1<<16)); ok {
		t.Error("a long row of letters opens")
	}
}
