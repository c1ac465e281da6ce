package notify

import (
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"bureau/internal/auth"
	"bureau/internal/monitor"
)

// The prefixes by which Standard Webhooks tells keys apart.
const (
	secretPrefix = "whsec_"
	publicPrefix = "whpk_"
)

// secretSize is how long each half of a secret is: the key of the HMAC, and the
// seed of the Ed25519 key.
const secretSize = 32

// A Safe keeps secrets: auth.Vault does.
type Safe interface {
	Seal(name string, plain []byte) []byte
	Open(name string, sealed []byte) ([]byte, error)
}

// Keys make and use the secrets of webhooks. Opened ones are kept in memory.
type Keys struct {
	Safe Safe

	mu     sync.Mutex
	opened map[string]*signer // by what was sealed
}

// openedMost is how many secrets are kept open at once.
const openedMost = 20_000

// A signer signs with one secret.
type signer struct {
	secret  []byte
	private ed25519.PrivateKey
}

// safeName binds a secret to its customer: in another's row it does not open.
func safeName(of auth.CustomerID) string {
	return "webhook of customer " + strconv.FormatInt(int64(of), 10)
}

// NewSecret implements monitor.Sender.
func (k *Keys) NewSecret(of auth.CustomerID) (monitor.Secret, string, error) {
	plain := make([]byte, 2*secretSize)
	rand.Read(plain)
	s := newSigner(plain)
	return monitor.Secret{
		Sealed: k.Safe.Seal(safeName(of), plain),
		Public: publicPrefix + base64.StdEncoding.EncodeToString(s.private.Public().(ed25519.PublicKey)),
	}, secretPrefix + base64.StdEncoding.EncodeToString(s.secret), nil
}

func newSigner(plain []byte) *signer {
	return &signer{secret: plain[:secretSize], private: ed25519.NewKeyFromSeed(plain[secretSize:])}
}

// signers opens the secrets that sign at a time, the newest first.
func (k *Keys) signers(h *monitor.Webhook, now time.Time) ([]*signer, error) {
	var out []*signer
	for i := range h.Secrets {
		if s := &h.Secrets[i]; s.Until.IsZero() || s.Until.After(now) {
			opened, err := k.open(h.Customer, s.Sealed)
			if err != nil {
				return nil, err
			}
			out = append(out, opened)
		}
	}
	if len(out) == 0 {
		return nil, errors.New("the webhook has no secret")
	}
	return out, nil
}

func (k *Keys) open(of auth.CustomerID, sealed []byte) (*signer, error) {
	k.mu.Lock()
	s := k.opened[string(sealed)]
	k.mu.Unlock()
	if s != nil {
		return s, nil
	}
	plain, err := k.Safe.Open(safeName(of), sealed)
	if err != nil {
		return nil, err
	}
	if len(plain) != 2*secretSize {
		return nil, fmt.Errorf("a secret of %d bytes", len(plain))
	}
	s = newSigner(plain)
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.opened == nil || len(k.opened) >= openedMost {
		k.opened = map[string]*signer{}
	}
	k.opened[string(sealed)] = s
	return s, nil
}

// sign makes the signatures of a message: those by the newest secret first, of
// each kind one for every secret that counts.
func sign(with []*signer, id string, at time.Time, body []byte) string {
	content := make([]byte, 0, len(id)+len(body)+32)
	content = append(append(content, id...), '.')
	content = append(strconv.AppendInt(content, at.Unix(), 10), '.')
	content = append(content, body...)
	var out strings.Builder
	for _, s := range with {
		h := hmac.New(sha256.New, s.secret)
		h.Write(content)
		if out.Len() > 0 {
			out.WriteByte(' ')
		}
		out.WriteString("v1," + base64.StdEncoding.EncodeToString(h.Sum(nil)))
		out.WriteString(" v1a," + base64.StdEncoding.EncodeToString(ed25519.Sign(s.private, content)))
	}
	return out.String()
}
