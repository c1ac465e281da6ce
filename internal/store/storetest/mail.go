package storetest

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"bureau/internal/fault"
	"bureau/internal/monitor"
)

// mails are the promises of monitor.MailStore and monitor.TroubleStore. A claim
// with no life has ended as soon as it is made.
var mails = []promise{
	{"a mail is kept as it was given, once for its key", mailKept},
	{"two nodes that claim at once claim each mail once", mailClaimedOnce},
	{"a claim that ended is made again, with a higher fence, as one more try", mailClaimedAgain},
	{"who has lost a mail settles nothing", mailFenced},
	{"a mail that failed waits for its time, one that ended keeps no text", mailSettled},
	{"mail that waited too long is given up, what ended long ago is gone", mailForgotten},
	{"a trouble and its mail are kept together, or neither", troubleKept},
}

func aMail(key string) monitor.Mail {
	return monitor.Mail{
		Key: key, Kind: monitor.DigestMail, Customer: ann.Customer, Portfolio: 7,
		To: monitor.Recipient{First: "Ann", Last: "Ö", Address: "ann@example.com"}, Subject: "s ü", Text: "text", HTML: "<p>",
		Unsubscribe: "https://example.com/u", MessageID: key + "@example.com",
	}
}

func claimMails(t *testing.T, s monitor.MailStore, life time.Duration, limit int) []monitor.Mail {
	t.Helper()
	list, err := s.ClaimMails(t.Context(), "node", life, limit)
	noError(t, err)
	return list
}

// claimMail claims the one mail that is due.
func claimMail(t *testing.T, s monitor.MailStore, life time.Duration) monitor.Mail {
	t.Helper()
	list := claimMails(t, s, life, 10)
	if len(list) != 1 {
		t.Fatalf("%d mails are due, want one", len(list))
	}
	return list[0]
}

func mailKept(t *testing.T, s nodes) {
	m := aMail("a")
	noError(t, s.KeepMails(t.Context(), []monitor.Mail{m}))
	second := aMail("a")
	second.Subject = "another"
	noError(t, s.other.KeepMails(t.Context(), []monitor.Mail{second}))
	n, oldest, err := s.MailBacklog(t.Context())
	if err != nil || n != 1 || oldest.IsZero() {
		t.Errorf("%d wait since %v (%v)", n, oldest, err)
	}
	got := claimMail(t, s.other, time.Hour)
	if got.CreatedAt.IsZero() || got.FirstAt.IsZero() || got.Tries != 1 || got.Fence != 1 || got.To.Name() != "Ann Ö" {
		t.Errorf("claimed as %+v", got)
	}
	got.CreatedAt, got.FirstAt, got.Tries, got.Fence = time.Time{}, time.Time{}, 0, 0
	got.To.First, got.To.Last = "Ann", "Ö"
	same(t, "the mail", got, m)
	if more := claimMails(t, s, time.Hour, 10); len(more) != 0 {
		t.Errorf("what is held was claimed: %v", more)
	}
}

func mailClaimedOnce(t *testing.T, s nodes) {
	const all = 60
	var list []monitor.Mail
	for i := range all {
		list = append(list, aMail(fmt.Sprint("m", i)))
	}
	noError(t, s.KeepMails(t.Context(), list))
	var mu sync.Mutex
	claimed := map[string]int{}
	var wg sync.WaitGroup
	for _, node := range []Store{s.Store, s.other, s.Store, s.other} {
		wg.Go(func() {
			for {
				list, err := node.ClaimMails(t.Context(), "node", time.Hour, 7)
				noErrorf(t, err)
				if len(list) == 0 {
					return
				}
				mu.Lock()
				for _, m := range list {
					claimed[m.Key]++
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	// A node may have skipped what another was about to claim and then did.
	for _, m := range claimMails(t, s, time.Hour, all) {
		claimed[m.Key]++
	}
	if len(claimed) != all {
		t.Errorf("%d mails were claimed, want %d", len(claimed), all)
	}
	for key, n := range claimed {
		if n != 1 {
			t.Errorf("%s was claimed %d times", key, n)
		}
	}
}

func mailClaimedAgain(t *testing.T, s nodes) {
	noError(t, s.KeepMails(t.Context(), []monitor.Mail{aMail("a")}))
	first := claimMail(t, s, 0)
	again := claimMail(t, s.other, 0)
	if again.Fence <= first.Fence || again.Tries != 2 || !again.FirstAt.Equal(first.FirstAt) || again.MessageID != first.MessageID {
		t.Errorf("first %+v, then %+v", first, again)
	}
}

func mailFenced(t *testing.T, s nodes) {
	noError(t, s.KeepMails(t.Context(), []monitor.Mail{aMail("a")}))
	lost := claimMail(t, s, 0)
	held := claimMail(t, s.other, time.Hour)
	lost.Sent()
	wantKind(t, s.SettleMail(t.Context(), lost), fault.Conflict)
	held.Sent()
	noError(t, s.other.SettleMail(t.Context(), held))
	wantKind(t, s.SettleMail(t.Context(), held), fault.Conflict) // it is over
	if n, _, err := s.MailBacklog(t.Context()); err != nil || n != 0 {
		t.Errorf("%d wait (%v)", n, err)
	}
}

func mailSettled(t *testing.T, s nodes) {
	noError(t, s.KeepMails(t.Context(), []monitor.Mail{aMail("a")}))
	m := claimMail(t, s, time.Hour)
	m.NextAt, m.Error = m.FirstAt.Add(time.Hour), "no"
	noError(t, s.SettleMail(t.Context(), m))
	if list := claimMails(t, s.other, time.Hour, 10); len(list) != 0 {
		t.Errorf("claimed before its time: %v", list)
	}
	noError(t, s.KeepMails(t.Context(), []monitor.Mail{aMail("b")}))
	m = claimMail(t, s, 0)
	m.NextAt = m.FirstAt
	noError(t, s.SettleMail(t.Context(), m))
	m = claimMail(t, s, time.Hour)
	if m.Text != "text" {
		t.Errorf("a mail that waits has the text %q", m.Text)
	}
	m.Refused("never")
	noError(t, s.SettleMail(t.Context(), m))
	if list := claimMails(t, s, time.Hour, 10); len(list) != 0 {
		t.Errorf("claimed after its end: %v", list)
	}
}

func mailForgotten(t *testing.T, s nodes) {
	noError(t, s.KeepMails(t.Context(), []monitor.Mail{aMail("a"), aMail("b")}))
	future, past := time.Now().Add(time.Hour), time.Now().Add(-time.Hour)
	held := claimMails(t, s, time.Hour, 1)[0]
	noError(t, s.ForgetMails(t.Context(), past, past))
	if n, _, err := s.MailBacklog(t.Context()); err != nil || n != 2 {
		t.Errorf("%d wait (%v), want 2", n, err)
	}
	noError(t, s.ForgetMails(t.Context(), future, past))
	if n, _, err := s.MailBacklog(t.Context()); err != nil || n != 0 {
		t.Errorf("%d wait (%v), want none", n, err)
	}
	wantKind(t, s.SettleMail(t.Context(), held), fault.Conflict)
	noError(t, s.KeepMails(t.Context(), []monitor.Mail{aMail("a")})) // it was made, and stays made
	if n, _, _ := s.MailBacklog(t.Context()); n != 0 {
		t.Error("a mail that was given up was made again")
	}
	noError(t, s.ForgetMails(t.Context(), past, future))
	noError(t, s.KeepMails(t.Context(), []monitor.Mail{aMail("a")}))
	if n, _, _ := s.MailBacklog(t.Context()); n != 1 {
		t.Error("what ended long ago is still remembered")
	}
}

func troubleKept(t *testing.T, s nodes) {
	k, err := s.Trouble(t.Context(), "x")
	noError(t, err)
	same(t, "one that never was", k, monitor.Trouble{Name: "x"})
	want := monitor.Trouble{Name: "x", On: true, Told: true, Since: noon, Day: 20_000}
	noError(t, s.EditTrouble(t.Context(), "x", func(k *monitor.Trouble) ([]monitor.Mail, error) {
		*k = want
		return []monitor.Mail{aMail("a")}, nil
	}))
	wantKind(t, s.other.EditTrouble(t.Context(), "x", func(k *monitor.Trouble) ([]monitor.Mail, error) {
		same(t, "as it was kept", *k, want)
		k.On = false
		return []monitor.Mail{aMail("b")}, fault.Invalid.Errorf("no")
	}), fault.Invalid)
	k, err = s.Trouble(t.Context(), "x")
	noError(t, err)
	same(t, "after a change that failed", k, want)
	if n, _, _ := s.MailBacklog(t.Context()); n != 1 {
		t.Errorf("%d mails wait, want one", n)
	}
}
