package monitor

import (
	"bytes"
	"testing"

	"bureau/internal/auth"
	"bureau/internal/fault"
)

// FuzzUnsubscribe looks for a link that ends a subscription and that we did not
// write.
func FuzzUnsubscribe(f *testing.F) {
	vault, err := auth.NewVault(bytes.Repeat([]byte{7}, auth.MasterKeySize))
	if err != nil {
		f.Fatal(err)
	}
	s := &Subscriptions{Vault: vault}
	good := s.Token(7, "ada@example.com")
	for _, seed := range []string{good, good + "=", good[:len(good)-2], "", "AAAA", "\xff", good + good} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, token string) {
		id, address, err := s.read(token)
		if err != nil {
			if _, told := fault.Of(err); !told {
				t.Fatalf("%q: its reader is not told: %v", token, err)
			}
			return
		}
		if id != 7 || address != "ada@example.com" {
			t.Fatalf("%q ends the subscription of %q to %d", token, address, id)
		}
	})
}
