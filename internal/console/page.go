package console

import (
	"bytes"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
	"time"

	"bureau/internal/auth"
	"bureau/internal/fault"
)

// A view is what every template gets.
type view struct {
	Title    string
	Here     string // the word of the rail that this page belongs to
	Token    string
	Account  auth.Account
	Customer auth.Customer
	SignedIn bool
	MayWork  bool // analyst
	MaySetUp bool // admin
	Search   string
	Said     string
	Charts   bool
	Now      time.Time
	Data     any
}

// pages are the templates by their names. One is read when it is first shown: a node
// whose console nobody opens has no use for them.
type pages map[string]func() (*template.Template, error)

// loadPages finds the templates. A page is frame.html, what pages share, and its
// own.
func (s *Server) loadPages() (pages, error) {
	shared, err := template.New("").Funcs(s.funcs()).ParseFS(files, "templates/frame.html", "templates/parts.html", "templates/hit.html")
	if err != nil {
		return nil, fmt.Errorf("read the console's frame: %w", err)
	}
	list, err := fs.Glob(files, "templates/*.html")
	if err != nil {
		return nil, err
	}
	out := pages{}
	for _, file := range list {
		name := strings.TrimSuffix(path.Base(file), ".html")
		if name == "frame" || name == "parts" || name == "hit" {
			continue
		}
		out[name] = sync.OnceValues(func() (*template.Template, error) {
			t, err := shared.Clone()
			if err == nil {
				t, err = t.ParseFS(files, file)
			}
			if err != nil {
				return nil, fmt.Errorf("read the console's page %s: %w", name, err)
			}
			return t, nil
		})
	}
	return out, nil
}

// fill writes one template of a page.
func (p pages) fill(w io.Writer, page, name string, with view) error {
	t, err := p[page]()
	if err != nil {
		return err
	}
	return t.ExecuteTemplate(w, name, with)
}

// A page says which template to show, with what.
type page struct {
	name   string // of the template
	title  string
	here   string
	status int
	charts bool
	data   any
}

// show answers with a whole page.
func (s *Server) show(v *visit, p page) error {
	return s.write(v, p, "frame", view{
		Title: p.title, Here: p.here, Token: v.token, Account: v.account, Customer: v.customer,
		SignedIn: v.account.ID != 0 && !v.session.Waiting, MayWork: v.may(auth.Analyst), MaySetUp: v.may(auth.Admin),
		Search: v.query("q"), Said: said[v.query("said")], Charts: p.charts, Now: s.Now().UTC(), Data: p.data,
	})
}

// part answers with one template of a page, for a script that asked for it.
func (s *Server) part(v *visit, p page, name string) error {
	return s.write(v, p, name, view{
		Token: v.token, Account: v.account, SignedIn: true, MayWork: v.may(auth.Analyst), MaySetUp: v.may(auth.Admin),
		Now: s.Now().UTC(), Data: p.data,
	})
}

func (s *Server) write(v *visit, p page, name string, with view) error {
	var b bytes.Buffer // all at once, so that half a page is never sent
	if err := s.pages.fill(&b, p.name, name, with); err != nil {
		return fmt.Errorf("show %s: %w", p.name, err)
	}
	v.w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if p.status != 0 {
		v.w.WriteHeader(p.status)
	}
	_, _ = v.w.Write(b.Bytes())
	return nil
}

// said are the words after an act. Only the key is in the address: nobody can
// make a page say something else.
var said = map[string]string{
	"signed-out":       "You are signed out.",
	"signed-out-all":   "All other sessions are signed out.",
	"session-ended":    "That session is signed out.",
	"password":         "Your password is changed, and all other sessions are signed out.",
	"codes-on":         "From now on you are asked for a code when you sign in.",
	"codes-off":        "You are no longer asked for a code.",
	"portfolio":        "The portfolio is there. Add companies, then switch rules on.",
	"portfolio-saved":  "Saved.",
	"portfolio-gone":   "The portfolio is deleted, with its rules and events.",
	"shared":           "The portfolio is shared: it is on your colleague's pages from now on.",
	"unshared":         "The portfolio is no longer shared with them.",
	"added":            "The company is in the portfolio.",
	"there":            "The company was in the portfolio already.",
	"removed":          "The company is no longer in the portfolio.",
	"rules":            "The rule is saved. It is about what happens from now on.",
	"marked":           "Marked as processed.",
	"unmarked":         "No longer marked as processed.",
	"unmuted":          "The rule speaks of the company again.",
	"marked-all":       "All events shown here are marked as processed.",
	"decided":          "The decision is kept.",
	"saved":            "Saved.",
	"watched":          "The search is asked again whenever a list changes. What is new is an alert.",
	"unwatched":        "The search is no longer repeated. It stays, with its hits.",
	"webhook":          "The webhook is there.",
	"webhook-saved":    "Saved.",
	"webhook-gone":     "The webhook is deleted.",
	"replayed":         "The events wait to be sent again.",
	"account":          "Saved. Whoever was signed in with the account is signed out.",
	"key":              "There is a new signing key.",
	"customer-granted": "Saved.",
}

// failure is what the error page shows.
type failure struct {
	Status      int
	Title       string
	Text        string
	Details     []string
	Correlation string
	Wait        time.Duration
	Back        string // the page with the form that was refused
}

// fail answers with what went wrong and what to do. Our own failures are logged
// and not shown.
func (s *Server) fail(v *visit, err error) {
	f := failure{
		Status: http.StatusInternalServerError, Title: "Something went wrong on our side",
		Text:        "It was noted. Try again; if it happens again, tell the operator the number below.",
		Correlation: v.w.Header().Get(s.Correlation),
	}
	if told, ok := fault.Of(err); ok {
		f.Status, f.Title = statusOf(told.Kind)
		f.Text, f.Details, f.Wait = told.Text, inWords(told.Details), told.Wait
	} else if v.ctx().Err() != nil {
		return // whoever asked has gone to another page, and nothing is wrong
	} else {
		s.Log.ErrorContext(v.ctx(), "console", "page", v.r.Pattern, "correlationId", f.Correlation, "err", err)
	}
	if v.r.Method == http.MethodPost {
		f.Back = v.cameFrom()
	}
	if f.Wait > 0 {
		v.w.Header().Set("Retry-After", strconv.Itoa(int(f.Wait.Seconds())+1))
	}
	name := "frame"
	if v.r.Header.Get("HX-Request") != "" {
		v.w.Header().Set("HX-Retarget", "#notices")
		v.w.Header().Set("HX-Reswap", "innerHTML")
		v.w.Header().Set("HX-Reselect", "unset")
		name = "notice"
	}
	with := view{
		Title: f.Title, Token: v.token, Account: v.account, Customer: v.customer,
		SignedIn: v.account.ID != 0 && !v.session.Waiting, Now: s.Now().UTC(), Data: f,
	}
	if err := s.write(v, page{name: "failure", status: f.Status}, name, with); err != nil {
		s.Log.ErrorContext(v.ctx(), "console", "page", "failure", "err", err)
		http.Error(v.w, f.Title, http.StatusInternalServerError)
	}
}

func statusOf(k fault.Kind) (int, string) {
	switch k {
	case fault.Invalid:
		return http.StatusBadRequest, "That cannot be done like this"
	case fault.Stranger:
		return http.StatusUnauthorized, "Sign in to go on"
	case fault.Denied:
		return http.StatusForbidden, "You may not do this"
	case fault.Missing:
		return http.StatusNotFound, "There is nothing here"
	case fault.Conflict:
		return http.StatusConflict, "That clashes with what is there"
	case fault.TooLarge:
		return http.StatusRequestEntityTooLarge, "That is too large"
	case fault.Exhausted:
		return http.StatusTooManyRequests, "Too often"
	case fault.Busy:
		return http.StatusServiceUnavailable, "Not yet"
	}
	return http.StatusInternalServerError, "Something went wrong on our side"
}

// nothing answers an address that no page has.
func (s *Server) nothing(*visit) error { return fault.Missing.Errorf("there is no such page") }
