package auth

import (
	"crypto/sha256"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// Tokens issues tokens and recognises them.
type Tokens struct {
	Directory *Directory
	Issuer    string
	Audience  string
	Now       func() time.Time

	mu      sync.Mutex
	signers map[string]signer

	verified tokenCache
	uncached bool // for the test that the cache changes nothing
}

// Issue makes a token for an account.
func (t *Tokens) Issue(a Account, id string) (string, error) {
	now := t.Now()
	s, err := t.signer(now)
	if err != nil {
		return "", err
	}
	sec := now.Unix()
	return sign(s, Claims{
		Issuer: t.Issuer, Subject: strconv.FormatInt(int64(a.ID), 10), Audience: t.Audience,
		IssuedAt: sec, NotBefore: sec, Expires: sec + int64(TokenLife/time.Second),
		ID: id, Username: a.UserKey, Customer: a.Customer, Epoch: a.Epoch,
	})
}

// signer is the key of the hour, unsealed once and kept in memory.
func (t *Tokens) signer(now time.Time) (signer, error) {
	k, ok := youngest(t.Directory.now.Load().live, now)
	if !ok {
		return signer{}, fmt.Errorf("there is no active signing key")
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if s, ok := t.signers[k.ID]; ok {
		return s, nil
	}
	private, err := t.Directory.Vault.open(k)
	if err != nil {
		return signer{}, fmt.Errorf("unseal the signing key: %w", err)
	}
	if t.signers == nil {
		t.signers = map[string]signer{}
	}
	s := newSigner(k.ID, jwt.GetSigningMethod(k.Alg), private)
	t.signers[k.ID] = s
	return s, nil
}

// Verify finds the account that a token speaks for. What was verified once is
// found again by its hash; whether it still holds (time, key, account,
// revocation) is asked every time.
func (t *Tokens) Verify(token string) (*Account, Claims, error) {
	if len(token) > maxToken {
		return nil, Claims{}, errToken
	}
	state := t.Directory.now.Load()
	now := t.Now()
	sum := sha256.Sum256([]byte(token))
	v, hit := t.verified.find(sum)
	hit = hit && !t.uncached
	if !hit {
		payload, kid, err := verifySignature(token, func(kid string) (publicKey, bool) {
			k, ok := state.public[kid]
			return k, ok
		})
		if err != nil {
			return nil, Claims{}, err
		}
		claims, err := checkClaims(payload, t.Issuer, t.Audience, now)
		if err != nil {
			return nil, Claims{}, err
		}
		v = verified{kid: kid, claims: claims}
		if v.account, err = claims.account(); err != nil {
			return nil, Claims{}, errToken
		}
	}
	a, err := v.holds(state, now)
	if err != nil {
		return nil, Claims{}, err
	}
	if !hit {
		t.verified.keep(sum, v, now)
	}
	return a, v.claims, nil
}

// verified is a token whose signature and claims were checked.
type verified struct {
	kid     string
	account AccountID
	claims  Claims
}

// errBehind says that a good key signed for an account that is younger than our
// directory: another node knows more than we do. Callers read what they always
// read.
var errBehind = fmt.Errorf("%w", errToken)

// holds asks what may have changed since.
func (v verified) holds(state *directory, now time.Time) (*Account, error) {
	if !v.claims.current(now) {
		return nil, errToken
	}
	if k, ok := state.public[v.kid]; !ok || !k.holds(now) {
		return nil, errToken
	}
	if _, ok := state.revoked[v.claims.ID]; ok {
		return nil, errToken
	}
	a := state.accounts[v.account]
	if a == nil || a.Epoch < v.claims.Epoch {
		return nil, errBehind
	}
	if a.Disabled || a.Epoch != v.claims.Epoch || a.Customer != v.claims.Customer {
		return nil, errToken
	}
	return a, nil
}

// A tokenCache remembers verified tokens by the hash of the whole token. It is
// bounded: a full shard drops what has expired, and failing that half of what
// it holds, which only means verifying again.
type tokenCache struct {
	shards [64]struct {
		mu     sync.RWMutex
		tokens map[[sha256.Size]byte]verified
	}
}

const maxPerShard = 2048

func (c *tokenCache) find(sum [sha256.Size]byte) (verified, bool) {
	s := &c.shards[sum[0]&63]
	s.mu.RLock()
	defer s.mu.RUnlock()
	v, ok := s.tokens[sum]
	return v, ok
}

func (c *tokenCache) keep(sum [sha256.Size]byte, v verified, now time.Time) {
	s := &c.shards[sum[0]&63]
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tokens == nil {
		s.tokens = map[[sha256.Size]byte]verified{}
	}
	if len(s.tokens) >= maxPerShard {
		for k, old := range s.tokens {
			if old.claims.Expires <= now.Unix() || len(s.tokens) > maxPerShard/2 {
				delete(s.tokens, k)
			}
		}
	}
	s.tokens[sum] = v
}
