package client

import (
	"context"
	"crypto/tls"
	"errors"
	"math/rand/v2"
	"net/http"
	"net/url"
	"time"
)

func (c *Client) retries() int {
	if c.Retries == 0 {
		return 2
	}
	return c.Retries
}

// repeatable reports whether sending the call twice does no more than sending it
// once: what only reads or sets, and what creates under a key. A file is read
// while it is sent, so it is sent once. What is deleted twice would be missing
// the second time, so that is for the caller to decide.
func (call Call) repeatable() bool {
	switch {
	case call.form != nil:
		return false
	case call.open: // authenticate
		return true
	case call.Method == http.MethodPost:
		return call.Key != ""
	}
	return call.Method == http.MethodGet || call.Method == http.MethodPut
}

// mayPass reports whether a failure is of the kind that passes: the connection
// broke before an answer came, or whatever stands before the service could not
// reach it. A service that says when to come again is busy for longer.
func mayPass(ctx context.Context, err error) bool {
	if ctx.Err() != nil {
		return false
	}
	var refused *Error
	if errors.As(err, &refused) {
		switch refused.Status {
		case http.StatusBadGateway, http.StatusGatewayTimeout:
			return true
		case http.StatusServiceUnavailable:
			return refused.RetryAfter == 0
		}
		return false
	}
	var broken *url.Error
	var untrusted *tls.CertificateVerificationError
	return errors.As(err, &broken) && !errors.As(err, &untrusted)
}

// pauseAfter grows with each attempt, and differs between clients, so that those
// who failed together do not come back together.
func pauseAfter(tries int) time.Duration {
	base := 200 * time.Millisecond << tries
	return base + rand.N(base)
}
