package auth

import (
	"crypto/subtle"
	"encoding/base64"
	"strconv"
)

// cursorMark is how many bytes of a fingerprint go before a cursor's place.
const cursorMark = 16

// SealCursor writes a place in a list for a caller to hand back. It holds for
// that caller and that list alone.
func (v *Vault) SealCursor(by Caller, list string, place []byte) string {
	sum := v.cursorSum(by, list, place)
	return base64.RawURLEncoding.EncodeToString(append(sum[:cursorMark:cursorMark], place...))
}

// OpenCursor undoes SealCursor. ok is false for whatever it did not write for
// this caller and list.
func (v *Vault) OpenCursor(by Caller, list, cursor string) (place []byte, ok bool) {
	b, err := base64.RawURLEncoding.DecodeString(cursor)
	// The same bytes can be spelt in several ways, with line ends for one. Only
	// ours is taken.
	if err != nil || len(b) < cursorMark || base64.RawURLEncoding.EncodeToString(b) != cursor {
		return nil, false
	}
	place = b[cursorMark:]
	sum := v.cursorSum(by, list, place)
	return place, subtle.ConstantTimeCompare(sum[:cursorMark], b[:cursorMark]) == 1
}

func (v *Vault) cursorSum(by Caller, list string, place []byte) [32]byte {
	customer := strconv.AppendInt(nil, int64(by.Customer), 10)
	account := strconv.AppendInt(nil, int64(by.Account), 10)
	return v.mac(forCursor, customer, account, []byte(list), place)
}
