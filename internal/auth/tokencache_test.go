package auth

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// A16: whatever happens to accounts, keys and time, a node that remembers
// tokens answers as one that verifies each of them anew.
func TestRememberedTokensAreNoOtherThanVerifiedOnes(t *testing.T) {
	outcomes := map[bool]int{}
	rapid.Check(t, func(rt *rapid.T) {
		m := newMint(t, "EdDSA")
		anew := m.newTokens()
		anew.uncached = true
		accounts := []Account{m.account, {ID: 1003, Customer: 1001, UserKey: "second"}}
		m.tell(News{Accounts: accounts[1:]})
		var issued, ids []string
		made := 0
		pick := func() *Account { return &accounts[rapid.IntRange(0, 1).Draw(rt, "account")] }
		acts := map[string]func(*rapid.T){
			"issue": func(*rapid.T) {
				made++
				id := fmt.Sprint("token-", made)
				token, err := m.tokens.Issue(*pick(), id)
				if err != nil {
					rt.Fatal(err)
				}
				issued, ids = append(issued, token), append(ids, id)
				if len(issued) > 4 {
					issued, ids = issued[1:], ids[1:]
				}
			},
			"wait": func(*rapid.T) {
				m.now = m.now.Add(rapid.SampledFrom([]time.Duration{
					time.Millisecond, time.Second, time.Minute, 29 * time.Minute, time.Hour - time.Second, time.Hour, overlap,
				}).Draw(rt, "wait"))
			},
			"set the clock back": func(*rapid.T) {
				m.now = m.now.Add(-rapid.SampledFrom([]time.Duration{time.Second, time.Minute, time.Hour}).Draw(rt, "back"))
			},
			"revoke a token": func(*rapid.T) {
				if len(ids) > 0 {
					id := rapid.SampledFrom(ids).Draw(rt, "id")
					m.tell(News{Revoked: []Revocation{{TokenID: id, Expires: m.now.Add(overlap)}}})
				}
			},
			"revoke all": func(*rapid.T) {
				a := pick()
				a.Epoch++
				m.tell(News{Accounts: []Account{*a}})
			},
			"disable or enable": func(*rapid.T) {
				a := pick()
				a.Disabled = !a.Disabled
				// Not even a careless office that forgets the epoch fools it.
				if rapid.Bool().Draw(rt, "epoch") {
					a.Epoch++
				}
				m.tell(News{Accounts: []Account{*a}})
			},
			"rotate": func(*rapid.T) {
				m.tell(News{Keys: []Key{m.newKey("EdDSA", m.now.Add(rapid.SampledFrom([]time.Duration{0, time.Second, time.Hour}).Draw(rt, "lead")))}})
			},
			"revoke a key": func(*rapid.T) {
				keys := m.dir.now.Load().keys
				k := rapid.SampledFrom(keys).Draw(rt, "key")
				k.Revoked = true
				m.tell(News{Keys: []Key{k, m.newKey("EdDSA", m.now)}})
			},
			"": func(*rapid.T) { // after each of them
				for i, token := range issued {
					a1, c1, err1 := m.tokens.Verify(token)
					a2, c2, err2 := anew.Verify(token)
					if a1 != a2 || c1 != c2 || err1 != err2 {
						rt.Fatalf("token %d: remembered %v, %v; anew %v, %v", i, a1, err1, a2, err2)
					}
					if a1 != nil && a1.Disabled {
						rt.Fatalf("token %d opens a disabled account", i)
					}
					outcomes[err1 == nil]++
				}
			},
		}
		rt.Repeat(acts)
	})
	if outcomes[true] == 0 || outcomes[false] == 0 {
		t.Errorf("outcomes %v, want both", outcomes)
	}
}

// The memory of tokens is bounded, and a token that was forgotten is verified
// again.
func TestTokenCacheIsBounded(t *testing.T) {
	var c tokenCache
	now := time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC)
	live := verified{claims: Claims{Expires: now.Unix() + 60}}
	for i := range 64 * maxPerShard * 2 {
		c.keep(sha256.Sum256(binary.BigEndian.AppendUint64(nil, uint64(i))), live, now)
	}
	for i := range c.shards {
		if n := len(c.shards[i].tokens); n > maxPerShard {
			t.Fatalf("shard %d holds %d tokens, want at most %d", i, n, maxPerShard)
		}
	}
	m := newMint(t, "EdDSA")
	token := m.issue()
	for range 2 {
		if _, _, err := m.tokens.Verify(token); err != nil {
			t.Fatal(err)
		}
		m.tokens.verified = tokenCache{}
	}
}

// The cache knows a token by all of its bytes.
func TestCacheDoesNotTakeOneTokenForAnother(t *testing.T) {
	m := newMint(t, "EdDSA")
	token := m.issue()
	if _, _, err := m.tokens.Verify(token); err != nil {
		t.Fatal(err)
	}
	for i := range token {
		other := []byte(token)
		other[i] ^= 1
		if _, _, err := m.tokens.Verify(string(other)); err == nil {
			t.Fatalf("a token with another byte %d is accepted", i)
		}
	}
}
