package importer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A Fetch is what we know of a publisher's file: when we last asked for it, and
// which version we have.
type Fetch struct {
	Source     string
	URL        string
	ETag       string
	Modified   string    // as the server wrote it
	AskedAt    time.Time // when we last asked
	GoodAt     time.Time // when what we have was last known to be the newest
	ImportedAt time.Time // when it was last taken in
	Error      string    // what went wrong the last time
}

// A Fetcher gets publishers' files. The last good one is kept: a failed or
// broken download leaves it in place.
type Fetcher struct {
	HTTP *http.Client
	Dir  string // a file per source
	Now  func() time.Time
	Most int64 // bytes that a file may have; 0 for any
}

// ErrTooLarge says that a publisher sends more than we take: something else than
// its file, or a file that would fill the disk.
var ErrTooLarge = errors.New("the file is too large (--fetch-most says how large one may be)")

// Path is where the file of a source is kept, under the name that its address
// ends with, which tells how it is packed.
func (f *Fetcher) Path(source, url string) string {
	name := url[strings.LastIndexByte(url, '/')+1:]
	name, _, _ = strings.Cut(name, "?")
	if name == "" {
		name = "file"
	}
	return filepath.Join(f.Dir, source, filepath.Base(name))
}

// Get asks for a newer version than the one we have. If there is one it is
// downloaded whole before it takes the old one's place; fresh says so. Whatever
// goes wrong is in the returned Fetch too.
func (f *Fetcher) Get(ctx context.Context, last Fetch) (next Fetch, fresh bool, err error) {
	next = last
	next.AskedAt, next.Error = f.Now(), ""
	defer func() {
		if err != nil {
			next.Error = err.Error()
		}
	}()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, last.URL, nil)
	if err != nil {
		return next, false, fmt.Errorf("fetch %s: %w", last.Source, err)
	}
	if _, err := os.Stat(f.Path(last.Source, last.URL)); err == nil {
		if last.ETag != "" {
			req.Header.Set("If-None-Match", last.ETag)
		}
		if last.Modified != "" {
			req.Header.Set("If-Modified-Since", last.Modified)
		}
	}
	// The file is kept as it comes: unpacking is for the reader.
	req.Header.Set("Accept-Encoding", "identity")
	req.Header.Set("User-Agent", "bureau")
	res, err := f.HTTP.Do(req)
	if err != nil {
		return next, false, fmt.Errorf("fetch %s: %w", last.Source, err)
	}
	defer res.Body.Close()
	switch res.StatusCode {
	case http.StatusNotModified:
		next.GoodAt = next.AskedAt
		return next, false, nil
	case http.StatusOK:
	default:
		return next, false, fmt.Errorf("fetch %s: the server answered %s", last.Source, res.Status)
	}
	if f.Most > 0 && res.ContentLength > f.Most {
		return next, false, fmt.Errorf("fetch %s: %w: %d bytes, and at most %d are taken", last.Source, ErrTooLarge, res.ContentLength, f.Most)
	}
	if err := f.keep(last, res); err != nil {
		return next, false, err
	}
	next.ETag, next.Modified = res.Header.Get("ETag"), res.Header.Get("Last-Modified")
	next.GoodAt = next.AskedAt
	return next, true, nil
}

// keep downloads to the side and moves the whole file into place.
func (f *Fetcher) keep(last Fetch, res *http.Response) (err error) {
	path := f.Path(last.Source, last.URL)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("keep %s: %w", last.Source, err)
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".fetch-*")
	if err != nil {
		return fmt.Errorf("keep %s: %w", last.Source, err)
	}
	defer os.Remove(tmp.Name())
	body := io.Reader(res.Body)
	if f.Most > 0 {
		body = io.LimitReader(body, f.Most+1) // a server need not say how much it sends
	}
	n, err := io.Copy(tmp, body)
	err = errors.Join(err, tmp.Sync(), tmp.Close())
	if err != nil {
		return fmt.Errorf("download %s: %w", last.Source, err)
	}
	if f.Most > 0 && n > f.Most {
		return fmt.Errorf("download %s: %w: more than %d bytes", last.Source, ErrTooLarge, f.Most)
	}
	if want := res.Header.Get("Content-Length"); want != "" && want != strconv.FormatInt(n, 10) {
		return fmt.Errorf("download %s: %w: %d bytes of %s", last.Source, ErrCutShort, n, want)
	}
	if err := os.Rename(tmp.Name(), path); err != nil {
		return fmt.Errorf("keep %s: %w", last.Source, err)
	}
	return nil
}
