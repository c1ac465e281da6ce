package client

import (
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// WebhookTolerance is how old a message may be, and how far ahead its clock, if
// nothing else is asked for.
const WebhookTolerance = 5 * time.Minute

// Why a message that came to a webhook is not to be believed.
var (
	ErrWebhookKey       = errors.New("the key is neither a secret (whsec_…) nor a public key (whpk_…)")
	ErrWebhookHeader    = errors.New("webhook-id, webhook-timestamp or webhook-signature is missing or makes no sense")
	ErrWebhookTime      = errors.New("the message is too old, or from the future")
	ErrWebhookSignature = errors.New("no signature is right: the message is not from the service, or was changed")
)

// VerifyWebhook checks a message that was posted to a webhook: with the secret
// (whsec_…) its v1 signature, with the public key (whpk_…) the v1a one. body is
// what arrived, to the byte; tolerance 0 is WebhookTolerance. A message that
// passes is from the service, was not changed, and is not an old one sent again
// by somebody else; webhook-id still tells one that the service sent twice.
func VerifyWebhook(key string, header http.Header, body []byte, tolerance time.Duration) error {
	return verifyWebhook(key, header, body, tolerance, time.Now())
}

func verifyWebhook(key string, header http.Header, body []byte, tolerance time.Duration, now time.Time) error {
	check, err := webhookCheck(key)
	if err != nil {
		return err
	}
	id, stamp := header.Get("Webhook-Id"), header.Get("Webhook-Timestamp")
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if id == "" || strings.Contains(id, ".") || err != nil || header.Get("Webhook-Signature") == "" {
		return ErrWebhookHeader
	}
	if tolerance == 0 {
		tolerance = WebhookTolerance
	}
	if d := now.Sub(time.Unix(seconds, 0)); d > tolerance || d < -tolerance {
		return ErrWebhookTime
	}
	content := append([]byte(id+"."+stamp+"."), body...)
	for part := range strings.SplitSeq(header.Get("Webhook-Signature"), " ") {
		version, text, _ := strings.Cut(part, ",")
		signature, err := base64.StdEncoding.Strict().DecodeString(text)
		if err == nil && check(version, content, signature) {
			return nil
		}
	}
	return ErrWebhookSignature
}

// webhookCheck makes what checks a signature with a key.
func webhookCheck(key string) (func(version string, content, signature []byte) bool, error) {
	if text, ok := strings.CutPrefix(key, "whsec_"); ok {
		secret, err := base64.StdEncoding.DecodeString(text)
		if err != nil || len(secret) == 0 {
			return nil, ErrWebhookKey
		}
		return func(version string, content, signature []byte) bool {
			h := hmac.New(sha256.New, secret)
			h.Write(content)
			return version == "v1" && hmac.Equal(h.Sum(nil), signature)
		}, nil
	}
	text, ok := strings.CutPrefix(key, "whpk_")
	public, err := base64.StdEncoding.DecodeString(text)
	if !ok || err != nil || len(public) != ed25519.PublicKeySize {
		return nil, ErrWebhookKey
	}
	return func(version string, content, signature []byte) bool {
		return version == "v1a" && ed25519.Verify(public, content, signature)
	}, nil
}

// A WebhookMessage is what is posted to a webhook.
type WebhookMessage struct {
	Type      string    `json:"type"` // one of those below
	Timestamp time.Time `json:"timestamp"`

	// Challenge is to be sent back in the body of the answer.
	Challenge string `json:"challenge"`

	// Event is what happened. Of one company, Sequence only grows; an event
	// that was seen before is sent again under the same number.
	Event    Event `json:"-"`
	Sequence int64 `json:"-"`

	// Alert is what a repeated search found. Of one search, Sequence only grows.
	Alert AMLAlert `json:"-"`
}

// The types of messages.
const (
	WebhookEvent     = "monitoring.event"
	WebhookAlert     = "kyc.alert"
	WebhookChallenge = "webhook.challenge"
	WebhookTest      = "webhook.test"
)

// ReadWebhook reads a message that VerifyWebhook has let pass.
func ReadWebhook(body []byte) (m WebhookMessage, err error) {
	var raw struct {
		WebhookMessage
		Data json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(body, &raw); err != nil {
		return m, fmt.Errorf("read a webhook's message: %w", err)
	}
	m = raw.WebhookMessage
	var into any
	switch m.Type {
	case WebhookEvent:
		into = &m.Event
	case WebhookAlert:
		into = &m.Alert
	default:
		return m, nil
	}
	var place struct {
		Sequence int64 `json:"sequence"`
	}
	if err := errors.Join(json.Unmarshal(raw.Data, into), json.Unmarshal(raw.Data, &place)); err != nil {
		return m, fmt.Errorf("read a webhook's event: %w", err)
	}
	m.Sequence = place.Sequence
	return m, nil
}
