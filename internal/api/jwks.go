package api

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"encoding/base64"
	"fmt"
	"math/big"
	"net/http"

	"bureau/internal/auth"
)

// jwkJSON is a public key as RFC 7517 writes it.
type jwkJSON struct {
	KeyType  string `json:"kty"`
	Use      string `json:"use"`
	Alg      string `json:"alg"`
	KeyID    string `json:"kid"`
	Curve    string `json:"crv,omitempty"`
	X        string `json:"x,omitempty"`
	Y        string `json:"y,omitempty"`
	Modulus  string `json:"n,omitempty"`
	Exponent string `json:"e,omitempty"`
}

type jwksJSON struct {
	Keys []jwkJSON `json:"keys"`
}

// jwks publishes the keys that verify our tokens. They may be kept for as long
// as every new key is published before it signs.
func (s *Server) jwks(w http.ResponseWriter, _ *http.Request) {
	out := jwksJSON{Keys: []jwkJSON{}}
	for _, k := range s.Directory.PublicKeys() {
		out.Keys = append(out.Keys, toJWK(k))
	}
	w.Header().Set("Cache-Control", fmt.Sprintf("public, max-age=%d", int(auth.JWKSMaxAge.Seconds())))
	writeJSON(w, http.StatusOK, out)
}

func toJWK(k auth.PublicKey) jwkJSON {
	j := jwkJSON{Use: "sig", Alg: k.Alg, KeyID: k.ID}
	enc := base64.RawURLEncoding.EncodeToString
	switch p := k.Key.(type) {
	case ed25519.PublicKey:
		j.KeyType, j.Curve, j.X = "OKP", "Ed25519", enc(p)
	case *ecdsa.PublicKey:
		point, err := p.Bytes() // 4, then x and y of 32 bytes each
		if err != nil {
			panic(fmt.Sprintf("write key %s: %v", k.ID, err)) // we made it
		}
		j.KeyType, j.Curve, j.X, j.Y = "EC", "P-256", enc(point[1:33]), enc(point[33:])
	case *rsa.PublicKey:
		j.KeyType, j.Modulus, j.Exponent = "RSA", enc(p.N.Bytes()), enc(big.NewInt(int64(p.E)).Bytes())
	}
	return j
}
