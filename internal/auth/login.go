package auth

import (
	"context"
	"errors"
	"net/netip"
	"time"

	"bureau/internal/fault"
)

// Login answers the authenticate operation.
type Login struct {
	Directory *Directory
	Checker   *Checker
	Journal   *Journal
	Tokens    *Tokens
}

// A LoginRequest is what arrived.
type LoginRequest struct {
	Source   netip.Addr
	UserKey  string
	Password string
	// Unreadable is the whole body of a request that makes no sense; the two
	// above are empty then.
	Unreadable []byte
	IsReadable bool

	console bool // UserKey is an e-mail address, and the password that of the console
}

// A Verdict is how a login ends.
type Verdict int

const (
	Refused    Verdict = iota // wrong, unknown, disabled: nobody learns which
	Granted                   // here is a token
	Unreadable                // the request makes no sense
	Limited                   // too often: wait
)

// An Answer is a verdict and what goes with it.
type Answer struct {
	Verdict Verdict
	Token   string
	Wait    time.Duration
	Quotas  []Quota
}

// Authenticate exchanges a user key and a password for a token. An error means
// that we failed, not the caller.
func (l *Login) Authenticate(ctx context.Context, r LoginRequest) (Answer, error) {
	n, err := l.heard(ctx, r)
	if err != nil {
		return Answer{}, err
	}
	return l.answer(n)
}

// heard checks a request, has it counted and ruled on, and writes it down.
func (l *Login) heard(ctx context.Context, r LoginRequest) (*loginNote, error) {
	for again := false; ; again = true {
		n, err := l.check(ctx, r, again)
		if err != nil {
			return nil, err
		}
		if n.shed && l.turnAway(n) {
			return n, nil
		}
		if err := l.Journal.put(ctx, &note{login: n}); err != nil {
			return nil, err
		}
		if !n.stale { // else something changed under our hands
			return n, nil
		}
	}
}

// check finds the account and runs one verifier, unless the limits refuse the
// request whatever it says. With again it runs one in any case: our clock may
// be wrong.
func (l *Login) check(ctx context.Context, r LoginRequest, again bool) (*loginNote, error) {
	v := l.Directory.Vault
	state := l.Directory.now.Load()
	n := &loginNote{
		userKey: r.UserKey, console: r.console, readable: r.IsReadable,
		source: v.Person(r.Source.Unmap().String()), tokenID: newTokenID(),
	}
	if !r.IsReadable {
		n.attempt = fingerprint(v, r.Source, "", 0, r.Unreadable)
		return n, nil
	}
	n.account = state.find(r.UserKey, r.console)
	var epoch int64
	if n.account != nil {
		epoch = n.account.Epoch
	}
	n.attempt = fingerprint(v, r.Source, r.UserKey, epoch, []byte(r.UserKey), []byte(r.Password))
	if !again && l.Directory.limits.foresee(n.attempt, l.Directory.Now()) {
		n.foreseen = true
		return n, nil
	}
	var err error
	if r.console {
		n.valid, err = l.Checker.checkConsole(ctx, n.account, r.UserKey, r.Password)
	} else {
		n.valid, err = l.Checker.Check(ctx, n.account, state.chosenShare(), r.UserKey, r.Password)
	}
	if errors.Is(err, fault.Busy) {
		n.shed, err = true, nil
	}
	return n, err
}

// turnAway sends away who could not be heard for want of room, and has them
// counted without waiting for it. It does not if that may close the door to
// them: then they are to hear for how long.
func (l *Login) turnAway(n *loginNote) bool {
	quotas, open := l.Directory.limits.foretell(n.attempt, l.Directory.Now())
	if !open {
		return false
	}
	counted := *n // the journal writes its own ruling there
	if !l.Journal.later(&note{login: &counted}) {
		return false
	}
	n.ruling = ruling{limited: true, wait: busyWait, quotas: quotas}
	return true
}

func (l *Login) answer(n *loginNote) (Answer, error) {
	a := Answer{Wait: n.ruling.wait, Quotas: n.ruling.quotas}
	switch {
	case n.ruling.limited:
		a.Verdict = Limited
	case !n.readable:
		a.Verdict = Unreadable
	case !n.valid:
		a.Verdict = Refused
	case n.console:
		a.Verdict = Granted
	default:
		token, err := l.Tokens.Issue(*n.account, n.tokenID)
		if err != nil {
			return Answer{}, err
		}
		a.Verdict, a.Token = Granted, token
	}
	return a, nil
}
