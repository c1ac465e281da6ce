package api_test

import (
	"fmt"
	"net/netip"
	"regexp"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"bureau/internal/auth"
)

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}

// A state is an account, or none, and a password that must not open it.
type state struct {
	name               string
	username, password string
}

// states makes accounts in every state that there is.
func states(w *world) []state {
	t := w.t
	ctx := t.Context()
	c, err := w.office.AddCustomer(ctx, "Acme", nil)
	must(t, err)
	open := func(userKey, email string) login {
		return w.account(auth.NewAccount{Customer: c.ID, UserKey: userKey, Email: email})
	}
	issued := open("issued", "")
	open("chosen", "")
	_, err = w.office.SetChosenPassword(ctx, "chosen", "a long and chosen one", false)
	must(t, err)
	disabled := open("disabled", "")
	_, err = w.office.Disable(ctx, "disabled", true)
	must(t, err)
	open("disabled-chosen", "")
	_, err = w.office.SetChosenPassword(ctx, "disabled-chosen", "another chosen one", false)
	must(t, err)
	_, err = w.office.Disable(ctx, "disabled-chosen", true)
	must(t, err)
	person := open("person", "ada@example.com")
	_, err = w.office.SetChosenPassword(ctx, "person", "for the console only", true)
	must(t, err)
	old := open("renewed", "")
	_, _, err = w.office.ResetPassword(ctx, "renewed")
	must(t, err)
	w.withoutPassword(c.ID, "bare")
	return []state{
		{"unknown", "nobody", "wrong"},
		{"unknown, with a password that exists", "nobody", issued.Password},
		{"unknown, in another script", "никто", "wrong"},
		{"wrong password", "issued", "wrong"},
		{"the name in another case", "Issued", issued.Password},
		{"a space behind the name", "issued ", issued.Password},
		{"wrong password, chosen class", "chosen", "wrong"},
		{"disabled, wrong password", "disabled", "wrong"},
		{"disabled, right password", "disabled", disabled.Password},
		{"disabled, right password, chosen class", "disabled-chosen", "another chosen one"},
		{"e-mail address, the user key's password", "ada@example.com", person.Password},
		{"e-mail address, the console's password", "ada@example.com", "for the console only"},
		{"user key, the console's password", "person", "for the console only"},
		{"unknown e-mail address", "eve@example.com", "wrong"},
		{"the password from before", "renewed", old.Password},
		{"no password at all", "bare", "wrong"},
	}
}

// withoutPassword makes an account that nobody can log in to. No command does;
// a restored or imported one may be so.
func (w *world) withoutPassword(of auth.CustomerID, userKey string) {
	w.t.Helper()
	err := w.db.Turn(w.t.Context(), auth.Seen{}, func(n auth.News) (auth.Record, error) {
		return auth.Record{
			Accounts: []auth.Account{{ID: auth.AccountID(n.NextID), Customer: of, UserKey: userKey, CreatedAt: n.Now}},
			NextID:   n.NextID + 1,
		}, nil
	})
	must(w.t, err)
	must(w.t, w.dir.Refresh(w.t.Context()))
}

// rawLogin is every byte of the answer to a login from an address of its own,
// so that nobody else's requests count.
func (w *world) rawLogin(n int, username, password string) string {
	w.t.Helper()
	body := credentials(username, password)
	got := w.raw(fmt.Sprintf("POST /v1/authenticate HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"+
		"X-Forwarded-For: 10.%d.%d.%d\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		n>>16&255, n>>8&255, n&255, len(body), body))
	return masked.ReplaceAllString(got, "$1: …\r\n")
}

// masked are the two lines that differ in every answer.
var masked = regexp.MustCompile(`(Date|X-Correlation-Id): [^\r]*\r\n`)

// A1: whoever is refused gets the same bytes.
func TestRefusedLoginsAreAlikeToTheByte(t *testing.T) {
	w := newWorld(t, plan{proxies: loopback})
	all := states(w)
	first := w.rawLogin(0, "nobody at all", "wrong")
	golden(t, "testdata/refused.txt", []byte(strings.ReplaceAll(first, "\r\n", "\n")+"\n"))
	want := w.rawLogin(1, "nobody at all", "wrong again")
	for i, s := range all {
		if got := w.rawLogin(i+2, s.username, s.password); got != want {
			t.Errorf("%s: got\n%q, want\n%q", s.name, got, want)
		}
	}
	n := 1000
	rapid.Check(t, func(rt *rapid.T) {
		n++
		name := rapid.StringOfN(rapid.Rune().Filter(isUsable), 1, auth.MaxCredential, -1).Draw(rt, "name")
		if got := w.rawLogin(n, name, fmt.Sprint("wrong ", n)); got != want {
			rt.Errorf("%q: got\n%q, want\n%q", name, got, want)
		}
	})
}

// isUsable leaves out what JSON cannot carry.
func isUsable(r rune) bool { return r != 0xFFFD && (r < 0xD800 || r > 0xDFFF) }

// A3: the limits treat names that exist and names that do not alike.
func TestLimitsDoNotTellWhoExists(t *testing.T) {
	rules := auth.DefaultLoginRules
	rules.TotalSource, rules.TotalPair = 14, 11
	w := newWorld(t, plan{proxies: loopback, login: rules})
	// One sequence for all: repeats, other guesses between them, and pauses
	// that let the windows move.
	sequence := func(n int, s state) (out []string) {
		for i := range 18 {
			password := s.password
			if i%4 == 3 {
				password = fmt.Sprint("guess ", i)
			}
			out = append(out, w.rawLogin(n, s.username, password))
			w.clock.Step(time.Duration(7+i%3) * time.Second)
		}
		w.clock.Step(time.Hour) // the next one starts afresh
		return out
	}
	want := sequence(0, state{"", "nobody at all", "wrong"})
	kinds := map[string]bool{}
	for _, a := range want {
		kinds[a[len("HTTP/1.1 "):len("HTTP/1.1 401")]] = true
	}
	if !kinds["401"] || !kinds["429"] {
		t.Fatalf("the sequence never meets a limit: %v", kinds)
	}
	for i, s := range states(w) {
		got := sequence(i+1, s)
		for j := range want {
			if got[j] != want[j] {
				t.Errorf("%s: request %d got\n%q, want\n%q", s.name, j+1, got[j], want[j])
				break
			}
		}
	}
}
