package auth_test

import (
	"crypto/ed25519"
	"crypto/x509"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/lacktest"
)

// An outsider checks our tokens with a copy of the JWKS that it keeps for as
// long as we allow, and not a moment less.
type outsider struct {
	keys    map[string]ed25519.PublicKey
	fetched time.Time
}

func (o *outsider) accepts(token string, h *house) error {
	now := h.shared.Now()
	if now.Sub(o.fetched) > auth.JWKSMaxAge {
		o.keys, o.fetched = map[string]ed25519.PublicKey{}, now
		for _, k := range h.dir.PublicKeys() {
			o.keys[k.ID] = k.Key.(ed25519.PublicKey)
		}
	}
	_, err := jwt.Parse(token, func(t *jwt.Token) (any, error) {
		if k, ok := o.keys[t.Header["kid"].(string)]; ok {
			return k, nil
		}
		return nil, fmt.Errorf("no key %v", t.Header["kid"])
	}, jwt.WithValidMethods([]string{"EdDSA"}), jwt.WithLeeway(time.Minute), jwt.WithTimeFunc(h.shared.Now))
	return err
}

const every, lead = 10 * 24 * time.Hour, time.Hour

// A year is the long walk of a few nodes through many keys.
type year struct {
	t       *testing.T
	url     string
	clock   *clock
	rand    *rand.Rand
	nodes   []*house
	stores  []*brokenStore
	account auth.Account
	outside outsider

	live []liveToken
}

type liveToken struct {
	text string
	ends time.Time
}

func (y *year) start(i int) {
	p := plan{
		schedule: auth.KeySchedule{Alg: "EdDSA", Every: every, Lead: lead},
		store: func(s auth.Store) auth.Store {
			y.stores[i] = &brokenStore{Store: s}
			return y.stores[i]
		},
	}
	y.nodes[i] = openHouse(y.t, y.url, y.clock, p)
	// No clock is right: some lag, some lead, by less than we allow for.
	y.nodes[i].ahead.Store(int64(time.Duration(y.rand.IntN(50)-25) * time.Second))
}

// step lets some time pass and one node do one thing, which may fail.
func (y *year) step(longest time.Duration) {
	t := y.t
	longest = y.stride(longest)
	y.clock.Step(time.Duration(1 + y.rand.Int64N(int64(longest))))
	i := y.rand.IntN(len(y.nodes))
	h := y.nodes[i]
	switch y.rand.IntN(40) {
	case 0: // it crashes, and starts again
		h.stop()
		y.start(i)
		h = y.nodes[i]
	case 1, 2, 3: // it crashes in the middle of a step
		y.stores[i].mode.Store(int32(y.rand.IntN(breakUp)))
		if err := h.office.StepKeys(t.Context()); err != nil && !errors.Is(err, errBroken) {
			t.Fatal(err)
		}
		y.stores[i].mode.Store(sound)
	default:
		if err := h.office.StepKeys(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	for _, n := range y.nodes { // which they do several times a second
		n.refresh()
	}
	token, err := h.tokens.Issue(y.account, fmt.Sprint(y.rand.Uint64()))
	if err != nil {
		t.Fatalf("%s: %v", y.clock.Now(), err)
	}
	y.live = append(y.live, liveToken{token, h.now().Add(auth.TokenLife)})
}

// stride is how far the next step may go. Around the change of a key steps are
// small, so that old copies of the JWKS are about; but now and then all nodes
// sleep through it.
func (y *year) stride(longest time.Duration) time.Duration {
	now, small := y.clock.Now(), 5*time.Minute
	var newest time.Time
	for _, k := range y.nodes[0].dir.Keys() {
		if !k.Audit && k.ActiveAt.After(newest) {
			newest = k.ActiveAt
		}
	}
	due := newest.Add(every - lead - 20*time.Minute)
	switch {
	case y.rand.IntN(50) == 0:
		return longest
	case now.Before(newest.Add(30 * time.Minute)), !now.Before(due):
		return small
	}
	return max(small, min(longest, due.Sub(now)))
}

// check asks everybody about the oldest token that is good, the newest, and one
// between them.
func (y *year) check() {
	t := y.t
	y.live = slices.DeleteFunc(y.live, func(l liveToken) bool { return !y.clock.Now().Add(time.Minute).Before(l.ends) })
	for _, l := range []liveToken{y.live[0], y.live[y.rand.IntN(len(y.live))], y.live[len(y.live)-1]} {
		for i, n := range y.nodes {
			if _, _, err := n.tokens.Verify(l.text); err != nil {
				t.Fatalf("%s: node %d refuses a token that is good until %s", y.clock.Now(), i, l.ends)
			}
		}
		h := y.nodes[y.rand.IntN(len(y.nodes))]
		if err := y.outside.accepts(l.text, h); err != nil {
			t.Fatalf("%s: the outsider, with keys of %s, refuses a good token: %v", y.clock.Now(), y.outside.fetched, err)
		}
	}
}

// checkForeign signs with keys that are no longer published, as a thief of an old
// backup could, and with one that never was ours.
func (y *year) checkForeign() (tried int) {
	t, h := y.t, y.nodes[0]
	published := map[string]bool{}
	for _, k := range h.dir.PublicKeys() {
		published[k.ID] = true
	}
	_, stranger, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	keys := h.dir.Keys()
	for _, k := range keys[max(0, len(keys)-6):] {
		pkcs8, err := h.vault.PrivateBytes(k)
		if err != nil {
			t.Fatal(err)
		}
		stolen, err := x509.ParsePKCS8PrivateKey(pkcs8)
		if err != nil {
			t.Fatal(err)
		}
		forged := map[string]any{"a stranger's key": stranger}
		if !published[k.ID] {
			forged["the key of a backup"] = stolen
		}
		for whose, private := range forged {
			tried++
			token := forge(t, h, y.account, k.ID, private)
			for i, n := range y.nodes {
				if _, _, err := n.tokens.Verify(token); err == nil {
					t.Fatalf("%s: node %d accepts a token signed with %s as %s", y.clock.Now(), i, whose, k.ID)
				}
			}
			if y.outside.accepts(token, h) == nil {
				t.Fatalf("%s: the outsider accepts a token signed with %s", y.clock.Now(), whose)
			}
		}
	}
	return tried
}

// forge signs what a good token says, in the same letters.
func forge(t *testing.T, h *house, a auth.Account, kid string, private any) string {
	t.Helper()
	now := h.now().Unix()
	claims := fmt.Sprintf(`{"iss":%q,"sub":"%d","aud":%q,"iat":%d,"nbf":%d,"exp":%d,"jti":"x","username":%q,"customerId":%d,"epoch":%d}`,
		h.tokens.Issuer, a.ID, h.tokens.Audience, now, now, now+3600, a.UserKey, a.Customer, a.Epoch)
	signed := base64url(fmt.Sprintf(`{"alg":"EdDSA","kid":%q,"typ":"at+jwt"}`, kid)) + "." + base64url(claims)
	sig, err := jwt.SigningMethodEdDSA.Sign(signed, private)
	if err != nil {
		t.Fatal(err)
	}
	return signed + "." + base64url(string(sig))
}

// A15: for a year, nodes step, fail and restart in any order. No good token is
// ever refused, by us or by an outsider, and no foreign one accepted.
func TestYearOfRotation(t *testing.T) {
	days, longest := 366, 12*time.Hour
	switch {
	case prove():
		longest = time.Hour
	case lacktest.Race:
		days = 45
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	y := &year{
		t: t, url: filepath.Join(t.TempDir(), "bureau.db"), clock: newClock(),
		rand: rand.New(rand.NewPCG(seed, 1)), nodes: make([]*house, 3), stores: make([]*brokenStore, 3),
	}
	for i := range y.nodes {
		y.start(i)
	}
	h := y.nodes[0]
	y.account, _ = h.account(h.customer("Acme"), "acme-api")
	for _, n := range y.nodes {
		n.refresh()
	}
	end, nextForgery, forgeries := y.clock.Now().AddDate(0, 0, days), y.clock.Now(), 0
	for y.clock.Now().Before(end) {
		y.step(longest)
		y.check()
		if y.clock.Now().After(nextForgery) {
			forgeries += y.checkForeign()
			nextForgery = y.clock.Now().AddDate(0, 0, 3)
		}
	}
	keys := 0
	for _, k := range y.nodes[0].dir.Keys() {
		if !k.Audit {
			keys++
		}
	}
	if want := days/10 + 1; keys < want-1 || keys > want+1 {
		t.Errorf("%d keys in %d days, want one for each ten of them", keys, days)
	}
	if published := len(y.nodes[0].dir.PublicKeys()); published > 3 {
		t.Errorf("%d keys are published at once, want at most three", published)
	}
	t.Logf("%d keys, %d forgeries", keys, forgeries)
}

// An emergency: every token dies at once, everywhere, and logins go on, on a
// node whose clock lags too.
func TestEmergencyRotation(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		clock := newClock()
		here, there := openHouse(t, url, clock, plan{}), openHouse(t, url, clock, plan{})
		there.ahead.Store(int64(-30 * time.Second))
		_, password := here.account(here.customer("Acme"), "acme-api")
		token := here.token("acme-api", password)
		old := here.dir.PublicKeys()
		k, err := here.office.RotateKey(t.Context(), true)
		if err != nil {
			t.Fatal(err)
		}
		there.refresh()
		for name, h := range map[string]*house{"here": here, "there": there} {
			if _, _, err := h.gate.Admit(t.Context(), token, auth.Open); !errors.Is(err, fault.Stranger) {
				t.Errorf("%s: the old token: %v, want a stranger", name, err)
			}
			fresh := h.token("acme-api", password)
			if _, _, err := h.tokens.Verify(fresh); err != nil {
				t.Errorf("%s: the new token: %v", name, err)
			}
			if got := h.dir.PublicKeys(); len(got) != 1 || got[0].ID != k.ID || got[0].ID == old[0].ID {
				t.Errorf("%s: the JWKS publishes %d keys, want the new one alone", name, len(got))
			}
		}
	})
}
