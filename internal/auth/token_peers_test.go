package auth

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	josejwt "github.com/go-jose/go-jose/v4/jwt"
	"github.com/golang-jwt/jwt/v5"
	"github.com/lestrrat-go/jwx/v3/jwk"
	jwxjwt "github.com/lestrrat-go/jwx/v3/jwt"
	"pgregory.net/rapid"
)

// Three other readers of tokens. What we issue they must accept, and what we
// accept they must accept and read alike; they may accept more.

// A reading is what a reader takes a token to say.
type reading struct {
	sub, jti string
	exp      int64
}

type peer struct {
	name string
	read func(token string) (reading, error)
}

// peers are given our public keys as a JWKS, the way the world gets them.
func (m *mint) peers() []peer {
	m.t.Helper()
	var set jose.JSONWebKeySet
	for _, k := range m.dir.PublicKeys() {
		set.Keys = append(set.Keys, jose.JSONWebKey{Key: k.Key, KeyID: k.ID, Algorithm: k.Alg, Use: "sig"})
	}
	text, err := json.Marshal(set)
	if err != nil {
		m.t.Fatal(err)
	}
	keys, err := jwk.Parse(text)
	if err != nil {
		m.t.Fatal(err)
	}
	return []peer{
		{"golang-jwt", func(token string) (reading, error) { return m.readJWT(token, set) }},
		{"go-jose", func(token string) (reading, error) { return m.readJose(token, set) }},
		{"jwx", func(token string) (reading, error) { return m.readJWX(token, keys) }},
	}
}

func (m *mint) readJWT(token string, set jose.JSONWebKeySet) (reading, error) {
	var c jwt.RegisteredClaims
	_, err := jwt.ParseWithClaims(token, &c, func(t *jwt.Token) (any, error) {
		kid, _ := t.Header["kid"].(string)
		if found := set.Key(kid); len(found) == 1 {
			return found[0].Key, nil
		}
		return nil, fmt.Errorf("no key %q", kid)
	}, jwt.WithValidMethods(Algs()), jwt.WithIssuer("https://bureau.test"), jwt.WithAudience("bureau"),
		jwt.WithExpirationRequired(), jwt.WithIssuedAt(), jwt.WithLeeway(skew), jwt.WithTimeFunc(m.clock))
	if err != nil {
		return reading{}, err
	}
	return reading{c.Subject, c.ID, c.ExpiresAt.Unix()}, nil
}

func (m *mint) readJose(token string, set jose.JSONWebKeySet) (reading, error) {
	parsed, err := josejwt.ParseSigned(token, []jose.SignatureAlgorithm{jose.EdDSA, jose.ES256, jose.RS256})
	if err != nil {
		return reading{}, err
	}
	var c josejwt.Claims
	if err := parsed.Claims(set, &c); err != nil {
		return reading{}, err
	}
	if c.Expiry == nil {
		return reading{}, fmt.Errorf("no exp")
	}
	err = c.Validate(josejwt.Expected{Issuer: "https://bureau.test", AnyAudience: josejwt.Audience{"bureau"}, Time: m.now})
	return reading{c.Subject, c.ID, c.Expiry.Time().Unix()}, err
}

func (m *mint) readJWX(token string, keys jwk.Set) (reading, error) {
	c, err := jwxjwt.Parse([]byte(token), jwxjwt.WithKeySet(keys), jwxjwt.WithValidate(true),
		jwxjwt.WithIssuer("https://bureau.test"), jwxjwt.WithAudience("bureau"), jwxjwt.WithRequiredClaim("exp"),
		jwxjwt.WithAcceptableSkew(skew), jwxjwt.WithClock(jwxjwt.ClockFunc(m.clock)))
	if err != nil {
		return reading{}, err
	}
	sub, _ := c.Subject()
	jti, _ := c.JwtID()
	exp, _ := c.Expiration()
	return reading{sub, jti, exp.Unix()}, nil
}

func TestOthersAcceptWhatWeIssue(t *testing.T) {
	for _, alg := range Algs() {
		m := newMint(t, alg)
		token := m.issue()
		_, claims, err := m.tokens.Verify(token)
		if err != nil {
			t.Fatal(err)
		}
		want := reading{claims.Subject, claims.ID, claims.Expires}
		for _, p := range m.peers() {
			if got, err := p.read(token); err != nil || got != want {
				t.Errorf("%s reads our %s token as %v, %v; want %v", p.name, alg, got, err, want)
			}
		}
		m.now = m.now.Add(time.Hour + 2*skew)
		for _, p := range m.peers() {
			if _, err := p.read(token); err == nil {
				t.Errorf("%s accepts our %s token after its end: it does not check", p.name, alg)
			}
		}
	}
}

// oddities are changes that leave JSON readable, and some that do not. Each is
// made before the token is signed with the right key.
var oddities = []struct{ old, new string }{
	{"{", "{ "},
	{"{", "\n\t{"},
	{"}", "} \n"},
	{"}", ",}"},
	{"}", "}}"},
	{"}", "}x"},
	{":", " : "},
	{",", " ,\r\n"},
	{`"alg"`, `"\u0061lg"`},
	{`"kid"`, `"KID"`},
	{`"kid"`, "\"\u212aid\""},
	{`"sub"`, `"Sub"`},
	{`"sub"`, "\"\u017fub\""},
	{`"sub":"1002"`, `"sub":"1\u00302"`},
	{`"sub":"1002"`, `"sub":1002`},
	{`"sub":"1002"`, `"sub":"1003","sub":"1002"`},
	{`"sub":"1002"`, `"sub":"1002","SUB":"1003"`},
	{`"jti":"a1b2c3"`, `"jti":"\ud800"`},
	{`"jti":"a1b2c3"`, "\"jti\":\"\xff\""},
	{`"aud":"bureau"`, `"aud":["bureau"]`},
	{`"aud":"bureau"`, `"aud":"bureau","aud":"other"`},
	{`"epoch":3`, `"epoch":3.0`},
	{`"epoch":3`, `"epoch":3e0`},
	{`"epoch":3`, `"epoch":03`},
	{`"epoch":3`, `"epoch":3,"x":{}`},
	{`"typ":"at+jwt"`, `"typ":"at\u002bjwt"`},
	{`"typ":"at+jwt"`, `"typ":"at+jwt","crit":["x"],"x":1`},
	{`"iat"`, `"nbf"`},
	{`"exp":`, `"exp":1`},
	{`"exp":`, `"exp": `},
	{`"exp":`, `"exp":-`},
}

func TestOthersAcceptWhatWeAccept(t *testing.T) {
	accepted := 0
	for _, alg := range []string{"EdDSA", "ES256"} {
		m := newMint(t, alg)
		peers := m.peers()
		rapid.Check(t, func(t *rapid.T) {
			f := forgery{
				header: fmt.Sprintf(`{"alg":%q,"kid":"%%K","typ":"at+jwt"}`, alg),
				claims: "{" + strings.Join(m.good(), ",") + "}",
			}
			if rapid.IntRange(0, 3).Draw(t, "disorder") == 0 {
				f.claims = "{" + strings.Join(rapid.Permutation(m.good()).Draw(t, "claims"), ",") + "}"
			}
			for range rapid.IntRange(0, 3).Draw(t, "oddities") {
				odd := rapid.SampledFrom(oddities).Draw(t, "odd")
				if rapid.Bool().Draw(t, "in the header") {
					f.header = strings.Replace(f.header, odd.old, odd.new, 1)
				} else {
					f.claims = strings.Replace(f.claims, odd.old, odd.new, 1)
				}
			}
			token := m.forge(f)
			if rapid.IntRange(0, 3).Draw(t, "damage") == 0 {
				i := rapid.IntRange(0, len(token)-1).Draw(t, "where")
				token = token[:i] + rapid.SampledFrom([]string{"", "A", "=", "\n", ".", "_"}).Draw(t, "what") + token[i+1:]
			}
			_, claims, err := m.tokens.Verify(token)
			if err != nil {
				return
			}
			accepted++
			want := reading{claims.Subject, claims.ID, claims.Expires}
			for _, p := range peers {
				if got, err := p.read(token); err != nil || got != want {
					t.Fatalf("we read %v, %s reads %v, %v", want, p.name, got, err)
				}
			}
		})
	}
	if accepted < 10 {
		t.Errorf("only %d odd tokens were accepted: the test compares nothing", accepted)
	}
}
