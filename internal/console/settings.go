package console

import (
	"errors"
	"html/template"

	"bureau/internal/auth"
	"bureau/internal/fault"
)

type settingsData struct {
	Sessions []auth.Session
	Here     string // the name of this session
	Codes    bool
	Draft    *auth.CodeDraft
	Open     template.URL  // the draft, for an app on this machine
	Picture  template.HTML // the same, for one on a telephone
	Wrong    string
	MinWords int
	MaxWords int
}

// settings are the visitor's own: password, codes, sessions.
func (s *Server) settings(v *visit) error { return s.showSettings(v, settingsData{}) }

func (s *Server) showSettings(v *visit, d settingsData) (err error) {
	if d.Sessions, err = s.Sessions.List(v.ctx(), v.account); err != nil {
		return err
	}
	d.Here, d.Codes = v.session.Key.Name(), len(v.account.Second) > 0
	if d.Draft != nil {
		d.Open = template.URL(d.Draft.URI) //nolint:gosec // our own, of a scheme that pages seldom link to
		code, err := newQR(d.Draft.URI)
		if err != nil {
			return err
		}
		d.Picture = code.picture("The secret as a QR code. It is written out below.")
	}
	d.MinWords, d.MaxWords = auth.MinChosen, auth.MaxCredential
	return s.show(v, page{name: "settings", title: "Settings", data: d})
}

// again puts the new secret of the visitor's session into the browser.
func (v *visit) again(secret auth.SessionSecret, err error, said string) error {
	if err != nil {
		return err
	}
	setCookie(v.w, sessionCookie, string(secret))
	return v.redirect(Path+"/settings", said)
}

func (s *Server) changePassword(v *visit) error {
	is := v.r.PostFormValue("is")
	if is != v.r.PostFormValue("again") {
		return fault.Invalid.Errorf("the new password was written in two ways")
	}
	secret, err := s.Sessions.ChangePassword(v.ctx(), v.account, s.visitor(v), v.r.PostFormValue("was"), is)
	return v.again(secret, err, "password")
}

// draftCodes shows a secret to put into an app.
func (s *Server) draftCodes(v *visit) error {
	draft := s.Sessions.DraftCodes(v.account)
	return s.showSettings(v, settingsData{Draft: &draft})
}

// setCodes takes the first code, and shows the same secret again if it is wrong.
func (s *Server) setCodes(v *visit) error {
	secret, err := s.Sessions.SetCodes(v.ctx(), v.account, s.visitor(v), v.text("sealed"), v.text("code"))
	if told, ok := fault.Of(err); ok && errors.Is(err, fault.Invalid) {
		if draft, err := s.Sessions.RedraftCodes(v.account, v.text("sealed")); err == nil {
			return s.showSettings(v, settingsData{Draft: &draft, Wrong: told.Text})
		}
	}
	return v.again(secret, err, "codes-on")
}

func (s *Server) dropCodes(v *visit) error {
	secret, err := s.Sessions.DropCodes(v.ctx(), v.account, s.visitor(v), v.text("code"))
	if told, ok := fault.Of(err); ok {
		return s.showSettings(v, settingsData{Wrong: told.Text})
	}
	return v.again(secret, err, "codes-off")
}

// endSessions signs out one session, or all others.
func (s *Server) endSessions(v *visit) error {
	name := v.text("name")
	if _, err := s.Sessions.End(v.ctx(), v.account.ID, name, v.session.Key); err != nil {
		return err
	}
	if name == "" {
		return v.redirect(Path+"/settings", "signed-out-all")
	}
	return v.redirect(Path+"/settings", "session-ended")
}
