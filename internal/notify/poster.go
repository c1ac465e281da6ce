package notify

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"time"

	"bureau/internal/monitor"
)

// A Poster sends messages to webhooks.
type Poster struct {
	*Guard
	Keys   *Keys
	Now    func() time.Time
	Within time.Duration // how long a sending may take in all; 0: 15 seconds

	once       sync.Once
	tls, plain *http.Client
	meter      meter
}

// What is kept of an answer, and what customers see when there is none. The
// words are the same whether nobody listens, nobody answers in time, the
// certificate is not trusted or the address is forbidden: otherwise a webhook
// would be a way to look around in networks.
const (
	maxExcerpt = 1 << 10
	noAnswer   = "no answer"
	redirected = "redirects are not followed"
)

// Post is monitor.Courier's.
func (p *Poster) Post(ctx context.Context, s *monitor.Sending) monitor.Answer {
	out := outgoing{hook: s.Hook, id: messageID(s), body: writeEvent(&s.Event), replay: s.Delivery.Replay}
	return p.send(ctx, &out).Answer
}

// outgoing is a message on its way.
type outgoing struct {
	hook   *monitor.Webhook
	id     string
	body   []byte
	replay bool
}

// incoming is what came back.
type incoming struct {
	monitor.Answer
	body []byte
	from netip.Addr // who answered
}

// send posts a message once. How long it took is told only if somebody
// answered: the time of a refusal says too much about who was asked.
func (p *Poster) send(ctx context.Context, out *outgoing) (in incoming) {
	p.once.Do(func() { p.tls, p.plain = p.client(false), p.client(true) })
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(p.Within, sendTime))
	defer cancel()
	began := p.Now()
	in.At, in.Error = began.UTC().Truncate(time.Millisecond), noAnswer
	r, err := p.request(ctx, out, &in.from)
	if err != nil {
		return in
	}
	client := p.tls
	if r.URL.Scheme == "http" {
		client = p.plain
	}
	resp, err := client.Do(r)
	if err != nil {
		return in
	}
	defer resp.Body.Close()
	if resp.StatusCode < 100 {
		return in // no status that there is: nobody answered in HTTP
	}
	// An answer that breaks off is still one: what counts is its status.
	in.body, _ = io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	in.Took, in.Status, in.Error = p.Now().Sub(began), resp.StatusCode, ""
	if resp.StatusCode >= 300 && resp.StatusCode < 400 {
		in.Error = redirected
	}
	in.Try.Answer = excerpt(in.body)
	in.RetryAfter = retryAfter(resp.Header.Get("Retry-After"), p.Now())
	return in
}

// request makes the request of a message, and notes whom it reaches.
func (p *Poster) request(ctx context.Context, out *outgoing, reached *netip.Addr) (*http.Request, error) {
	now := p.Now()
	with, err := p.Keys.signers(out.hook, now)
	if err != nil {
		return nil, err
	}
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(i httptrace.GotConnInfo) {
		if a, ok := i.Conn.RemoteAddr().(*net.TCPAddr); ok {
			*reached = a.AddrPort().Addr().Unmap()
		}
	}})
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, out.hook.URL, bytes.NewReader(out.body))
	if err != nil {
		return nil, err
	}
	r.GetBody = nil // a try is one request: the courier decides about the next
	h := r.Header
	h["Content-Type"] = []string{"application/json"}
	h["Accept-Encoding"] = []string{"identity"}
	h["User-Agent"] = []string{"Bureau-Webhooks/1"}
	h["Webhook-Id"] = []string{out.id}
	h["Webhook-Timestamp"] = []string{strconv.FormatInt(now.Unix(), 10)}
	h["Webhook-Signature"] = []string{sign(with, out.id, now, out.body)}
	if out.replay {
		h["Webhook-Replay"] = []string{"true"}
	}
	return r, nil
}

// excerpt is the beginning of an answer, as a text.
func excerpt(b []byte) string {
	s := strings.ToValidUTF8(string(b[:min(len(b), maxExcerpt)]), "")
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f {
			return -1
		}
		return r
	}, s)
}

// retryAfter reads when an endpoint wants to be asked again: in seconds, or at
// a time.
func retryAfter(text string, now time.Time) time.Duration {
	text = strings.TrimSpace(text)
	if n, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(n) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}
