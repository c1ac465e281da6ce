package auth_test

import (
	"testing"

	"bureau/internal/auth"
	"bureau/internal/store/storetest"
)

// A token of a moment ago is good on every node, also one that has not yet
// heard of the account's new password.
func TestFreshTokenIsGoodOnEveryNode(t *testing.T) {
	url, c := storetest.Postgres(t), newClock()
	one, two := openHouse(t, url, c, plan{node: "one"}), openHouse(t, url, c, plan{node: "two"})
	customer := one.customer("acme")
	_, password := one.account(customer, "fresh")
	if _, _, err := two.gate.Admit(t.Context(), one.token("fresh", password), auth.Open); err != nil {
		t.Fatalf("a new account's first token is refused on the other node: %v", err)
	}
	_, password, err := one.office.ResetPassword(t.Context(), "fresh")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := two.gate.Admit(t.Context(), one.token("fresh", password), auth.Open); err != nil {
		t.Fatalf("the first token after a new password is refused on the other node: %v", err)
	}
}
