package storetest

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/monitor"
)

// quiets are the promises of monitor.QuietStore, and of monitor.EngineStore
// about silences.
var quiets = []promise{
	{"a silence and a window come back as they were given, with numbers of their own", quietKept},
	{"a silence is about the changes that come after it, up to its end", quietByNumber},
	{"a silence whose day is over is not in force, and is remembered", quietOver},
	{"to look at silences needs View, to begin and end them Edit; those of others are missing", quietRights},
	{"what ended, or is another portfolio's, cannot be ended", quietEndedOnce},
	{"what two nodes silence at once gets numbers that become visible in order", quietAtOnce},
	{"silences go with their portfolio", quietGoes},
}

// hush begins a silence, and fails the test if it cannot.
func hush(t tb, s monitor.QuietStore, by auth.Caller, id monitor.PortfolioID, q monitor.Quiet) monitor.Quiet {
	t.Helper()
	q, err := s.AddQuiet(t.Context(), by, id, q)
	noError(t, err)
	return q
}

func inForce(t tb, s monitor.QuietStore, id monitor.PortfolioID) []monitor.Quiet {
	t.Helper()
	list, err := s.Quiets(t.Context(), ann, id)
	noError(t, err)
	return list
}

// someDay is far enough away to be in force whenever the test runs.
var someDay = time.Date(2190, 1, 2, 3, 4, 5, 678e6, time.UTC)

func quietKept(t *testing.T, s nodes) {
	p := create(t, s, ann, aPortfolio("one")).ID
	silence := hush(t, s, ann, p, monitor.Quiet{Company: "GB-0-1", Rule: 105, Until: someDay, Note: "they move; 雪 'x'"})
	window := hush(t, s.other, ann, p, monitor.Quiet{Hours: 36})
	if silence.ID == 0 || window.ID <= silence.ID || silence.Portfolio != p || silence.By != ann.Account || silence.CreatedAt.IsZero() {
		t.Errorf("got %+v and %+v", silence, window)
	}
	for _, node := range []Store{s.Store, s.other} {
		same(t, "in force", inForce(t, node, p), []monitor.Quiet{silence, window})
		ever, err := node.QuietsEver(t.Context(), ann, p)
		noError(t, err)
		same(t, "ever", ever, []monitor.Quiet{silence, window})
		all, err := quietsAfter(t, node, 0)
		noError(t, err)
		same(t, "of everyone", all, []monitor.Quiet{silence, window})
	}
}

func quietByNumber(t *testing.T, s nodes) {
	someCompanies(t, s, 1)
	p := create(t, s, ann, aPortfolio("one")).ID
	before := someChange(t, s, "GB-0-1")
	q := hush(t, s, ann, p, monitor.Quiet{Until: someDay})
	if q.Since != before || q.Ended != monitor.Forever {
		t.Errorf("begun after change %d it is about changes above %d, up to %d", before, q.Since, q.Ended)
	}
	during := someChange(t, s, "GB-0-1")
	noError(t, s.other.EndQuiet(t.Context(), ann, p, q.ID))
	someChange(t, s, "GB-0-1")
	if left := inForce(t, s, p); len(left) != 0 {
		t.Errorf("in force after its end: %+v", left)
	}
	ever, err := s.QuietsEver(t.Context(), ann, p)
	noError(t, err)
	if len(ever) != 1 || ever[0].Since != before || ever[0].Ended != during || ever[0].Number <= q.Number {
		t.Fatalf("between changes %d and %d it was %+v", before, during, ever)
	}
	// An engine that knew it when it began hears of its end.
	news, err := quietsAfter(t, s, q.Number)
	noError(t, err)
	same(t, "the news", news, ever)
	none, err := quietsAfter(t, s, ever[0].Number)
	if err != nil || len(none) != 0 {
		t.Errorf("after the news: %+v (%v)", none, err)
	}
}

func quietOver(t *testing.T, s nodes) {
	p := create(t, s, ann, aPortfolio("one")).ID
	over := hush(t, s, ann, p, monitor.Quiet{Until: noon.AddDate(-5, 0, 0)})
	lasts := hush(t, s, ann, p, monitor.Quiet{Hours: 1})
	same(t, "in force", inForce(t, s, p), []monitor.Quiet{lasts})
	ever, err := s.QuietsEver(t.Context(), ann, p)
	noError(t, err)
	same(t, "ever", ever, []monitor.Quiet{over, lasts})
}

func quietRights(t *testing.T, s nodes) {
	p := create(t, s, ann, aPortfolio("one")).ID
	q := hush(t, s, ann, p, monitor.Quiet{Until: someDay})
	try := func(by auth.Caller, look, change fault.Kind) {
		t.Helper()
		want := func(what string, err error, kind fault.Kind) {
			t.Helper()
			if f, _ := fault.Of(err); f.Kind != kind || err != nil && kind == "" {
				t.Errorf("account %d: %s: %v, want %q", by.Account, what, err, kind)
			}
		}
		want("list", errOf(s.Quiets(t.Context(), by, p)), look)
		want("list all", errOf(s.QuietsEver(t.Context(), by, p)), look)
		want("begin", errOf(s.AddQuiet(t.Context(), by, p, monitor.Quiet{Hours: 1})), change)
		want("end", s.EndQuiet(t.Context(), by, p, q.ID), change)
	}
	try(bob, fault.Missing, fault.Missing)
	try(eve, fault.Missing, fault.Missing)
	share(t, s, p, monitor.View)
	try(bob, "", fault.Denied)
	if got := inForce(t, s, p); len(got) != 1 {
		t.Errorf("those without the right changed it to %+v", got)
	}
	share(t, s, p, monitor.View|monitor.Edit)
	try(bob, "", "")
	if got := inForce(t, s, p); len(got) != 1 || got[0].By != bob.Account {
		t.Errorf("who may edit left %+v", got)
	}
}

func quietEndedOnce(t *testing.T, s nodes) {
	p, other := create(t, s, ann, aPortfolio("one")).ID, create(t, s, ann, aPortfolio("two")).ID
	q := hush(t, s, ann, p, monitor.Quiet{Until: someDay})
	wantKind(t, s.EndQuiet(t.Context(), ann, other, q.ID), fault.Missing)
	wantKind(t, s.EndQuiet(t.Context(), ann, p, q.ID+100), fault.Missing)
	noError(t, s.EndQuiet(t.Context(), ann, p, q.ID))
	wantKind(t, s.other.EndQuiet(t.Context(), ann, p, q.ID), fault.Missing)
}

// quietAtOnce has two nodes begin and end silences while a reader goes on behind
// the last number that it saw, as engines do: it must hear of every one.
func quietAtOnce(t *testing.T, s nodes) {
	p := create(t, s, ann, aPortfolio("one")).ID
	const each = 15
	done := make(chan struct{})
	var writers, reader sync.WaitGroup
	for n, node := range []Store{s.Store, s.other} {
		writers.Go(func() {
			for i := range each {
				q, err := node.AddQuiet(t.Context(), ann, p, monitor.Quiet{Hours: 1 + i, Note: fmt.Sprint(n)})
				noErrorf(t, err)
				if i%2 == 0 {
					noErrorf(t, node.EndQuiet(t.Context(), ann, p, q.ID))
				}
			}
		})
	}
	begun, ended := map[int64]bool{}, map[int64]bool{}
	reader.Go(func() {
		last := int64(0)
		for over := false; ; {
			select {
			case <-done:
				over = true
			default:
			}
			list, err := quietsAfter(t, s.other, last)
			noErrorf(t, err)
			for _, q := range list {
				if q.Number <= last {
					t.Errorf("number %d comes after %d", q.Number, last)
				}
				last = q.Number
				begun[q.ID] = true
				if q.Ended != monitor.Forever {
					ended[q.ID] = true
				}
			}
			if over {
				return
			}
		}
	})
	writers.Wait()
	close(done)
	reader.Wait()
	if len(begun) != 2*each || len(ended) != 2*(each+1)/2 {
		t.Errorf("the reader heard of %d silences, of which %d ended; want %d and %d", len(begun), len(ended), 2*each, 2*(each+1)/2)
	}
}

func quietGoes(t *testing.T, s nodes) {
	p, stays := create(t, s, ann, aPortfolio("one")).ID, create(t, s, ann, aPortfolio("two")).ID
	hush(t, s, ann, p, monitor.Quiet{Hours: 1})
	kept := hush(t, s, ann, stays, monitor.Quiet{Hours: 2})
	noError(t, s.DeletePortfolio(t.Context(), ann, p))
	_, err := s.Quiets(t.Context(), ann, p)
	wantKind(t, err, fault.Missing)
	all, err := quietsAfter(t, s, 0)
	noError(t, err)
	same(t, "what is left", all, []monitor.Quiet{kept})
}

// quietsAfter are the silences and windows since a number.
func quietsAfter(t tb, s monitor.EngineStore, number int64) ([]monitor.Quiet, error) {
	_, list, err := s.RulesAfter(t.Context(), monitor.Forever, number)
	return list, err
}
