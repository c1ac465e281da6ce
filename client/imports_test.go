package client_test

import (
	"io"
	"mime"
	"mime/multipart"
	"strings"
	"testing"

	"bureau/client"
)

// parts are the parts of a form, by name.
func parts(t *testing.T, contentType, body string) map[string]string {
	t.Helper()
	_, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for r := multipart.NewReader(strings.NewReader(body), params["boundary"]); ; {
		p, err := r.NextPart()
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(p)
		if err != nil {
			t.Fatal(err)
		}
		out[p.FormName()] = p.FileName() + ": " + string(b)
	}
}

// A file is sent whole, also when the first try was refused for its token.
func TestFilesAreSentWhole(t *testing.T) {
	s, c := newService()
	s.answer = []func() *answer{
		func() *answer { return &answer{status: 401, body: `{"error":"Invalid token."}`} },
		func() *answer { return &answer{status: 200, body: `{"status":"ok","importId":7}`} },
	}
	file := strings.NewReader("GB-0-1\nGB-0-2\n")
	_, _ = file.Seek(3, io.SeekStart) // wherever it stands
	id, err := c.SyncPortfolio(t.Context(), 100001, client.PortfolioFile{Name: "a.csv", File: file, Email: "a@b.example", Key: "k"})
	if err != nil || id != 7 {
		t.Fatalf("got %d (%v), want 7", id, err)
	}
	if len(s.calls) != 2 {
		t.Fatalf("%d calls, want 2", len(s.calls))
	}
	for i, r := range s.calls {
		got := parts(t, r.Header.Get("Content-Type"), s.bodies[i])
		if got["importcsv"] != "a.csv: GB-0-1\nGB-0-2\n" || got["email"] != ": a@b.example" || len(got) != 2 {
			t.Errorf("sent %q", got)
		}
		if r.ContentLength != int64(len(s.bodies[i])) || r.Header.Get("Idempotency-Key") != "k" || !strings.HasSuffix(r.URL.Path, "/monitoring/portfolios/100001/sync") {
			t.Errorf("sent %s with %d bytes for %d, %v", r.URL.Path, r.ContentLength, len(s.bodies[i]), r.Header)
		}
	}
}
