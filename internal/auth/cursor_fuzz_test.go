package auth

import (
	"bytes"
	"testing"
)

// FuzzOpenCursor looks for a cursor that opens and was not written for this
// caller and this list, and for one that does not come back as it went.
func FuzzOpenCursor(f *testing.F) {
	v, err := NewVault(bytes.Repeat([]byte{7}, MasterKeySize))
	if err != nil {
		f.Fatal(err)
	}
	by, other := Caller{Customer: 1001, Account: 1}, Caller{Customer: 1001, Account: 2}
	place := []byte(`{"id":7}`)
	good := v.SealCursor(by, "events", place)
	for _, seed := range []string{
		good, good + "=", good + "\n", good[:len(good)-1], v.SealCursor(other, "events", place),
		v.SealCursor(by, "portfolios", place), v.SealCursor(by, "events", nil), "", "AAAA", "\xff",
	} {
		f.Add(seed, []byte("x"))
	}
	empty := v.SealCursor(by, "events", nil)
	f.Fuzz(func(t *testing.T, cursor string, place []byte) {
		if _, ok := v.OpenCursor(by, "events", cursor); ok && cursor != good && cursor != empty {
			t.Fatalf("%q opens", cursor)
		}
		mine := v.SealCursor(by, "events", place)
		if back, ok := v.OpenCursor(by, "events", mine); !ok || !bytes.Equal(back, place) {
			t.Fatalf("%q comes back as %q, %v", place, back, ok)
		}
		for _, stranger := range []Caller{other, {Customer: 1002, Account: 1}} {
			if _, ok := v.OpenCursor(stranger, "events", mine); ok {
				t.Fatalf("%+v opens a cursor of %+v", stranger, by)
			}
		}
	})
}
