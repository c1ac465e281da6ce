package app

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/textproto"
	"strings"
	"testing"
	"time"

	"bureau/internal/importer"
	"bureau/internal/monitor"
)

// takeMail is a mail server on loopback that takes everything, in the clear, and
// hands it over.
func takeMail(t *testing.T) (port int, letters <-chan string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	out := make(chan string, 10)
	go func() { // until the listener is closed
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			speakSMTP(c, out)
			c.Close()
		}
	}()
	return l.Addr().(*net.TCPAddr).Port, out
}

func speakSMTP(c net.Conn, out chan<- string) {
	in := textproto.NewReader(bufio.NewReader(c))
	answer := func(s string) { _, _ = io.WriteString(c, s+"\r\n") }
	answer("220 receiver")
	for {
		line, err := in.ReadLine()
		if err != nil {
			return
		}
		switch word, _, _ := strings.Cut(line, " "); word {
		case "DATA":
			answer("354 go ahead")
			b, err := in.ReadDotBytes()
			if err != nil {
				return
			}
			out <- string(b)
			answer("250 taken")
		case "QUIT":
			answer("221 bye")
			return
		default:
			answer("250 ok")
		}
	}
}

func TestOperatorIsWritten(t *testing.T) {
	t.Parallel()
	port, letters := takeMail(t)
	h := serveHouse(t, config(t, func(c *Config) {
		c.SMTPHost, c.SMTPPort, c.SMTPFrom, c.SMTPTLS = "127.0.0.1", port, "Bureau <bureau@example.com>", "none"
		c.OperatorMail = "op@example.com"
	}))
	if err := h.serving.mail.evaluation(t.Context(), monitor.Health{Standing: true, Behind: 3, Stood: time.Minute}); err != nil {
		t.Fatal(err)
	}
	select {
	case got := <-letters:
		for _, want := range []string{"To: <op@example.com>", `From: "Bureau" <bureau@example.com>`, "Needs a look: evaluation stands still", "and 3 wait"} {
			if !strings.Contains(got, want) {
				t.Errorf("the mail does not say %q:\n%s", want, got)
			}
		}
	case <-time.After(patience):
		t.Fatal("no mail came")
	}
	if lines := h.log.lines(t, "no mail is sent: there is no --smtp-host"); len(lines) != 0 {
		t.Errorf("the log says %v", lines)
	}
}

func TestWithoutAServerNoMailIsSent(t *testing.T) {
	t.Parallel()
	h := serveHouse(t, config(t))
	if lines := h.log.lines(t, "no mail is sent: there is no --smtp-host"); len(lines) != 1 {
		t.Errorf("the log says so %d times", len(lines))
	}
}

// TestTroublesOfTheHouse: each trouble that the operator hears of, and when it is
// over.
func TestTroublesOfTheHouse(t *testing.T) {
	t.Parallel()
	a, _ := openHouse(t, config(t, func(c *Config) { c.OperatorMail = "op@example.com" }))
	m, err := a.newMailRoom()
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	waiting := int64(0)
	see := func(what string, told int64, step func(context.Context) error) {
		t.Helper()
		if err := step(ctx); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		n, _, err := a.DB.MailBacklog(ctx)
		if err != nil || n-waiting != told {
			t.Errorf("%s: %d mails (%v), want %d", what, n-waiting, err, told)
		}
		waiting = n
	}
	evaluation := func(h monitor.Health) func(context.Context) error {
		return func(ctx context.Context) error { return m.evaluation(ctx, h) }
	}
	see("evaluation goes", 0, evaluation(monitor.Health{}))
	see("it stands", 1, evaluation(monitor.Health{Standing: true, Behind: 1}))
	see("it still stands", 0, evaluation(monitor.Health{Standing: true, Behind: 1}))
	see("a new node does not know yet", 0, evaluation(monitor.Health{Behind: 1}))
	see("it goes again", 1, evaluation(monitor.Health{}))

	now := time.Now()
	source := registers[0]
	r := &refresher{app: a, now: func() time.Time { return now }, wanted: []wantedSource{{source.Name, source.Every, "https://example.com/x"}}}
	sources := func(ctx context.Context) error { return m.sources(ctx, r) }
	see("a source that was never fetched", 0, sources)
	fetched := func(age time.Duration) {
		t.Helper()
		err := a.DB.SaveFetch(ctx, importer.Fetch{Source: source.Name, URL: "https://example.com/x", GoodAt: now.Add(-age)})
		if err != nil {
			t.Fatal(err)
		}
	}
	fetched(time.Hour)
	see("a fresh source", 0, sources)
	fetched(tooOld(source.Every) + time.Minute)
	see("an old source", 1, sources)
	fetched(time.Hour)
	see("fresh again", 1, sources)

	dead := int64(0)
	m.letters = func(context.Context, time.Time) (int64, error) { return dead, nil }
	dead = manyLetters - 1
	see("some dead letters", 0, m.deadLetters)
	dead = manyLetters
	see("many dead letters", 1, m.deadLetters)
	dead = 0
	see("none again", 1, m.deadLetters)
	if n, err := a.DB.DeadLetters(ctx, now); err != nil || n != 0 {
		t.Errorf("there are %d dead letters (%v)", n, err)
	}
}
