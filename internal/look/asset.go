package look

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/http"
	"path"
)

// Assets are the files that pages load. The address of each changes with its
// content, so that browsers may keep it.
type Assets struct {
	at     string
	byName map[string]asset
}

type asset struct {
	content []byte
	kind    string
	version string
}

// NewAssets takes the files of a folder, and those that all pages share. They
// are served at the given path.
func NewAssets(at string, own fs.FS) (*Assets, error) {
	a := &Assets{at: at, byName: map[string]asset{}}
	for _, dir := range []fs.FS{common, own} {
		list, err := fs.ReadDir(dir, ".")
		if err != nil {
			return nil, fmt.Errorf("list the files at %s: %w", at, err)
		}
		for _, f := range list {
			b, err := fs.ReadFile(dir, f.Name())
			if err != nil {
				return nil, fmt.Errorf("read %s of the files at %s: %w", f.Name(), at, err)
			}
			a.Add(f.Name(), b)
		}
	}
	return a, nil
}

// kinds are said here, whatever the machine's own table says.
var kinds = map[string]string{
	".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".json": "application/json",
	".svg": "image/svg+xml", ".txt": "text/plain; charset=utf-8",
}

// Add puts a file that was made by the program beside the others.
func (a *Assets) Add(name string, content []byte) {
	sum := sha256.Sum256(content)
	a.byName[name] = asset{content, kinds[path.Ext(name)], hex.EncodeToString(sum[:6])}
}

// URL is where a page finds a file.
func (a *Assets) URL(name string) (string, error) {
	f, ok := a.byName[name]
	if !ok {
		return "", fmt.Errorf("there is no file %q at %s", name, a.at)
	}
	return a.at + "/" + name + "?v=" + f.version, nil
}

// ServeHTTP serves the file whose name is in the pattern. Anybody may have it: it
// is the same for all.
func (a *Assets) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	r.Pattern = a.at + "/{name}"
	f, ok := a.byName[r.PathValue("name")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("Content-Type", f.kind)
	h.Set("Cache-Control", "no-cache")
	if r.URL.Query().Get("v") == f.version {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	_, _ = w.Write(f.content)
}
