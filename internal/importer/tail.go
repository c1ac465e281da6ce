package importer

import "io"

// A Tail reads a file and remembers how it ended: a file that was cut short, at a line end
// or elsewhere, often ends otherwise than a whole one.
type Tail struct {
	From  io.Reader
	N     int64 // bytes read so far
	Last  byte  // of them
	Ended bool  // there is no more
}

func (t *Tail) Read(p []byte) (int, error) {
	n, err := t.From.Read(p)
	if n > 0 {
		t.N, t.Last = t.N+int64(n), p[n-1]
	}
	t.Ended = t.Ended || err == io.EOF
	return n, err
}

// EndMark is what some programs put behind the last line.
const EndMark = 0x1a
