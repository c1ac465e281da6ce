package notify

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	netmail "net/mail"
	"strings"

	"github.com/wneessen/go-mail"

	"bureau/internal/monitor"
)

// newMessage puts a mail in the form that relays take. Every try of a mail
// says the same, down to its date and boundary. An error says, without the address, why it can never be
// sent.
func newMessage(from string, m *monitor.Mail) (*mail.Msg, error) {
	sum := sha256.Sum256([]byte(m.Key))
	msg := mail.NewMsg(mail.WithNoDefaultUserAgent(), mail.WithBoundary("part-"+hex.EncodeToString(sum[:12])))
	if err := msg.From(from); err != nil {
		return nil, errors.New("the sender is not an address")
	}
	if !isBare(m.To.Address) {
		return nil, errors.New("the recipient is not an address")
	}
	to := &netmail.Address{Name: clean(m.To.Name(), 200), Address: m.To.Address}
	msg.ToMailAddress(to)
	if got, err := msg.GetRecipients(); err != nil || len(got) != 1 || got[0] != "<"+m.To.Address+">" {
		return nil, errors.New("the recipient is not one address")
	}
	msg.Subject(clean(m.Subject, 200))
	msg.SetMessageIDWithValue(clean(m.MessageID, 200))
	msg.SetDateWithValue(m.CreatedAt)
	msg.SetGenHeader("Auto-Submitted", "auto-generated") // so that nobody's holiday answers us
	if m.Unsubscribe != "" {
		msg.SetListUnsubscribe(strings.NewReplacer("<", "", ">", "", ",", "").Replace(clean(m.Unsubscribe, 900)))
		if strings.HasPrefix(m.Unsubscribe, "https://") { // one click is for HTTPS alone (RFC 8058)
			msg.SetListUnsubscribePost()
		}
	}
	msg.SetBodyString(mail.TypeTextPlain, m.Text)
	msg.AddAlternativeString(mail.TypeTextHTML, m.HTML)
	return msg, nil
}

// isBare reports whether a text is one address and nothing else: what it parses
// to is what it says.
func isBare(address string) bool {
	a, err := netmail.ParseAddress(address)
	return err == nil && a.Name == "" && a.Address == address && address == clean(address, 254) && !strings.ContainsAny(address, " <>")
}

// domainOf is what is behind the @.
func domainOf(address string) string {
	a, err := netmail.ParseAddress(address)
	if err != nil {
		return "localhost"
	}
	return a.Address[strings.LastIndexByte(a.Address, '@')+1:]
}
