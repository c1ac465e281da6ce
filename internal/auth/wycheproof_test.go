package auth

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/golang-jwt/jwt/v5"

	"bureau/internal/lacktest"
)

// The public collection of signatures that careless verifiers accept.
const wycheproof = "github.com/c2sp/wycheproof@v0.0.0-20260902155932-3fa63dd0344a"

type wycheproofVectors struct {
	TestGroups []struct {
		Public json.RawMessage `json:"public"`
		Tests  []struct {
			ID      int    `json:"tcId"`
			Comment string `json:"comment"`
			JWS     string `json:"jws"`
			Result  string `json:"result"`
		} `json:"tests"`
	} `json:"testGroups"`
}

func TestWycheproofSignatures(t *testing.T) {
	checked := 0
	for _, g := range readVectors(t).TestGroups {
		var public jose.JSONWebKey
		err := json.Unmarshal(g.Public, &public)
		if err != nil || public.Use != "sig" || !slices.Contains(Algs(), public.Algorithm) {
			continue // a shared secret, or a kind of key that we do not have
		}
		key := publicKey{method: jwt.GetSigningMethod(public.Algorithm), public: public.Key}
		find := func(kid string) (publicKey, bool) { return key, kid == public.KeyID }
		for _, v := range g.Tests {
			checked++
			if _, _, err := verifySignature(v.JWS, find); err == nil && v.Result != "valid" {
				t.Errorf("vector %d (%s) is accepted", v.ID, v.Comment)
			}
			// The vectors carry no typ, so none gets past our header. What
			// they say of the signature itself is asked of the key.
			if err := verifyBare(v.JWS, key); v.Result == "valid" && err != nil {
				t.Errorf("vector %d (%s): the signature is refused: %v", v.ID, v.Comment, err)
			} else if err == nil && v.Result == "invalid" {
				t.Errorf("vector %d (%s): the signature is accepted", v.ID, v.Comment)
			}
		}
	}
	if checked == 0 {
		t.Error("no vector is for an algorithm of ours")
	}
}

// verifyBare is verifySignature for a header with no typ.
func verifyBare(token string, key publicKey) error {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return errToken
	}
	var h header
	head, err := strictBase64.DecodeString(parts[0])
	if err != nil {
		return err
	}
	d := json.NewDecoder(strings.NewReader(string(head)))
	d.DisallowUnknownFields()
	if err := d.Decode(&h); err != nil {
		return err
	}
	sig, err := strictBase64.DecodeString(parts[2])
	if err != nil {
		return err
	}
	if h.Alg != key.method.Alg() {
		return errToken
	}
	return key.method.Verify(parts[0]+"."+parts[1], sig, key.public)
}

func readVectors(t *testing.T) (v wycheproofVectors) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", "mod", "download", "-json", wycheproof)
	cmd.Dir = t.TempDir() // outside our module, which is not to depend on it
	out, err := cmd.Output()
	var module struct{ Dir string }
	if err != nil || json.Unmarshal(out, &module) != nil || module.Dir == "" {
		lacktest.Skip(t, "the module %s cannot be had here", wycheproof)
	}
	b, err := os.ReadFile(filepath.Join(module.Dir, "testvectors_v1", "json_web_signature_test.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatal(err)
	}
	return v
}
