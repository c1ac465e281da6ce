package company

import (
	"context"
	"slices"
)

// spoken is what a source said before the file that is being read: its
// fingerprints in the order of their keys, and what the file has said of each.
type spoken struct {
	keys   []int64
	hashes []int64 // beside them
	marks  []mark  // beside them
}

// A mark is what a file has done with a company that its source knew.
type mark uint8

const (
	saidSame mark = 1 << iota // named it in the same words, before any others
	waits                     // said something else, which waits for the file's end
)

func (s *spoken) load(ctx context.Context, store Store, source string) error {
	err := store.Fingerprints(ctx, source, func(key, hash int64) {
		s.keys, s.hashes = append(s.keys, key), append(s.hashes, hash)
	})
	s.marks = make([]mark, len(s.keys))
	return err
}

// find returns where a key is.
func (s *spoken) find(key int64) (i int, ok bool) { return slices.BinarySearch(s.keys, key) }

// reword takes in what became of statements since they were loaded.
func (s *spoken) reword(list []Fingerprint) {
	for _, f := range list {
		if i, ok := s.find(f.Key); ok {
			s.hashes[i] = f.Hash
		}
	}
}

// A sieve remembers numbers. It never forgets one; beyond the first few it may
// claim, very seldom, to have one that it was not given. So it takes the same
// room for a file of any length.
type sieve struct {
	few  map[uint64]struct{}
	bits []uint64
}

const (
	sieveFew  = 1 << 14 // so many are kept as they are
	sieveSize = 1 << 21 // words of 64 bits: 16 MB
)

func (s *sieve) add(n uint64) {
	if s.bits != nil {
		s.set(n)
		return
	}
	if s.few == nil {
		s.few = map[uint64]struct{}{}
	}
	s.few[n] = struct{}{}
	if len(s.few) == sieveFew {
		s.bits = make([]uint64, sieveSize)
		for n := range s.few {
			s.set(n)
		}
		s.few = nil
	}
}

func (s *sieve) has(n uint64) bool {
	if s.bits == nil {
		_, ok := s.few[n]
		return ok
	}
	word, bits := sieveBits(n)
	return s.bits[word]&bits == bits
}

func (s *sieve) set(n uint64) {
	word, bits := sieveBits(n)
	s.bits[word] |= bits
}

// sieveBits is the word that a number falls into, and the four bits of it that stand
// for the number, so that a look costs one trip to memory.
func sieveBits(n uint64) (word int, bits uint64) {
	n = (n ^ n>>32) * 0x9e3779b97f4a7c15 // keys of neighbours are alike
	n ^= n >> 29
	return int(n % sieveSize), 1<<(n>>58) | 1<<(n>>52&63) | 1<<(n>>46&63) | 1<<(n>>40&63)
}
