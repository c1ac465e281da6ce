package monitor

import (
	"context"
	"math/rand/v2"
	"strings"
	"time"

	"bureau/internal/auth"
)

// A Mail is a mail that waits to be sent, or was. It is kept in the transaction
// that decides to send it, and sent from there.
type Mail struct {
	Key         string // what it is about: there is one mail of each key
	Kind        MailKind
	Customer    auth.CustomerID // 0: none, the operator's
	Portfolio   PortfolioID     // 0: none
	To          Recipient
	Subject     string
	Text, HTML  string
	Unsubscribe string // the address that ends such mail; empty if there is none
	MessageID   string // without brackets; the same for every try

	State     MailState
	Tries     int
	FirstAt   time.Time // of the first try
	NextAt    time.Time // when to try again
	Error     string    // why the last try failed; no address is in it
	CreatedAt time.Time
	EndedAt   time.Time
	Fence     int64 // of whoever sends it
}

// Name is what a recipient is called, or nothing.
func (r Recipient) Name() string { return strings.TrimSpace(r.First + " " + r.Last) }

// A MailKind says what a mail is for.
type MailKind string

const (
	DigestMail  MailKind = "digest"
	ImportMail  MailKind = "import"
	TroubleMail MailKind = "trouble"
	AlertMail   MailKind = "alert"
)

// A MailState says what becomes of a mail.
type MailState int

const (
	MailWaiting MailState = iota
	MailSent
	MailDead // given up
)

func (s MailState) String() string { return [...]string{"waiting", "sent", "dead"}[s] }

// MailStore keeps mail on its way out. The methods that take a mail which is
// being sent are fenced: once another has taken it over, or it is gone, they are
// a fault.Conflict and change nothing.
type MailStore interface {
	// KeepMails keeps mails to be sent. One whose key is there already is left
	// out.
	KeepMails(ctx context.Context, list []Mail) error

	// ClaimMails takes the mails that wait and whose time has come and that
	// nobody holds, those that are due longest first, at most limit, and holds
	// them for a while. Each claim has a higher fence than the last, and is one
	// more try.
	ClaimMails(ctx context.Context, owner string, life time.Duration, limit int) ([]Mail, error)

	// SettleMail saves State, Tries, NextAt and Error, and holds the mail no
	// longer. One that waits no more has an EndedAt and keeps no text.
	SettleMail(ctx context.Context, m Mail) error

	// ForgetMails gives up the mails that were made before one time and still
	// wait, and takes away those that ended before another.
	ForgetMails(ctx context.Context, waiting, ended time.Time) error

	// MailBacklog counts the mails that wait, and says when the oldest was
	// made.
	MailBacklog(ctx context.Context) (waiting int64, oldest time.Time, err error)
}

// How long a mail is tried, and how often.
const (
	mailTriedFor   = 72 * time.Hour
	mailFirstRetry = time.Minute
	mailLastRetry  = 24 * time.Hour

	// MailWaitsFor is how long a mail waits for somebody to send it. Older
	// news is none.
	MailWaitsFor = 7 * 24 * time.Hour
)

// Sent notes that a mail was taken.
func (m *Mail) Sent() { m.State, m.NextAt, m.Error = MailSent, time.Time{}, "" }

// Refused notes that a mail will never be taken.
func (m *Mail) Refused(why string) { m.State, m.NextAt, m.Error = MailDead, time.Time{}, why }

// Failed notes that a mail was not taken this time. It is tried again after a
// while, twice as long each time, and given up after three days.
func (m *Mail) Failed(why string, now time.Time, r *rand.Rand) {
	if now.Sub(m.FirstAt) >= mailTriedFor {
		m.Refused(why)
		return
	}
	wait := mailLastRetry
	if m.Tries < 12 {
		wait = min(mailLastRetry, mailFirstRetry<<max(0, m.Tries-1))
	}
	m.NextAt, m.Error = now.Add(jitter(wait, r)), why
}

// Untried notes that a mail's turn did not come.
func (m *Mail) Untried() { m.Tries-- }
