package api_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bureau/internal/api"
	"bureau/internal/auth"
	"bureau/internal/store"
	"bureau/internal/store/storetest"
)

// A fixture is how a route with an id is tried by a stranger. Every such route
// needs one: that is how A20 stays tested.
type fixture struct {
	// theirs makes something that belongs to the owner and returns its path.
	theirs func(w *world, owner login) (path string)
	// random is the path of something that nobody has.
	random string
	body   string

	// nobodys says why what the id names belongs to nobody.
	nobodys string
}

// fixtures are those of the real routes, by operation.
var fixtures = map[string]fixture{
	"companyReport":       {nobodys: "the register is the same for every customer"},
	"person":              {nobodys: "the register is the same for every customer"},
	"signedCompanyReport": {nobodys: "whoever has the signed address may read it"},
	"signedKYCFile":       {nobodys: "whoever has the signed address may read it"},
	"reportSchema":        {nobodys: "a country"},
	"reportCustomData":    {nobodys: "a country"},
	"companyImage":        {nobodys: "documents are the same for every customer"},

	"importPortfolio":          uploadFixture("import"),
	"importPortfolioCompanies": uploadFixture("companies/import"),
	"syncPortfolio":            uploadFixture("sync"),
	"portfolioImports":         uploadFixture("imports"),
	"portfolioImport":          importFixture(),

	"bankVerificationById": {theirs: verifiedPath("/localSolutions/GB/bankVerification/history/", ""), random: "/localSolutions/GB/bankVerification/history/" + noID},
	"bankVerificationValidate": {
		theirs: verifiedPath("/localSolutions/GB/bankVerification/validate/", ""), random: "/localSolutions/GB/bankVerification/validate/" + noID,
		body: `{"sortCode":"990001","bankAccount":"00000000"}`,
	},
	"bankVerificationReference": {
		theirs: verifiedPath("/localSolutions/GB/bankVerification/history/", "/reference"), random: "/localSolutions/GB/bankVerification/history/" + noID + "/reference",
		body: `{"customerReference":"mine"}`,
	},
	"sortCode": {nobodys: "the directory is the same for every customer"},
}

// allFixtures are fixtures, and those that other files hold.
func allFixtures() map[string]fixture {
	all := maps.Clone(fixtures)
	maps.Copy(all, webhookFixtures())
	maps.Copy(all, identityFixtures())
	maps.Copy(all, kycFixtures())
	maps.Copy(all, profileFixtures())
	maps.Copy(all, kycReportFixtures())
	maps.Copy(all, kycBatchFixtures())
	return all
}

// leaks tries every route with an id as a stranger: the answer for what belongs
// to someone else must be the answer for what does not exist. It returns a
// sentence for each that tells them apart, or that cannot be tried.
func leaks(w *world, rows []api.Row, fixtures map[string]fixture) (out []string) {
	w.t.Helper()
	say := func(r api.Row, format string, args ...any) {
		out = append(out, r.ID()+": "+fmt.Sprintf(format, args...))
	}
	owner := w.join("owner", everywhere(auth.Products()...)...)
	tokens := map[string]string{
		"stranger":                   w.token(w.join("stranger", everywhere(auth.Products()...)...)),
		"stranger without a product": w.token(w.join("bare")),
	}
	for _, r := range rows {
		if !r.HasID() {
			continue
		}
		f, ok := fixtures[r.ID()]
		switch {
		case !ok:
			say(r, "no fixture says whose %s is", r.Pattern())
			continue
		case f.nobodys != "":
			continue
		}
		path := f.theirs(w, owner)
		for who, token := range tokens {
			theirs, none := w.stripped(r, path, f.body, token), w.stripped(r, f.random, f.body, token)
			if d := cmp.Diff(none, theirs); d != "" {
				say(r, "a %s can tell what is someone else's from what does not exist", who)
			}
		}
		if got := w.stripped(r, path, f.body, w.token(owner)); !strings.HasPrefix(got, "2") {
			say(r, "the owner's own is not there: %s", got)
		}
	}
	return out
}

// stripped is an answer without what differs in every one.
func (w *world) stripped(r api.Row, path, body, token string) string {
	kind := jsonType
	if strings.HasPrefix(body, "--"+formBoundary) {
		kind = multipartType
	}
	got := w.send(r.Method(), path, body, "Authorization", token, "Content-Type", kind)
	for _, name := range []string{"Date", "X-Correlation-Id", "Ratelimit"} {
		got.header.Del(name)
	}
	return correlation.ReplaceAllString(fmt.Sprintln(got.status, got.header, got.body), "…")
}

// A20: what is someone else's looks like what does not exist.
func TestStrangersLearnNothing(t *testing.T) {
	for name, url := range map[string]func(*testing.T) string{
		"sqlite":   func(*testing.T) string { return "" },
		"postgres": func(t *testing.T) string { return storetest.Postgres(t) },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, plan{url: url(t)})
			w.companies(1)
			for _, complaint := range leaks(w, w.server.Rows(), allFixtures()) {
				t.Error(complaint)
			}
		})
	}
}

// The second wall, with the first taken away: a handler asks for the webhooks of
// all customers, and gets those of the caller. It is asked in every way in which a
// handler is reached.
func TestCallsAreWalled(t *testing.T) {
	var db *store.DB
	rows := api.Reaching(func(ctx context.Context) (int, error) {
		news, err := db.Round(ctx, 0, 0, 10)
		return len(news.Webhooks), err
	})
	w := newWorld(t, plan{url: storetest.Postgres(t), rows: rows})
	db = w.db
	mine, theirs := w.join("mine", everywhere(auth.Products()...)...), w.join("theirs", everywhere(auth.Products()...)...)
	w.newWebhook(mine)
	w.newWebhook(theirs)
	w.newWebhook(theirs)
	for _, r := range rows {
		for of, want := range map[*login]string{&mine: `{"reached":1}`, &theirs: `{"reached":2}`} {
			for _, key := range []string{"", "once"} {
				got := w.send(r.Method(), r.Pattern(), "", "Authorization", w.token(*of), "Idempotency-Key", key)
				if strings.TrimSpace(got.body) != want {
					t.Errorf("%s by %s: %d %s, want %s", r.ID(), of.Username, got.status, got.body, want)
				}
			}
		}
	}
	if news, err := w.db.Round(t.Context(), 0, 0, 10); err != nil || len(news.Webhooks) != 3 {
		t.Errorf("nobody in particular sees %d webhooks (%v), want all", len(news.Webhooks), err)
	}
}

// The harness itself can fail.
func TestStrangersAreCaught(t *testing.T) {
	sh := new(api.Shelf)
	rows := append(sh.Rows(), sh.Leaky())
	w := newWorld(t, plan{rows: rows})
	thing := func(prefix string) fixture {
		return fixture{
			theirs: func(_ *world, owner login) string { return prefix + sh.Put(owner.Customer, "one") },
			random: prefix + "Thing-999",
		}
	}
	got := leaks(w, rows, map[string]fixture{
		"testThing":   thing("/test/things/"),
		"testLeaky":   thing("/test/leaky/"),
		"testCountry": {nobodys: "a country"},
	})
	slices.Sort(got)
	want := []string{
		"testEcho: no fixture says whose /test/echo/{id} is",
		"testLeaky: a stranger can tell what is someone else's from what does not exist",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("complaints (-want +got):\n%s", d)
	}
}
