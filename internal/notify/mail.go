package notify

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/wneessen/go-mail"

	"bureau/internal/fault"
	"bureau/internal/job"
	"bureau/internal/monitor"
)

// A Relay is the server that takes our mail.
type Relay struct {
	Host     string
	Port     int
	User     string // empty: it asks for none
	Password string
	From     string
	TLS      TLSMode
	Roots    *x509.CertPool // nil: the system's
	Within   time.Duration  // how long it may take over one mail
}

// A TLSMode says how a connection to the relay is protected.
type TLSMode string

const (
	StartTLS    TLSMode = "starttls" // refused if the relay cannot
	ImplicitTLS TLSMode = "tls"
	Plain       TLSMode = "none"
)

// A Postman sends the mail that waits. Claiming a mail is the mark that it is
// about to be sent: after a crash it is sent again, under the same Message-ID,
// which tells receivers that they have it.
type Postman struct {
	Store  monitor.MailStore
	Relay  Relay
	Owner  string // this node
	Now    func() time.Time
	Random *rand.Rand
	Landed func(monitor.MailState) // told what became of each; nil: nobody asks

	Batch int           // how many are sent over one connection
	Life  time.Duration // of a claim; another node takes over after that
	Every time.Duration // how often to look
}

// Step sends a batch, and reports whether it was a whole one. An error is the
// relay's or the database's; what it was about is tried again.
func (p *Postman) Step(ctx context.Context) (more bool, err error) {
	list, err := p.Store.ClaimMails(ctx, p.Owner, p.Life, p.Batch)
	if err != nil || len(list) == 0 {
		return false, err
	}
	// Half of the claim is for what is under way when time runs out.
	until := p.Now().Add(p.Life / 2)
	client, dialled := p.dial(ctx)
	if dialled == nil {
		defer client.Close() //nolint:errcheck // what was taken is taken
	}
	failed := dialled
	for i := range list {
		m := &list[i]
		switch {
		case dialled != nil:
			m.Failed("the mail server cannot be reached", p.Now(), p.Random)
		case ctx.Err() != nil || p.Now().After(until):
			m.Untried()
		default:
			if broken := p.send(client, m); broken != nil {
				failed, dialled = broken, broken // the rest goes by another connection
			}
		}
		if err := p.settle(ctx, *m); err != nil {
			failed = errors.Join(failed, err)
		}
	}
	if failed != nil {
		return false, fmt.Errorf("send mail: %w", failed)
	}
	return len(list) == p.Batch, nil
}

// settle saves what became of a mail, even if we are stopping. One that is
// another's by now, or that its recipient wants no more, is theirs to settle.
func (p *Postman) settle(ctx context.Context, m monitor.Mail) error {
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	err := p.Store.SettleMail(end, m)
	if errors.Is(err, fault.Conflict) {
		return nil
	}
	if err == nil && p.Landed != nil {
		p.Landed(m.State)
	}
	return err
}

// send sends one mail and notes what the relay said. broken is why nothing more
// can be sent over the connection.
func (p *Postman) send(client *mail.Client, m *monitor.Mail) (broken error) {
	msg, err := newMessage(p.Relay.From, m)
	if err != nil {
		m.Refused(err.Error())
		return nil
	}
	err = client.Send(msg)
	var refusal *mail.SendError
	switch {
	case msg.IsDelivered(): // whatever went wrong after that
		m.Sent()
	case !errors.As(err, &refusal):
		m.Failed("the mail server broke off", p.Now(), p.Random)
		return errors.New(m.Error)
	case isFinal(refusal):
		m.Refused(reason(refusal))
	default:
		m.Failed(reason(refusal), p.Now(), p.Random)
		if refusal.ErrorCode() == 0 {
			return errors.New(m.Error)
		}
	}
	return nil
}

// isFinal reports whether trying again cannot help: the recipient or the mail
// itself is refused. That we may not send is for the operator to mend.
func isFinal(e *mail.SendError) bool {
	switch e.Reason {
	case mail.ErrSMTPRcptTo, mail.ErrSMTPData, mail.ErrSMTPDataClose:
		return e.ErrorCode() >= 500 && e.ErrorCode() != 530 && e.ErrorCode() != 535
	case mail.ErrGetRcpts, mail.ErrNoUnencoded:
		return true
	}
	return false
}

// reason says why a mail was not taken, without the relay's own words: they tend
// to repeat the address.
func reason(e *mail.SendError) string {
	if e.ErrorCode() == 0 {
		return e.Reason.String() + " failed"
	}
	return fmt.Sprintf("%s was answered with %d", e.Reason, e.ErrorCode())
}

// dial opens a connection to the relay.
func (p *Postman) dial(ctx context.Context) (*mail.Client, error) {
	r := p.Relay
	within := r.Within
	if within <= 0 {
		within = 30 * time.Second
	}
	opts := []mail.Option{
		mail.WithPort(r.Port), mail.WithTimeout(within), mail.WithHELO(domainOf(r.From)),
		mail.WithTLSConfig(&tls.Config{ServerName: r.Host, RootCAs: r.Roots, MinVersion: tls.VersionTLS12}),
	}
	switch r.TLS {
	case ImplicitTLS:
		opts = append(opts, mail.WithSSL())
	case Plain:
		opts = append(opts, mail.WithTLSPolicy(mail.NoTLS))
	default:
		opts = append(opts, mail.WithTLSPolicy(mail.TLSMandatory))
	}
	if r.User != "" {
		opts = append(opts, mail.WithSMTPAuth(mail.SMTPAuthAutoDiscover), mail.WithUsername(r.User), mail.WithPassword(r.Password))
	}
	client, err := mail.NewClient(r.Host, opts...)
	if err != nil {
		return nil, err
	}
	return client, client.DialWithContext(ctx)
}

// Check opens and closes a connection, to see whether the relay would take
// mail.
func (p *Postman) Check(ctx context.Context) error {
	client, err := p.dial(ctx)
	if err != nil {
		return err
	}
	return client.Close()
}

// Run sends mail until ctx is done. A step that fails is told to failed.
func (p *Postman) Run(ctx context.Context, failed func(error)) {
	job.Follow(ctx, &job.Signal{}, p.Every, failed, p.Step)
}
