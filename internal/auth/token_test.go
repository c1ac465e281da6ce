package auth

import (
	"crypto"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"
)

// A10: what is wrong with each of these is one thing only; all else is as it
// should be, and the signature is by the right key unless it says otherwise.
func TestHeadersThatAreRefused(t *testing.T) {
	for _, alg := range Algs() {
		m := newMint(t, alg)
		nobody := func(string) []byte { return nil }
		raw := m.key.Public
		if pub, ok := m.private.Public().(ed25519.PublicKey); ok {
			raw = pub
		}
		text := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: m.key.Public})
		audit := m.newKey(alg, m.now)
		audit.Audit = true
		m.tell(News{Keys: []Key{audit}})
		auditPrivate, err := m.vault.open(audit)
		if err != nil {
			t.Fatal(err)
		}
		with := func(member string) string {
			return fmt.Sprintf(`{"alg":%q,"kid":"%%K","typ":"at+jwt",%s}`, alg, member)
		}
		runForgeries(t, alg, m, map[string]forgery{
			"alg none":                          {header: `{"alg":"none","kid":"%K","typ":"at+jwt"}`, sign: nobody},
			"alg None":                          {header: `{"alg":"None","kid":"%K","typ":"at+jwt"}`, sign: nobody},
			"alg none, signed":                  {header: `{"alg":"none","kid":"%K","typ":"at+jwt"}`},
			"alg empty":                         {header: `{"alg":"","kid":"%K","typ":"at+jwt"}`},
			"alg missing":                       {header: `{"kid":"%K","typ":"at+jwt"}`},
			"alg null":                          {header: `{"alg":null,"kid":"%K","typ":"at+jwt"}`},
			"alg a list":                        {header: `{"alg":["` + alg + `"],"kid":"%K","typ":"at+jwt"}`},
			"alg in lower case":                 {header: `{"alg":"` + strings.ToLower(alg) + `","kid":"%K","typ":"at+jwt"}`},
			"HS256 with our public key":         {header: `{"alg":"HS256","kid":"%K","typ":"at+jwt"}`, sign: m.hmacWith(m.key.Public)},
			"HS256 with its raw bytes":          {header: `{"alg":"HS256","kid":"%K","typ":"at+jwt"}`, sign: m.hmacWith(raw)},
			"HS256 with it as PEM":              {header: `{"alg":"HS256","kid":"%K","typ":"at+jwt"}`, sign: m.hmacWith(text)},
			"HS256 with an empty secret":        {header: `{"alg":"HS256","kid":"%K","typ":"at+jwt"}`, sign: m.hmacWith([]byte{})},
			"our alg, signed with HMAC":         {sign: m.hmacWith(m.key.Public)},
			"another key under our kid":         {sign: m.stranger},
			"no signature":                      {sign: nobody},
			"signature of zeros":                {sign: func(string) []byte { return make([]byte, 64) }},
			"kid unknown":                       {header: `{"alg":"` + alg + `","kid":"other","typ":"at+jwt"}`},
			"kid missing":                       {header: `{"alg":"` + alg + `","typ":"at+jwt"}`},
			"kid null":                          {header: `{"alg":"` + alg + `","kid":null,"typ":"at+jwt"}`},
			"kid a path":                        {header: `{"alg":"` + alg + `","kid":"../../dev/null","typ":"at+jwt"}`},
			"kid with a space":                  {header: `{"alg":"` + alg + `","kid":"%K ","typ":"at+jwt"}`},
			"kid of the audit log's key":        {header: `{"alg":"` + alg + `","kid":"` + audit.ID + `","typ":"at+jwt"}`, sign: func(s string) []byte { sig, _ := m.method.Sign(s, auditPrivate); return sig }},
			"typ missing":                       {header: `{"alg":"` + alg + `","kid":"%K"}`},
			"typ JWT":                           {header: `{"alg":"` + alg + `","kid":"%K","typ":"JWT"}`},
			"typ in another case":               {header: `{"alg":"` + alg + `","kid":"%K","typ":"AT+JWT"}`},
			"typ in full":                       {header: `{"alg":"` + alg + `","kid":"%K","typ":"application/at+jwt"}`},
			"jku":                               {header: with(`"jku":"https://evil.test/jwks.json"`)},
			"jwk":                               {header: with(`"jwk":{"kty":"oct","k":"AAAA"}`), sign: m.stranger},
			"x5u":                               {header: with(`"x5u":"https://evil.test/cert"`)},
			"x5c":                               {header: with(`"x5c":["MIIB"]`)},
			"crit":                              {header: with(`"crit":["exp"]`)},
			"crit empty":                        {header: with(`"crit":[]`)},
			"b64 false":                         {header: with(`"b64":false`)},
			"zip":                               {header: with(`"zip":"DEF"`)},
			"cty":                               {header: with(`"cty":"JWT"`)},
			"unknown member":                    {header: with(`"x":1`)},
			"member without a name":             {header: with(`"":""`)},
			"alg twice":                         {header: with(`"alg":"none"`)},
			"alg twice and alike":               {header: with(`"alg":"` + alg + `"`)},
			"kid twice":                         {header: with(`"kid":"other"`)},
			"Alg beside alg":                    {header: with(`"Alg":"none"`)},
			"alg spelt with an escape":          {header: with(`"\u0061lg":"none"`)},
			"kid with the Kelvin sign":          {header: with("\"\u212aid\":\"other\"")},
			"only KID":                          {header: `{"alg":"` + alg + `","KID":"%K","typ":"at+jwt"}`},
			"only the Kelvin sign":              {header: "{\"alg\":\"" + alg + "\",\"\u212aid\":\"%K\",\"typ\":\"at+jwt\"}"},
			"two objects":                       {header: `{"alg":"` + alg + `","kid":"%K","typ":"at+jwt"}{}`},
			"garbage behind":                    {header: `{"alg":"` + alg + `","kid":"%K","typ":"at+jwt"}x`},
			"a NUL behind":                      {header: "{\"alg\":\"" + alg + "\",\"kid\":\"%K\",\"typ\":\"at+jwt\"}\x00"},
			"a byte-order mark":                 {header: "\ufeff{\"alg\":\"" + alg + "\",\"kid\":\"%K\",\"typ\":\"at+jwt\"}"},
			"a comma too many":                  {header: `{"alg":"` + alg + `","kid":"%K","typ":"at+jwt",}`},
			"no object":                         {header: `"at+jwt"`},
			"a list":                            {header: `[{"alg":"` + alg + `","kid":"%K","typ":"at+jwt"}]`},
			"null":                              {header: `null`},
			"white space":                       {header: `{ "alg":"` + alg + `","kid":"%K","typ":"at+jwt"}`},
			"another order":                     {header: `{"kid":"%K","alg":"` + alg + `","typ":"at+jwt"}`},
			"an empty object":                   {header: `{}`},
			"deep":                              {header: strings.Repeat(`{"a":`, 400) + "1" + strings.Repeat("}", 400)},
			"a good header under another alg's": {header: `{"alg":"` + otherAlg(alg) + `","kid":"%K","typ":"at+jwt"}`},
		})
	}
}

func otherAlg(alg string) string {
	all := Algs()
	return all[(slices.Index(all, alg)+1)%len(all)]
}

func TestClaimsThatAreRefused(t *testing.T) {
	m := newMint(t, "EdDSA")
	now := m.now.Unix()
	at := func(name string, t int64) string { return fmt.Sprintf("%q:%d", name, t) }
	life := func(iat, exp int64) string {
		return strings.NewReplacer(
			at("iat", now), at("iat", iat), at("nbf", now), at("nbf", min(iat, now)), at("exp", now+3600), at("exp", exp),
		).Replace("{" + strings.Join(m.good(), ",") + "}")
	}
	without := func(name string) string {
		return "{" + strings.Join(slices.DeleteFunc(m.good(), func(c string) bool { return strings.HasPrefix(c, `"`+name+`":`) }), ",") + "}"
	}
	table := map[string]forgery{
		"another issuer":                  {member: `"iss":"https://evil.test"`},
		"issuer with a slash":             {member: `"iss":"https://bureau.test/"`},
		"another audience":                {member: `"aud":"other"`},
		"audience as a list":              {member: `"aud":["bureau"]`},
		"audience of two":                 {member: `"aud":["bureau","other"]`},
		"subject empty":                   {member: `"sub":""`},
		"subject no number":               {member: `"sub":"ann"`},
		"subject a number too large":      {member: `"sub":"99999999999999999999"`},
		"subject of JSON number":          {member: `"sub":1002`},
		"subject unknown":                 {member: `"sub":"7"`},
		"jti empty":                       {member: `"jti":""`},
		"another customer":                {member: `"customerId":7`},
		"an older epoch":                  {member: `"epoch":2`},
		"a newer epoch":                   {member: `"epoch":4`},
		"exp null":                        {member: `"exp":null`},
		"exp text":                        {member: fmt.Sprintf(`"exp":"%d"`, now+3600)},
		"exp a fraction":                  {member: fmt.Sprintf(`"exp":%d.5`, now+3600)},
		"exp with an exponent":            {member: `"exp":1e10`},
		"exp negative":                    {member: `"exp":-1`},
		"exp beyond 64 bits":              {member: `"exp":9223372036854775808`},
		"exp now":                         {claims: life(now-3600, now)},
		"exp past":                        {claims: life(now-7200, now-3600)},
		"exp in ten years":                {member: at("exp", now+10*365*86400)},
		"exp in ten years, issued then":   {claims: life(now+10*365*86400-3600, now+10*365*86400)},
		"a life of an hour and a second":  {member: at("exp", now+3601)},
		"iat beyond the skew":             {claims: life(now+61, now+3600)},
		"nbf beyond the skew":             {member: at("nbf", now+61)},
		"iat zero":                        {claims: life(0, 3600)},
		"iat negative":                    {claims: life(-now, now+3600)},
		"iat so low that the sum is over": {claims: life(-1<<63, now+3600)},
		"nbf zero":                        {member: `"nbf":0`},
		"sub twice":                       {claims: "{" + strings.Join(append(m.good(), `"sub":"1003"`), ",") + "}"},
		"Sub beside sub":                  {member: `"Sub":"1003"`},
		"sub with a long s":               {member: "\"\u017fub\":\"1003\""},
		"exp spelt with an escape":        {member: `"\u0065xp":99999999999`},
		"unknown member":                  {member: `"admin":true`},
		"nested":                          {member: `"epoch":{"n":3}`},
		"garbage behind":                  {claims: "{" + strings.Join(m.good(), ",") + "}x"},
		"two objects":                     {claims: "{" + strings.Join(m.good(), ",") + "}{}"},
		"empty":                           {claims: "{}"},
		"no JSON":                         {claims: "foo"},
		"deep":                            {claims: strings.Repeat("[", 1000) + strings.Repeat("]", 1000)},
	}
	for _, name := range []string{"iss", "sub", "aud", "iat", "nbf", "exp", "jti", "username", "customerId", "epoch"} {
		table[name+" missing"] = forgery{claims: without(name)}
	}
	runForgeries(t, "claims", m, table)
}

// A11: how a token may not be written.
func TestWritingThatIsRefused(t *testing.T) {
	m := newMint(t, "EdDSA")
	part := func(i int, f func(string) string) func(string) string {
		return func(token string) string {
			parts := strings.Split(token, ".")
			parts[i] = f(parts[i])
			return strings.Join(parts, ".")
		}
	}
	long := `"username":"` + strings.Repeat("x", 4096) + `"`
	table := map[string]forgery{
		"two parts":                             {dress: func(s string) string { return s[:strings.LastIndexByte(s, '.')] }},
		"four parts":                            {dress: func(s string) string { return s + ".AAAA" }},
		"five parts":                            {dress: func(s string) string { return s + "..AAAA" }},
		"a dot behind":                          {dress: func(s string) string { return s + "." }},
		"a dot before":                          {dress: func(s string) string { return "." + s }},
		"nothing":                               {dress: func(string) string { return "" }},
		"two dots":                              {dress: func(string) string { return ".." }},
		"many dots":                             {dress: func(string) string { return strings.Repeat(".", 4000) }},
		"a space behind":                        {dress: func(s string) string { return s + " " }},
		"a NUL behind":                          {dress: func(s string) string { return s + "\x00" }},
		"garbage behind":                        {dress: func(s string) string { return s + "AAAA" }},
		"too long":                              {member: long},
		"signature cut short":                   {sign: func(s string) []byte { return m.sign(s)[:63] }},
		"signature and more":                    {sign: func(s string) []byte { return append(m.sign(s), 0) }},
		"signature twice":                       {sign: func(s string) []byte { return append(m.sign(s), m.sign(s)...) }},
		"signature plus the order of the group": {sign: func(s string) []byte { return addOrder(m.sign(s)) }},
	}
	for i, name := range []string{"header", "claims", "signature"} {
		table[name+" padded"] = forgery{dress: part(i, func(s string) string { return s + "==" })}
		table[name+" padded once"] = forgery{dress: part(i, func(s string) string { return s + "=" })}
		table[name+" with a newline"] = forgery{dress: part(i, func(s string) string { return s[:4] + "\n" + s[4:] })}
		table[name+" with a return"] = forgery{dress: part(i, func(s string) string { return s + "\r" })}
		table[name+" empty"] = forgery{dress: part(i, func(string) string { return "" })}
		table[name+" in the other alphabet"] = forgery{dress: part(i, func(s string) string { return s[:4] + "+/" + s[6:] })}
	}
	// The last letter of 64 bytes has four bits that mean nothing.
	table["signature with loose bits"] = forgery{dress: part(2, func(s string) string {
		const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
		i := strings.IndexByte(alphabet, s[len(s)-1])
		return s[:len(s)-1] + string(alphabet[i|1])
	})}
	// Signed as it stands, padding and all: only the writing is wrong.
	good := "{" + strings.Join(m.good(), ",") + "}"
	head := fmt.Sprintf(`{"alg":"EdDSA","kid":%q,"typ":"at+jwt"}`, m.key.ID)
	table["padding that was signed"] = forgery{encoded: true, header: b64(head), claims: b64(good+strings.Repeat(" ", 2-(len(good)+2)%3)) + "="}
	table["newline that was signed"] = forgery{encoded: true, header: b64(head)[:8] + "\n" + b64(head)[8:], claims: b64(good)}
	runForgeries(t, "writing", m, table)
}

// addOrder makes a second signature that fits the equation but is not canonical.
func addOrder(sig []byte) []byte {
	order, _ := new(big.Int).SetString("7237005577332262213973186563042994240857116359379907606001950938285454250989", 10)
	s := slices.Clone(sig[32:])
	slices.Reverse(s)
	sum := new(big.Int).Add(new(big.Int).SetBytes(s), order).FillBytes(make([]byte, 32))
	slices.Reverse(sum)
	return append(slices.Clone(sig[:32]), sum...)
}

// runForgeries sends each token three times: fresh, again, and after the good
// token it was made from has been remembered.
func runForgeries(t *testing.T, name string, m *mint, table map[string]forgery) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		good := m.forge(forgery{})
		if _, _, err := m.tokens.Verify(good); err != nil {
			t.Fatalf("the token that nothing is wrong with is refused: %v", err)
		}
		for what, f := range table {
			token := m.forge(f)
			if token == good {
				t.Errorf("%s: the forgery is the good token", what)
			}
			for range 2 {
				if a, claims, err := m.tokens.Verify(token); err == nil || a != nil || claims != (Claims{}) {
					t.Errorf("%s: accepted", what)
				} else if err.Error() != errToken.Error() {
					t.Errorf("%s: error %q tells more than that the token is invalid", what, err)
				}
			}
		}
	})
}

// A12: the edges of a token's life, for a token that was seen before and for
// one that was not.
func TestLifeOfAToken(t *testing.T) {
	for _, c := range []struct {
		name string
		at   time.Duration
		ok   bool
	}{
		{"a minute and a second early", -61 * time.Second, false},
		{"a minute early", -60 * time.Second, true},
		{"when it is made", 0, true},
		{"a second before its end", time.Hour - time.Second, true},
		{"a moment before its end", time.Hour - time.Millisecond, true},
		{"at its end", time.Hour, false},
		{"a second after its end", time.Hour + time.Second, false},
	} {
		for _, remembered := range []bool{false, true} {
			m := newMint(t, "EdDSA")
			token := m.issue()
			if remembered {
				if _, _, err := m.tokens.Verify(token); err != nil {
					t.Fatal(err)
				}
			}
			m.now = m.now.Add(c.at)
			if _, _, err := m.tokens.Verify(token); (err == nil) != c.ok {
				t.Errorf("%s (remembered: %t): %v, want accepted: %t", c.name, remembered, err, c.ok)
			}
		}
	}
}

// A key that was replaced long ago is gone from the JWKS, and gone is gone: who
// finds it in an old backup can sign nothing.
func TestRetiredKeySignsNothing(t *testing.T) {
	m := newMint(t, "EdDSA")
	next := m.newKey("EdDSA", m.now.Add(24*time.Hour))
	m.tell(News{Keys: []Key{next}})
	m.now = next.ActiveAt.Add(overlap - time.Second)
	if _, _, err := m.tokens.Verify(m.forge(forgery{})); err != nil {
		t.Errorf("a second before the overlap ends: %v", err)
	}
	m.now = next.ActiveAt.Add(overlap)
	if _, _, err := m.tokens.Verify(m.forge(forgery{})); err == nil {
		t.Error("a token by a retired key is accepted")
	}
	for _, k := range m.dir.PublicKeys() {
		if k.ID == m.key.ID {
			t.Error("the JWKS still publishes the retired key")
		}
	}
}

func TestStoredKeysRoundTrip(t *testing.T) {
	for _, alg := range Algs() {
		m := newMint(t, alg)
		pub, err := x509.ParsePKIXPublicKey(m.key.Public)
		if err != nil {
			t.Fatal(err)
		}
		p, ok := pub.(interface{ Equal(crypto.PublicKey) bool })
		if !ok || !p.Equal(m.private.Public()) {
			t.Errorf("%s: the public key is not that of the sealed one", alg)
		}
	}
}
