package console

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"bureau/internal/auth"
	"bureau/internal/fault"
)

// doorData is what the two forms at the door show.
type doorData struct {
	To, Email, Wrong string
}

// signInPage is the form at the door.
func (s *Server) signInPage(v *visit) error {
	if v.account.ID != 0 && !v.session.Waiting {
		return v.redirect(Path+"/", "")
	}
	return s.show(v, page{name: "sign-in", title: "Sign in", data: doorData{To: v.query("to")}})
}

// signIn takes what was filled in. Whatever is wrong, the answer is the same.
func (s *Server) signIn(v *visit) error {
	d := doorData{To: v.text("to"), Email: v.text("email")}
	in, err := s.Sessions.SignIn(v.ctx(), s.visitor(v), d.Email, v.r.PostFormValue("password"))
	if err != nil {
		return err
	}
	switch in.Verdict {
	case auth.Granted:
		setCookie(v.w, sessionCookie, string(in.Secret))
		dropCookie(v.w, formCookie)
		if in.Code {
			return v.redirect(Path+"/code?to="+url.QueryEscape(d.To), "")
		}
		return v.redirect(within(d.To), "")
	case auth.Limited:
		d.Wrong = "Too many attempts. Try again in " + wait(in.Wait) + "."
		return s.show(v, page{name: "sign-in", title: "Sign in", status: http.StatusTooManyRequests, data: d})
	default:
		d.Wrong = "The e-mail address or the password is wrong."
		return s.show(v, page{name: "sign-in", title: "Sign in", status: http.StatusUnauthorized, data: d})
	}
}

func wait(d time.Duration) string {
	if d < time.Minute {
		return plural(int64(d/time.Second)+1, "second", "seconds")
	}
	return plural(int64(d/time.Minute)+1, "minute", "minutes")
}

// within keeps where to go next inside the console: the address came from
// outside.
func within(to string) string {
	u, err := url.Parse(to)
	if err != nil || u.Host != "" || u.Scheme != "" || !strings.HasPrefix(u.Path, Path+"/") || strings.Contains(to, "\\") || strings.Contains(u.Path, "..") {
		return Path + "/"
	}
	return u.RequestURI()
}

func (s *Server) codePage(v *visit) error {
	return s.show(v, page{name: "code", title: "Your code", data: doorData{To: v.query("to")}})
}

func (s *Server) giveCode(v *visit) error {
	d := doorData{To: v.text("to")}
	secret, err := s.Sessions.GiveCode(v.ctx(), s.visitor(v), v.text("code"))
	told, isFault := fault.Of(err)
	switch {
	case errors.Is(err, fault.Stranger) || errors.Is(err, fault.Exhausted):
		d.Wrong = told.Text + "."
		status, _ := statusOf(told.Kind)
		return s.show(v, page{name: "code", title: "Your code", status: status, data: d})
	case err != nil || isFault:
		return err
	}
	setCookie(v.w, sessionCookie, string(secret))
	return v.redirect(within(d.To), "")
}

// signOut ends the session.
func (s *Server) signOut(v *visit) error {
	if v.account.ID != 0 {
		if _, err := s.Sessions.End(v.ctx(), v.account.ID, v.session.Key.Name(), auth.SessionKey{}); err != nil {
			return err
		}
	}
	dropCookie(v.w, sessionCookie)
	return v.redirect(Path+"/sign-in", "signed-out")
}
