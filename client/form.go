package client

import (
	"bytes"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
)

// A form is a file with some fields. It is read as it is sent, and from its
// beginning each time it is sent again.
type form struct {
	fields map[string]string
	part   string // the file's name in the form
	name   string // the file's own
	file   io.ReadSeeker
}

// fill makes the form a request's body.
func (f *form) fill(r *http.Request) error {
	size, err := f.file.Seek(0, io.SeekEnd)
	if err == nil {
		_, err = f.file.Seek(0, io.SeekStart)
	}
	if err != nil {
		return fmt.Errorf("read the file: %w", err)
	}
	var around bytes.Buffer
	w := multipart.NewWriter(&around)
	for k, v := range f.fields {
		if err := w.WriteField(k, v); err != nil {
			return err
		}
	}
	if _, err := w.CreateFormFile(f.part, f.name); err != nil {
		return err
	}
	head := bytes.Clone(around.Bytes())
	around.Reset()
	if err := w.Close(); err != nil {
		return err
	}
	r.Header.Set("Content-Type", w.FormDataContentType())
	r.ContentLength = int64(len(head)) + size + int64(around.Len())
	r.Body = io.NopCloser(io.MultiReader(bytes.NewReader(head), io.LimitReader(f.file, size), &around))
	r.GetBody = nil
	return nil
}
