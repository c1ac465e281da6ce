package invented

import "io"

// A Stream makes a file of n records while it is read.
type Stream struct {
	Head   string
	Record func(i int) string
	Tail   string
	N      int

	next int
	left string
	done bool
}

func (s *Stream) Read(b []byte) (int, error) {
	if s.left == "" {
		switch {
		case s.next == 0 && s.Head != "":
			s.left, s.Head = s.Head, ""
		case s.next < s.N:
			s.left = s.Record(s.next)
			s.next++
		case !s.done:
			s.left, s.done = s.Tail, true
		}
	}
	if s.left == "" {
		return 0, io.EOF
	}
	n := copy(b, s.left)
	s.left = s.left[n:]
	return n, nil
}
