package store

import (
	"encoding/binary"
	"fmt"
	"time"

	"bureau/internal/auth"
)

// attemptSize is one attempt as bytes: its time, its four fingerprints, and a
// byte of flags. Packed, a turn of a thousand logins is one row.
const attemptSize = 5*8 + 1

const (
	flagInvalid = 1 << iota
	flagClosed
	flagBarred
)

func packAttempts(attempts []auth.Attempt) []byte {
	b := make([]byte, 0, len(attempts)*attemptSize)
	for _, a := range attempts {
		var flags byte
		if a.Invalid {
			flags |= flagInvalid
		}
		if a.Closed {
			flags |= flagClosed
		}
		if a.Barred {
			flags |= flagBarred
		}
		for _, n := range []uint64{uint64(a.At.UnixMilli()), a.Source, a.Wide, a.Pair, a.Request} {
			b = binary.BigEndian.AppendUint64(b, n)
		}
		b = append(b, flags)
	}
	return b
}

func appendAttempts(to []auth.Attempt, b []byte) ([]auth.Attempt, error) {
	if len(b)%attemptSize != 0 {
		return to, fmt.Errorf("%d bytes of login attempts", len(b))
	}
	for ; len(b) > 0; b = b[attemptSize:] {
		n := func(i int) uint64 { return binary.BigEndian.Uint64(b[8*i:]) }
		flags := b[attemptSize-1]
		to = append(to, auth.Attempt{
			At:     time.UnixMilli(int64(n(0))).UTC(),
			Source: n(1), Wide: n(2), Pair: n(3), Request: n(4),
			Invalid: flags&flagInvalid != 0, Closed: flags&flagClosed != 0, Barred: flags&flagBarred != 0,
		})
	}
	return to, nil
}
