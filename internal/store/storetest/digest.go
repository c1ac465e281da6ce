package storetest

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"bureau/internal/fault"
	"bureau/internal/job"
	"bureau/internal/monitor"
)

// digests are the promises of monitor.DigestStore and monitor.ImportMailStore.
var digests = []promise{
	{"a digest is due once in each window of as many days as its frequency", digestDue},
	{"due digests come in order, above a number, so many at a time", digestDuePaged},
	{"a digest begins with what is made after it was asked for", digestBegins},
	{"a digest tells each event once, with the watcher's notes, the oldest first", digestNews},
	{"of many nodes that keep a digest one does, with its mails", digestOnce},
	{"a digest of a portfolio that was changed meanwhile is not kept", digestChanged},
	{"a portfolio that wants digests again is not told of what was meanwhile", digestTidied},
	{"who unsubscribes is out of the recipients, with the mail that waits, until put in again", unsubscribed},
	{"an import that ended is listed until there is a mail about it", endedTasks},
}

// watched is a portfolio of ann's with a digest every so many days.
func watched(t tb, s nodes, name string, frequency monitor.Frequency) monitor.Portfolio {
	t.Helper()
	p := aPortfolio(name)
	p.Digest = monitor.Digest{
		Language: "en", Frequency: frequency,
		To: []monitor.Recipient{{Address: "ann@example.com"}, {First: "Bob", Address: "bob@example.com"}},
	}
	return create(t, s, ann, p)
}

func newsOf(t tb, s monitor.DigestStore, id monitor.PortfolioID, limit int) monitor.DigestNews {
	t.Helper()
	n, err := s.DigestNews(t.Context(), ann.Customer, id, limit)
	noError(t, err)
	return n
}

// keepDigest keeps a digest of what there is, with a mail of a key.
func keepDigest(t tb, s monitor.DigestStore, id monitor.PortfolioID, day int64, keys ...string) bool {
	t.Helper()
	var list []monitor.Mail
	for _, key := range keys {
		m := aMail(key)
		m.Portfolio = id
		list = append(list, m)
	}
	ok, err := s.KeepDigest(t.Context(), newsOf(t, s, id, 500), day, list)
	noError(t, err)
	return ok
}

func isDue(t tb, s monitor.DigestStore, id monitor.PortfolioID, day int64) bool {
	t.Helper()
	due, err := s.DueDigests(t.Context(), day, 0, 1000)
	noError(t, err)
	return slices.ContainsFunc(due, func(p monitor.Portfolio) bool { return p.ID == id && p.Customer == ann.Customer })
}

func digestDue(t *testing.T, s nodes) {
	const day = 7 * 3000 // the first of a window of seven
	daily, weekly := watched(t, s, "daily", 1).ID, watched(t, s, "weekly", 7).ID
	never := watched(t, s, "never", 0).ID
	nobody := watched(t, s, "nobody", 1)
	noError(t, s.EditPortfolio(t.Context(), ann, nobody.ID, func(p *monitor.Portfolio) error {
		p.Digest.To = nil
		return nil
	}))
	want := func(id monitor.PortfolioID, day int64, due bool) {
		t.Helper()
		if got := isDue(t, s.other, id, day); got != due {
			t.Errorf("portfolio %d is due on day %d: %v", id, day, got)
		}
	}
	for _, id := range []monitor.PortfolioID{daily, weekly} {
		want(id, day+2, true) // it never had one
		keepDigest(t, s, id, day+2)
		want(id, day+2, false)
	}
	want(never, day+2, false)
	want(nobody.ID, day+2, false)
	want(daily, day+3, true)
	want(weekly, day+6, false)
	want(weekly, day+7, true)
	// Another frequency does not make another mail on the same day.
	noError(t, s.EditPortfolio(t.Context(), ann, weekly, func(p *monitor.Portfolio) error {
		p.Digest.Frequency = 1
		return nil
	}))
	want(weekly, day+2, false)
	want(weekly, day+3, true)
}

func digestDuePaged(t *testing.T, s nodes) {
	var want []monitor.PortfolioID
	for i := range 7 {
		want = append(want, watched(t, s, fmt.Sprint("p", i), 1).ID)
	}
	var got []monitor.PortfolioID
	for above := monitor.PortfolioID(0); ; {
		due, err := s.DueDigests(t.Context(), 20_000, above, 3)
		noError(t, err)
		for _, p := range due {
			got = append(got, p.ID)
		}
		if len(due) < 3 {
			break
		}
		above = got[len(got)-1]
	}
	same(t, "page by page", got, want)
}

func digestBegins(t *testing.T, s nodes) {
	quiet := watched(t, s, "one", 0)
	tellSome(t, s, quiet.ID, 1, 3)
	told := everyEvent(t, s, ann)[2].CreatedAt
	for p := quiet; !p.ChangedAt.After(told); p, _, _ = s.Portfolio(t.Context(), ann, quiet.ID) { // in a later millisecond
		noError(t, s.EditPortfolio(t.Context(), ann, quiet.ID, func(p *monitor.Portfolio) error {
			p.Digest.Frequency = 1
			return nil
		}))
	}
	n := newsOf(t, s.other, quiet.ID, 500)
	if n.Day != monitor.Never || n.Total != 0 {
		t.Errorf("the first news are %+v", n)
	}
	keepDigest(t, s, quiet.ID, 20_000)
	tellSome(t, s, quiet.ID, 50, 2)
	if n = newsOf(t, s, quiet.ID, 500); n.Day != 20_000 || n.Total != 2 || len(n.Events) != 2 || n.Events[0].Change != 50 {
		t.Errorf("then %+v", n)
	}
	_, err := s.DigestNews(t.Context(), ann.Customer, 404, 1)
	wantKind(t, err, fault.Missing)
	_, err = s.DigestNews(t.Context(), eve.Customer, quiet.ID, 1)
	wantKind(t, err, fault.Missing)
}

func digestNews(t *testing.T, s nodes) {
	someCompanies(t, s, 1)
	p := watched(t, s, "one", 1)
	add(t, s, ann, p.ID, "GB-0-1")
	noError(t, s.EditMember(t.Context(), ann, p.ID, "GB-0-1", func(m *monitor.Member) error {
		m.Reference, m.Notes, m.Limit = "ref", "note", "12"
		return nil
	}))
	other := watched(t, s, "other", 1)
	keepDigest(t, s, p.ID, 20_000)
	tellSome(t, s, p.ID, 1, 3)
	tellSome(t, s, other.ID, 1, 9)
	tellSome(t, s, p.ID, 10, 4)
	_, err := s.MarkEvents(t.Context(), ann, monitor.Mark{Portfolio: p.ID, Event: 2, Processed: true})
	noError(t, err)
	n := newsOf(t, s.other, p.ID, 5)
	var changes []int64
	for _, e := range n.Events {
		changes = append(changes, e.Change)
		if e.Member.Reference != "ref" || e.Member.Notes != "note" || e.Member.Limit != "12" || e.In != "one" {
			t.Errorf("event %d has the notes %+v", e.ID, e.Member)
		}
	}
	same(t, "the events", changes, []int64{1, 2, 3, 10, 11})
	if n.Total != 7 || n.Last != 16 || n.LastAt.IsZero() {
		t.Errorf("in all %d, up to %d", n.Total, n.Last)
	}
	tellSome(t, s, p.ID, 20, 1)
	if ok, err := s.KeepDigest(t.Context(), n, 20_001, nil); !ok || err != nil {
		t.Errorf("kept %v (%v)", ok, err)
	}
	n = newsOf(t, s, p.ID, 5)
	if n.Total != 1 || len(n.Events) != 1 || n.Events[0].Change != 20 || n.Day != 20_001 {
		t.Errorf("what came between the news and the mark is lost: %+v", n)
	}
	keepDigest(t, s, p.ID, 20_002)
	if n = newsOf(t, s, p.ID, 5); n.Total != 0 || n.Last != 17 {
		t.Errorf("at last %+v", n)
	}
}

func digestOnce(t *testing.T, s nodes) {
	p := watched(t, s, "one", 1)
	keepDigest(t, s, p.ID, 20_000)
	for round := range 5 {
		tellSome(t, s, p.ID, 1+10*round, 2)
		n := newsOf(t, s, p.ID, 500)
		var kept atomic.Int64
		var wg sync.WaitGroup
		for i, node := range []Store{s.Store, s.other, s.Store, s.other} {
			wg.Go(func() {
				m := aMail(fmt.Sprint("digest ", round, " of node ", i))
				ok, err := node.KeepDigest(t.Context(), n, int64(20_001+round), []monitor.Mail{m})
				noErrorf(t, err)
				if ok {
					kept.Add(1)
				}
			})
		}
		wg.Wait()
		if waiting, _, _ := s.MailBacklog(t.Context()); kept.Load() != 1 || waiting != int64(round+1) {
			t.Errorf("round %d: kept %d times, %d mails wait", round, kept.Load(), waiting)
		}
	}
}

func digestChanged(t *testing.T, s nodes) {
	p := watched(t, s, "one", 1)
	keepDigest(t, s, p.ID, 20_000)
	tellSome(t, s, p.ID, 1, 1)
	n := newsOf(t, s, p.ID, 500)
	noError(t, s.other.Unsubscribe(t.Context(), p.ID, "ann@example.com"))
	if ok, err := s.KeepDigest(t.Context(), n, 20_001, []monitor.Mail{aMail("a")}); ok || err != nil {
		t.Errorf("kept %v (%v) for recipients of before", ok, err)
	}
	n = newsOf(t, s, p.ID, 500)
	noError(t, s.DeletePortfolio(t.Context(), ann, p.ID))
	if ok, err := s.KeepDigest(t.Context(), n, 20_001, []monitor.Mail{aMail("a")}); ok || err != nil {
		t.Errorf("kept %v (%v) for a portfolio that is gone", ok, err)
	}
	if waiting, _, _ := s.MailBacklog(t.Context()); waiting != 0 {
		t.Errorf("%d mails wait", waiting)
	}
}

func digestTidied(t *testing.T, s nodes) {
	p, kept := watched(t, s, "one", 1), watched(t, s, "kept", 1)
	keepDigest(t, s, p.ID, 20_000)
	keepDigest(t, s, kept.ID, 20_000)
	set := func(f monitor.Frequency) {
		noError(t, s.EditPortfolio(t.Context(), ann, p.ID, func(p *monitor.Portfolio) error {
			p.Digest.Frequency = f
			return nil
		}))
	}
	set(0)
	noError(t, s.other.TidyDigests(t.Context()))
	tellSome(t, s, p.ID, 1, 3)
	tellSome(t, s, kept.ID, 1, 3)
	set(1)
	if n := newsOf(t, s, p.ID, 500); n.Day != monitor.Never {
		t.Errorf("it goes on from %+v", n)
	}
	if n := newsOf(t, s, kept.ID, 500); n.Total != 3 {
		t.Errorf("another portfolio lost its mark: %+v", n)
	}
}

func unsubscribed(t *testing.T, s nodes) {
	p, other := watched(t, s, "one", 1), watched(t, s, "other", 1)
	keepDigest(t, s, p.ID, 20_000)
	keepDigest(t, s, p.ID, 20_001, "mine")
	keepDigest(t, s, other.ID, 20_000, "other")
	about := aMail("import 1")
	about.Portfolio, about.Kind = p.ID, monitor.ImportMail
	noError(t, s.KeepMails(t.Context(), []monitor.Mail{about}))
	for range 2 { // once is enough, twice is no harm
		noError(t, s.Unsubscribe(t.Context(), p.ID, "ANN@example.com"))
	}
	noError(t, s.Unsubscribe(t.Context(), p.ID, "nobody@example.com"))
	noError(t, s.Unsubscribe(t.Context(), 404, "ann@example.com"))
	to := func(id monitor.PortfolioID) (out []string) {
		got, _, err := s.other.Portfolio(t.Context(), ann, id)
		noError(t, err)
		for _, r := range got.Digest.To {
			out = append(out, r.Address)
		}
		return out
	}
	same(t, "the recipients", to(p.ID), []string{"bob@example.com"})
	same(t, "those of another portfolio", to(other.ID), []string{"ann@example.com", "bob@example.com"})
	var waiting []string
	for _, m := range claimMails(t, s, time.Hour, 10) {
		waiting = append(waiting, m.Key)
	}
	slices.Sort(waiting)
	same(t, "the mail that waits", waiting, []string{"import 1", "other"})
	noError(t, s.EditPortfolio(t.Context(), ann, p.ID, func(p *monitor.Portfolio) error {
		p.Digest.To = append(p.Digest.To, monitor.Recipient{Address: "ann@example.com"})
		return nil
	}))
	same(t, "when put in again", to(p.ID), []string{"bob@example.com", "ann@example.com"})
}

func endedTasks(t *testing.T, s nodes) {
	addTask(t, s, "import", "x")
	k := claimTask(t, s, time.Hour, "import")
	addTask(t, s, "other", "y")
	list := func(from time.Time) (ids []job.TaskID) {
		ended, err := s.other.EndedTasks(t.Context(), []string{"import", "sync"}, from)
		noError(t, err)
		for _, k := range ended {
			ids = append(ids, k.ID)
		}
		return ids
	}
	long := time.Now().Add(-time.Hour)
	same(t, "at work", list(long), []job.TaskID{})
	k.Result = []byte("{}")
	noError(t, s.FinishTask(t.Context(), k))
	same(t, "ended", list(long), []job.TaskID{k.ID})
	same(t, "ended before", list(time.Now().Add(time.Hour)), []job.TaskID{})
	o := claimTask(t, s, time.Hour, "other")
	noError(t, s.FinishTask(t.Context(), o))
	same(t, "and another kind", list(long), []job.TaskID{k.ID})
	noError(t, s.KeepMails(t.Context(), []monitor.Mail{aMail(monitor.ImportKey(monitor.ImportID(k.ID)))}))
	same(t, "told", list(long), []job.TaskID{})
}
