package api_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"math/big"
	"regexp"
	"slices"
	"testing"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/go-cmp/cmp"

	"bureau/client"
	"bureau/internal/auth"
)

var correlation = regexp.MustCompile(`00000000-0000-4000-8000-\d{12}`)

// shape is a body in the form of the golden files.
func shape(t *testing.T, body string) []byte {
	t.Helper()
	var b bytes.Buffer
	must(t, json.Indent(&b, []byte(body), "", "  "))
	b.Truncate(len(bytes.TrimSpace(b.Bytes())))
	b.WriteByte('\n')
	return correlation.ReplaceAll(b.Bytes(), []byte("(correlationId)"))
}

func TestAccessShapes(t *testing.T) {
	w := newWorld(t, plan{})
	var grants []auth.Grant
	for _, p := range auth.Products() {
		grants = append(grants, auth.Grant{Product: p, Country: auth.Everywhere, From: "2026-01-01"})
	}
	grants = append(grants,
		auth.Grant{Product: auth.Companies, Country: "SE", From: "2026-01-01", Until: "2026-12-31", Paid: 500},
		auth.Grant{Product: auth.Companies, Country: "GB", From: "2025-06-01", Paid: 100},
		auth.Grant{Product: auth.Companies, Country: "FR", From: "2025-01-01", Until: "2025-12-31", Paid: 7}, // over
		auth.Grant{Product: auth.Companies, Country: "XK", From: "2026-01-01"},
	)
	c, err := w.office.AddCustomer(t.Context(), "Acme & Søn", grants)
	must(t, err)
	ada := w.account(auth.NewAccount{
		Customer: c.ID, UserKey: "ada", Email: "ada@example.com", Title: "Dr", First: "Ada", Surname: "Brook", Language: "sv-SE",
	})
	w.account(auth.NewAccount{Customer: c.ID, UserKey: "otto", First: "Otto", Surname: "Vale"})
	w.account(auth.NewAccount{Customer: c.ID, UserKey: "gone", First: "Gone", Surname: "Away"})
	_, err = w.office.Disable(t.Context(), "gone", true)
	must(t, err)
	bare := w.join("bare")
	for _, g := range []struct {
		file, path string
		who        login
	}{
		{"access.json", "/v1/access", ada},
		{"access_bare.json", "/v1/access", bare},
		{"access_countries.json", "/v1/access/countries", ada},
		{"access_countries_bare.json", "/v1/access/countries", bare},
		{"me.json", "/v1/access/users/me", ada},
		{"me_bare.json", "/v1/access/users/me", bare},
		{"active_users.json", "/v1/access/users/active", ada},
	} {
		t.Run(g.file, func(t *testing.T) {
			got := w.send("GET", g.path, "", "Authorization", w.token(g.who))
			if got.status != 200 || got.header.Get("Content-Type") != jsonType {
				t.Fatalf("got %d %q", got.status, got.header.Get("Content-Type"))
			}
			if bytes.Contains([]byte(got.body), []byte("null")) {
				t.Errorf("a list is null: %s", got.body)
			}
			golden(t, "testdata/"+g.file, shape(t, got.body))
		})
	}
}

// What the client makes of them is what was sent.
func TestClientReadsEveryShape(t *testing.T) {
	w := newWorld(t, plan{})
	l := w.join("acme", auth.Grant{Product: auth.People, Country: "SE", From: "2026-01-01", Until: "2026-05-31", Paid: 9})
	c := w.client(l)
	a, err := c.Access(t.Context())
	must(t, err)
	want := []client.Entitlement{{
		CountryName: "Sweden", Country: "SE", StartDate: "2026-01-01T00:00:00", ExpireDate: "2026-05-31T00:00:00", Paid: 9,
	}}
	if d := cmp.Diff(want, a.CountryAccess.DirectorReports); d != "" {
		t.Errorf("Access (-want +got):\n%s", d)
	}
	list, err := c.AccessCountries(t.Context())
	must(t, err)
	if d := cmp.Diff([]client.CountryAccess{a.CountryAccess}, list); d != "" {
		t.Errorf("AccessCountries (-want +got):\n%s", d)
	}
	me, err := c.Me(t.Context())
	must(t, err)
	if me.Username != "acme" || me.OwningEntity != "Customer of acme" || me.IETFLanguage != "en-GB" || me.IsActive != "true" {
		t.Errorf("Me: got %+v", me)
	}
	users, err := c.ActiveUsers(t.Context())
	must(t, err)
	if d := cmp.Diff([]client.User{{UserID: int64(l.Account)}}, users); d != "" {
		t.Errorf("ActiveUsers (-want +got):\n%s", d)
	}
}

// Whoever has the published keys can verify a token, without asking us.
func TestPublishedKeysVerifyTokens(t *testing.T) {
	for _, alg := range auth.Algs() {
		t.Run(alg, func(t *testing.T) {
			w := newWorld(t, plan{alg: alg})
			l := w.join("acme")
			keys, err := w.client(l).PublicKeys(t.Context())
			must(t, err)
			byID := map[string]client.PublicKey{}
			for _, k := range keys {
				byID[k.KeyID] = k
			}
			claims := jwt.MapClaims{}
			token, err := jwt.ParseWithClaims(w.token(l), claims, func(tok *jwt.Token) (any, error) {
				kid, _ := tok.Header["kid"].(string)
				return publicKey(t, byID[kid]), nil
			}, jwt.WithValidMethods([]string{alg}), jwt.WithTimeFunc(w.clock.Now), jwt.WithExpirationRequired(),
				jwt.WithIssuer("https://bureau.test"), jwt.WithAudience("bureau"))
			must(t, err)
			if token.Header["typ"] != "at+jwt" || claims["username"] != "acme" || claims["customerId"] != float64(l.Customer) {
				t.Errorf("got %v %v", token.Header, claims)
			}
			if exp, iat := claims["exp"].(float64), claims["iat"].(float64); exp-iat != 3600 {
				t.Errorf("it lives for %v seconds, want 3600", exp-iat)
			}
		})
	}
}

func publicKey(t *testing.T, k client.PublicKey) any {
	t.Helper()
	decoded := func(s string) []byte {
		b, err := base64.RawURLEncoding.DecodeString(s)
		must(t, err)
		return b
	}
	switch k.KeyType {
	case "OKP":
		return ed25519.PublicKey(decoded(k.X))
	case "EC":
		key, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), slices.Concat([]byte{4}, decoded(k.X), decoded(k.Y)))
		must(t, err)
		return key
	case "RSA":
		n, e := new(big.Int).SetBytes(decoded(k.Modulus)), new(big.Int).SetBytes(decoded(k.Exponent))
		return &rsa.PublicKey{N: n, E: int(e.Int64())}
	}
	t.Fatalf("there is no key of type %q", k.KeyType)
	return nil
}

func TestPublicKeysMayBeCached(t *testing.T) {
	w := newWorld(t, plan{})
	got := w.send("GET", "/v1/.well-known/jwks.json", "")
	wantHeader(t, got, "Cache-Control", "public, max-age=600")
	wantHeader(t, got, "Content-Type", jsonType)
}
