package client

import (
	"errors"
	"net/http"
	"testing"
	"time"
)

// The example of the Standard Webhooks specification.
func TestVerifyWebhook(t *testing.T) {
	const (
		secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
		id     = "msg_p5jXN8AQM9LWM0D4loKWxJek"
		stamp  = "1614265330"
		body   = `{"test": 2432232314}`
		right  = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
	)
	sent := time.Unix(1614265330, 0)
	for _, c := range []struct {
		name                       string
		key, id, stamp, sign, body string
		now                        time.Time
		want                       error
	}{
		{"as it was sent", secret, id, stamp, right, body, sent, nil},
		{"beside others", secret, id, stamp, "v1,Zm9v v1a,Zm9v nonsense v2, " + right, body, sent, nil},
		{"just in time", secret, id, stamp, right, body, sent.Add(WebhookTolerance), nil},
		{"a second late", secret, id, stamp, right, body, sent.Add(WebhookTolerance + time.Second), ErrWebhookTime},
		{"from the future", secret, id, stamp, right, body, sent.Add(-WebhookTolerance - time.Second), ErrWebhookTime},
		{"another body", secret, id, stamp, right, body + " ", sent, ErrWebhookSignature},
		{"another id", secret, id + "x", stamp, right, body, sent, ErrWebhookSignature},
		{"another time", secret, id, "1614265331", right, body, sent, ErrWebhookSignature},
		{"another secret", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSx", id, stamp, right, body, sent, ErrWebhookSignature},
		{"under another version", secret, id, stamp, "v1a" + right[2:], body, sent, ErrWebhookSignature},
		{"no id", secret, "", stamp, right, body, sent, ErrWebhookHeader},
		{"an id that runs into the time", secret, id + ".1", stamp, right, body, sent, ErrWebhookHeader},
		{"no time", secret, id, "", right, body, sent, ErrWebhookHeader},
		{"a time that is none", secret, id, "soon", right, body, sent, ErrWebhookHeader},
		{"no signature", secret, id, stamp, "", body, sent, ErrWebhookHeader},
		{"no key", "", id, stamp, right, body, sent, ErrWebhookKey},
		{"an empty secret", "whsec_", id, stamp, right, body, sent, ErrWebhookKey},
		{"half a public key", "whpk_Zm9v", id, stamp, right, body, sent, ErrWebhookKey},
	} {
		h := http.Header{"Webhook-Id": {c.id}, "Webhook-Timestamp": {c.stamp}, "Webhook-Signature": {c.sign}}
		if err := verifyWebhook(c.key, h, []byte(c.body), 0, c.now); !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, err, c.want)
		}
	}
}
