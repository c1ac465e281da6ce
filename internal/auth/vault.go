package auth

import (
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"sync"

	"golang.org/x/crypto/chacha20poly1305"
)

// MasterKeySize is the length in bytes of the key that everything secret hangs on.
const MasterKeySize = 32

// A Vault keeps the secrets of the house: it encrypts what must be read again
// and fingerprints what must only be recognised. Each purpose has a key of its
// own, derived from the master key, so that a fingerprint made for one purpose
// says nothing about another.
type Vault struct {
	box  cipher.AEAD
	macs map[purpose]*sync.Pool
}

type purpose string

const (
	forPassword purpose = "issued password"
	forLimit    purpose = "login limit"
	forPerson   purpose = "person in the audit log"
	forHead     purpose = "head of the audit log"
	forDecoy    purpose = "decoy"
	forCheck    purpose = "master key check"
	forAddress  purpose = "signed address"
	forCursor   purpose = "place in a list"
	forBank     purpose = "bank account"
	forSubject  purpose = "screened subject"
)

// NewVault opens a vault with its master key.
func NewVault(master []byte) (*Vault, error) {
	if len(master) != MasterKeySize {
		return nil, fmt.Errorf("the master key has %d bytes, want %d", len(master), MasterKeySize)
	}
	seal, err := hkdf.Key(sha256.New, master, nil, "bureau seal", chacha20poly1305.KeySize)
	if err != nil {
		return nil, fmt.Errorf("derive the sealing key: %w", err)
	}
	box, err := chacha20poly1305.NewX(seal)
	if err != nil {
		return nil, fmt.Errorf("open the vault: %w", err)
	}
	v := &Vault{box: box, macs: map[purpose]*sync.Pool{}}
	for _, p := range []purpose{forPassword, forLimit, forPerson, forHead, forDecoy, forCheck, forAddress, forCursor, forBank, forSubject} {
		key, err := hkdf.Key(sha256.New, master, nil, "bureau mac "+string(p), sha256.Size)
		if err != nil {
			return nil, fmt.Errorf("derive the key for %s: %w", p, err)
		}
		v.macs[p] = &sync.Pool{New: func() any { return hmac.New(sha256.New, key) }}
	}
	return v, nil
}

// Check is a fingerprint of the master key itself. It is kept in the database,
// so that a node with another key file notices before it does harm.
func (v *Vault) Check() []byte {
	sum := v.mac(forCheck, []byte("bureau"))
	return sum[:16]
}

// Seal encrypts plain; name binds it to the place where it is kept.
func (v *Vault) Seal(name string, plain []byte) []byte {
	nonce := make([]byte, v.box.NonceSize(), v.box.NonceSize()+len(plain)+v.box.Overhead())
	rand.Read(nonce)
	return v.box.Seal(nonce, nonce, plain, []byte(name))
}

// Open undoes Seal. It fails if a bit was changed, if the name is another, or
// if the master key is.
func (v *Vault) Open(name string, sealed []byte) ([]byte, error) {
	n := v.box.NonceSize()
	if len(sealed) < n {
		return nil, errors.New("the sealed value is cut short")
	}
	plain, err := v.box.Open(nil, sealed[:n], sealed[n:], []byte(name))
	if err != nil {
		return nil, fmt.Errorf("open %s: it was sealed with another key, or changed", name)
	}
	return plain, nil
}

// Person names a person in the audit log without saying who it is: the same
// person has the same name, and nobody without the key can tell whose.
func (v *Vault) Person(id string) string {
	sum := v.mac(forPerson, []byte(id))
	return hex.EncodeToString(sum[:12])
}

// BankAccount names a bank account without saying which: a database that was
// stolen shows no account numbers.
func (v *Vault) BankAccount(number string) string {
	sum := v.mac(forBank, []byte(number))
	return hex.EncodeToString(sum[:16])
}

// Subject is what somebody who is screened is recognised by, without their name.
func (v *Vault) Subject(name string) string {
	sum := v.mac(forSubject, []byte(name))
	return hex.EncodeToString(sum[:16])
}

// Sign makes a signature of an address, so that whoever holds the address may
// use it and nobody can make one up.
func (v *Vault) Sign(address string) string {
	sum := v.mac(forAddress, []byte(address))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// Signed reports whether Sign made the signature for this address.
func (v *Vault) Signed(address, signature string) bool {
	return subtle.ConstantTimeCompare([]byte(v.Sign(address)), []byte(signature)) == 1
}

// mac fingerprints the parts. Each is preceded by its length: ("ab","c") and
// ("a","bc") differ.
func (v *Vault) mac(p purpose, parts ...[]byte) (sum [sha256.Size]byte) {
	pool := v.macs[p]
	h := pool.Get().(hash.Hash)
	defer pool.Put(h)
	h.Reset()
	var n [4]byte
	for _, part := range parts {
		binary.BigEndian.PutUint32(n[:], uint32(len(part)))
		h.Write(n[:])
		h.Write(part)
	}
	h.Sum(sum[:0])
	return sum
}
