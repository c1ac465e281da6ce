package auth

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"time"

	"bureau/internal/fault"
)

// Somebody who knows the password may try so many codes in so long; after that
// even the right one does not help them.
const (
	maxWrongCodes = 10
	codeWindow    = 15 * time.Minute
)

// GiveCode ends a sign-in that waits for a code, and returns the secret of the
// session that begins. A wrong code is a fault.Stranger, one too many a
// fault.Exhausted.
func (s *Sessions) GiveCode(ctx context.Context, v Visitor, code string) (SessionSecret, error) {
	found, a, err := s.Find(ctx, v.Secret)
	if err != nil {
		return "", err
	}
	if !found.Waiting {
		return "", errSignedOut
	}
	if err := s.spendCode(ctx, a, code); err != nil {
		return "", err
	}
	return s.begin(ctx, a, v, false)
}

// spendCode checks a code of an account and writes a wrong one down.
func (s *Sessions) spendCode(ctx context.Context, a Account, code string) error {
	var step int64
	if len(a.Second) > 0 {
		secret, err := s.vault().Open(secondName(a.ID), a.Second)
		if err != nil {
			return err
		}
		step = stepOf(secret, code, s.Now())
	}
	now := s.now()
	err := s.Store.SpendCode(ctx, a.ID, step, now, now.Add(-codeWindow), maxWrongCodes)
	if errors.Is(err, fault.Stranger) || errors.Is(err, fault.Exhausted) {
		told := s.Login.Journal.Write(ctx, Entry{Action: LoginRefused, Customer: a.Customer, Account: a.ID, Detail: "console code"})
		return errors.Join(err, told)
	}
	return err
}

// DraftCodes makes a secret for an account's codes. Nothing changes until a code
// made from it is handed to SetCodes.
func (s *Sessions) DraftCodes(a Account) CodeDraft {
	secret := newCodeSecret()
	return CodeDraft{
		Text: codeText(secret), URI: codeURI(secret, a.Email),
		Sealed: base64.RawURLEncoding.EncodeToString(s.vault().Seal(draftName(a.ID), secret)),
	}
}

// RedraftCodes is a draft that was made before.
func (s *Sessions) RedraftCodes(a Account, sealed string) (CodeDraft, error) {
	secret, err := s.openDraft(a, sealed)
	if err != nil {
		return CodeDraft{}, err
	}
	return CodeDraft{Text: codeText(secret), URI: codeURI(secret, a.Email), Sealed: sealed}, nil
}

func (s *Sessions) openDraft(a Account, sealed string) ([]byte, error) {
	b, err := base64.RawURLEncoding.DecodeString(sealed)
	if err == nil {
		b, err = s.vault().Open(draftName(a.ID), b)
	}
	if err != nil {
		return nil, fault.Invalid.Errorf("the secret was made for another account, or too long ago; begin again")
	}
	return b, nil
}

// SetCodes has the console ask an account for codes from now on, after it has
// shown that it can make one. All sessions end; the visitor's begins anew.
func (s *Sessions) SetCodes(ctx context.Context, a Account, v Visitor, sealed, code string) (SessionSecret, error) {
	secret, err := s.openDraft(a, sealed)
	if err != nil {
		return "", err
	}
	if stepOf(secret, code, s.Now()) == 0 {
		return "", fault.Invalid.Errorf("that is not the code that your app shows for this secret now")
	}
	a, err = s.Office.setSecond(ctx, a.UserKey, s.vault().Seal(secondName(a.ID), secret))
	if err != nil {
		return "", err
	}
	return s.begin(ctx, a, v, false)
}

// DropCodes has the console ask for none, after one last.
func (s *Sessions) DropCodes(ctx context.Context, a Account, v Visitor, code string) (SessionSecret, error) {
	if err := s.spendCode(ctx, a, code); err != nil {
		return "", err
	}
	a, err := s.Office.DropSecond(ctx, a.UserKey)
	if err != nil {
		return "", err
	}
	return s.begin(ctx, a, v, false)
}

// ChangePassword gives an account another password for the console. It needs the
// one before, under the limits of signing in. All sessions end; the visitor's
// begins anew.
func (s *Sessions) ChangePassword(ctx context.Context, a Account, v Visitor, was, is string) (SessionSecret, error) {
	n, err := s.Login.heard(ctx, LoginRequest{
		Source: v.Source, UserKey: tidyEmail(a.Email), Password: was, IsReadable: true, console: true,
	})
	switch {
	case err != nil:
		return "", err
	case n.ruling.limited:
		return "", fault.Exhausted.After(n.ruling.wait, "too many wrong passwords; try again in %s", n.ruling.wait.Round(time.Second))
	case !n.valid:
		return "", fault.Invalid.Errorf("that is not your password")
	}
	a, err = s.Office.SetChosenPassword(ctx, a.UserKey, is, true)
	if err != nil {
		return "", err
	}
	return s.begin(ctx, a, v, false)
}

func (s *Sessions) vault() *Vault { return s.Login.Directory.Vault }

func secondName(id AccountID) string { return fmt.Sprint("one-time codes of account ", id) }
func draftName(id AccountID) string  { return fmt.Sprint("draft of one-time codes of account ", id) }
