package importer

import (
	"archive/zip"
	"bufio"
	"compress/bzip2"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// A File is one readable file: a path as it is, or a member of a zip.
type File struct {
	Name string // its own name, without folders and without .gz
	Size int64  // of what is read, packed or not as Open counts it; 0 if unknown
	open func() (io.ReadCloser, error)
}

// Files finds what there is to read at a path: "-" is standard input, .gz and
// .bz2 are unpacked while they are read, and a .zip holds one file or many.
func Files(path string, stdin io.Reader) ([]File, error) {
	if path == "-" {
		return []File{{Name: "-", open: func() (io.ReadCloser, error) { return unpack("-", io.NopCloser(stdin)) }}}, nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, fmt.Errorf("%s is a folder: name the files in it", path)
	}
	if isZip(path) {
		return zipMembers(path)
	}
	return []File{{Name: bareName(path), Size: info.Size(), open: func() (io.ReadCloser, error) {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		return unpack(path, f)
	}}}, nil
}

// isZip looks at the first bytes: what a server sends is often called otherwise.
func isZip(path string) bool {
	if strings.EqualFold(filepath.Ext(path), ".zip") {
		return true
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	var head [4]byte
	_, err = io.ReadFull(f, head[:])
	return err == nil && string(head[:]) == zipHead
}

const zipHead = "PK\x03\x04"

// Open starts reading. read counts the bytes taken from the disk so far, or
// out of a zip.
func (f File) Open(read func(n int64)) (io.ReadCloser, error) {
	r, err := f.open()
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", f.Name, err)
	}
	switch r := r.(type) {
	case *packed:
		if read != nil {
			r.count.read = read
			read(r.count.looked)
		}
	case *Set:
		r.read = read
	}
	return r, nil
}

func bareName(path string) string {
	name := filepath.Base(path)
	for _, ext := range []string{".gz", ".bz2"} {
		name = strings.TrimSuffix(name, ext)
	}
	return name
}

// packed reads what may be compressed, and counts what comes from below.
type packed struct {
	io.Reader
	count *counter
	below io.Closer
}

func (p *packed) Close() error { return p.below.Close() }

// Read says that a file is cut short where its compression does.
func (p *packed) Read(b []byte) (int, error) {
	n, err := p.Reader.Read(b)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = fmt.Errorf("%w: the compressed data ends too early", ErrCutShort)
	}
	return n, err
}

type counter struct {
	r      io.Reader
	read   func(int64)
	looked int64 // before anybody counted: to see what the file is
}

func (c *counter) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	if c.read != nil {
		c.read(int64(n))
	} else {
		c.looked += int64(n)
	}
	return n, err
}

// unpack looks at the first bytes, not at the name: files are often renamed.
func unpack(name string, f io.ReadCloser) (io.ReadCloser, error) {
	c := &counter{r: f}
	b := bufio.NewReaderSize(c, 1<<16)
	head, err := b.Peek(4)
	if err != nil && err != io.EOF {
		f.Close()
		return nil, err
	}
	p := &packed{Reader: b, count: c, below: f}
	switch {
	case len(head) >= 2 && head[0] == 0x1f && head[1] == 0x8b:
		z, err := gzip.NewReader(b)
		if err != nil {
			f.Close()
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				err = ErrCutShort
			}
			return nil, fmt.Errorf("%s is not whole gzip: %w", name, err)
		}
		p.Reader = z
	case strings.HasPrefix(string(head), "BZh"):
		p.Reader = bzip2.NewReader(b)
	case string(head) == zipHead:
		f.Close()
		return nil, fmt.Errorf("%s is a zip, which cannot be read as it streams in: name it as a file", name)
	}
	return p, nil
}

func zipMembers(path string) ([]File, error) {
	z, err := zip.OpenReader(path)
	if err != nil {
		return nil, fmt.Errorf("%s is not a whole zip: %w: %w", path, ErrCutShort, err)
	}
	defer z.Close()
	var out []File
	shared := &sharedZip{path: path}
	for i, m := range z.File {
		if m.FileInfo().IsDir() || strings.HasPrefix(filepath.Base(m.Name), ".") {
			continue
		}
		out = append(out, File{
			Name: bareName(m.Name), Size: int64(m.UncompressedSize64),
			open: func() (io.ReadCloser, error) { return shared.open(i) },
		})
	}
	slices.SortStableFunc(out, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	if len(out) == 0 {
		return nil, fmt.Errorf("%s holds no file", path)
	}
	shared.members = len(out)
	return out, nil
}

// A sharedZip is opened once for all its members, of which there may be a
// million, and closed after the last of them.
type sharedZip struct {
	path    string
	members int

	mu     sync.Mutex
	z      *zip.ReadCloser
	closed int
}

func (s *sharedZip) open(i int) (io.ReadCloser, error) {
	m, err := s.member(i)
	if err != nil {
		return nil, err
	}
	return unpack(s.path, member{m, closers{m, closerFunc(s.leave)}})
}

func (s *sharedZip) member(i int) (io.ReadCloser, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.z == nil {
		z, err := zip.OpenReader(s.path)
		if err != nil {
			return nil, err
		}
		s.z, s.closed = z, 0
	}
	return s.z.File[i].Open()
}

// A member of a zip may be packed once more.
type member struct {
	io.Reader
	io.Closer
}

// leave closes the zip after its last member was read.
func (s *sharedZip) leave() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed++; s.closed < s.members || s.z == nil {
		return nil
	}
	err := s.z.Close()
	s.z = nil
	return err
}

type closerFunc func() error

func (f closerFunc) Close() error { return f() }

type closers []io.Closer

func (c closers) Close() error {
	var errs []error
	for _, one := range c {
		errs = append(errs, one.Close())
	}
	return errors.Join(errs...)
}
