package auth

import "testing"

// Accounts that swap names reach another node as one piece of news.
func TestAccountsThatSwapNames(t *testing.T) {
	m := newMint(t, "EdDSA")
	m.tell(News{Accounts: []Account{
		{ID: 1, UserKey: "a", Email: "a@acme.test"}, {ID: 2, UserKey: "b", Email: "b@acme.test"},
	}})
	m.tell(News{Accounts: []Account{
		{ID: 1, UserKey: "b", Email: "b@acme.test"}, {ID: 2, UserKey: "c", Email: "c@acme.test"},
	}})
	state := m.dir.now.Load()
	for name, want := range map[string]AccountID{"a": 0, "b": 1, "c": 2} {
		for _, got := range []*Account{state.userKeys[name], state.emails[name+"@acme.test"]} {
			if want == 0 && got != nil || want != 0 && (got == nil || got.ID != want) {
				t.Errorf("%s leads to %v, want account %d", name, got, want)
			}
		}
	}
}
