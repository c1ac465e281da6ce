package company

import (
	"fmt"
	"testing"
)

// What a register numbers one after another lies side by side, and no two
// companies lie in one place.
func TestKeysOfNeighbours(t *testing.T) {
	seen := map[int64]ID{}
	put := func(id ID) int64 {
		k := id.key()
		if other, ok := seen[k]; ok && other != id {
			t.Fatalf("%s and %s have one key", id, other)
		}
		seen[k] = id
		return k
	}
	for _, form := range []string{"GB-0-%08d", "GB-0-SC%06d", "FR-0-%09d", "SE-0-55%08d", "DE-0-K1101R_HRB%d", "NO-0-9%08d", "US-0-%010d", "GB-0-%d", "IE-0-%06d"} {
		for start := range 10 {
			for n := range 2000 {
				n += start * 99_000
				a, b := ID(fmt.Sprintf(form, n)), ID(fmt.Sprintf(form, n+1))
				if ka, kb := put(a), put(b); len(a) == len(b) && n >= 1000 && kb != ka+1 {
					t.Fatalf("%s and %s are %d apart", a, b, kb-ka)
				}
			}
		}
	}
	for _, id := range []ID{"", "GB", "GB-0-", "GB-0-1", "GB-0-984500B0REAU00000135", "GB-0-984500B0REAU00000232", "GB-0-0000", "GB-0-00000"} {
		put(id)
	}
}
