package auth

import (
	"crypto"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// A mint issues tokens, and can forge them with the right key. It has no
// database: what the directory knows is told to it as news.
type mint struct {
	t      testing.TB
	now    time.Time
	vault  *Vault
	dir    *Directory
	tokens *Tokens
	seen   int64

	account Account
	key     Key
	private crypto.Signer
	method  jwt.SigningMethod
}

func newMint(t testing.TB, alg string) *mint {
	t.Helper()
	m := &mint{t: t, vault: testVault(t), now: time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC)}
	m.dir = &Directory{Vault: m.vault, Now: m.clock, limits: newLoginLimits(DefaultLoginRules, maxKeys)}
	m.dir.now.Store(&directory{
		customers: map[CustomerID]Customer{}, accounts: map[AccountID]*Account{},
		userKeys: map[string]*Account{}, emails: map[string]*Account{},
		public: map[string]publicKey{}, revoked: map[string]time.Time{},
	})
	m.tokens = m.newTokens()
	m.account = Account{ID: 1002, Customer: 1001, UserKey: "acme-api", Epoch: 3}
	m.key = m.newKey(alg, m.now)
	m.tell(News{Customers: []Customer{{ID: 1001, Name: "Acme"}}, Accounts: []Account{m.account}, Keys: []Key{m.key}})
	private, err := m.vault.open(m.key)
	if err != nil {
		t.Fatal(err)
	}
	m.private, m.method = private, jwt.GetSigningMethod(alg)
	return m
}

func (m *mint) clock() time.Time { return m.now }

// newTokens is another Tokens on the same directory.
func (m *mint) newTokens() *Tokens {
	return &Tokens{Directory: m.dir, Issuer: "https://bureau.test", Audience: "bureau", Now: m.clock}
}

func (m *mint) newKey(alg string, activeAt time.Time) Key {
	m.t.Helper()
	k, err := m.vault.NewKey(alg, m.now, activeAt)
	if err != nil {
		m.t.Fatal(err)
	}
	return k
}

// tell gives the directory news.
func (m *mint) tell(n News) {
	m.t.Helper()
	m.seen++
	n.Seen.Access, n.Now = m.seen, m.now
	if err := m.dir.take(n); err != nil {
		m.t.Fatal(err)
	}
}

func (m *mint) issue() string {
	m.t.Helper()
	token, err := m.tokens.Issue(m.account, newTokenID())
	if err != nil {
		m.t.Fatal(err)
	}
	return token
}

// A forgery is a token in the making; its zero parts are those of a good one.
type forgery struct {
	header  string // JSON; %K stands for the kid
	claims  string // JSON; replaces all claims
	member  string // JSON; replaces the claim of that name, or joins
	sign    func(signed string) []byte
	dress   func(token string) string // what is done to the finished token
	encoded bool                      // header and claims are base64 already
}

// good are the claims of a good token, in order.
func (m *mint) good() []string {
	t := m.now.Unix()
	return []string{
		`"iss":"https://bureau.test"`, `"sub":"1002"`, `"aud":"bureau"`,
		fmt.Sprintf(`"iat":%d`, t), fmt.Sprintf(`"nbf":%d`, t), fmt.Sprintf(`"exp":%d`, t+3600),
		`"jti":"a1b2c3"`, `"username":"acme-api"`, `"customerId":1001`, `"epoch":3`,
	}
}

// forge makes the token.
func (m *mint) forge(f forgery) string {
	m.t.Helper()
	if f.header == "" {
		f.header = fmt.Sprintf(`{"alg":%q,"kid":"%%K","typ":"at+jwt"}`, m.method.Alg())
	}
	f.header = strings.ReplaceAll(f.header, "%K", m.key.ID)
	if f.claims == "" {
		claims := m.good()
		if f.member != "" {
			name, _, _ := strings.Cut(f.member, ":")
			joins := true
			for i, c := range claims {
				if strings.HasPrefix(c, name+":") {
					claims[i], joins = f.member, false
				}
			}
			if joins {
				claims = append(claims, f.member)
			}
		}
		f.claims = "{" + strings.Join(claims, ",") + "}"
	}
	if !f.encoded {
		f.header, f.claims = b64(f.header), b64(f.claims)
	}
	signed := f.header + "." + f.claims
	if f.sign == nil {
		f.sign = m.sign
	}
	token := signed + "." + b64(string(f.sign(signed)))
	if f.dress != nil {
		token = f.dress(token)
	}
	return token
}

// sign signs with the right key.
func (m *mint) sign(signed string) []byte {
	sig, err := m.method.Sign(signed, m.private)
	if err != nil {
		m.t.Fatal(err)
	}
	return sig
}

// stranger signs with a key of the same kind that is not ours.
func (m *mint) stranger(signed string) []byte {
	private, err := generate(m.method.Alg())
	if err != nil {
		m.t.Fatal(err)
	}
	sig, err := m.method.Sign(signed, private)
	if err != nil {
		m.t.Fatal(err)
	}
	return sig
}

// hmacWith signs with HS256 and a secret that everybody knows.
func (m *mint) hmacWith(secret []byte) func(string) []byte {
	return func(signed string) []byte {
		sig, err := jwt.SigningMethodHS256.Sign(signed, secret)
		if err != nil {
			m.t.Fatal(err)
		}
		return sig
	}
}

func b64(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }
