package storetest

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"bureau/internal/auth"
	"bureau/internal/fault"
)

// sessions are the promises of auth.SessionStore.
var sessions = []promise{
	{"a session is kept as it was, and seen by the other node", sessionKept},
	{"a session that is not there is missing, and seeing it makes none", sessionMissing},
	{"a new session ends the one it takes the place of", sessionInstead},
	{"sessions are ended by name, of one account only", sessionsEnded},
	{"sessions are forgotten by their last use and by their age", sessionsForgotten},
	{"a code counts once, whoever gives it", codeOnce},
	{"after many wrong codes the right one does not help for a while", codesExhausted},
	{"an account keeps its role and the secret of its codes", accountSecond},
}

func aSession(key byte, of auth.AccountID) auth.Session {
	return auth.Session{
		Key: auth.SessionKey{key, 1, 2}, Account: of, Epoch: 3, Waiting: key%2 == 0,
		Agent: "A browser, über alles", Source: "192.0.2.7", CreatedAt: noon, SeenAt: noon.Add(time.Duration(key) * time.Second),
	}
}

func addSession(t *testing.T, s auth.SessionStore, x auth.Session) auth.Session {
	t.Helper()
	noError(t, s.AddSession(t.Context(), x, auth.SessionKey{}))
	return x
}

func sessionKept(t *testing.T, s nodes) {
	one, two := addSession(t, s, aSession(1, 7)), addSession(t, s, aSession(2, 7))
	addSession(t, s, aSession(3, 8))
	got, err := s.other.Session(t.Context(), one.Key)
	noError(t, err)
	same(t, "a session", got, one)
	later := noon.Add(time.Hour)
	noError(t, s.SeeSession(t.Context(), one.Key, later))
	one.SeenAt = later
	list, err := s.other.Sessions(t.Context(), 7)
	noError(t, err)
	same(t, "the account's sessions, the one used last first", list, []auth.Session{one, two})
}

func sessionMissing(t *testing.T, s nodes) {
	_, err := s.Session(t.Context(), auth.SessionKey{9})
	wantKind(t, err, fault.Missing)
	noError(t, s.SeeSession(t.Context(), auth.SessionKey{9}, noon))
	_, err = s.Session(t.Context(), auth.SessionKey{9})
	wantKind(t, err, fault.Missing)
}

func sessionInstead(t *testing.T, s nodes) {
	old := addSession(t, s, aSession(1, 7))
	next := aSession(5, 7)
	noError(t, s.AddSession(t.Context(), next, old.Key))
	_, err := s.other.Session(t.Context(), old.Key)
	wantKind(t, err, fault.Missing)
	_, err = s.other.Session(t.Context(), next.Key)
	noError(t, err)
}

func sessionsEnded(t *testing.T, s nodes) {
	one := addSession(t, s, aSession(1, 7))
	addSession(t, s, aSession(3, 7))
	addSession(t, s, aSession(5, 7))
	theirs := addSession(t, s, aSession(4, 8))
	n, err := s.EndSessions(t.Context(), 7, func(k auth.SessionKey) bool { return k != one.Key })
	noError(t, err)
	left, err := s.other.Sessions(t.Context(), 7)
	noError(t, err)
	if n != 2 || len(left) != 1 || left[0].Key != one.Key {
		t.Errorf("%d ended and %d are left, want 2 and the one that was kept", n, len(left))
	}
	_, err = s.Session(t.Context(), theirs.Key)
	noError(t, err)
}

func sessionsForgotten(t *testing.T, s nodes) {
	fresh := aSession(1, 7)
	fresh.CreatedAt, fresh.SeenAt = noon.Add(time.Hour), noon.Add(2*time.Hour)
	idle := aSession(3, 7)
	idle.CreatedAt, idle.SeenAt = noon.Add(time.Hour), noon
	old := aSession(5, 7)
	old.CreatedAt, old.SeenAt = noon.Add(-time.Hour), noon.Add(2*time.Hour)
	for _, x := range []auth.Session{fresh, idle, old} {
		addSession(t, s, x)
	}
	noError(t, s.ForgetSessions(t.Context(), noon.Add(time.Minute), noon))
	left, err := s.Sessions(t.Context(), 7)
	noError(t, err)
	if len(left) != 1 || left[0].Key != fresh.Key {
		t.Errorf("%d sessions are left, want the fresh one alone", len(left))
	}
}

func codeOnce(t *testing.T, s nodes) {
	var right atomic.Int64
	var wg sync.WaitGroup
	for _, node := range []Store{s.Store, s.other} {
		for range 4 {
			wg.Go(func() {
				if node.SpendCode(t.Context(), 7, 100, noon, noon.Add(-time.Hour), 99) == nil {
					right.Add(1)
				}
			})
		}
	}
	wg.Wait()
	if right.Load() != 1 {
		t.Errorf("a code that was given 8 times was right %d times, want once", right.Load())
	}
	wantKind(t, s.SpendCode(t.Context(), 7, 99, noon, noon.Add(-time.Hour), 99), fault.Stranger)
	noError(t, s.SpendCode(t.Context(), 7, 101, noon, noon.Add(-time.Hour), 99))
	noError(t, s.SpendCode(t.Context(), 8, 100, noon, noon.Add(-time.Hour), 99))
}

func codesExhausted(t *testing.T, s nodes) {
	now, since := noon, noon.Add(-15*time.Minute)
	for range 3 {
		wantKind(t, s.SpendCode(t.Context(), 7, 0, now, since, 3), fault.Stranger)
	}
	err := s.other.SpendCode(t.Context(), 7, 100, now, since, 3)
	wantKind(t, err, fault.Exhausted)
	if v, _ := fault.Of(err); v.Wait != 15*time.Minute {
		t.Errorf("wait %s, want 15m", v.Wait)
	}
	now, since = now.Add(16*time.Minute), since.Add(16*time.Minute)
	noError(t, s.SpendCode(t.Context(), 7, 100, now, since, 3))
}

func accountSecond(t *testing.T, s nodes) {
	a := anAccount(11, 10, "somebody")
	a.Role, a.Second = auth.Admin, []byte{1, 2, 3}
	b := anAccount(12, 10, "somebody-else")
	turn(t, s, auth.Record{Customers: []auth.Customer{aCustomer(10, "A")}, Accounts: []auth.Account{a, b}})
	same(t, "accounts", since(t, s.other, auth.Seen{}).Accounts, []auth.Account{a, b})
}
