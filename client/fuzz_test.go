package client

import (
	"bufio"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// FuzzReadEvents holds that whatever a stream says, it says the same in pieces
// as at once, and that nothing without a number comes out of it.
func FuzzReadEvents(f *testing.F) {
	for _, seed := range []string{
		"event: monitoring.event\nid: 7\ndata: {\"eventId\":7}\n\n", ": following\n\n", "id: x\nevent: a\n\n", "data: a\ndata: b\nid:1\nevent:e\r\n\r\n",
		"event: e\nid: 99999999999999999999\n\n", "id: 1\nevent: e\ndata", "\x00\n\n\n", "id:-1\nevent:e\n\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		read := func(pieces bool) (all []streamed) {
			in := strings.NewReader(text)
			each := func(m streamed) error { all = append(all, m); return nil }
			if pieces {
				_ = readEvents(iotest.OneByteReader(in), each)
			} else {
				_ = readEvents(in, each)
			}
			return all
		}
		whole, pieces := read(false), read(true)
		if len(whole) != len(pieces) {
			t.Fatalf("%d events, and %d in pieces", len(whole), len(pieces))
		}
		for i, m := range whole {
			if m != pieces[i] || m.id <= 0 || m.kind == "" {
				t.Fatalf("%+v, and in pieces %+v", m, pieces[i])
			}
		}
	})
}

// FuzzReadError holds that whatever an answer says, there is an error to show.
func FuzzReadError(f *testing.F) {
	for _, seed := range []string{
		"HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\n\r\n{\"message\":\"Bad request\",\"details\":\"name: missing\"}",
		"HTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\n\r\n{\"error\":\"none\"}", "HTTP/1.1 500 x\r\nContent-Type: application/json\r\n\r\n{\"error\":{\"text\":7}}",
		"HTTP/1.1 429 x\r\nContent-Type: text/plain\r\nRetry-After: 99999999999\r\n\r\nlater", "HTTP/1.1 401 x\r\nContent-Type: ;;\r\n\r\nnull",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		resp, err := http.ReadResponse(bufio.NewReader(strings.NewReader(text)), nil)
		if err != nil {
			return
		}
		defer resp.Body.Close()
		if e := readError(resp); e.Status != resp.StatusCode || e.Error() == "" || e.RetryAfter < 0 {
			t.Fatalf("%q is %+v: %q", text, e, e.Error())
		}
	})
}

// FuzzVerifyWebhook looks for a message that passes and was not signed.
func FuzzVerifyWebhook(f *testing.F) {
	const key = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="
	now := time.Unix(1_772_443_800, 0)
	for _, seed := range [][4]string{
		{key, "msg_1", "v1,AAAA", `{"type":"monitoring.event","data":{"eventId":7,"sequence":3}}`},
		{"whpk_AAAA", "msg_1", "v1a,AAAA", "null"},
		{key, "", " ", `{"type":"kyc.alert"}`},
		{"", "a.b", ",", `{"type":"webhook.challenge","challenge":"x"}`},
		{"whsec_", "m", "v1", "\xff"},
	} {
		f.Add(seed[0], seed[1], seed[2], seed[3])
	}
	f.Fuzz(func(t *testing.T, key, id, signature, body string) {
		h := http.Header{"Webhook-Id": {id}, "Webhook-Timestamp": {"1772443800"}, "Webhook-Signature": {signature}}
		if verifyWebhook(key, h, []byte(body), 0, now) == nil {
			t.Fatalf("%q of %q passes with %q", signature, body, key)
		}
		_, _ = ReadWebhook([]byte(body))
	})
}
