package client

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"
)

const (
	// renewEarly is how long before its end a token is replaced.
	renewEarly = 5 * time.Minute
	// retryRenewal is how long a failed renewal is left alone while the old
	// token still serves.
	retryRenewal = 30 * time.Second
	// usualLife is how long a token lives that does not say so itself.
	usualLife = time.Hour
)

// Authenticate gets a fresh token, which later calls then use. Nobody has to
// call it: the other methods do when they need one.
func (c *Client) Authenticate(ctx context.Context) (token string, err error) {
	var out struct {
		Token string `json:"token"`
	}
	asked := time.Now()
	err = c.Do(ctx, Call{
		Method: http.MethodPost, Path: "/authenticate", open: true,
		In:  map[string]string{"username": c.Username, "password": c.Password},
		Out: &out,
	})
	if err != nil {
		return "", err
	}
	if out.Token == "" {
		return "", errors.New("authenticate: the answer holds no token")
	}
	c.keep(out.Token, asked)
	return out.Token, nil
}

// A renewal is one authenticate call that everyone waits for who needs a token.
type renewal struct {
	done  chan struct{}
	token string
	err   error
}

// token is the one to send now.
func (c *Client) token(ctx context.Context) (string, error) {
	for {
		f, held, first := c.look(time.Now())
		if held != "" {
			return held, nil
		}
		if first {
			c.renew(ctx, f)
		}
		select {
		case <-f.done:
		case <-ctx.Done():
			return "", ctx.Err()
		}
		// The one who renewed for us may have given up; we have not.
		gaveUp := errors.Is(f.err, context.Canceled) || errors.Is(f.err, context.DeadlineExceeded)
		if !gaveUp || ctx.Err() != nil || first {
			return f.token, f.err
		}
	}
}

// look returns the token that will do, or else the renewal to wait for; first
// says that it is ours to run. While one caller renews early, the others go on
// with the old token.
func (c *Client) look(now time.Time) (f *renewal, held string, first bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.held != "" && now.Before(c.expires) && (now.Before(c.renewAt) || c.renewing != nil) {
		return nil, c.held, false
	}
	if c.renewing != nil {
		return c.renewing, "", false
	}
	c.renewing = &renewal{done: make(chan struct{})}
	return c.renewing, "", true
}

func (c *Client) renew(ctx context.Context, f *renewal) {
	f.token, f.err = c.Authenticate(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := time.Now(); f.err != nil && c.held != "" && now.Before(c.expires) {
		f.token, f.err = c.held, nil
		c.renewAt = now.Add(retryRenewal)
	}
	c.renewing = nil
	close(f.done)
}

func (c *Client) keep(token string, asked time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	life := lifeOf(token, asked)
	c.held, c.expires = token, asked.Add(life)
	c.renewAt = c.expires.Add(-min(renewEarly, life/2))
}

// drop forgets a token that was refused, unless it was replaced already.
func (c *Client) drop(token string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.held == token {
		c.held = ""
	}
}

// lifeOf reads how long a token lives. Where it says when it was issued, the
// difference counts, so that our own clock may be wrong.
func lifeOf(token string, now time.Time) time.Duration {
	var claims struct {
		Expires int64 `json:"exp"`
		Issued  int64 `json:"iat"`
	}
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return usualLife
	}
	b, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil || json.Unmarshal(b, &claims) != nil || claims.Expires <= 0 {
		return usualLife
	}
	if claims.Issued > 0 {
		return time.Duration(claims.Expires-claims.Issued) * time.Second
	}
	return time.Unix(claims.Expires, 0).Sub(now)
}

// NewKey makes an Idempotency-Key for a Call. Keep it with what you are about
// to create, and a call that is repeated after a crash creates nothing twice.
func NewKey() string { return rand.Text() }
