package app

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"bureau/internal/api"
	"bureau/internal/console"
	"bureau/internal/monitor"
)

// console makes the pages for people, on the doors that calls have.
func (s *Serving) console(calls *api.Server) *console.Server {
	a := s.app
	return &console.Server{
		Sessions: a.Sessions, Gate: a.Gate, Directory: a.Directory, Office: a.Office, Usage: a.Usage, Audit: a.DB,
		Companies: a.Register, Documents: a.DB, Finder: a.Finder, Portfolios: a.Portfolios, Events: a.DB, Hub: s.hub,
		Why: calls.Why, Trials: a.DB, Imports: a.Imports, Webhooks: calls.Webhooks, Bank: a.Bank, Identity: a.Identity, Named: a.Vault.Person, KYC: a.KYC, Reports: a.Reports, Lists: a.DB, Paper: calls.KYCPaper,
		Refused: a.Refused,
		Health:  s, Log: a.Log, Now: time.Now, Source: calls.ClientAddr, Correlation: api.CorrelationHeader, PublicURL: a.Config.publicURL(),
	}
}

// A workLog remembers how the work in the background goes, for the operator's
// page.
type workLog struct {
	mu sync.Mutex
	of map[string]console.Work
}

func (l *workLog) note(name string, err error, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.of == nil {
		l.of = map[string]console.Work{}
	}
	w := l.of[name]
	w.Name, w.Failed = name, ""
	if err != nil {
		w.Failed = err.Error()
	} else {
		w.Last = now
	}
	l.of[name] = w
}

// Works implements console.Health.
func (s *Serving) Works() []console.Work {
	l := &s.metrics.works
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []console.Work
	for _, w := range l.of {
		out = append(out, w)
	}
	slices.SortFunc(out, func(a, b console.Work) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// Signs implements console.Health.
func (s *Serving) Signs(ctx context.Context) []console.Sign {
	var out []console.Sign
	say := func(subject string, well bool, format string, args ...any) {
		out = append(out, console.Sign{Subject: subject, Well: well, Says: fmt.Sprintf(format, args...)})
	}
	start := time.Now()
	if err := s.app.DB.Ping(ctx); err != nil {
		say("database", false, "%s", Explain(err))
		return out // nothing else can be asked
	}
	say("database", true, "%s answers within %s", s.app.DB.Engine(), time.Since(start).Round(10*time.Microsecond))
	if why, ok := s.app.Finder.Ready(); ok {
		companies, people := s.app.Finder.Size()
		say("index of names", true, "%d companies and %d people", companies, people)
	} else {
		say("index of names", false, "%s", why)
	}
	say("screening lists", s.app.Screener.Index.Ready(), "lists that are searched: %d", len(s.app.Screener.Index.Edition().Lists))
	s.evaluationSign(ctx, say)
	if b, err := s.app.DB.Backlog(ctx); err == nil {
		old := !b.Oldest.IsZero() && time.Since(b.Oldest) > time.Hour
		say("webhooks", !old, "%d deliveries wait, %d stand behind one that failed", b.Waiting, b.Parked)
	}
	say("streams", true, "%d follow events", s.hub.Count())
	failing := 0
	for _, w := range s.Works() {
		if w.Failed != "" {
			failing++
		}
	}
	say("work in the background", failing == 0, "%d of %d fail", failing, len(s.Works()))
	return out
}

// evaluationSign tells how far behind the rules are.
func (s *Serving) evaluationSign(ctx context.Context, say func(string, bool, string, ...any)) {
	last, err := s.app.DB.LastChange(ctx)
	if err != nil {
		return
	}
	passed, err := s.app.engine().Passed(ctx)
	if err != nil {
		return
	}
	behind := max(0, last-passed)
	w := slices.IndexFunc(s.Works(), func(w console.Work) bool { return w.Name == "evaluation's progress" && w.Failed != "" })
	say("rules", w < 0, "%d changes wait to be looked at; evaluation may stand still for %s before that is told", behind, monitor.StandsAfter)
}
