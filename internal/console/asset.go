package console

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
)

//go:embed templates static
var files embed.FS

// An asset is a file that pages load. Its address changes with its content, so
// that browsers may keep it.
type asset struct {
	content []byte
	kind    string
	version string
}

func loadAssets() (map[string]asset, error) {
	list, err := fs.ReadDir(files, "static")
	if err != nil {
		return nil, fmt.Errorf("list the console's files: %w", err)
	}
	out := map[string]asset{}
	for _, f := range list {
		b, err := files.ReadFile("static/" + f.Name())
		if err != nil {
			return nil, fmt.Errorf("read the console's %s: %w", f.Name(), err)
		}
		sum := sha256.Sum256(b)
		kind := mime.TypeByExtension(path.Ext(f.Name()))
		if path.Ext(f.Name()) == ".js" {
			kind = "text/javascript; charset=utf-8" // whatever the machine's own table says
		}
		out[f.Name()] = asset{b, kind, hex.EncodeToString(sum[:6])}
	}
	return out, nil
}

// assetURL is where a page finds a file.
func (s *Server) assetURL(name string) (string, error) {
	a, ok := s.assets[name]
	if !ok {
		return "", fmt.Errorf("the console has no file %q", name)
	}
	return Path + "/static/" + name + "?v=" + a.version, nil
}

// static serves a file. Anybody may have it: it is the same for all.
func (s *Server) static(w http.ResponseWriter, r *http.Request) {
	r.Pattern = Path + "/static/{name}"
	a, ok := s.assets[r.PathValue("name")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("Content-Type", a.kind)
	h.Set("Cache-Control", "no-cache")
	if r.URL.Query().Get("v") == a.version {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	_, _ = w.Write(a.content)
}
