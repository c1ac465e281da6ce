package console

import (
	"io"
	"net/http"
	"strconv"
	"strings"

	"bureau/internal/auth"
)

// document is one that was filed, to be saved: what anybody may have written is
// not opened as a page of ours.
func (s *Server) document(v *visit) error {
	d, err := s.Documents.Document(v.ctx(), v.r.PathValue("id"))
	if err != nil {
		return err
	}
	country := d.Company.Country()
	if err := s.needs(v, auth.Images, country); err != nil {
		return err
	}
	if err := s.Gate.CountRead(v.ctx(), v.by, auth.Images, country, "image="+d.ID); err != nil {
		return err
	}
	attach(v.w, string(d.Media), d.ID+"."+strings.ToLower(d.Media.Format()))
	v.w.Header().Set("Content-Length", strconv.FormatInt(d.Size, 10))
	v.w.WriteHeader(http.StatusOK)
	_, _ = io.Copy(v.w, s.Documents.OpenDocument(v.ctx(), d, 0)) // a reader who has gone is nobody's failure
	return nil
}
