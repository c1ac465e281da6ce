package app

import (
	"net/http"
	"os"
	"testing"

	"bureau/internal/sandbox"
)

// TestNoCredentialIsShipped: a new database knows nobody, and serving it adds
// nobody. Whoever is to come in, an operator has let in.
func TestNoCredentialIsShipped(t *testing.T) {
	t.Parallel()
	h := serveHouse(t, config(t))
	if c, a := h.ListCustomers(), h.ListAccounts(0); len(c) != 0 || len(a) != 0 {
		t.Errorf("a new database has customers %v and accounts %v", c, a)
	}
	for _, name := range []string{"admin", "root", "bureau", "operator", "sandbox", "user-1001", "user-1002"} {
		for _, password := range []string{"admin", "password", "bureau", name, "change-me-please"} {
			if status, _ := h.login(t, name, password); status != http.StatusUnauthorized {
				t.Errorf("login as %s: got %d, want 401", name, status)
			}
		}
	}
	files, err := os.ReadDir(h.Config.Data)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if f.Name() == "sandbox.json" {
			t.Error("there is a sandbox that nobody asked for")
		}
	}
}

func TestSandboxPasswordsAreItsOwn(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for range 2 {
		a, _ := openHouse(t, config(t))
		card, err := sandbox.Accounts(t.Context(), a.Office, a.Directory, sandbox.Card{})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range []string{card.Password, card.OtherPassword, card.BarePassword, card.EmailPassword} {
			if len(p) != 30 || seen[p] {
				t.Errorf("the password %q is short, or was given out before", p)
			}
			seen[p] = true
		}
	}
}
