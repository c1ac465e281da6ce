package auth_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"bureau/internal/auth"
)

func TestLoginGivesATokenThatOpensTheGate(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		h := openHouse(t, url, newClock(), plan{})
		c := h.customer("Acme", auth.Companies)
		a, password := h.account(c, "acme-api")
		by, _, err := h.gate.Admit(t.Context(), "Bearer "+h.token("acme-api", password), auth.Companies)
		if want := (auth.Caller{Customer: c.ID, Account: a.ID}); err != nil || by != want {
			t.Fatalf("Admit = %v, %v; want %v", by, err, want)
		}
	})
}

// A1, A3: whatever is wrong with a login, the answers are the same, one after
// the other, quotas and waits included.
func TestRefusedLoginsAreAlike(t *testing.T) {
	// A password that begins with = is the right one of that account.
	strangers := []struct{ name, userKey, password string }{
		{"unknown name", "nobody", "wrong password 1"},
		{"wrong password", "acme-api", "wrong password 1"},
		{"another account's password", "acme-api", "=acme-off"},
		{"disabled account, right password", "acme-off", "=acme-off"},
		{"e-mail address and console password", "ann@acme.test", "correct horse battery"},
		{"e-mail address and API password", "ann@acme.test", "=ann"},
		{"name in another case", "ACME-API", "=acme-api"},
		{"wrong chosen password", "acme-slow", "wrong password 1"},
		{"empty name and password", "", ""},
	}
	var want []auth.Answer
	for _, s := range strangers {
		t.Run(s.name, func(t *testing.T) {
			clock := newClock()
			h := newHouse(t, clock, plan{rules: auth.LoginRules{
				Identical: 5, IdenticalWindow: 2 * time.Minute,
				TotalSource: 30, TotalPair: 20, TotalWindow: 5 * time.Minute, TotalClosed: 5 * time.Minute,
			}})
			passwords := furnish(t, h)
			if owner, ok := strings.CutPrefix(s.password, "="); ok {
				s.password = passwords[owner]
			}
			var got []auth.Answer
			for i := range 60 {
				a := h.try(from(i%2), s.userKey, s.password)
				if a.Token != "" {
					t.Fatal("a stranger got a token")
				}
				got = append(got, a)
				clock.Step(time.Duration(i%7) * 3 * time.Second)
			}
			if want == nil {
				want = got
				return
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("answers differ from those for an %s (-want +got):\n%s", strangers[0].name, diff)
			}
		})
	}
	seen := map[auth.Verdict]bool{}
	for _, a := range want {
		seen[a.Verdict] = true
	}
	if !seen[auth.Refused] || !seen[auth.Limited] {
		t.Errorf("the traffic met verdicts %v, want both a refusal and a limit", seen)
	}
}

// furnish adds accounts of every state and returns their passwords.
func furnish(t *testing.T, h *house) map[string]string {
	t.Helper()
	ctx := t.Context()
	c := h.customer("Acme")
	passwords := map[string]string{}
	for _, userKey := range []string{"acme-api", "acme-off", "acme-slow"} {
		_, passwords[userKey] = h.account(c, userKey)
	}
	if _, err := h.office.Disable(ctx, "acme-off", true); err != nil {
		t.Fatal(err)
	}
	_, ann, err := h.office.AddAccount(ctx, auth.NewAccount{
		Customer: c.ID, UserKey: "ann", Email: "ann@acme.test", Chosen: "correct horse battery",
	})
	if err != nil {
		t.Fatal(err)
	}
	passwords["ann"] = ann
	passwords["acme-slow"] = "slow but steady wins"
	if _, err := h.office.SetChosenPassword(ctx, "acme-slow", passwords["acme-slow"], false); err != nil {
		t.Fatal(err)
	}
	return passwords
}

// The console's password is for the console: it does not open the API.
func TestConsolePasswordIsNoPassword(t *testing.T) {
	h := newHouse(t, newClock(), plan{})
	furnish(t, h)
	if got := h.try(from(1), "ann", "correct horse battery"); got.Verdict != auth.Refused {
		t.Fatalf("the console password with the user key: verdict %d, want refused", got.Verdict)
	}
}

// A18: a password is its bytes. Nothing is trimmed, folded or normalised.
func TestPasswordsAreTakenByteForByte(t *testing.T) {
	const right = "Caf\u00e9 au lait, s'il" // é as one code point
	nearly := map[string]string{
		"é as two code points":    "Cafe\u0301 au lait, s'il",
		"another case":            "caf\u00e9 au lait, s'il",
		"a space before":          " " + right,
		"a space behind":          right + " ",
		"a NUL behind":            right + "\x00",
		"a NUL and more behind":   right + "\x00x",
		"cut short":               right[:len(right)-1],
		"a no-break space":        "Caf\u00e9\u00a0au lait, s'il",
		"a newline behind":        right + "\n",
		"a byte-order mark":       "\ufeff" + right,
		"a full-width apostrophe": "Caf\u00e9 au lait, s\uff07il",
		"nothing":                 "",
	}
	h := newHouse(t, newClock(), plan{})
	h.account(h.customer("Acme"), "acme-api")
	if _, err := h.office.SetChosenPassword(t.Context(), "acme-api", right, false); err != nil {
		t.Fatal(err)
	}
	for name, password := range nearly {
		if got := h.try(from(1), "acme-api", password); got.Verdict != auth.Refused {
			t.Errorf("%s: verdict %d, want refused", name, got.Verdict)
		}
	}
	for _, key := range []string{"ACME-API", "acme-api ", " acme-api", "acme-api\x00", "acme\u2010api"} {
		if got := h.try(from(1), key, right); got.Verdict != auth.Refused {
			t.Errorf("user key %q: verdict %d, want refused", key, got.Verdict)
		}
	}
	if got := h.try(from(1), "acme-api", right); got.Verdict != auth.Granted {
		t.Errorf("the password itself: verdict %d, want granted", got.Verdict)
	}
}

// A name and a password never run into each other, whatever bytes they hold.
func TestRequestsAreToldApartWhereverTheNameEnds(t *testing.T) {
	h := newHouse(t, newClock(), plan{})
	for range 5 {
		h.try(from(1), "a\x00b", "c")
	}
	if got := h.try(from(1), "a\x00b", "c"); got.Verdict != auth.Limited {
		t.Fatalf("the sixth: verdict %d, want limited", got.Verdict)
	}
	if got := h.try(from(1), "a", "b\x00c"); got.Verdict != auth.Refused {
		t.Errorf("another name and password: verdict %d, want refused", got.Verdict)
	}
}

// An account that another node has just opened, closed or changed is seen as it
// is now, though this node has not heard of it yet.
func TestLoginSeesTheAccountAsItIs(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		clock := newClock()
		here, there := openHouse(t, url, clock, plan{}), openHouse(t, url, clock, plan{})
		c := here.customer("Acme")
		_, password := here.account(c, "acme-api")
		if got := there.try(from(1), "acme-api", password); got.Verdict != auth.Granted {
			t.Fatalf("a new account: verdict %d, want granted", got.Verdict)
		}
		if _, err := here.office.Disable(t.Context(), "acme-api", true); err != nil {
			t.Fatal(err)
		}
		if got := there.try(from(1), "acme-api", password); got.Verdict != auth.Refused {
			t.Fatalf("a disabled account: verdict %d, want refused", got.Verdict)
		}
		if _, err := here.office.Disable(t.Context(), "acme-api", false); err != nil {
			t.Fatal(err)
		}
		_, fresh, err := here.office.ResetPassword(t.Context(), "acme-api")
		if err != nil {
			t.Fatal(err)
		}
		if got := there.try(from(1), "acme-api", password); got.Verdict != auth.Refused {
			t.Fatalf("the old password: verdict %d, want refused", got.Verdict)
		}
		if got := there.try(from(1), "acme-api", fresh); got.Verdict != auth.Granted {
			t.Fatalf("the new password: verdict %d, want granted", got.Verdict)
		}
	})
}

// A1, A6: when too many passwords are being checked, who comes is sent away for
// a second, whether the name exists or not, and it costs nothing of what the
// limits allow.
func TestBusyPoolTurnsAwayAlike(t *testing.T) {
	h := newHouse(t, newClock(), plan{})
	h.account(h.customer("Acme"), "acme-slow")
	const right = "slow but steady wins"
	if _, err := h.office.SetChosenPassword(t.Context(), "acme-slow", right, false); err != nil {
		t.Fatal(err)
	}
	free := h.login.Checker.Crowd()
	var want auth.Answer
	for i, who := range []struct{ userKey, password string }{
		{"acme-slow", right}, {"acme-slow", wrong(1)}, {"nobodyatal", wrong(1)},
	} {
		for range 6 {
			got := h.try(from(i), who.userKey, who.password)
			got.Quotas = nil // they count down
			if want.Verdict == 0 {
				want = got
			}
			if diff := cmp.Diff(want, got); diff != "" || got.Verdict != auth.Limited || got.Wait != time.Second {
				t.Errorf("%s: verdict %d, wait %s; want limited for a second, like the others", who.userKey, got.Verdict, got.Wait)
			}
		}
	}
	free()
	if got := h.try(from(1), "acme-slow", wrong(1)); got.Verdict != auth.Refused || got.Quotas[0].Left != 4 {
		t.Errorf("afterwards: %+v, want refused for the first time", got)
	}
	if got := h.try(from(1), "acme-slow", right); got.Verdict != auth.Granted {
		t.Errorf("afterwards, the right password: verdict %d, want granted", got.Verdict)
	}
}
