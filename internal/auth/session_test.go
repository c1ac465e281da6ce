package auth_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"bureau/internal/auth"
	"bureau/internal/fault"
)

// The codes of RFC 6238, appendix B, in six digits.
func TestCodesAreThoseOfTheStandard(t *testing.T) {
	secret := []byte("12345678901234567890")
	for at, want := range map[int64]string{
		59: "287082", 1111111109: "081804", 1111111111: "050471", 1234567890: "005924", 2000000000: "279037", 20000000000: "353130",
	} {
		if got := auth.CodeOfStep(secret, at/30); got != want {
			t.Errorf("at %d: %s, want %s", at, got, want)
		}
	}
}

const (
	anns     = "ann@acme.test"
	sentence = "correct horse battery"
)

// A porch is a house with the door of the console, and Ann who may come in.
type porch struct {
	*house
	*auth.Sessions
	clock *clock
	ann   auth.Account
}

func newPorch(t *testing.T, url string, rules auth.LoginRules) *porch {
	t.Helper()
	c := newClock()
	h := openHouse(t, url, c, plan{rules: rules, cost: cheap})
	ann, _, err := h.office.AddAccount(t.Context(), auth.NewAccount{
		Customer: h.customer("Acme").ID, UserKey: "ann", Email: "Ann@Acme.test ", Chosen: sentence,
	})
	if err != nil {
		t.Fatal(err)
	}
	return &porch{h, &auth.Sessions{
		Store: h.db, Login: h.login, Office: h.office, Now: c.Now, Idle: 2 * time.Hour, Whole: 12 * time.Hour,
	}, c, ann}
}

func visitor(secret auth.SessionSecret) auth.Visitor {
	return auth.Visitor{Source: from(1), Agent: "a browser", Secret: secret}
}

func (p *porch) signIn(email, password string) auth.SignIn {
	p.t.Helper()
	in, err := p.SignIn(p.t.Context(), visitor(""), email, password)
	if err != nil {
		p.t.Fatal(err)
	}
	return in
}

func (p *porch) account() auth.Account {
	a, _ := p.dir.Account(p.ann.ID)
	return a
}

func (p *porch) wantIn(what string, secret auth.SessionSecret) {
	p.t.Helper()
	if _, a, err := p.Find(p.t.Context(), secret); err != nil || a.ID != p.ann.ID {
		p.t.Errorf("%s: %v, want Ann", what, err)
	}
}

func (p *porch) wantOut(what string, secret auth.SessionSecret) {
	p.t.Helper()
	if _, _, err := p.Find(p.t.Context(), secret); !errors.Is(err, fault.Stranger) {
		p.t.Errorf("%s: %v, want a stranger", what, err)
	}
}

func TestSessionsBeginAndEnd(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		p := newPorch(t, url, auth.LoginRules{})
		ctx := t.Context()
		for _, wrong := range [][2]string{
			{anns, "wrong horse battery"},
			{"nobody@acme.test", sentence},
			{"ann", sentence},
			{"", ""},
		} {
			if in := p.signIn(wrong[0], wrong[1]); in.Verdict != auth.Refused || in.Secret != "" {
				t.Errorf("%s got in with %s", wrong[0], wrong[1])
			}
		}
		one := p.signIn(" ANN@acme.TEST", sentence)
		if one.Verdict != auth.Granted || one.Code {
			t.Fatalf("Ann signed in: %+v", one)
		}
		p.wantIn("a fresh session", one.Secret)
		p.wantOut("a made-up secret", "made-up")
		p.wantOut("no secret", "")

		next, err := p.SignIn(ctx, visitor(one.Secret), anns, sentence)
		if err != nil || next.Secret == one.Secret {
			t.Fatalf("signing in again: %v", err)
		}
		p.wantOut("the session that signing in again replaced", one.Secret)

		// Idle: used each hour it lives, and not for longer than the whole.
		for range 11 {
			p.clock.Step(time.Hour)
			p.wantIn("a session used each hour", next.Secret)
		}
		p.clock.Step(time.Hour)
		p.wantOut("a session of twelve hours", next.Secret)
		idle := p.signIn(anns, sentence).Secret
		p.clock.Step(2 * time.Hour)
		p.wantOut("a session that nobody used for two hours", idle)

		var all []auth.SessionSecret
		for range 3 {
			all = append(all, p.signIn(anns, sentence).Secret)
		}
		if list, err := p.List(ctx, p.account()); err != nil || len(list) != 3 {
			t.Errorf("%d sessions are listed, want 3 (%v)", len(list), err)
		}
		if _, err := p.End(ctx, p.ann.ID, all[0].Key().Name(), auth.SessionKey{}); err != nil {
			t.Fatal(err)
		}
		p.wantOut("a session that was ended by name", all[0])
		p.wantIn("another", all[1])
		if n, err := p.End(ctx, p.ann.ID, "", all[1].Key()); err != nil || n < 1 {
			t.Errorf("%d ended: %v", n, err)
		}
		p.wantOut("a session elsewhere", all[2])
		p.wantIn("the one that was kept", all[1])

		if _, err := p.office.Disable(ctx, "ann", true); err != nil {
			t.Fatal(err)
		}
		p.wantOut("a disabled account", all[1])
		if in := p.signIn(anns, sentence); in.Verdict != auth.Refused {
			t.Error("a disabled account signed in")
		}
		if err := p.Forget(ctx); err != nil {
			t.Error(err)
		}
	})
}

func TestNewPasswordSignsOutEverywhereElse(t *testing.T) {
	p := newPorch(t, t.TempDir()+"/bureau.db", auth.LoginRules{})
	ctx := t.Context()
	here, there := p.signIn(anns, sentence).Secret, p.signIn(anns, sentence).Secret
	for _, c := range []struct{ was, is string }{{"not the password", "another long sentence"}, {sentence, "too short"}} {
		if _, err := p.ChangePassword(ctx, p.account(), visitor(here), c.was, c.is); !errors.Is(err, fault.Invalid) {
			t.Errorf("from %q to %q: %v, want an invalid", c.was, c.is, err)
		}
	}
	p.wantIn("after nothing changed", there)
	now, err := p.ChangePassword(ctx, p.account(), visitor(here), sentence, "another long sentence")
	if err != nil {
		t.Fatal(err)
	}
	p.wantIn("the session that changed it", now)
	p.wantOut("the same, by its old secret", here)
	p.wantOut("another", there)
	if in := p.signIn(anns, sentence); in.Verdict != auth.Refused {
		t.Error("the old password still opens")
	}
	if in := p.signIn(anns, "another long sentence"); in.Verdict != auth.Granted {
		t.Error("the new password does not open")
	}
}

func TestOneTimeCodes(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		p := newPorch(t, url, auth.LoginRules{})
		ctx := t.Context()
		first := p.signIn(anns, sentence).Secret
		draft := p.DraftCodes(p.account())
		if !strings.HasPrefix(draft.URI, "otpauth://totp/Bureau:ann@acme.test?") {
			t.Errorf("the address for apps is %s", draft.URI)
		}
		if _, err := p.SetCodes(ctx, p.account(), visitor(first), draft.Sealed, "000000"); !errors.Is(err, fault.Invalid) {
			t.Errorf("a wrong first code: %v", err)
		}
		session, err := p.SetCodes(ctx, p.account(), visitor(first), draft.Sealed, auth.CodeAt(draft.Text, p.clock.Now()))
		if err != nil {
			t.Fatal(err)
		}
		p.wantIn("after switching codes on", session)

		in := p.signIn(anns, sentence)
		if !in.Code {
			t.Fatal("no code was asked for")
		}
		if found, _, err := p.Find(ctx, in.Secret); err != nil || !found.Waiting {
			t.Fatalf("the session before the code: waiting %v, %v", found.Waiting, err)
		}
		if _, err := p.GiveCode(ctx, visitor(in.Secret), "123456"); !errors.Is(err, fault.Stranger) {
			t.Errorf("a wrong code: %v", err)
		}
		code := auth.CodeAt(draft.Text, p.clock.Now())
		open, err := p.GiveCode(ctx, visitor(in.Secret), code[:3]+" "+code[3:])
		if err != nil {
			t.Fatal(err)
		}
		p.wantIn("after the code", open)
		p.wantOut("the session before it", in.Secret)
		again := p.signIn(anns, sentence)
		if _, err := p.GiveCode(ctx, visitor(again.Secret), code); !errors.Is(err, fault.Stranger) {
			t.Errorf("a code for the second time: %v", err)
		}
		// A clock that is half a minute off, either way.
		p.clock.Step(2 * time.Minute)
		for _, off := range []time.Duration{-30 * time.Second, 30 * time.Second} {
			in := p.signIn(anns, sentence)
			if _, err := p.GiveCode(ctx, visitor(in.Secret), auth.CodeAt(draft.Text, p.clock.Now().Add(off))); err != nil {
				t.Errorf("a clock that is off by %s: %v", off, err)
			}
		}
		// Who knows the password and guesses codes is stopped, also by new sign-ins.
		p.clock.Step(2 * time.Minute)
		for i := range 10 {
			in := p.signIn(anns, sentence)
			_, err := p.GiveCode(ctx, visitor(in.Secret), fmt.Sprintf("00000%d", i))
			if !errors.Is(err, fault.Stranger) {
				t.Fatalf("guess %d: %v", i, err)
			}
		}
		late := p.signIn(anns, sentence)
		_, err = p.GiveCode(ctx, visitor(late.Secret), auth.CodeAt(draft.Text, p.clock.Now()))
		if !errors.Is(err, fault.Exhausted) {
			t.Errorf("the right code after ten wrong ones: %v, want exhausted", err)
		}
		p.clock.Step(16 * time.Minute)
		p.wantOut("a sign-in that waited too long for its code", late.Secret)
		in = p.signIn(anns, sentence)
		open, err = p.GiveCode(ctx, visitor(in.Secret), auth.CodeAt(draft.Text, p.clock.Now()))
		if err != nil {
			t.Fatal(err)
		}
		p.clock.Step(time.Minute)
		if _, err := p.DropCodes(ctx, p.account(), visitor(open), "000000"); !errors.Is(err, fault.Stranger) {
			t.Errorf("dropping codes with a wrong one: %v", err)
		}
		if _, err := p.DropCodes(ctx, p.account(), visitor(open), auth.CodeAt(draft.Text, p.clock.Now())); err != nil {
			t.Fatal(err)
		}
		if in := p.signIn(anns, sentence); in.Code {
			t.Error("a code is still asked for")
		}
	})
}

// The console shares the limits of the API: identical wrong attempts are five,
// and an attempt for an address that nobody has is answered alike.
func TestSignInIsLimitedLikeTheAPI(t *testing.T) {
	for _, email := range []string{anns, "nobody@acme.test"} {
		p := newPorch(t, t.TempDir()+"/bureau.db", auth.LoginRules{})
		var got []auth.Verdict
		for range 7 {
			got = append(got, p.signIn(email, "wrong horse battery").Verdict)
		}
		want := []auth.Verdict{auth.Refused, auth.Refused, auth.Refused, auth.Refused, auth.Refused, auth.Limited, auth.Limited}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: verdicts %v, want %v", email, got, want)
		}
	}
}

func TestRoles(t *testing.T) {
	order := []auth.Role{"", auth.Reader, auth.Analyst, auth.Admin}
	for i, has := range order {
		a := auth.Account{Role: has}
		for j, need := range order[1:] {
			if got, want := a.MayAct(need), max(i, 1) >= j+1; got != want {
				t.Errorf("%q may act as %q: %v, want %v", has, need, got, want)
			}
		}
	}
	if op := (auth.Account{Operator: true}); !op.MayAct(auth.Admin) {
		t.Error("an operator may not set up its own customer")
	}
	if _, err := auth.ParseRole("owner"); !errors.Is(err, fault.Invalid) {
		t.Errorf("a role that is none: %v", err)
	}
}
