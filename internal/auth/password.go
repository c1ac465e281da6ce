package auth

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"

	"bureau/internal/fault"
)

// A Verifier is what we keep of a password, as text. There are two classes:
//
//	issued$…      Bureau made the password: 178 random bits, which no guessing
//	              reaches, so a keyed hash is enough and costs a microsecond
//	$argon2id$…   a person chose it, so checking it must be slow
//
// Only Bureau decides the class; no request can.
type Verifier string

func (v Verifier) String() string { return "***" }

// GoString keeps a verifier out of %#v too.
func (v Verifier) GoString() string { return "auth.Verifier(***)" }

const (
	issuedPrefix = "issued$"
	chosenPrefix = "$argon2id$"
)

func (v Verifier) isChosen() bool { return strings.HasPrefix(string(v), chosenPrefix) }

const passwordAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

// IssuePassword makes a password of 30 characters and what to keep of it.
func (v *Vault) IssuePassword() (password string, keep Verifier) {
	password = RandomPassword()
	return password, v.issuedVerifier(password)
}

// RandomPassword makes 30 characters, 178 bits.
func RandomPassword() string {
	b := make([]byte, 0, MaxCredential)
	buf := make([]byte, 64)
	for len(b) < MaxCredential {
		rand.Read(buf)
		for _, c := range buf {
			// 248 is the largest multiple of 62 in a byte: beyond it some
			// letters would be likelier than others.
			if c < 248 && len(b) < MaxCredential {
				b = append(b, passwordAlphabet[c%62])
			}
		}
	}
	return string(b)
}

func (v *Vault) issuedVerifier(password string) Verifier {
	sum := v.mac(forPassword, []byte(password))
	return Verifier(issuedPrefix + base64.RawStdEncoding.EncodeToString(sum[:]))
}

// Cost is how hard argon2id works.
type Cost struct {
	Memory  uint32 // KiB
	Time    uint32
	Threads uint8
}

// DefaultCost takes about 40 ms and 19 MiB.
var DefaultCost = Cost{Memory: 19 * 1024, Time: 2, Threads: 1}

// MinChosen is the fewest characters of a password that a person chooses.
const MinChosen = 12

// ChoosePassword keeps a password that a person chose. It is taken exactly as
// it is: no trimming, no normalising.
func ChoosePassword(password string, c Cost) (Verifier, error) {
	switch n := utf8.RuneCountInString(password); {
	case n < MinChosen:
		return "", fault.Invalid.Errorf("the password has %d characters; use at least %d", n, MinChosen)
	case n > MaxCredential:
		return "", fault.Invalid.Errorf("the password has %d characters; use at most %d", n, MaxCredential)
	}
	salt := make([]byte, 16)
	rand.Read(salt)
	return chosenVerifier(password, salt, c), nil
}

func chosenVerifier(password string, salt []byte, c Cost) Verifier {
	return formatChosen(c, salt, argon2.IDKey([]byte(password), salt, c.Time, c.Memory, c.Threads, 32))
}

func formatChosen(c Cost, salt, sum []byte) Verifier {
	return Verifier(fmt.Sprintf("%sv=%d$m=%d,t=%d,p=%d$%s$%s", chosenPrefix, argon2.Version,
		c.Memory, c.Time, c.Threads,
		base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(sum)))
}

// verifyIssued reports whether password is the one that keep was made from.
func (v *Vault) verifyIssued(keep Verifier, password string) bool {
	want := v.issuedVerifier(password)
	return subtle.ConstantTimeCompare([]byte(want), []byte(keep)) == 1
}

// verifyChosen is its slow sister.
func verifyChosen(keep Verifier, password string) bool {
	c, salt, sum, err := parseChosen(string(keep))
	if err != nil {
		return false
	}
	got := argon2.IDKey([]byte(password), salt, c.Time, c.Memory, c.Threads, uint32(len(sum)))
	return subtle.ConstantTimeCompare(got, sum) == 1
}

// Bounds on a stored hash. A hash that asks for more would be a way to stop
// the service by storing one.
const (
	maxMemory = 256 * 1024
	maxTime   = 10
	maxThread = 8
)

func parseChosen(s string) (c Cost, salt, sum []byte, err error) {
	bad := func(why string) (Cost, []byte, []byte, error) {
		return Cost{}, nil, nil, fmt.Errorf("a stored password hash: %s", why)
	}
	parts := strings.Split(s, "$")
	if len(s) > 512 || len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" || parts[2] != "v=19" {
		return bad("not argon2id version 19")
	}
	cost := strings.Split(parts[3], ",")
	if len(cost) != 3 {
		return bad("its cost is unreadable")
	}
	var n [3]uint64
	for i, prefix := range []string{"m=", "t=", "p="} {
		digits, ok := strings.CutPrefix(cost[i], prefix)
		if n[i], err = strconv.ParseUint(digits, 10, 32); !ok || err != nil {
			return bad("its cost is unreadable")
		}
	}
	if n[0] < 8 || n[0] > maxMemory || n[1] < 1 || n[1] > maxTime || n[2] < 1 || n[2] > maxThread {
		return bad("its cost is out of bounds")
	}
	salt, err1 := base64.RawStdEncoding.Strict().DecodeString(parts[4])
	sum, err2 := base64.RawStdEncoding.Strict().DecodeString(parts[5])
	if err1 != nil || err2 != nil || len(salt) < 8 || len(salt) > 64 || len(sum) < 16 || len(sum) > 64 {
		return bad("its salt or sum is unreadable")
	}
	return Cost{uint32(n[0]), uint32(n[1]), uint8(n[2])}, salt, sum, nil
}
