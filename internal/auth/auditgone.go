package auth

import (
	"context"
	"crypto"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"time"
)

// A Gone is a stretch of the audit log that was let go when it was old enough: a
// month, or a part of one. What is left of it is signed, so that the log still
// begins where it must: nobody else can let a stretch go.
type Gone struct {
	First, Last int64  // the entries
	Month       string // that they are of, such as 2026-11
	Before, Sum [sha256.Size]byte
	At          time.Time // it was let go
	KeyID       string
	Signature   []byte
}

func (g Gone) message() []byte {
	b := []byte("bureau audit gone " + g.Month + " ")
	for _, n := range []int64{g.First, g.Last, millis(g.At)} {
		b = binary.BigEndian.AppendUint64(b, uint64(n))
	}
	return append(append(b, g.Before[:]...), g.Sum[:]...)
}

const monthForm = "2006-01"

// errEnough ends the reading of a log.
var errEnough = errors.New("enough was read")

// Forget lets go of the entries of whole months that ended before a time, at most
// so many at once if most is not 0, and returns how many. A stretch that is not as it
// was written stays, and is an error: letting go of it would hide what was done.
func (j *Journal) Forget(ctx context.Context, before time.Time, most int) (n int64, err error) {
	store := j.Directory.Store
	gone, err := store.AuditGone(ctx)
	if err != nil {
		return 0, err
	}
	_, heads, err := store.AuditHead(ctx)
	if err != nil {
		return 0, err
	}
	signed := map[int64][sha256.Size]byte{}
	for _, s := range heads {
		signed[s.Number] = s.Sum
	}
	var end Head // of what is gone
	if len(gone) > 0 {
		end = Head{Number: gone[len(gone)-1].Last, Sum: gone[len(gone)-1].Sum}
	}
	before = before.UTC()
	limit := time.Date(before.Year(), before.Month(), 1, 0, 0, 0, 0, time.UTC)
	g := Gone{First: end.Number + 1, Before: end.Sum, Last: end.Number, Sum: end.Sum}
	letGo := func() error {
		if g.Last < g.First {
			return nil
		}
		if err := j.letGo(ctx, &g); err != nil {
			return err
		}
		n += g.Last - g.First + 1
		g = Gone{First: g.Last + 1, Before: g.Sum, Last: g.Last, Sum: g.Sum}
		return nil
	}
	err = store.AuditLog(ctx, end.Number, func(e Entry) error {
		month := e.At.UTC().Format(monthForm)
		if !e.At.Before(limit) {
			return errEnough
		}
		// A clock that went back does not: those entries are of the later month.
		if g.Last >= g.First && (month > g.Month || most > 0 && g.Last-g.First+1 >= int64(most)) {
			if err := letGo(); err != nil {
				return err
			}
		}
		if e.Number != g.Last+1 || e.Sum != e.sum(g.Sum) {
			return fmt.Errorf("entry %d of the audit log is not as it was written: nothing is let go from %d on", e.Number, g.First)
		}
		if sum, ok := signed[e.Number]; ok && sum != e.Sum {
			return fmt.Errorf("entry %d of the audit log is not the one that was signed: nothing is let go from %d on", e.Number, g.First)
		}
		g.Last, g.Sum, g.Month = e.Number, e.Sum, max(g.Month, month)
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		return n, err
	}
	return n, letGo()
}

// letGo signs a stretch and lets it go.
func (j *Journal) letGo(ctx context.Context, g *Gone) error {
	d := j.Directory
	keys := d.Keys()
	i := slices.IndexFunc(keys, func(k Key) bool { return k.Audit && !k.Revoked })
	if i < 0 {
		return errors.New("there is no key to sign the audit log with")
	}
	private, err := d.Vault.open(keys[i])
	if err != nil {
		return err
	}
	g.At, g.KeyID = d.Now().UTC().Truncate(time.Millisecond), keys[i].ID
	if g.Signature, err = private.Sign(nil, g.message(), crypto.Hash(0)); err != nil {
		return fmt.Errorf("sign what is let go of the audit log: %w", err)
	}
	return d.Store.LetGo(ctx, *g)
}

// verifyGone reads what is left of the stretches that were let go, and returns
// where the log begins.
func verifyGone(gone []Gone, keys []Key, say func(format string, args ...any)) (end Head) {
	for _, g := range gone {
		if err := verifySigned(g.KeyID, g.message(), g.Signature, keys); err != nil {
			say("the end of the entries of %s, which were let go: %v", g.Month, err)
		}
		if g.First != end.Number+1 || g.Before != end.Sum || g.Last < g.First {
			say("the entries of %s, which were let go, do not follow those before them", g.Month)
		}
		end = Head{Number: g.Last, Sum: g.Sum}
	}
	return end
}

// Months are those of which entries were let go, in order.
func (f Finding) Months() (out []string) {
	for _, g := range f.Gone {
		out = append(out, g.Month)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
