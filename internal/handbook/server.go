package handbook

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"bureau/changelog"
	"bureau/internal/look"
)

// Path is where the documents are.
const Path = "/docs"

//go:embed templates static
var files embed.FS

// A Server answers the pages.
type Server struct {
	Document  []byte // the OpenAPI document
	PublicURL string
	Changes   []changelog.Entry

	doc    openAPI
	groups []group
	byID   map[string]*operation
	pages  map[string][]byte // all are made once: they are the same for everybody
	assets *look.Assets
}

// Handler makes the pages.
func (s *Server) Handler() (http.Handler, error) {
	var err error
	if s.doc, s.groups, err = readDocument(s.Document); err != nil {
		return nil, err
	}
	s.byID = map[string]*operation{}
	for _, g := range s.groups {
		for _, op := range g.Operations {
			s.byID[op.ID] = op
		}
	}
	if err := s.loadAssets(); err != nil {
		return nil, err
	}
	if err := s.makePages(); err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+Path, s.page)
	mux.HandleFunc("GET "+Path+"/{name}", s.page)
	mux.Handle("GET "+Path+"/static/{name}", s.assets)
	mux.HandleFunc("GET "+Path+"/{$}", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, Path, http.StatusMovedPermanently)
	})
	return look.Guard{Cache: "no-cache"}.Wrap(mux), nil
}

func (s *Server) loadAssets() error {
	static, err := fs.Sub(files, "static")
	if err != nil {
		return err
	}
	if s.assets, err = look.NewAssets(Path+"/static", static); err != nil {
		return err
	}
	b, err := s.calls()
	if err != nil {
		return fmt.Errorf("list the samples: %w", err)
	}
	s.assets.Add("samples.json", b)
	return nil
}

// view is what a template gets.
type view struct {
	Title   string
	Here    string
	BaseURL string
	Groups  []group
	Count   int
	Changes []changelog.Entry

	Op      *operation
	Params  []field
	Rest    int // parameters that the sample does not set
	Body    []Field
	Type    string
	Answers []answer
	Curl    string
	Hints   []hint
	Before  []*operation
	Asks    bool // for the address of a receiver
}

// A field is a parameter and what the sample sets it to.
type field struct {
	parameter
	Type, Value string
	Values      []string
}

// First reports whether a form shows the field at once.
func (f field) First() bool { return f.Value != "" || f.Required }

func (s *Server) makePages() error {
	t, err := template.New("").Funcs(template.FuncMap{"asset": s.assets.URL, "prose": prose, "lower": strings.ToLower}).ParseFS(files, "templates/*.html")
	if err != nil {
		return fmt.Errorf("read the templates of the documents: %w", err)
	}
	s.pages = map[string][]byte{}
	add := func(name, page string, v view) error {
		v.BaseURL, v.Groups, v.Count = s.PublicURL, s.groups, len(s.byID)
		var b bytes.Buffer
		if err := t.ExecuteTemplate(&b, page, v); err != nil {
			return fmt.Errorf("make the page %s: %w", name, err)
		}
		s.pages[name] = b.Bytes()
		return nil
	}
	if err := add("", "index", view{Title: "The API", Here: "operations"}); err != nil {
		return err
	}
	if err := add("changes", "changes", view{Title: "Changes", Here: "changes", Changes: s.Changes}); err != nil {
		return err
	}
	for id, op := range s.byID {
		if err := add(id, "operation", s.describe(op)); err != nil {
			return err
		}
	}
	return nil
}

func (s *Server) describe(op *operation) view {
	v := view{
		Title: op.Summary, Op: op, Answers: s.doc.answers(op),
		Curl: op.curl(s.PublicURL), Before: s.before(op, map[string]bool{op.ID: true}),
	}
	if op.Sample != nil {
		v.Hints = op.Sample.hints()
	}
	for _, o := range slices.Concat(v.Before, []*operation{op}) {
		v.Asks = v.Asks || o.Sample != nil && strings.Contains(o.Sample.Body, "{receiver}")
	}
	for _, p := range op.Parameters {
		f := field{parameter: p, Type: s.doc.typeOf(p.Schema, nil)}
		for _, one := range s.doc.resolve(p.Schema).Enum {
			f.Values = append(f.Values, fmt.Sprint(one))
		}
		if op.Sample != nil {
			f.Value = op.Sample.Parameters[p.Name]
		}
		if !f.First() {
			v.Rest++
		}
		v.Params = append(v.Params, f)
	}
	if op.Body != nil {
		if m := op.Body.Content[op.ContentType()]; m.Schema != nil {
			v.Type, v.Body = s.doc.describe(m.Schema)
		}
	}
	return v
}

// page answers with a page that was made at the start.
func (s *Server) page(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	b, ok := s.pages[name]
	r.Pattern = Path + "/{operation}"
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if !ok {
		w.WriteHeader(http.StatusNotFound)
		b = s.pages[""]
	}
	_, _ = w.Write(b)
}

var (
	codeSpan = regexp.MustCompile("`([^`]+)`")
	link     = regexp.MustCompile(`\[([^\]]+)\]\([^)]*\)`)
)

// prose shows a text of ours: what stands between backticks as code, and of links
// their words, since what they point at is beside the program and not in it.
func prose(text string) template.HTML {
	safe := template.HTMLEscapeString(link.ReplaceAllString(text, "$1"))
	return template.HTML(codeSpan.ReplaceAllString(safe, "<code>$1</code>"))
}
