package monitor_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"bureau/internal/monitor"
)

// mailed is what was written about imports.
type mailed struct {
	list []monitor.ImportNews
	fail error
}

func (m *mailed) write(n monitor.ImportNews) (monitor.Mail, error) {
	m.list = append(m.list, n)
	return monitor.Mail{Key: monitor.ImportKey(n.ID), Kind: monitor.ImportMail, To: monitor.Recipient{Address: n.To}}, m.fail
}

// sendFor sends a file of ann's and leaves an address.
func (o *office) sendFor(email, text string, sync bool) monitor.Import {
	o.t.Helper()
	u, err := o.imports.Upload(o.t.Context(), strings.NewReader(text))
	noError(o.t, err)
	i, err := o.imports.Begin(o.t.Context(), ann, o.portfolio, sync, u, email)
	noError(o.t, err)
	return i
}

func TestWhoSentAFileHearsOfItOnce(t *testing.T) {
	onBoth(t, 3, func(t *testing.T, o *office) {
		good := o.sendFor("ann@example.com", "id\nGB-0-1\nGB-0-2\nGB-0-404\n", false)
		o.sendFor("", "id\nGB-0-3\n", false)
		bad := o.sendFor("bob@example.com", "id\nGB-0-404\n", true)
		var sent mailed
		mails := &monitor.ImportMails{Store: o.db, Write: sent.write, Now: o.clock}
		other := &monitor.ImportMails{Store: o.db, Write: sent.write, Now: o.clock}
		noError(t, mails.Step(t.Context()))
		if len(sent.list) != 0 {
			t.Errorf("told before the end: %+v", sent.list)
		}
		o.pass(time.Second)
		o.work()
		o.pass(time.Second)
		for range 2 {
			noError(t, mails.Step(t.Context()))
			noError(t, other.Step(t.Context())) // another node, or this one after a restart
			o.pass(time.Hour)
		}
		if len(sent.list) != 2 {
			t.Fatalf("%d were told: %+v", len(sent.list), sent.list)
		}
		a, b := sent.list[0], sent.list[1]
		if a.ID != good.ID || a.To != "ann@example.com" || a.State != "done" || a.Rows != 3 || a.Added != 2 || a.Unknown != 1 ||
			len(a.Problems) != 1 || a.Portfolio.Name != "one" || a.Portfolio.ID != o.portfolio {
			t.Errorf("ann heard %+v", a)
		}
		if b.ID != bad.ID || b.To != "bob@example.com" || b.State != "failed" || b.Error == "" || b.Unknown != 1 {
			t.Errorf("bob heard %+v", b)
		}
	})
}

func TestMailAboutAnImportIsTriedAgain(t *testing.T) {
	onBoth(t, 1, func(t *testing.T, o *office) {
		o.sendFor("ann@example.com", "id\nGB-0-1\n", false)
		o.pass(time.Second)
		o.work()
		noError(t, o.db.DeletePortfolio(t.Context(), ann, o.portfolio)) // and it is gone by then
		sent := mailed{fail: errors.New("no ink")}
		mails := &monitor.ImportMails{Store: o.db, Write: sent.write, Now: o.clock}
		if err := mails.Step(t.Context()); !errors.Is(err, sent.fail) {
			t.Errorf("got %v", err)
		}
		o.pass(24 * time.Hour)
		sent.fail = nil
		noError(t, mails.Step(t.Context()))
		noError(t, mails.Step(t.Context()))
		if len(sent.list) != 2 || sent.list[1].Portfolio.ID != o.portfolio || sent.list[1].Portfolio.Name != "" {
			t.Errorf("told %+v", sent.list)
		}
	})
}

func TestOperatorHearsOfTroubleOnce(t *testing.T) {
	onBoth(t, 1, func(t *testing.T, o *office) {
		var told []string
		write := func(n monitor.TroubleNews) (monitor.Mail, error) {
			told = append(told, fmt.Sprint(n.Name, " over:", n.Over, " ", n.About))
			return monitor.Mail{Key: n.Key, Kind: monitor.TroubleMail, To: monitor.Recipient{Address: "op@example.com"}}, nil
		}
		one := &monitor.Troubles{Store: o.db, Write: write, Now: o.clock}
		two := &monitor.Troubles{Store: o.db, Write: write, Now: o.clock}
		see := func(on bool, about string) {
			t.Helper()
			for _, s := range []*monitor.Troubles{one, two} {
				noError(t, s.See(context.WithoutCancel(t.Context()), "x", on, about))
			}
		}
		see(false, "fine")
		see(true, "bad")
		o.pass(time.Minute)
		see(true, "worse")
		o.pass(24 * time.Hour)
		see(true, "still")
		see(false, "fine again")
		want := "x over:false bad|x over:false still|x over:true fine again"
		if got := strings.Join(told, "|"); got != want {
			t.Errorf("told %s\nwant %s", got, want)
		}
		if n, _, err := o.db.MailBacklog(t.Context()); err != nil || n != 3 {
			t.Errorf("%d mails wait (%v), want 3", n, err)
		}
	})
}
