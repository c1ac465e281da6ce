package auth

import (
	"context"
	"encoding/base32"
	"strings"
	"time"
)

// What the tests in package auth_test need to see of the inside. They live in a
// package of their own because they use the real database, which imports auth.

// Check runs only the part of Authenticate that looks at the password.
func (l *Login) Check(ctx context.Context, r LoginRequest) error {
	_, err := l.check(ctx, r, false)
	return err
}

// SlowDecoy reports whether an unknown name would be as slow as a chosen password.
func (l *Login) SlowDecoy(userKey string) bool {
	return l.Checker.decoyIsSlow(userKey, l.Directory.now.Load().chosenShare())
}

// SetLimiterRoom makes the limiter's tables so small that a test can fill them.
func (d *Directory) SetLimiterRoom(n int) {
	d.limits.identical.room, d.limits.sources.room, d.limits.pairs.room = n, n, n
}

// PrivateBytes are a key's secret bytes, which must be found nowhere.
func (v *Vault) PrivateBytes(k Key) ([]byte, error) { return v.Open("key "+k.ID, k.Sealed) }

// Crowd makes the checker's pool and its queue look full, until free is called.
func (c *Checker) Crowd() (free func()) {
	for range cap(c.slots) {
		c.slots <- struct{}{}
	}
	queue := int64(cap(c.slots) * queuePerSlot)
	c.waiting.Add(queue)
	return func() {
		c.waiting.Add(-queue)
		for range cap(c.slots) {
			<-c.slots
		}
	}
}

// CodeAt is the code that an app shows for a secret, as it is typed in, at a time.
func CodeAt(text string, at time.Time) string {
	secret, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(strings.ReplaceAll(text, " ", ""))
	if err != nil {
		panic(err)
	}
	return codeAt(secret, at.Unix()/int64(codeStep/time.Second))
}

// CodeOfStep is the code of a step for a secret.
func CodeOfStep(secret []byte, step int64) string { return codeAt(secret, step) }

// Waiting is how many notes wait for a turn.
func (j *Journal) Waiting() int { return len(j.queue) }
