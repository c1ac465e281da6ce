package app

import (
	"context"
	"fmt"
	"math/rand/v2"
	netmail "net/mail"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"bureau/internal/monitor"
	"bureau/internal/notify"
)

// keepMail is how long what was sent is remembered. Mail about an import must
// be, for as long as the import can be told of.
const keepMail = 30 * 24 * time.Hour

// checkMail refuses settings of mail that cannot work.
func (c Config) checkMail() error {
	for _, a := range []struct{ flag, address string }{{"--smtp-from", c.SMTPFrom}, {"--operator-mail", c.OperatorMail}} {
		if _, err := netmail.ParseAddress(a.address); a.address != "" && err != nil {
			return fmt.Errorf("%s %q is not an e-mail address", a.flag, a.address)
		}
	}
	switch {
	case c.SMTPHost == "" && (c.SMTPFrom != "" || c.SMTPUser != "" || c.SMTPPasswordFile != ""):
		return fmt.Errorf("--smtp-from, --smtp-user and --smtp-password-file need --smtp-host")
	case c.SMTPHost == "":
		return nil
	case c.SMTPFrom == "":
		return fmt.Errorf("--smtp-host needs --smtp-from: mail has a sender")
	case c.SMTPPort < 1 || c.SMTPPort > 65535:
		return fmt.Errorf("--smtp-port %d: from 1 to 65535", c.SMTPPort)
	case (c.SMTPUser == "") != (c.SMTPPasswordFile == ""):
		return fmt.Errorf("--smtp-user and --smtp-password-file go together")
	case c.SMTPUser != "" && c.SMTPTLS == string(notify.Plain) && !isLoopback(c.SMTPHost+":0"):
		return fmt.Errorf("--smtp-tls none would send the password to %s in the clear: use starttls or tls", c.SMTPHost)
	}
	return nil
}

// relay is the server that takes our mail.
func (c Config) relay() (notify.Relay, error) {
	r := notify.Relay{
		Host: c.SMTPHost, Port: c.SMTPPort, User: c.SMTPUser, From: c.SMTPFrom, TLS: notify.TLSMode(c.SMTPTLS),
	}
	if c.SMTPPasswordFile != "" {
		b, err := os.ReadFile(c.SMTPPasswordFile)
		if err != nil {
			return r, fmt.Errorf("read the password for the mail server: %w", err)
		}
		r.Password = strings.TrimRight(string(b), "\r\n")
	}
	return r, nil
}

// examineMail says whether mail would be sent.
func examineMail(ctx context.Context, c Config, say func(subject, state, format string, args ...any)) {
	if c.SMTPHost == "" {
		say("mail", "note", "none is sent: there is no --smtp-host")
		return
	}
	if c.checkMail() != nil {
		return // the settings say so already
	}
	relay, err := c.relay()
	if err != nil {
		say("mail", "bad", "%v", err)
		return
	}
	relay.Within = 5 * time.Second
	if err := (&notify.Postman{Relay: relay}).Check(ctx); err != nil {
		say("mail", "bad", "%s:%d does not take it: %v", c.SMTPHost, c.SMTPPort, err)
		return
	}
	say("mail", "ok", "%s:%d takes it", c.SMTPHost, c.SMTPPort)
}

// subscriptions makes the door to the links that end a digest.
func (a *App) subscriptions() *monitor.Subscriptions {
	return &monitor.Subscriptions{Store: a.DB, Vault: a.Vault}
}

// A mailRoom is all that makes and sends mail.
type mailRoom struct {
	digests  *monitor.Digests
	imports  *monitor.ImportMails
	troubles *monitor.Troubles // nil: nobody wants to hear
	postman  *notify.Postman   // nil: there is no server to give mail to
	letters  func(ctx context.Context, after time.Time) (int64, error)
}

// writer makes what writes mails.
func (a *App) writer() *notify.Writer {
	w := &notify.Writer{URL: a.Config.publicURL(), Host: "localhost", Operator: bareAddress(a.Config.OperatorMail), Token: a.subscriptions().Token}
	if u, err := url.Parse(w.URL); err == nil && u.Hostname() != "" {
		w.Host = u.Hostname()
	}
	return w
}

func (a *App) newMailRoom() (*mailRoom, error) {
	w := a.writer()
	m := &mailRoom{
		digests: &monitor.Digests{Store: a.DB, Write: w.Digest, Now: time.Now},
		imports: &monitor.ImportMails{Store: a.DB, Write: w.Import, Now: time.Now},
		letters: a.DB.DeadLetters,
	}
	if a.Config.OperatorMail != "" {
		m.troubles = &monitor.Troubles{Store: a.DB, Write: w.Trouble, Now: time.Now}
	}
	if a.Config.SMTPHost == "" {
		return m, nil
	}
	relay, err := a.Config.relay()
	if err != nil {
		return nil, err
	}
	m.postman = &notify.Postman{
		Store: a.DB, Relay: relay, Owner: a.Calls.Node, Now: time.Now,
		Random: rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())),
		Batch:  20, Life: 5 * time.Minute, Every: 5 * time.Second,
	}
	return m, nil
}

// bareAddress is an address without the name before it.
func bareAddress(s string) string {
	a, err := netmail.ParseAddress(s)
	if err != nil {
		return ""
	}
	return a.Address
}

// sendMail makes and sends mail until ctx is done, in goroutines that s waits
// for.
func (s *Serving) sendMail(ctx context.Context) {
	counts := s.metrics.mails()
	if p := s.mail.postman; p != nil {
		p.Landed = counts.landed
		s.work.Go(func() { p.Run(ctx, s.failing(ctx, "mail")) })
	} else {
		s.app.Log.Info("no mail is sent: there is no --smtp-host", "keptDays", int(monitor.MailWaitsFor/(24*time.Hour)))
	}
	for _, w := range []work{
		{"digests", time.Minute, s.mail.digests.Step},
		{"mail about imports", 5 * time.Second, s.mail.imports.Step},
		{"dead letters", 10 * time.Minute, s.mail.deadLetters},
		{"mail's backlog", 15 * time.Second, func(ctx context.Context) error {
			n, oldest, err := s.app.DB.MailBacklog(ctx)
			if err == nil {
				counts.behind(n, oldest, time.Now())
			}
			return err
		}},
		{"old mail", time.Hour, func(ctx context.Context) error {
			if err := s.app.DB.TidyDigests(ctx); err != nil {
				return err
			}
			now := time.Now()
			return s.app.DB.ForgetMails(ctx, now.Add(-monitor.MailWaitsFor), now.Add(-keepMail))
		}},
	} {
		s.work.Go(func() { s.app.run(ctx, w, s.metrics) })
	}
}

// see tells the operator of a trouble, or that it is over.
func (m *mailRoom) see(ctx context.Context, name string, on bool, about string) error {
	if m == nil || m.troubles == nil {
		return nil
	}
	return m.troubles.See(ctx, name, on, about)
}

// evaluation watches whether changes are evaluated. It is over when all are: a
// node that has just begun to look cannot tell whether they move.
func (m *mailRoom) evaluation(ctx context.Context, h monitor.Health) error {
	switch {
	case h.Standing:
		return m.see(ctx, "evaluation stands still", true, fmt.Sprintf(
			"No change was evaluated for %s, and %d wait: customers are told nothing. The log says why under \"evaluation\".",
			h.Stood.Round(time.Second), h.Behind))
	case h.Behind == 0:
		return m.see(ctx, "evaluation stands still", false, "Every change was evaluated.")
	}
	return nil
}

// tooOld is after how long without good news a source is too old.
func tooOld(every time.Duration) time.Duration { return max(3*every, 72*time.Hour) }

// sources watches the age of the sources that are refreshed.
func (m *mailRoom) sources(ctx context.Context, r *refresher) error {
	if m.troubles == nil {
		return nil
	}
	known, err := r.app.DB.Fetches(ctx)
	if err != nil {
		return err
	}
	for _, w := range r.wanted {
		f := known[w.Name]
		if f.URL != w.url || f.GoodAt.IsZero() {
			continue // never fetched: the log says why
		}
		age := r.now().Sub(f.GoodAt)
		if err := m.see(ctx, "source "+w.Name+" is old", age > tooOld(w.Every), fmt.Sprintf(
			"%s was last known to be up to date at %s.", w.Name, f.GoodAt.UTC().Format(time.RFC3339))); err != nil {
			return err
		}
	}
	return nil
}

const (
	// manyLetters is how many deliveries that were given up are a pile.
	manyLetters = 100
	// letterDays is how far back they are counted: three days of trying, and
	// one for the operator to hear of them.
	letterDays = 4
)

// deadLetters watches how many deliveries to webhooks are given up.
func (m *mailRoom) deadLetters(ctx context.Context) error {
	if m.troubles == nil {
		return nil
	}
	n, err := m.letters(ctx, time.Now().AddDate(0, 0, -letterDays))
	if err != nil {
		return err
	}
	return m.see(ctx, "webhooks fail", n >= manyLetters, fmt.Sprintf(
		"Of the deliveries to webhooks in the last %d days, %d were given up. They lie there until somebody replays them.", letterDays, n))
}

// mailCounts are what an operator watches of mail.
type mailCounts struct {
	tries   *prometheus.CounterVec
	waiting prometheus.Gauge
	oldest  prometheus.Gauge
}

func (m *metrics) mails() *mailCounts {
	c := &mailCounts{
		tries: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "bureau_mail_tries_total", Help: "Mails that were tried: sent, waiting (tried again later) or dead (given up).",
		}, []string{"result"}),
		waiting: prometheus.NewGauge(prometheus.GaugeOpts{Name: "bureau_mail_waiting", Help: "Mails that were not sent yet."}),
		oldest:  prometheus.NewGauge(prometheus.GaugeOpts{Name: "bureau_mail_oldest_seconds", Help: "How long the oldest of them waits."}),
	}
	for _, state := range []monitor.MailState{monitor.MailSent, monitor.MailWaiting, monitor.MailDead} {
		c.tries.WithLabelValues(state.String())
	}
	m.registry.MustRegister(c.tries, c.waiting, c.oldest)
	return c
}

func (c *mailCounts) landed(s monitor.MailState) { c.tries.WithLabelValues(s.String()).Inc() }

func (c *mailCounts) behind(n int64, oldest, now time.Time) {
	c.waiting.Set(float64(n))
	age := 0.0
	if !oldest.IsZero() {
		age = max(0, now.Sub(oldest).Seconds())
	}
	c.oldest.Set(age)
}
