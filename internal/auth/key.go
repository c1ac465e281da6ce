package auth

import (
	"cmp"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"slices"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"bureau/internal/fault"
)

// A Key signs tokens for a while. Its life:
//
//	made ── published at once ──▶ ActiveAt: signs ──▶ the next key's ActiveAt:
//	only verifies ──▶ TokenLife and skew later: gone from the JWKS
//
// It is published long enough before it signs for every verifier with a cached
// JWKS to have met it, and verifies until the last token it signed has expired.
type Key struct {
	ID       string
	Alg      string // EdDSA, ES256, RS256
	Public   []byte // PKIX
	Sealed   []byte // the private key, PKCS 8, sealed with the master key
	Audit    bool   // signs heads of the audit log, never a token
	MadeAt   time.Time
	ActiveAt time.Time
	Revoked  bool // refused from now on, whatever it signed
}

// Algs are the algorithms that keys can be made for.
func Algs() []string { return []string{"EdDSA", "ES256", "RS256"} }

// KeySchedule says how keys replace themselves. The zero schedule replaces
// nothing: it is for commands, which must not decide what servers are set to.
type KeySchedule struct {
	Alg   string        // "": as the newest key, or EdDSA
	Every time.Duration // how long a key signs; 0: until something else replaces it
	Lead  time.Duration // how long before that it is published
}

// JWKSMaxAge is how long others may keep our public keys; Lead is longer.
const JWKSMaxAge = 10 * time.Minute

// DefaultKeySchedule makes a new key a month.
var DefaultKeySchedule = KeySchedule{Alg: "EdDSA", Every: 30 * 24 * time.Hour, Lead: time.Hour}

// NewKey makes a key that becomes active at a time.
func (v *Vault) NewKey(alg string, now, activeAt time.Time) (Key, error) {
	private, err := generate(alg)
	if err != nil {
		return Key{}, err
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return Key{}, fmt.Errorf("write private key: %w", err)
	}
	pkix, err := x509.MarshalPKIXPublicKey(private.Public())
	if err != nil {
		return Key{}, fmt.Errorf("write public key: %w", err)
	}
	id := make([]byte, 9)
	rand.Read(id)
	kid := base64.RawURLEncoding.EncodeToString(id)
	return Key{
		ID: kid, Alg: alg, Public: pkix, Sealed: v.Seal("key "+kid, pkcs8),
		MadeAt: now, ActiveAt: activeAt,
	}, nil
}

func generate(alg string) (crypto.Signer, error) {
	switch alg {
	case "EdDSA":
		_, private, err := ed25519.GenerateKey(rand.Reader)
		return private, err
	case "ES256":
		return ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	case "RS256":
		return rsa.GenerateKey(rand.Reader, 2048)
	}
	return nil, fault.Invalid.Errorf("there is no signing algorithm %q; choose one of %v", alg, Algs())
}

// open unseals the private key.
func (v *Vault) open(k Key) (crypto.Signer, error) {
	pkcs8, err := v.Open("key "+k.ID, k.Sealed)
	if err != nil {
		return nil, err
	}
	private, err := x509.ParsePKCS8PrivateKey(pkcs8)
	if err != nil {
		return nil, fmt.Errorf("read key %s: %w", k.ID, err)
	}
	return private.(crypto.Signer), nil
}

func (k Key) public() (publicKey, error) {
	pub, err := x509.ParsePKIXPublicKey(k.Public)
	if err != nil {
		return publicKey{}, fmt.Errorf("read key %s: %w", k.ID, err)
	}
	return publicKey{method: jwt.GetSigningMethod(k.Alg), public: pub}, nil
}

// byAge sorts keys by when they become active, on every node alike.
func byAge(a, b Key) int {
	return cmp.Or(a.ActiveAt.Compare(b.ActiveAt), a.MadeAt.Compare(b.MadeAt), cmp.Compare(a.ID, b.ID))
}

// tokenKeys are the keys for tokens that are not revoked, oldest first.
func tokenKeys(keys []Key) []Key {
	live := slices.DeleteFunc(slices.Clone(keys), func(k Key) bool { return k.Audit || k.Revoked })
	slices.SortFunc(live, byAge)
	return live
}

// signingKey is the one of all keys that signs now.
func signingKey(keys []Key, now time.Time) (Key, bool) { return youngest(tokenKeys(keys), now) }

// youngest is the youngest that is active of the keys for tokens.
func youngest(live []Key, now time.Time) (Key, bool) {
	for i := len(live) - 1; i >= 0; i-- {
		if !live[i].ActiveAt.After(now) {
			return live[i], true
		}
	}
	// None is, by our clock. A clock that lags must not stop logins right
	// after an emergency, when the one key left has just become active.
	if len(live) > 0 {
		return live[0], true
	}
	return Key{}, false
}

// overlap is how long a key is good after it was replaced: its last token
// lives that long, on a node whose clock lags.
const overlap = TokenLife + 2*skew

// verifyingKeys are those whose tokens are accepted now, and which the JWKS
// publishes: all but the ones replaced longer than a token's life ago.
func verifyingKeys(keys []Key, now time.Time) []Key {
	live := tokenKeys(keys)
	var out []Key
	for i, k := range live {
		replaced := i+1 < len(live) && !now.Before(live[i+1].ActiveAt.Add(overlap))
		if !replaced {
			out = append(out, k)
		}
	}
	return out
}

// due says whether a new key must be made now, and when it is to sign.
func (s KeySchedule) due(keys []Key, now time.Time) (activeAt time.Time, ok bool) {
	live := tokenKeys(keys)
	if len(live) == 0 {
		return now, true
	}
	newest := live[len(live)-1]
	next := newest.ActiveAt.Add(s.Every)
	if s.Alg != "" && newest.Alg != s.Alg {
		// The setting changed: the new kind takes over as soon as it may. A
		// key that still waits gets its turn first: two nodes that differ in
		// the setting must not make keys without end.
		return now.Add(s.Lead), !newest.ActiveAt.After(now)
	}
	if s.Every == 0 || now.Before(next.Add(-s.Lead)) {
		return time.Time{}, false
	}
	// After a long stop the old key goes on for another lead: nobody has met
	// the new one yet.
	if soonest := now.Add(s.Lead); next.Before(soonest) {
		next = soonest
	}
	return next, true
}

// alg is what the next key is made for.
func (s KeySchedule) alg(keys []Key) string {
	live := tokenKeys(keys)
	switch {
	case s.Alg != "":
		return s.Alg
	case len(live) > 0:
		return live[len(live)-1].Alg
	}
	return DefaultKeySchedule.Alg
}

// A PublicKey is one entry of the JWKS.
type PublicKey struct {
	ID, Alg string
	Key     crypto.PublicKey
}

const tokenIDSize = 16

func newTokenID() string {
	b := make([]byte, tokenIDSize)
	rand.Read(b)
	return hex.EncodeToString(b)
}
