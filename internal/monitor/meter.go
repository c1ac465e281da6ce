package monitor

import (
	"crypto/sha256"
	"hash"
	"io"

	"bureau/internal/fault"
)

// A meter reads a file that is being sent, and stops when it becomes too much.
type meter struct {
	r     io.Reader
	hash  hash.Hash
	size  int64
	lines int
	last  byte
}

func newMeter(r io.Reader) *meter { return &meter{r: r, hash: sha256.New(), last: '\n'} }

func (m *meter) Read(p []byte) (int, error) {
	n, err := m.r.Read(p)
	m.hash.Write(p[:n])
	m.size += int64(n)
	for _, b := range p[:n] {
		// A line begins behind the end of the last one; \r\n is one end.
		if m.last == '\n' || m.last == '\r' && b != '\n' {
			m.lines++
		}
		m.last = b
	}
	switch {
	case m.size > MaxFileSize:
		return 0, fault.TooLarge.Errorf("importcsv: the file is larger than %d MB", MaxFileSize>>20)
	case m.lines > MaxFileLines:
		return 0, fault.TooLarge.Errorf("importcsv: the file has more than %d lines", MaxFileLines)
	}
	return n, err
}

func (m *meter) sum() [32]byte { return [32]byte(m.hash.Sum(nil)) }
