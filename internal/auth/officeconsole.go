package auth

import (
	"context"
	"strings"

	"bureau/internal/fault"
)

// tidyEmail is an address as it is compared: people write theirs in any case.
func tidyEmail(s string) string { return strings.ToLower(strings.TrimSpace(s)) }

// SetRole says what an account may do in the console.
func (o *Office) SetRole(ctx context.Context, userKey string, r Role) (Account, error) {
	if _, err := ParseRole(string(r)); err != nil {
		return Account{}, err
	}
	return o.edit(ctx, userKey, AccountChanged, "role="+string(r), func(a *Account) { a.Role = r })
}

// SetEmail gives an account the address that it signs in to the console with;
// none shuts the console to it.
func (o *Office) SetEmail(ctx context.Context, userKey, email string) (Account, error) {
	email = tidyEmail(email)
	if email != "" && !looksLikeEmail(email) {
		return Account{}, fault.Invalid.Errorf("%q is not an e-mail address", email)
	}
	return o.edit(ctx, userKey, AccountChanged, "e-mail", func(a *Account) { a.Email = email })
}

// DropSecond lets an account sign in without a code: for who has lost the app
// that makes them.
func (o *Office) DropSecond(ctx context.Context, userKey string) (Account, error) {
	return o.edit(ctx, userKey, AccountChanged, "one-time codes off", func(a *Account) { a.Second = nil })
}

func (o *Office) setSecond(ctx context.Context, userKey string, sealed []byte) (Account, error) {
	return o.edit(ctx, userKey, AccountChanged, "one-time codes on", func(a *Account) { a.Second = sealed })
}
