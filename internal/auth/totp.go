package auth

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha1" //nolint:gosec // what RFC 6238 asks for; every app that makes codes knows no other
	"crypto/subtle"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"net/url"
	"strings"
	"time"
)

// One-time codes of RFC 6238, as every app that makes them does by default: six
// digits, a new one each half minute.
const (
	codeStep   = 30 * time.Second
	codeDigits = 6
	codeSlack  = 1 // steps that a clock may be ahead or behind
	codeSecret = 20
)

// newCodeSecret makes what codes are made from.
func newCodeSecret() []byte {
	b := make([]byte, codeSecret)
	rand.Read(b)
	return b
}

// codeAt is the code of a step.
func codeAt(secret []byte, step int64) string {
	h := hmac.New(sha1.New, secret)
	h.Write(binary.BigEndian.AppendUint64(nil, uint64(step)))
	sum := h.Sum(nil)
	at := sum[len(sum)-1] & 15
	n := binary.BigEndian.Uint32(sum[at:at+4]) & 0x7fffffff
	return fmt.Sprintf("%0*d", codeDigits, n%1_000_000)
}

// stepOf finds the step that a code belongs to, near now; 0 if to none. Every
// step is looked at, so that the time it takes says nothing.
func stepOf(secret []byte, code string, now time.Time) (step int64) {
	code = strings.ReplaceAll(strings.TrimSpace(code), " ", "")
	at := now.Unix() / int64(codeStep/time.Second)
	for s := at - codeSlack; s <= at+codeSlack; s++ {
		if subtle.ConstantTimeCompare([]byte(codeAt(secret, s)), []byte(code)) == 1 {
			step = s
		}
	}
	return step
}

// A CodeDraft is a secret that somebody is about to put into their app.
type CodeDraft struct {
	Text   string // to type in, in groups of four
	URI    string // to open or to scan
	Sealed string // to hand back with the first code
}

func codeText(secret []byte) string {
	plain := base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(secret)
	var b strings.Builder
	for i := 0; i < len(plain); i += 4 {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(plain[i:min(i+4, len(plain))])
	}
	return b.String()
}

func codeURI(secret []byte, email string) string {
	q := url.Values{}
	q.Set("secret", strings.ReplaceAll(codeText(secret), " ", ""))
	q.Set("issuer", "Bureau")
	return "otpauth://totp/" + url.PathEscape("Bureau:"+email) + "?" + q.Encode()
}
