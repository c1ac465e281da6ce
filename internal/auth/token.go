package auth

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

const (
	// TokenLife is how long a token is valid.
	TokenLife = time.Hour
	// skew is how far the clocks of two nodes may differ.
	skew = time.Minute
	// maxToken bounds a token before anything of it is read.
	maxToken = 4096
	// tokenType says what the JWT is for (RFC 9068), so that no other JWT of
	// ours can pass for an access token.
	tokenType = "at+jwt"
)

// Claims are what a token says.
type Claims struct {
	Issuer    string     `json:"iss"`
	Subject   string     `json:"sub"`
	Audience  string     `json:"aud"`
	IssuedAt  int64      `json:"iat"`
	NotBefore int64      `json:"nbf"`
	Expires   int64      `json:"exp"`
	ID        string     `json:"jti"`
	Username  string     `json:"username"`
	Customer  CustomerID `json:"customerId"`
	Epoch     int64      `json:"epoch"`
}

func (c Claims) account() (AccountID, error) {
	n, err := strconv.ParseInt(c.Subject, 10, 64)
	return AccountID(n), err
}

// header is the whole header of our tokens. Nothing else is read from one: what
// algorithm a key has is the key's affair, not the token's.
type header struct {
	Alg string `json:"alg"`
	Kid string `json:"kid"`
	Typ string `json:"typ"`
}

// sign makes a token. Its method and private key are those of one signing key.
func sign(k signer, c Claims) (string, error) {
	body, err := json.Marshal(c)
	if err != nil {
		return "", fmt.Errorf("write claims: %w", err)
	}
	enc := base64.RawURLEncoding
	b := make([]byte, 0, len(k.header)+enc.EncodedLen(len(body))+100)
	b = append(b, k.header...)
	b = append(b, '.')
	b = enc.AppendEncode(b, body)
	sig, err := k.method.Sign(string(b), k.private)
	if err != nil {
		return "", fmt.Errorf("sign token: %w", err)
	}
	b = append(b, '.')
	return string(enc.AppendEncode(b, sig)), nil
}

// errToken is all that anyone learns about a refused token.
var errToken = errors.New("invalid token")

// verifySignature checks the envelope of a token and returns its payload. find
// gives the public key of a kid.
func verifySignature(token string, find func(kid string) (publicKey, bool)) (payload []byte, kid string, err error) {
	// Size and dots are counted before anything is split or decoded, so that a
	// hostile token costs next to nothing.
	if len(token) > maxToken || strings.Count(token, ".") != 2 || strings.ContainsAny(token, "\r\n") {
		return nil, "", errToken
	}
	dot := strings.LastIndexByte(token, '.')
	signed, sigText := token[:dot], token[dot+1:]
	headText, bodyText, _ := strings.Cut(signed, ".")

	var h header
	if err := decodePart(headText, &h); err != nil {
		return nil, "", err
	}
	key, ok := find(h.Kid)
	if !ok || h.Alg != key.method.Alg() || h.Typ != tokenType {
		return nil, "", errToken
	}
	sig, err := strictBase64.DecodeString(sigText)
	if err != nil {
		return nil, "", errToken
	}
	if err := key.method.Verify(signed, sig, key.public); err != nil {
		return nil, "", errToken
	}
	payload, err = strictBase64.DecodeString(bodyText)
	if err != nil {
		return nil, "", errToken
	}
	return payload, h.Kid, nil
}

// checkClaims reads the payload and checks what does not change while the token
// lives, and what does.
func checkClaims(payload []byte, issuer, audience string, now time.Time) (Claims, error) {
	var c Claims
	if err := decodeStrict(payload, &c); err != nil {
		return Claims{}, err
	}
	if c.Issuer != issuer || c.Audience != audience || c.Subject == "" || c.ID == "" || !c.current(now) {
		return Claims{}, errToken
	}
	return c, nil
}

// current reports whether a token lives at a time. It is asked at every call.
func (c Claims) current(now time.Time) bool {
	t := now.Unix()
	limit := int64(TokenLife / time.Second)
	leeway := int64(skew / time.Second)
	switch {
	case c.Expires <= t: // a token is dead at exp itself
	case c.IssuedAt > t+leeway, c.NotBefore > t+leeway:
	case c.IssuedAt <= 0, c.NotBefore <= 0:
	// A key that fell into wrong hands for a minute must not be good for ten
	// years: the verifier knows how long a token lives.
	case c.Expires-c.IssuedAt > limit, c.Expires > t+limit+leeway:
	default:
		return true
	}
	return false
}

var strictBase64 = base64.RawURLEncoding.Strict()

func decodePart(text string, into any) error {
	b, err := strictBase64.DecodeString(text)
	if err != nil {
		return errToken
	}
	return decodeStrict(b, into)
}

// decodeStrict reads a part of a token, which must be written exactly as we
// write it: each member once, in order, spelt so, and nothing else. Two readers
// must never disagree on what a token says, and readers do disagree: on members
// that occur twice, on "KID" and "\u017fub", on null, even on white space.
func decodeStrict(b []byte, into any) error {
	if err := json.Unmarshal(b, into); err != nil {
		return errToken
	}
	if ours, err := json.Marshal(into); err != nil || !bytes.Equal(ours, b) {
		return errToken
	}
	return nil
}

// A publicKey verifies tokens with the one method it was made for.
type publicKey struct {
	method jwt.SigningMethod
	public any
	until  time.Time // zero while it is the newest
}

// holds reports whether the key's tokens are accepted at a time. A key that was
// replaced long ago signs nothing any more; who found it must not either.
func (k publicKey) holds(now time.Time) bool { return k.until.IsZero() || now.Before(k.until) }

// A signer signs them. Its header is fixed, and already encoded.
type signer struct {
	kid     string
	method  jwt.SigningMethod
	private any
	header  string
}

func newSigner(kid string, m jwt.SigningMethod, private any) signer {
	b, err := json.Marshal(header{Alg: m.Alg(), Kid: kid, Typ: tokenType})
	if err != nil {
		panic(err) // three strings
	}
	return signer{kid, m, private, base64.RawURLEncoding.EncodeToString(b)}
}
