package auth

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"net/netip"
	"time"
	"unicode/utf8"

	"bureau/internal/fault"
)

// A Session is somebody who signed in to the console, in one browser. What the
// browser holds is a secret; what we keep is its hash, so that a stolen database
// opens no door.
type Session struct {
	Key       SessionKey
	Account   AccountID
	Epoch     int64 // the account's, when it began: a session from before a change is over
	Waiting   bool  // the password was right and the code is still to come
	Agent     string
	Source    string // the address it came from
	CreatedAt time.Time
	SeenAt    time.Time
}

// A SessionKey is the hash of a session's secret.
type SessionKey [sha256.Size]byte

// Name is what a session is called in lists. It opens nothing.
func (k SessionKey) Name() string { return hex.EncodeToString(k[:8]) }

// A SessionSecret is what the browser holds.
type SessionSecret string

func (SessionSecret) String() string { return "***" }

// GoString keeps a secret out of %#v too.
func (SessionSecret) GoString() string { return "auth.SessionSecret(***)" }

func newSessionSecret() SessionSecret {
	b := make([]byte, 32)
	rand.Read(b)
	return SessionSecret(base64.RawURLEncoding.EncodeToString(b))
}

// Key is under what a secret is kept.
func (s SessionSecret) Key() SessionKey { return sha256.Sum256([]byte("session\x00" + s)) }

// FormToken is what every form of the session carries. Whoever does not hold
// the secret cannot make it.
func (s SessionSecret) FormToken() string {
	sum := sha256.Sum256([]byte("form\x00" + s))
	return base64.RawURLEncoding.EncodeToString(sum[:18])
}

// SessionStore keeps sessions. Package storetest holds every promise made here
// to account.
type SessionStore interface {
	// AddSession keeps a session and, in the same transaction, ends another.
	// A zero key ends none.
	AddSession(ctx context.Context, s Session, instead SessionKey) error

	// Session returns a session; one that is not there is a fault.Missing.
	Session(ctx context.Context, key SessionKey) (Session, error)

	// SeeSession keeps when a session was last used. One that is not there
	// stays so.
	SeeSession(ctx context.Context, key SessionKey, at time.Time) error

	// Sessions lists an account's sessions, the one used last first.
	Sessions(ctx context.Context, of AccountID) ([]Session, error)

	// EndSessions ends an account's sessions that end says yes to, and returns
	// how many those were.
	EndSessions(ctx context.Context, of AccountID, end func(SessionKey) bool) (int, error)

	// ForgetSessions takes away sessions that were not used since a time, or
	// that began before another.
	ForgetSessions(ctx context.Context, seen, created time.Time) error

	// SpendCode notes that an account gave a one-time code: that of a step, or
	// a wrong one, which has step 0. A step that is not above the last one that
	// was right is wrong too: a code counts once. A wrong one is a
	// fault.Stranger; when most of them were wrong since a time it is a
	// fault.Exhausted, whatever this one is.
	SpendCode(ctx context.Context, of AccountID, step int64, now, since time.Time, most int) error
}

// Sessions is the door to the console: who comes in, who stays, who goes.
type Sessions struct {
	Store  SessionStore
	Login  *Login
	Office *Office
	Now    func() time.Time
	Idle   time.Duration // a session that was not used for so long is over
	Whole  time.Duration // one that is so old is over, used or not
}

// How long sessions last, unless somebody says otherwise: a working day.
const (
	DefaultIdle  = 2 * time.Hour
	DefaultWhole = 12 * time.Hour
	codeWait     = 10 * time.Minute // for the code, after the password
	seeEvery     = time.Minute
	maxAgent     = 200
)

// A Visitor is who stands at the door.
type Visitor struct {
	Source netip.Addr
	Agent  string        // the browser, as it names itself
	Secret SessionSecret // of the session that it came with, if any: it ends
}

// A SignIn is how an attempt to sign in ends.
type SignIn struct {
	Verdict Verdict
	Wait    time.Duration
	Secret  SessionSecret // of the session that began
	Code    bool          // it waits for a code
}

// SignIn checks an e-mail address and a password under the limits that calls of
// the API are under too, and begins a session.
func (s *Sessions) SignIn(ctx context.Context, v Visitor, email, password string) (SignIn, error) {
	n, err := s.Login.heard(ctx, LoginRequest{
		Source: v.Source, UserKey: tidyEmail(email), Password: password, IsReadable: true, console: true,
	})
	if err != nil {
		return SignIn{}, err
	}
	a, err := s.Login.answer(n)
	out := SignIn{Verdict: a.Verdict, Wait: a.Wait}
	if err != nil || a.Verdict != Granted {
		return out, err
	}
	out.Code = len(n.account.Second) > 0
	out.Secret, err = s.begin(ctx, *n.account, v, out.Code)
	return out, err
}

// begin makes a session with a new secret, in the place of the one that the
// visitor came with.
func (s *Sessions) begin(ctx context.Context, a Account, v Visitor, waiting bool) (SessionSecret, error) {
	secret := newSessionSecret()
	var old SessionKey
	if v.Secret != "" {
		old = v.Secret.Key()
	}
	now := s.now()
	return secret, s.Store.AddSession(ctx, Session{
		Key: secret.Key(), Account: a.ID, Epoch: a.Epoch, Waiting: waiting,
		Agent: shortAgent(v.Agent), Source: v.Source.String(), CreatedAt: now, SeenAt: now,
	}, old)
}

func (s *Sessions) now() time.Time { return s.Now().UTC().Truncate(time.Millisecond) }

func shortAgent(text string) string {
	var out []rune
	for _, r := range text {
		if r >= ' ' && r != 0x7f && r != utf8.RuneError && len(out) < maxAgent {
			out = append(out, r)
		}
	}
	return string(out)
}

// errSignedOut is what all who are not signed in are told.
var errSignedOut = fault.Stranger.Errorf("sign in to go on")

// Find returns the session behind a secret and its account. One that is over,
// for whatever reason, is a fault.Stranger.
func (s *Sessions) Find(ctx context.Context, secret SessionSecret) (Session, Account, error) {
	if secret == "" {
		return Session{}, Account{}, errSignedOut
	}
	found, err := s.Store.Session(ctx, secret.Key())
	if errors.Is(err, fault.Missing) {
		return Session{}, Account{}, errSignedOut
	}
	if err != nil {
		return Session{}, Account{}, err
	}
	a, ok := s.Login.Directory.Account(found.Account)
	now := s.now()
	if !ok || s.over(found, a, now) {
		return Session{}, Account{}, errSignedOut
	}
	if now.Sub(found.SeenAt) >= seeEvery {
		found.SeenAt = now
		err = s.Store.SeeSession(ctx, found.Key, now)
	}
	return found, a, err
}

func (s *Sessions) over(x Session, a Account, now time.Time) bool {
	idle := s.Idle
	if x.Waiting {
		idle = codeWait
	}
	return a.Disabled || a.Epoch != x.Epoch || a.Email == "" ||
		now.Sub(x.SeenAt) >= idle || now.Sub(x.CreatedAt) >= s.Whole
}

// List returns an account's sessions that are not over, the one used last
// first.
func (s *Sessions) List(ctx context.Context, a Account) ([]Session, error) {
	all, err := s.Store.Sessions(ctx, a.ID)
	var out []Session
	for _, x := range all {
		if !x.Waiting && !s.over(x, a, s.now()) {
			out = append(out, x)
		}
	}
	return out, err
}

// End signs out: the session with this name or, with an empty name, all but the
// one that is kept. It returns how many those were.
func (s *Sessions) End(ctx context.Context, of AccountID, name string, keep SessionKey) (int, error) {
	return s.Store.EndSessions(ctx, of, func(k SessionKey) bool {
		if name == "" {
			return k != keep
		}
		return k.Name() == name
	})
}

// Forget takes away sessions that are over.
func (s *Sessions) Forget(ctx context.Context) error {
	now := s.now()
	return s.Store.ForgetSessions(ctx, now.Add(-s.Idle), now.Add(-s.Whole))
}
