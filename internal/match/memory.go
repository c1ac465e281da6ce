package match

import "unsafe"

// view lets bytes that never change be compared as a string without a copy.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// A table32 maps hashes to numbers: all numbers of one bucket lie together.
// Several hashes share a bucket; whoever asks checks what it gets.
type table32 struct {
	start []uint32 // by bucket, and one more
	items []uint32
	shift uint8
	sieve []uint64 // of a small table that was made here and not loaded: the hashes in it, as far as their first bits tell
}

func (t *table32) bucket(hash uint32) []uint32 {
	if len(t.items) == 0 {
		return nil
	}
	if t.sieve != nil {
		if at := hash >> (t.shift - sieveBits); t.sieve[at/64]&(1<<(at%64)) == 0 {
			return nil
		}
	}
	b := hash >> t.shift
	return t.items[t.start[b]:t.start[b+1]]
}

// A table of so many bits at most has a sieve, with so many more. Nearly all that a
// small table is asked for is not in it, and the sieve, unlike the table, is small
// enough to be at hand.
const (
	sieved    = 16
	sieveBits = 5
)

// newTable32 sorts items into buckets. each calls its argument for every hash and
// item, and is called twice.
func newTable32(n int, each func(put func(hash, item uint32))) table32 {
	bits := uint8(4)
	for n > 3<<bits && bits < 28 {
		bits++
	}
	t := table32{start: make([]uint32, 1<<bits+1), shift: 32 - bits}
	if bits <= sieved {
		t.sieve = make([]uint64, 1<<(bits+sieveBits)/64)
	}
	each(func(hash, _ uint32) {
		t.start[hash>>t.shift+1]++
		if t.sieve != nil {
			at := hash >> (t.shift - sieveBits)
			t.sieve[at/64] |= 1 << (at % 64)
		}
	})
	for i := 1; i < len(t.start); i++ {
		t.start[i] += t.start[i-1]
	}
	t.items = make([]uint32, t.start[len(t.start)-1])
	each(func(hash, item uint32) {
		at := &t.start[hash>>t.shift]
		t.items[*at] = item
		*at++
	})
	// Filling has moved each start to its end: move them back.
	copy(t.start[1:], t.start[:len(t.start)-1])
	t.start[0] = 0
	return t
}

// hash32 is FNV-1a with a last stir, since buckets are taken from the top bits.
func hash32(seed uint32, b []byte) uint32 {
	h := seed ^ 2166136261
	for _, c := range b {
		h = (h ^ uint32(c)) * 16777619
	}
	h ^= h >> 15
	h *= 0x2c1b3c6d
	h ^= h >> 12
	h *= 0x297a2d39
	return h ^ h>>15
}
