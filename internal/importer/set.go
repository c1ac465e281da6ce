package importer

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// A Set is some files that only make sense together, such as a list and the
// other names of those on it. A source that reads sets goes from file to file
// with Next, and reads each as it comes.
type Set struct {
	files []File
	next  int
	now   io.ReadCloser
	read  func(int64)
}

// together makes one file of several, which opens as a *Set.
func together(files []File) File {
	var names []string
	size := int64(0)
	for _, f := range files {
		names = append(names, f.Name)
		size += f.Size
	}
	return File{Name: strings.Join(names, ", "), Size: size, open: func() (io.ReadCloser, error) { return NewSet(files), nil }}
}

// NewSet reads files in their order.
func NewSet(files []File) *Set { return &Set{files: files} }

// Next goes on to the next file and returns its name; after the last it is
// io.EOF.
func (s *Set) Next() (string, error) {
	if err := s.Close(); err != nil {
		return "", err
	}
	if s.next == len(s.files) {
		return "", io.EOF
	}
	f := s.files[s.next]
	s.next++
	var err error
	if s.now, err = f.Open(s.read); err != nil {
		return "", err
	}
	return f.Name, nil
}

// Read reads the file that Next went on to. Its errors name it.
func (s *Set) Read(p []byte) (int, error) {
	if s.now == nil {
		return 0, io.EOF
	}
	n, err := s.now.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = fmt.Errorf("%s: %w", s.files[s.next-1].Name, err)
	}
	return n, err
}

// Close ends the file that is open.
func (s *Set) Close() error {
	if s.now == nil {
		return nil
	}
	err := s.now.Close()
	s.now = nil
	return err
}
