package bods

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"iter"
	"os"
)

// maxTail is what a scratch holds in memory: small files never touch the disk.
const maxTail = 4 << 20

// A scratch is a list of entries, most of it in a file that is gone when it is
// closed. Its zero value is empty.
type scratch struct {
	file *os.File
	base int64  // the size of the file
	tail []byte // what comes after it
	err  error  // what all ended with
}

const headLen = 4 // an entry begins with its length

// add appends an entry, and says where it is.
func (s *scratch) add(b []byte) (at int64, err error) {
	if len(s.tail) > maxTail {
		if err := s.flush(); err != nil {
			return 0, err
		}
	}
	at = s.base + int64(len(s.tail))
	s.tail = binary.BigEndian.AppendUint32(s.tail, uint32(len(b)))
	s.tail = append(s.tail, b...)
	return at, nil
}

func (s *scratch) flush() error {
	if s.file == nil {
		f, err := os.CreateTemp("", "bureau-bods-")
		if err != nil {
			return err
		}
		s.file = f
		// Where the system lets it, the file has no name from here on, so that
		// nothing of it is left however we end.
		_ = os.Remove(f.Name())
	}
	if _, err := s.file.WriteAt(s.tail, s.base); err != nil {
		return err
	}
	s.base += int64(len(s.tail))
	s.tail = s.tail[:0]
	return nil
}

// get returns the entry at a place.
func (s *scratch) get(at int64) ([]byte, error) {
	if at >= s.base {
		b := s.tail[at-s.base:]
		n := binary.BigEndian.Uint32(b)
		return b[headLen : headLen+n], nil
	}
	// Most entries are shorter than this: one read gets all of it.
	b := make([]byte, 1024)
	got, err := s.file.ReadAt(b[:min(int64(len(b)), s.base-at)], at)
	if err != nil && !errors.Is(err, io.EOF) || got < headLen {
		return nil, errors.Join(errors.New("the scratch file is not what was written"), err)
	}
	n := int(binary.BigEndian.Uint32(b))
	if headLen+n <= got {
		return b[headLen : headLen+n], nil
	}
	b = make([]byte, n)
	_, err = s.file.ReadAt(b, at+headLen)
	return b, err
}

// all yields every entry with its place, in their order. An entry is good until
// the next one. err says why it ended early.
func (s *scratch) all() iter.Seq2[int64, []byte] {
	return func(yield func(int64, []byte) bool) {
		at := int64(0)
		var b []byte
		if s.file != nil {
			in := bufio.NewReaderSize(io.NewSectionReader(s.file, 0, s.base), 256<<10)
			for at < s.base {
				var head [headLen]byte
				if _, s.err = io.ReadFull(in, head[:]); s.err != nil {
					return
				}
				n := int(binary.BigEndian.Uint32(head[:]))
				if n > cap(b) {
					b = make([]byte, n)
				}
				b = b[:n]
				if _, s.err = io.ReadFull(in, b); s.err != nil {
					return
				}
				if !yield(at, b) {
					return
				}
				at += int64(headLen + n)
			}
		}
		for rest := s.tail; len(rest) > 0; {
			n := int(binary.BigEndian.Uint32(rest))
			if !yield(at, rest[headLen:headLen+n]) {
				return
			}
			rest = rest[headLen+n:]
			at += int64(headLen + n)
		}
	}
}

func (s *scratch) close() {
	if s.file != nil {
		_ = s.file.Close()
		_ = os.Remove(s.file.Name())
	}
}
