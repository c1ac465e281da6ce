package auth

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"bureau/internal/fault"
)

// A18: lengths are counted in code points, and nothing is normalised first.
func TestLengthsOfCredentials(t *testing.T) {
	for _, c := range []struct {
		name, text   string
		passwordFits bool
		keyFits      bool
	}{
		{"11 letters", strings.Repeat("a", 11), false, true},
		{"12 letters", strings.Repeat("a", 12), true, true},
		{"30 letters", strings.Repeat("a", 30), true, true},
		{"31 letters", strings.Repeat("a", 31), false, false},
		{"30 of four bytes each", strings.Repeat("\U0001f511", 30), true, true},
		{"31 of four bytes each", strings.Repeat("\U0001f511", 31), false, false},
		{"15 letters with a combining accent each", strings.Repeat("e\u0301", 15), true, true},
		{"16 of them: 32 code points that look like 16", strings.Repeat("e\u0301", 16), false, false},
		{"30 spaces", strings.Repeat(" ", 30), true, true},
		{"29 letters and a NUL", strings.Repeat("a", 29) + "\x00", true, false},
		{"an e-mail address", "ann.smith@acme.test", true, false},
		{"bytes that are no text", strings.Repeat("\xff", 12), true, false},
	} {
		_, err := ChoosePassword(c.text, cheapCost)
		if (err == nil) != c.passwordFits || err != nil && !errors.Is(err, fault.Invalid) {
			t.Errorf("%s as a password: %v, want accepted: %t", c.name, err, c.passwordFits)
		}
		err = Account{UserKey: c.text}.check()
		if (err == nil) != c.keyFits || err != nil && !errors.Is(err, fault.Invalid) {
			t.Errorf("%s as a user key: %v, want accepted: %t", c.name, err, c.keyFits)
		}
	}
}

func TestIssuedPasswords(t *testing.T) {
	v := testVault(t)
	seen := map[string]bool{}
	letters := map[rune]int{}
	const many = 2000
	for range many {
		password, keep := v.IssuePassword()
		if len(password) != MaxCredential || seen[password] {
			t.Fatalf("password %q: want %d characters that were never issued before", password, MaxCredential)
		}
		seen[password] = true
		for _, r := range password {
			letters[r]++
		}
		if !v.verifyIssued(keep, password) || v.verifyIssued(keep, password[:29]) || v.verifyIssued(keep, strings.ToLower(password)) {
			t.Fatal("an issued password does not verify, or another does")
		}
	}
	// About 968 of each of the 62; eight standard deviations to either side.
	for _, r := range passwordAlphabet {
		if n := letters[r]; n < 720 || n > 1215 {
			t.Errorf("%q occurs %d times in %d passwords: not random", r, n, many)
		}
	}
}

// A17: a stored hash may not ask for more work than we are ready to do, and one
// that cannot be read opens for nobody.
func TestHostileHashesAreRefused(t *testing.T) {
	const salt, sum = "AAAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
	whole := func(cost string) string { return "$argon2id$v=19$" + cost + "$" + salt + "$" + sum }
	for _, s := range []string{
		whole("m=4194304,t=2,p=1"), whole("m=262145,t=2,p=1"), whole("m=4294967296,t=2,p=1"), whole("m=7,t=1,p=1"),
		whole("m=64,t=2147483648,p=1"), whole("m=64,t=11,p=1"), whole("m=64,t=0,p=1"), whole("m=64,t=1,p=0"),
		whole("m=64,t=1,p=9"), whole("m=-64,t=1,p=1"), whole("m=+64,t=1,p=1"), whole("m=64,t=1"), whole("t=1,m=64,p=1"),
		whole("m=64,t=1,p=1,x=1"), whole(""), whole("m=0x40,t=1,p=1"),
		"$argon2i$v=19$m=64,t=1,p=1$" + salt + "$" + sum, "$argon2id$v=16$m=64,t=1,p=1$" + salt + "$" + sum,
		"$argon2id$v=19$m=64,t=1,p=1$" + salt + "$", "$argon2id$v=19$m=64,t=1,p=1$$" + sum,
		"$argon2id$v=19$m=64,t=1,p=1$" + salt + "$" + sum + "=", "$argon2id$v=19$m=64,t=1,p=1$" + salt + "$AAAA",
		"$argon2id$v=19$m=64,t=1,p=1$" + salt + "$" + sum + "$", "x" + whole("m=64,t=1,p=1"), "$argon2id$",
		"$argon2id$v=19$m=64,t=1,p=1$" + strings.Repeat("A", 600) + "$" + sum,
	} {
		if _, _, _, err := parseChosen(s); err == nil {
			t.Errorf("%q is read", s)
		}
		if verifyChosen(Verifier(s), "") {
			t.Errorf("%q opens", s)
		}
	}
	if _, _, _, err := parseChosen(whole("m=64,t=1,p=1")); err != nil {
		t.Errorf("a hash that nothing is wrong with: %v", err)
	}
}

func FuzzParseChosen(f *testing.F) {
	f.Add("$argon2id$v=19$m=64,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
	f.Add("$argon2id$v=19$m=4194304,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
	f.Add("issued$AAAA")
	f.Fuzz(func(t *testing.T, s string) {
		c, salt, sum, err := parseChosen(s)
		if err != nil {
			return
		}
		if c.Memory > maxMemory || c.Time > maxTime || c.Threads > maxThread || c.Threads < 1 || c.Time < 1 {
			t.Fatalf("%q asks for %+v", s, c)
		}
		if len(salt) < 8 || len(sum) < 16 || len(salt)+len(sum) > 128 {
			t.Fatalf("%q has a salt of %d bytes and a sum of %d", s, len(salt), len(sum))
		}
	})
}

// A verifier never shows itself, however it is printed.
func TestVerifiersPrintAsStars(t *testing.T) {
	v := testVault(t)
	_, keep := v.IssuePassword()
	a := Account{UserKey: "ann", Password: keep, Console: keep}
	secret := strings.TrimPrefix(string(keep), issuedPrefix)
	for _, format := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x"} {
		for _, value := range []any{keep, a, &a, []Account{a}, fault.Invalid.Errorf("bad account %v", a)} {
			if s := fmt.Sprintf(format, value); strings.Contains(s, secret) || strings.Contains(s, fmt.Sprintf("%x", secret)) {
				t.Errorf("%s of a %T shows the verifier: %s", format, value, s)
			}
		}
	}
}
