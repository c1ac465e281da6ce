package company

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/cespare/xxhash/v2"
)

// numbers are the names that an index of names has for its entries: it knows
// them by numbers only. A number is the hash of an id, or one of those behind it
// where two ids have the same.
type numbers struct {
	mu    sync.RWMutex
	known []uint64 // sorted
	ends  []uint32 // beside them: where each id ends in text
	text  []byte
	added map[uint64]string // since
}

// newNumbers gives every id of a list its number. The list is sorted by that.
func newNumbers(ids []string) *numbers {
	slices.SortFunc(ids, func(a, b string) int {
		x, y := xxhash.Sum64String(a), xxhash.Sum64String(b)
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return strings.Compare(a, b)
	})
	n := &numbers{known: make([]uint64, len(ids)), ends: make([]uint32, len(ids)), added: map[uint64]string{}}
	size := 0
	for _, id := range ids {
		size += len(id)
	}
	n.text = make([]byte, 0, size)
	last := uint64(0)
	for i, id := range ids {
		last = max(xxhash.Sum64String(id), last+1)
		n.text = append(n.text, id...)
		n.known[i], n.ends[i] = last, uint32(len(n.text))
	}
	return n
}

// id is whose number it is.
func (n *numbers) id(number uint64) (string, bool) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	return n.at(number)
}

func (n *numbers) at(number uint64) (string, bool) {
	if i, ok := slices.BinarySearch(n.known, number); ok {
		from := uint32(0)
		if i > 0 {
			from = n.ends[i-1]
		}
		return string(n.text[from:n.ends[i]]), true
	}
	id, ok := n.added[number]
	return id, ok
}

// of is the number of an id, if it has one.
func (n *numbers) of(id string) (number uint64, ok bool) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	return n.find(id)
}

// find is the number that an id has, or the first that is free for it.
func (n *numbers) find(id string) (number uint64, ok bool) {
	for number = max(xxhash.Sum64String(id), 1); ; number++ {
		switch other, taken := n.at(number); {
		case !taken:
			return number, false
		case other == id:
			return number, true
		}
	}
}

// give is the number of an id, a new one if need be.
func (n *numbers) give(id string) uint64 {
	if number, ok := n.of(id); ok {
		return number
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	number, ok := n.find(id)
	if !ok {
		n.added[number] = id
	}
	return number
}

// write writes all of them.
func (n *numbers) write(w io.Writer) error {
	n.mu.RLock()
	added := maps.Clone(n.added)
	n.mu.RUnlock()
	out := bufio.NewWriterSize(w, 1<<20)
	put := func(v uint64) { _, _ = out.Write(binary.LittleEndian.AppendUint64(nil, v)) } // Flush tells
	put(uint64(len(n.known)))
	put(uint64(len(n.text)))
	put(uint64(len(added)))
	for i, number := range n.known {
		put(number)
		put(uint64(n.ends[i]))
	}
	_, _ = out.Write(n.text)
	for number, id := range added {
		put(number)
		put(uint64(len(id)))
		_, _ = out.WriteString(id)
	}
	return out.Flush()
}

var errNumbers = errors.New("the numbers do not fit together")

// readNumbers reads what write wrote. It believes a length only as far as bytes
// follow: the file may be damaged.
func readNumbers(in *bufio.Reader) (*numbers, error) {
	var err error
	number := func() uint64 {
		var b [8]byte
		if err == nil {
			_, err = io.ReadFull(in, b[:])
		}
		return binary.LittleEndian.Uint64(b[:])
	}
	text := func(n uint64) []byte {
		b, rerr := io.ReadAll(io.LimitReader(in, int64(min(n, 1<<32))))
		if err = errors.Join(err, rerr); err == nil && uint64(len(b)) != n {
			err = io.ErrUnexpectedEOF
		}
		return b
	}
	n := &numbers{added: map[uint64]string{}}
	known, size, added := number(), number(), number()
	for range known {
		v, end := number(), number()
		if err != nil {
			return nil, err
		}
		if last := len(n.known) - 1; end > size || last >= 0 && (v <= n.known[last] || end < uint64(n.ends[last])) {
			return nil, errNumbers
		}
		n.known, n.ends = append(n.known, v), append(n.ends, uint32(end))
	}
	n.text = text(size)
	for range added {
		v, length := number(), number()
		if err != nil || length > maxKey {
			return nil, errors.Join(err, errNumbers)
		}
		n.added[v] = string(text(length))
	}
	return n, err
}
