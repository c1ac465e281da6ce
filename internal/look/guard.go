package look

import "net/http"

// A Guard is what a browser is told about pages: they load what is ours, call us,
// and nothing else; nobody frames them.
type Guard struct {
	Images string // where pictures may come from besides us
	Cache  string // for whom the pages may be kept
}

// Wrap answers with the headers of g before next does.
func (g Guard) Wrap(next http.Handler) http.Handler {
	images := "'self'"
	if g.Images != "" {
		images += " " + g.Images
	}
	policy := "default-src 'none'; script-src 'self'; style-src 'self'; img-src " + images + "; connect-src 'self'; " +
		"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("Referrer-Policy", "same-origin")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=()")
		h.Set("Cache-Control", g.Cache)
		next.ServeHTTP(w, r)
	})
}
