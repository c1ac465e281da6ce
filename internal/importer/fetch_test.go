package importer_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"bureau/internal/importer"
)

// A shelf is a publisher's server with one file on it.
type shelf struct {
	body  string
	etag  string
	cut   bool // it breaks off in the middle
	fails bool
	asked int
	sent  int
}

func (s *shelf) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.asked++
	if s.fails {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	w.Header().Set("ETag", s.etag)
	if r.Header.Get("If-None-Match") == s.etag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	s.sent++
	if s.cut {
		w.Header().Set("Content-Length", "1000")
	}
	_, _ = w.Write([]byte(s.body))
}

func TestFetchKeepsTheLastGoodVersion(t *testing.T) {
	s := &shelf{body: "one", etag: `"1"`}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	now := time.Date(2026, 11, 15, 0, 0, 0, 0, time.UTC)
	f := &importer.Fetcher{HTTP: server.Client(), Dir: t.TempDir(), Now: func() time.Time { return now }}
	state := importer.Fetch{Source: "gleif", URL: server.URL + "/golden.xml?latest=1"}

	step := func(wantFresh bool, wantErr bool, want string) {
		t.Helper()
		now = now.Add(time.Hour)
		next, fresh, err := f.Get(t.Context(), state)
		if fresh != wantFresh || (err != nil) != wantErr {
			t.Fatalf("fresh %v, error %v", fresh, err)
		}
		if (next.Error != "") != wantErr {
			t.Fatalf("the state says %q", next.Error)
		}
		state = next
		got, err := os.ReadFile(f.Path("gleif", state.URL))
		if err != nil || string(got) != want {
			t.Fatalf("kept %q (%v), want %q", got, err, want)
		}
	}
	step(true, false, "one")
	step(false, false, "one") // not modified
	if s.sent != 1 || !state.GoodAt.Equal(now) {
		t.Fatalf("sent %d times, good at %v", s.sent, state.GoodAt)
	}
	good := state.GoodAt
	s.fails = true
	step(false, true, "one")
	s.fails, s.cut, s.etag, s.body = false, true, `"2"`, "tw"
	step(false, true, "one")
	if !state.GoodAt.Equal(good) {
		t.Fatalf("a failed fetch counts as good: %v", state.GoodAt)
	}
	s.cut, s.body = false, "two"
	step(true, false, "two")
}

func TestFetchSaysWhatTheServerSaid(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(server.Close)
	f := &importer.Fetcher{HTTP: server.Client(), Dir: t.TempDir(), Now: time.Now}
	_, _, err := f.Get(t.Context(), importer.Fetch{Source: "un", URL: server.URL + "/list.xml"})
	if err == nil || errors.Is(err, importer.ErrCutShort) {
		t.Fatalf("error %v, want that the file is not there", err)
	}
}

// A publisher's address that sends without end must neither fill the disk nor cost
// the file that we have, whether it says how much it sends or not.
func TestFetchTakesNoMoreThanItMay(t *testing.T) {
	said := false
	var sent string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if said {
			w.Header().Set("Content-Length", strconv.Itoa(len(sent)))
		} else if err := http.NewResponseController(w).Flush(); err != nil {
			t.Error(err)
		}
		_, _ = io.WriteString(w, sent)
	}))
	t.Cleanup(server.Close)
	f := &importer.Fetcher{HTTP: server.Client(), Dir: t.TempDir(), Now: time.Now, Most: 1000}
	state := importer.Fetch{Source: "un", URL: server.URL + "/list.xml"}
	for _, c := range []struct {
		said  bool
		bytes int
		fits  bool
	}{{false, 1000, true}, {false, 1001, false}, {true, 1001, false}, {false, 1 << 20, false}, {true, 1000, true}} {
		said, sent = c.said, strings.Repeat("x", c.bytes)
		_, fresh, err := f.Get(t.Context(), state)
		if fresh != c.fits || errors.Is(err, importer.ErrTooLarge) == c.fits {
			t.Errorf("%+v: fresh %v, %v", c, fresh, err)
		}
		if held, err := os.ReadFile(f.Path(state.Source, state.URL)); err != nil || len(held) != 1000 {
			t.Errorf("%+v: %d bytes are held, want the 1000 of the last good one (%v)", c, len(held), err)
		}
	}
	if left, err := os.ReadDir(filepath.Dir(f.Path(state.Source, state.URL))); err != nil || len(left) != 1 {
		t.Errorf("what was too large was left behind: %v %v", left, err)
	}
}
