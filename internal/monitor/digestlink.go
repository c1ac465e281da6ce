package monitor

import (
	"context"
	"encoding/base64"
	"strconv"
	"strings"

	"bureau/internal/auth"
	"bureau/internal/fault"
)

// Subscriptions are the links by which a recipient ends a digest. A link is
// sealed: whoever reads it on the way learns neither whose it is nor what it is
// about, and nobody makes one up. It never ends, since mail is read late.
type Subscriptions struct {
	Store DigestStore
	Vault *auth.Vault
}

// linkName binds what is sealed to its purpose.
const linkName = "unsubscribe"

// Token is what stands in the link of a recipient.
func (s *Subscriptions) Token(id PortfolioID, address string) string {
	plain := strconv.FormatInt(int64(id), 10) + " " + address
	return base64.RawURLEncoding.EncodeToString(s.Vault.Seal(linkName, []byte(plain)))
}

// read undoes Token.
func (s *Subscriptions) read(token string) (PortfolioID, string, error) {
	const wrong = "this link is not whole: copy all of it"
	sealed, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil {
		return 0, "", fault.Invalid.Errorf(wrong)
	}
	plain, err := s.Vault.Open(linkName, sealed)
	if err != nil {
		return 0, "", fault.Invalid.Errorf(wrong)
	}
	number, address, _ := strings.Cut(string(plain), " ")
	id, err := strconv.ParseInt(number, 10, 64)
	return PortfolioID(id), address, err
}

// Check reports whether a token is one of ours: nil, or a fault.
func (s *Subscriptions) Check(token string) error {
	_, _, err := s.read(token)
	return err
}

// End takes the recipient of a link out of its portfolio. To do it twice is to
// do it once. Whoever changes the portfolio may put the recipient in again.
func (s *Subscriptions) End(ctx context.Context, token string) error {
	id, address, err := s.read(token)
	if err != nil {
		return err
	}
	return s.Store.Unsubscribe(ctx, id, address)
}
