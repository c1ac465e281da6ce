package api

import (
	"errors"
	"html/template"
	"net/http"

	"bureau/internal/fault"
)

// unsubscribePath is where the links in digests lead. It is a page for people
// and for mail programs, and so no operation of the document.
const unsubscribePath = "/unsubscribe/{token}"

// askUnsubscribe shows a button. To look at a link must not act: programs that
// protect people from bad links open every one.
func (s *Server) askUnsubscribe(w http.ResponseWriter, r *http.Request) {
	words := unsubscribeIn(r)
	if err := s.Mail.Check(r.PathValue("token")); err != nil {
		s.unsubscribeFailed(w, r, err)
		return
	}
	writePage(w, http.StatusOK, unsubscribeView{Language: words.language, Title: words.title, Text: words.ask, Button: words.button})
}

// unsubscribe ends the mail that a link came in. Mail programs post here without
// showing anything (RFC 8058), people by the button; it is the same however
// often it is done.
func (s *Server) unsubscribe(w http.ResponseWriter, r *http.Request) {
	words := unsubscribeIn(r)
	if err := s.Mail.End(r.Context(), r.PathValue("token")); err != nil {
		s.unsubscribeFailed(w, r, err)
		return
	}
	writePage(w, http.StatusOK, unsubscribeView{Language: words.language, Title: words.title, Text: words.done})
}

func (s *Server) unsubscribeFailed(w http.ResponseWriter, r *http.Request, err error) {
	words := unsubscribeIn(r)
	if errors.Is(err, fault.Invalid) {
		writePage(w, http.StatusNotFound, unsubscribeView{Language: words.language, Title: words.title, Text: words.broken})
		return
	}
	s.fail(w, r, err)
}

type unsubscribeView struct{ Language, Title, Text, Button string }

var unsubscribePage = template.Must(template.New("").Parse(`<!DOCTYPE html>
<html lang="{{.Language}}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>{{.Title}}</title>
</head>
<body style="margin:40px 16px;background:#f7f7f5;color:#1c1d1f;font:16px/24px system-ui,sans-serif">
<main style="max-width:600px;margin:0 auto;padding:24px;background:#ffffff;border:1px solid #e3e2de;border-radius:6px">
<h1 style="margin:0 0 12px;font-size:20px">{{.Title}}</h1>
<p style="margin:0">{{.Text}}</p>
{{if .Button}}<form method="post" style="margin:24px 0 0">
<input type="hidden" name="List-Unsubscribe" value="One-Click">
<button style="padding:8px 16px;font:inherit;color:#ffffff;background:#1f5fbf;border:0;border-radius:6px">{{.Button}}</button>
</form>
{{end}}</main>
</body>
</html>
`))

// writePage shows a page that nobody keeps, frames or learns the address of.
func writePage(w http.ResponseWriter, status int, v unsubscribeView) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'")
	w.WriteHeader(status)
	_ = unsubscribePage.Execute(w, v) // whoever went away does not read it
}

type unsubscribeWords struct{ language, title, ask, button, done, broken string }

// unsubscribeIn are the words of the page in the language of the mail, which its
// link names.
func unsubscribeIn(r *http.Request) unsubscribeWords {
	if w, ok := unsubscribeLanguages[r.URL.Query().Get("language")]; ok {
		return w
	}
	return unsubscribeLanguages["en"]
}

var unsubscribeLanguages = map[string]unsubscribeWords{
	"en": {
		"en", "Unsubscribe", "Shall mail about this portfolio no longer come to your address?", "Unsubscribe",
		"Done. No more mail about this portfolio will come to your address.", "This link is not whole. Copy all of it from the mail.",
	},
	"de": {
		"de", "Abbestellen", "Sollen keine Mails zu diesem Portfolio mehr an Ihre Adresse gehen?", "Abbestellen",
		"Erledigt. An Ihre Adresse gehen keine Mails zu diesem Portfolio mehr.", "Dieser Link ist unvollständig. Kopieren Sie ihn ganz aus der Mail.",
	},
	"fr": {
		"fr", "Se désabonner", "Ne plus envoyer de messages sur ce portefeuille à votre adresse ?", "Se désabonner",
		"C’est fait. Votre adresse ne recevra plus de messages sur ce portefeuille.", "Ce lien est incomplet. Copiez-le en entier depuis le message.",
	},
	"sv": {
		"sv", "Avsluta utskick", "Ska mejl om den här portföljen inte längre skickas till din adress?", "Avsluta utskick",
		"Klart. Inga fler mejl om portföljen skickas till din adress.", "Länken är inte hel. Kopiera hela länken från mejlet.",
	},
	"nb": {
		"nb", "Meld av", "Skal e-post om denne porteføljen ikke lenger sendes til adressen din?", "Meld av",
		"Ferdig. Det sendes ikke mer e-post om porteføljen til adressen din.", "Lenken er ikke hel. Kopier hele lenken fra e-posten.",
	},
	"nl": {
		"nl", "Afmelden", "Wilt u op uw adres geen mail over deze portefeuille meer ontvangen?", "Afmelden",
		"Gelukt. Op uw adres komt geen mail over deze portefeuille meer.", "Deze link is niet volledig. Kopieer de hele link uit de mail.",
	},
	"es": {
		"es", "Darse de baja", "¿No desea recibir más correos sobre esta cartera en su dirección?", "Darse de baja",
		"Hecho. Su dirección no recibirá más correos sobre esta cartera.", "Este enlace está incompleto. Cópielo entero del correo.",
	},
	"it": {
		"it", "Annulla l’iscrizione", "Non vuole più ricevere e-mail su questo portafoglio al suo indirizzo?", "Annulla l’iscrizione",
		"Fatto. Il suo indirizzo non riceverà più e-mail su questo portafoglio.", "Questo link è incompleto. Lo copi per intero dall’e-mail.",
	},
}
