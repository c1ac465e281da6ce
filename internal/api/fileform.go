package api

import (
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"time"

	"bureau/internal/fault"
)

// A fileForm is a multipart body with one file, which is kept as it comes.
type fileForm struct {
	field string // the file's part
	most  int64  // bytes of the file
	keep  func(name string, file io.Reader) error
	texts map[string]*string // other parts, by their names in small letters
}

const (
	// uploadTime is how long a file may take to arrive: its sender is known, and
	// some lines are slow.
	uploadTime = 15 * time.Minute
	// aroundFile is what may stand around a file in its body.
	aroundFile = 1 << 20
	// textMost is how long another part may be.
	textMost = 1024
)

// read reads the body to its end. What was kept of a body that turns out to be
// bad is the caller's to drop.
func (f *fileForm) read(w http.ResponseWriter, r *http.Request) error {
	late := time.Now().Add(uploadTime)
	conn := http.NewResponseController(w)
	_ = conn.SetReadDeadline(late) // a connection without deadlines has no need of later ones
	_ = conn.SetWriteDeadline(late.Add(time.Minute))
	r.Body = http.MaxBytesReader(w, r.Body, f.most+aroundFile)
	parts, err := r.MultipartReader()
	if err != nil {
		return fault.Invalid.Errorf("%s: send the file as multipart/form-data, in a part of this name", f.field)
	}
	has := false
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return f.fault(err)
		}
		name := strings.ToLower(part.FormName())
		in := sent{part, f}
		switch into := f.texts[name]; {
		case into != nil:
			b, err := io.ReadAll(io.LimitReader(in, textMost))
			if err != nil {
				return err
			}
			*into = strings.TrimSpace(string(b))
		case name != strings.ToLower(f.field):
		case has:
			return fault.Invalid.Errorf("%s: one file at a time", f.field)
		default:
			has = true
			if err := f.keep(part.FileName(), in); err != nil {
				return err
			}
		}
	}
	if !has {
		return fault.Invalid.Errorf("%s: the file is missing", f.field)
	}
	return nil
}

func (f *fileForm) fault(err error) error {
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return fault.TooLarge.Errorf("%s: the body is larger than a file of %d MB", f.field, f.most>>20)
	}
	return fault.Invalid.Errorf("the body could not be read to its end")
}

// sent reads a part of a body. What is wrong with it is its sender's to know.
type sent struct {
	part *multipart.Part
	form *fileForm
}

func (s sent) Read(p []byte) (int, error) {
	n, err := s.part.Read(p)
	if err != nil && !errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = s.form.fault(err)
	}
	return n, err
}
