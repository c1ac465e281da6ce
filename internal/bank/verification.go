package bank

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"bureau/internal/auth"
	"bureau/internal/fault"
)

// A Verification is one question of a customer about a British account, and
// what it was told. Of the account number it keeps a fingerprint and the last
// digits.
type Verification struct {
	ID          string
	Account     auth.AccountID // who asked
	At          time.Time
	Name        string
	Type        AccountType
	Secondary   string
	Reference   string // the customer's own
	SortCode    SortCode
	Masked      string
	Fingerprint string
	Payee       Payee
	Branch      Branch // without a bank if the directory does not have it
}

// A Request asks whether an account is somebody's.
type Request struct {
	Name      string
	Number    string
	SortCode  string
	Type      string
	Secondary string
	Reference string
}

// Limits on what customers send along.
const (
	MaxName      = 140
	MaxReference = 255
)

// check finds everything that is wrong with a request.
func (r Request) check(ctx context.Context, t *Tables) (GB, AccountType, error) {
	var wrong []string
	if strings.TrimSpace(r.Name) == "" {
		wrong = append(wrong, "customerName: it is missing")
	} else if len([]rune(r.Name)) > MaxName {
		wrong = append(wrong, fmt.Sprintf("customerName: it is longer than %d characters", MaxName))
	}
	kind, err := ParseAccountType(r.Type)
	if err != nil {
		wrong = append(wrong, "accountType: "+err.Error())
	}
	for _, ref := range [][2]string{{"secondaryReference", r.Secondary}, {"customerReference", r.Reference}} {
		if err := checkReference(ref[1]); err != nil {
			wrong = append(wrong, ref[0]+": "+err.Error())
		}
	}
	acc, err := ParseGB("sortCode", r.SortCode, "bankAccount", r.Number)
	if v, ok := fault.Of(err); ok {
		wrong = append(wrong, v.Details...)
	} else {
		state, why, err := t.Check(ctx, acc)
		if err != nil {
			return acc, kind, err
		}
		if state == Fails {
			wrong = append(wrong, "bankAccount: "+why.String())
		}
	}
	if len(wrong) > 0 {
		return acc, kind, fault.Invalid.Details("Bad request", wrong...)
	}
	return acc, kind, nil
}

func checkReference(text string) error {
	if len([]rune(text)) > MaxReference {
		return fault.Invalid.Errorf("it is longer than %d characters", MaxReference)
	}
	return nil
}

// Verify answers whether a British account is held under a name, and keeps the
// question and the answer. A request that makes no sense is a fault.Invalid
// that names each field, and leaves no trace.
func (d *Desk) Verify(ctx context.Context, by auth.Caller, r Request) (Verification, error) {
	acc, kind, err := r.check(ctx, d.Tables)
	if err != nil {
		return Verification{}, err
	}
	v := Verification{
		ID: newID(), Account: by.Account, At: d.Now().UTC().Truncate(time.Millisecond),
		Name: strings.TrimSpace(r.Name), Type: kind, Secondary: strings.TrimSpace(r.Secondary), Reference: strings.TrimSpace(r.Reference),
		SortCode: acc.SortCode, Masked: Mask(acc.Number.String()), Fingerprint: d.Fingerprint(accountKey("GB", acc.key())),
	}
	if v.Branch, err = d.branchIfKnown(ctx, acc.SortCode); err != nil {
		return Verification{}, err
	}
	v.Payee, err = d.payee(ctx, payeeQuestion{
		country: "GB", number: acc.key(), place: acc.SortCode.String(), name: v.Name, kind: kind, reference: v.Secondary,
	})
	if err != nil {
		return Verification{}, err
	}
	return v, d.Store.AddBankVerification(ctx, by, v)
}

// branchIfKnown is the directory's branch, or the sort code alone: not every one
// is in it.
func (d *Desk) branchIfKnown(ctx context.Context, code SortCode) (Branch, error) {
	b, err := d.Branch(ctx, code)
	if errors.Is(err, fault.Missing) {
		return Branch{SortCode: code}, nil
	}
	return b, err
}

// IsSame reports whether an account is the one that a verification was about.
func (d *Desk) IsSame(ctx context.Context, by auth.Caller, id, code, number string) (bool, error) {
	v, err := d.Store.BankVerification(ctx, by, id)
	if err != nil {
		return false, err
	}
	acc, err := ParseGB("sortCode", code, "bankAccount", number)
	if err != nil {
		return false, err
	}
	is := d.Fingerprint(accountKey("GB", acc.key()))
	return subtle.ConstantTimeCompare([]byte(is), []byte(v.Fingerprint)) == 1, nil
}

// Verification returns one that the caller's customer asked for.
func (d *Desk) Verification(ctx context.Context, by auth.Caller, id string) (Verification, error) {
	return d.Store.BankVerification(ctx, by, id)
}

// SetReference gives a verification another reference.
func (d *Desk) SetReference(ctx context.Context, by auth.Caller, id, reference string) error {
	_, err := d.Store.UpdateBankVerification(ctx, by, id, func(v *Verification) error {
		if err := checkReference(reference); err != nil {
			return fault.Invalid.Details("Bad request", "customerReference: "+err.Error())
		}
		v.Reference = strings.TrimSpace(reference)
		return nil
	})
	return err
}

// maxListed is how many verifications a list has at most.
const maxListed = 1000

// Verifications lists what the caller's customer asked, the newest first.
func (d *Desk) Verifications(ctx context.Context, by auth.Caller, q VerificationQuery) ([]Verification, error) {
	if q.Limit <= 0 || q.Limit > maxListed {
		q.Limit = maxListed
	}
	return d.Store.BankVerifications(ctx, by, q)
}

// newID is a random UUID.
func newID() string {
	var b [16]byte
	rand.Read(b[:])
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	s := hex.EncodeToString(b[:])
	return s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:]
}
