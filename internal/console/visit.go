package console

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"bureau/internal/auth"
	"bureau/internal/fault"
)

// The cookies. __Host- binds them to this host, this path and HTTPS.
const (
	sessionCookie = "__Host-bureau-session"
	formCookie    = "__Host-bureau-form" // for the forms before there is a session
)

// A visit is one request of somebody, and who that is.
type visit struct {
	w http.ResponseWriter
	r *http.Request

	secret   auth.SessionSecret
	session  auth.Session
	account  auth.Account
	customer auth.Customer
	by       auth.Caller
	token    string // what this visitor's forms carry
}

func (v *visit) ctx() context.Context { return v.r.Context() }

// may reports whether the visitor has a role.
func (v *visit) may(r auth.Role) bool { return v.account.MayAct(r) }

// A need is what a page asks of who comes.
type need int

const (
	open     need = iota // anybody
	coding               // who gave the right password and still owes a code
	reader               // signed in
	analyst              // and may change things
	admin                // and may set things up
	operator             // looks after all customers
)

var needRoles = map[need]auth.Role{reader: auth.Reader, analyst: auth.Analyst, admin: auth.Admin}

// A route is one page or one act.
type route struct {
	pattern string
	need    need
	handle  func(*visit) error
}

// serve finds out who is asking, whether they may and whether the form is ours,
// and then lets the page answer.
func (s *Server) serve(rt route) http.HandlerFunc {
	_, name, _ := strings.Cut(rt.pattern, " ")
	return func(w http.ResponseWriter, r *http.Request) {
		r.Pattern = name
		v := &visit{w: w, r: r}
		if err := s.enter(v, rt.need); err != nil {
			if errors.Is(err, fault.Stranger) && rt.need != open {
				s.toSignIn(v)
				return
			}
			s.fail(v, err)
			return
		}
		if r.Method == http.MethodPost {
			if err := s.checkForm(v); err != nil {
				s.fail(v, err)
				return
			}
		}
		if err := rt.handle(v); err != nil {
			s.fail(v, err)
		}
	}
}

func (s *Server) enter(v *visit, n need) error {
	if c, err := v.r.Cookie(sessionCookie); err == nil {
		v.secret = auth.SessionSecret(c.Value)
	}
	found, account, err := s.Sessions.Find(v.ctx(), v.secret)
	if err != nil {
		if n == open && errors.Is(err, fault.Stranger) {
			return s.stranger(v)
		}
		return err
	}
	v.session, v.account = found, account
	v.by = auth.Caller{Customer: account.Customer, Account: account.ID}
	v.customer, _ = s.Directory.Customer(account.Customer)
	v.token = v.secret.FormToken()
	switch {
	case n == open:
		return nil
	case found.Waiting != (n == coding):
		return fault.Stranger.Errorf("sign in to go on")
	case n == operator && !account.Operator:
		return fault.Missing.Errorf("there is no such page")
	case n == operator:
		return nil // whose pages are about all customers
	case needRoles[n] != "" && !account.MayAct(needRoles[n]):
		return fault.Denied.Errorf("your role is %s; this needs %s. An administrator of your company can change it", account.Role, needRoles[n])
	}
	if n != coding {
		v.r = v.r.WithContext(auth.Within(v.ctx(), account.Customer))
	}
	return nil
}

// stranger gives somebody without a session a token for the form in which they
// sign in.
func (s *Server) stranger(v *visit) error {
	v.secret = ""
	if c, err := v.r.Cookie(formCookie); err == nil && len(c.Value) >= 20 && len(c.Value) <= 64 {
		v.token = c.Value
		return nil
	}
	b := make([]byte, 18)
	rand.Read(b)
	v.token = base64.RawURLEncoding.EncodeToString(b)
	setCookie(v.w, formCookie, v.token)
	return nil
}

// checkForm refuses a form that another site sent in the visitor's name.
func (s *Server) checkForm(v *visit) error {
	if err := s.origin.Check(v.r); err != nil {
		return fault.Denied.Errorf("this form was sent from another site")
	}
	got := v.r.Header.Get("X-Form-Token")
	if got == "" {
		if err := v.readForm(); err != nil {
			return fault.Invalid.Errorf("the form could not be read, or is too large")
		}
		got = v.r.PostForm.Get("token")
	}
	if subtle.ConstantTimeCompare([]byte(got), []byte(v.token)) != 1 {
		return fault.Denied.Errorf("this page was open for too long: load it again and repeat what you did")
	}
	return nil
}

// maxForm is how large a form may be. One with a file is bounded like every
// request; what is larger than this lies on disk meanwhile.
const maxForm = 256 << 10

func (v *visit) readForm() error {
	if strings.HasPrefix(v.r.Header.Get("Content-Type"), "multipart/") {
		return v.r.ParseMultipartForm(maxForm)
	}
	v.r.Body = http.MaxBytesReader(v.w, v.r.Body, maxForm)
	return v.r.ParseForm()
}

func setCookie(w http.ResponseWriter, name, value string) {
	http.SetCookie(w, &http.Cookie{
		Name: name, Value: value, Path: "/", Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
}

func dropCookie(w http.ResponseWriter, name string) {
	http.SetCookie(w, &http.Cookie{
		Name: name, Path: "/", Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode, MaxAge: -1,
	})
}

// toSignIn sends a stranger to the door, and remembers where they wanted to go.
func (s *Server) toSignIn(v *visit) {
	to := Path + "/sign-in"
	if v.session.Waiting {
		to = Path + "/code"
	} else if v.r.Method == http.MethodGet && v.r.Header.Get("HX-Request") == "" && v.r.URL.Path != Path+"/" {
		to += "?to=" + url.QueryEscape(v.r.URL.RequestURI())
	} else if back := v.cameFrom(); back != "" {
		to += "?to=" + url.QueryEscape(back)
	}
	if v.r.Header.Get("HX-Request") != "" {
		v.w.Header().Set("HX-Redirect", to)
		v.w.WriteHeader(http.StatusUnauthorized)
		return
	}
	http.Redirect(v.w, v.r, to, http.StatusSeeOther)
}

// visitor is who stands at the door, for the room that opens it.
func (s *Server) visitor(v *visit) auth.Visitor {
	return auth.Visitor{Source: s.Source(v.r), Agent: v.r.UserAgent(), Secret: v.secret}
}

// redirect sends the visitor on after an act, with a word on what was done.
func (v *visit) redirect(to, said string) error {
	if said != "" {
		sep := "?"
		if strings.Contains(to, "?") {
			sep = "&"
		}
		to += sep + "said=" + url.QueryEscape(said)
	}
	if v.r.Header.Get("X-Form") != "" { // the script goes there itself: a page that is counted is opened once
		v.w.Header().Set("HX-Redirect", to)
		return nil
	}
	http.Redirect(v.w, v.r, to, http.StatusSeeOther)
	return nil
}

// cameFrom is the page of ours on which the visitor pressed a button, if the
// browser tells. Without a script, who mistyped something gets back to it.
func (v *visit) cameFrom() string {
	u, err := url.Parse(v.r.Referer())
	if err != nil || u.Host != v.r.Host || !strings.HasPrefix(u.Path, Path+"/") {
		return ""
	}
	return (&url.URL{Path: u.Path, RawQuery: u.RawQuery}).String()
}

// partial reports whether a script asks for a part of a page alone.
func (v *visit) partial() bool { return v.r.Header.Get("HX-Request-Type") == "partial" }

// number reads a number of the address or of a form.
func (v *visit) number(name string) (int64, error) {
	text := v.r.PathValue(name)
	if text == "" {
		text = v.r.FormValue(name)
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 {
		return 0, fault.Missing.Errorf("there is no such page")
	}
	return n, nil
}

// text reads a field of a form or of the address, without spaces around it.
func (v *visit) text(name string) string { return strings.TrimSpace(v.r.FormValue(name)) }

// query reads a parameter of the address alone.
func (v *visit) query(name string) string { return strings.TrimSpace(v.r.URL.Query().Get(name)) }
