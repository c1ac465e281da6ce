package auth

import (
	"context"
	"crypto"
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"encoding/binary"
	"fmt"
	"time"
)

// An Action is what an audit entry says was done.
type Action string

const (
	LoggedIn        Action = "login"
	LoginRefused    Action = "login refused"
	LoginsLimited   Action = "logins limited"
	CustomerAdded   Action = "customer added"
	CustomerGranted Action = "customer granted"
	AccountAdded    Action = "account added"
	AccountChanged  Action = "account changed"
	PasswordSet     Action = "password set"
	TokenRevoked    Action = "token revoked"
	KeyMade         Action = "key made"
	KeyRevoked      Action = "key revoked"
	PersonRead      Action = "person read"
	PersonRight     Action = "person right" // corrected, objected
	CallDenied      Action = "call denied"
	CustomerSet     Action = "customer setting"
	Screened        Action = "screened"
	SearchChanged   Action = "search changed"
	HitDecided      Action = "hit decided"
	ScheduleChanged Action = "schedule changed"
	KYCDone         Action = "kyc" // what was done with profiles and searches: package kyc writes the detail
)

// An Entry is one line of the audit log. Its sum covers the entry and, through
// the sum before it, every entry before: change, drop or insert one, and every
// later sum is wrong.
type Entry struct {
	Number   int64
	At       time.Time
	Action   Action
	Customer CustomerID // whose account did it; 0 for nobody's
	Account  AccountID  // 0 for a stranger, or for the operator on the command line
	Person   string     // whom it concerns, as Vault.Person names them
	Source   string     // the address it came from, named the same way
	Detail   string     // a few words or JSON; never a secret, never a person's name
	Sum      [sha256.Size]byte
}

// A Head is the end of the log. Its seal is made with a key that is not in the
// database, so an end that was cut off or written anew is noticed.
type Head struct {
	Number int64
	Sum    [sha256.Size]byte
	Seal   [sha256.Size]byte
}

// A SignedHead says, for anyone with the public key, how the log stood.
type SignedHead struct {
	Number    int64
	Sum       [sha256.Size]byte
	At        time.Time
	KeyID     string
	Signature []byte
}

// sum makes the sum of e after the sum before it. Every field is preceded by
// its length, so that no two entries are written alike.
func (e Entry) sum(before [sha256.Size]byte) [sha256.Size]byte {
	b := make([]byte, 0, 256)
	b = append(b, before[:]...)
	for _, n := range []int64{e.Number, millis(e.At), int64(e.Customer), int64(e.Account)} {
		b = binary.BigEndian.AppendUint64(b, uint64(n))
	}
	for _, s := range []string{string(e.Action), e.Person, e.Source, e.Detail} {
		b = binary.BigEndian.AppendUint32(b, uint32(len(s)))
		b = append(b, s...)
	}
	return sha256.Sum256(b)
}

// chain numbers and sums entries so that they follow the head, and returns the
// new one.
func (v *Vault) chain(h Head, at time.Time, entries []Entry) Head {
	for i := range entries {
		e := &entries[i]
		e.Number, e.At = h.Number+1, at
		e.Sum = e.sum(h.Sum)
		h.Number, h.Sum = e.Number, e.Sum
	}
	h.Seal = v.sealHead(h)
	return h
}

func (v *Vault) sealHead(h Head) [sha256.Size]byte {
	return v.mac(forHead, binary.BigEndian.AppendUint64(nil, uint64(h.Number)), h.Sum[:])
}

func (s SignedHead) message() []byte {
	b := []byte("bureau audit head")
	b = binary.BigEndian.AppendUint64(b, uint64(s.Number))
	b = binary.BigEndian.AppendUint64(b, uint64(millis(s.At)))
	return append(b, s.Sum[:]...)
}

// signHead signs the head with the audit log's own key.
func (v *Vault) signHead(k Key, h Head, at time.Time) (*SignedHead, error) {
	private, err := v.open(k)
	if err != nil {
		return nil, err
	}
	s := &SignedHead{Number: h.Number, Sum: h.Sum, At: at, KeyID: k.ID}
	s.Signature, err = private.Sign(nil, s.message(), crypto.Hash(0))
	if err != nil {
		return nil, fmt.Errorf("sign the head of the audit log: %w", err)
	}
	return s, nil
}

// A Finding is the result of reading the whole audit log.
type Finding struct {
	Entries int64
	Signed  int    // signed heads that were checked
	Gone    []Gone // what was let go, by its signed ends
	Problem string // empty if all is as it was written
}

// VerifyAudit reads the audit log from where it begins and says what is wrong
// with it, if anything is.
func VerifyAudit(ctx context.Context, s Store, v *Vault, keys []Key) (Finding, error) {
	for {
		f, err := verifyAudit(ctx, s, v, keys)
		if err != nil || f.Problem == "" {
			return f, err
		}
		// Something may have been let go while we read.
		gone, err := s.AuditGone(ctx)
		if err != nil {
			return f, err
		}
		if len(gone) <= len(f.Gone) {
			return f, nil
		}
	}
}

func verifyAudit(ctx context.Context, s Store, v *Vault, keys []Key) (f Finding, err error) {
	if f.Gone, err = s.AuditGone(ctx); err != nil {
		return f, err
	}
	head, signed, err := s.AuditHead(ctx)
	if err != nil {
		return Finding{}, fmt.Errorf("read the head of the audit log: %w", err)
	}
	say := func(format string, args ...any) {
		if f.Problem == "" {
			f.Problem = fmt.Sprintf(format, args...)
		}
	}
	sums := map[int64]SignedHead{}
	for _, sh := range signed {
		if err := verifyHead(sh, keys); err != nil {
			say("the signed head at entry %d: %v", sh.Number, err)
		}
		sums[sh.Number] = sh
	}
	last := verifyGone(f.Gone, keys, say)
	var newer int64
	err = s.AuditLog(ctx, 0, func(e Entry) error {
		if e.Number > head.Number {
			newer = e.Number // written since we read the head
			return nil
		}
		f.Entries++
		switch {
		case e.Number != last.Number+1:
			say("entry %d is missing: %d is followed by %d", last.Number+1, last.Number, e.Number)
		case e.Sum != e.sum(last.Sum):
			say("entry %d was changed, or one before it was", e.Number)
		}
		if sh, ok := sums[e.Number]; ok {
			f.Signed++
			if sh.Sum != e.Sum {
				say("entry %d is not the one that was signed on %s", e.Number, sh.At.UTC().Format(time.RFC3339))
			}
			delete(sums, e.Number)
		}
		last.Number, last.Sum = e.Number, e.Sum
		return nil
	})
	if err != nil {
		return f, fmt.Errorf("read the audit log: %w", err)
	}
	for n := range sums {
		say("entry %d was signed and is missing", n)
	}
	if last.Number != head.Number || last.Sum != head.Sum {
		say("the log ends at entry %d, but it was written up to %d", last.Number, head.Number)
	}
	if head.Number == 0 && len(keys) > 0 {
		say("the log is empty, but it was not when the keys were made")
	}
	if head.Number > 0 && head.Seal != v.sealHead(head) {
		say("the end of the log is not as Bureau wrote it (or the key file is another)")
	}
	if newer > 0 {
		// Bureau moves the head in the same transaction.
		now, _, err := s.AuditHead(ctx)
		if err != nil {
			return f, fmt.Errorf("read the head of the audit log: %w", err)
		}
		if now.Number < newer {
			say("entry %d is behind the end of the log: Bureau did not write it", newer)
		}
	}
	return f, nil
}

func verifyHead(s SignedHead, keys []Key) error {
	return verifySigned(s.KeyID, s.message(), s.Signature, keys)
}

func verifySigned(keyID string, message, signature []byte, keys []Key) error {
	for _, k := range keys {
		if k.ID != keyID || !k.Audit {
			continue
		}
		pub, err := x509.ParsePKIXPublicKey(k.Public)
		if err != nil {
			return fmt.Errorf("read key %s: %w", k.ID, err)
		}
		if p, ok := pub.(ed25519.PublicKey); ok && ed25519.Verify(p, message, signature) {
			return nil
		}
		return fmt.Errorf("its signature is wrong")
	}
	return fmt.Errorf("its key %s is unknown", keyID)
}
