package api_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"bureau/internal/auth"
)

const (
	jsonType = "application/json"
	formType = "application/x-www-form-urlencoded"

	// denied is the whole body of a refused login.
	denied = "Access denied. The username and the password are case-sensitive; " +
		"if the problem persists, please contact your account manager."
)

func credentials(username, password string) string {
	b, err := json.Marshal(map[string]string{"username": username, "password": password})
	if err != nil {
		panic(err)
	}
	return string(b)
}

// wantLogin checks the whole of a login's answer but for the token and the
// RateLimit headers.
func wantLogin(t *testing.T, got answer, status int) {
	t.Helper()
	kind, body := "text/plain", ""
	switch status {
	case http.StatusOK:
		var token struct{ Token string }
		if err := json.Unmarshal([]byte(got.body), &token); err != nil || strings.Count(token.Token, ".") != 2 {
			t.Errorf("got the body %q, want a token", got.body)
		}
		kind, body = jsonType, got.body
	case http.StatusUnauthorized:
		body = denied
	}
	if got.status != status || got.header.Get("Content-Type") != kind || got.body != body {
		t.Errorf("got %d %q %q, want %d %q %q", got.status, got.header.Get("Content-Type"), got.body, status, kind, body)
	}
	if got := got.header.Get("Cache-Control"); got != "no-store" {
		t.Errorf("got Cache-Control %q, want no-store", got)
	}
}

func TestAuthenticateReadsBodiesToTheLetter(t *testing.T) {
	w := newWorld(t, plan{})
	l := w.join("acme", everywhere(auth.Companies)...)
	right := credentials(l.Username, l.Password)
	long := func(s string, n int) string { return strings.Repeat(s, n) }
	for _, c := range []struct {
		name string
		kind string
		body string
		want int
	}{
		{"the right ones", jsonType, right, 200},
		{"with white space around", jsonType, " \r\n\t" + right + "\n ", 200},
		{"with a character set", jsonType + "; charset=utf-8", right, 200},
		{"without a content type", "", right, 200},
		{"called text", "text/plain", right, 200},
		{"JSON that curl calls a form", formType, right, 200},
		{"JSON that curl calls a form, indented", formType, "\n  " + right, 200},
		{"unknown fields are ignored", jsonType, strings.Replace(right, "{", `{"scope":["a"],"USERNAME":"x","Password":1,`, 1), 200},
		{"escaped letters are letters", jsonType, strings.Replace(right, "acme", `\u0061cme`, 1), 200},
		{"a form", formType, "username=acme&password=" + l.Password, 200},
		{"a form with a character set", formType + ";charset=UTF-8", "password=" + l.Password + "&username=%61cme&x=y", 200},

		{"wrong password", jsonType, credentials("acme", "wrong"), 401},
		{"unknown name", jsonType, credentials("nobody", "wrong"), 401},
		{"the name in another case", jsonType, credentials("Acme", l.Password), 401},
		{"the password in another case", jsonType, credentials("acme", swapCase(l.Password)), 401},
		{"a space before", jsonType, credentials("acme", " "+l.Password[:29]), 401},
		{"spaces only", jsonType, credentials(" ", " "), 401},
		{"a form's plus is a space", formType, "username=ac+me&password=x", 401},
		{"30 letters", jsonType, credentials(long("a", 30), long("b", 30)), 401},
		{"30 letters of two bytes", jsonType, credentials(long("å", 30), long("ß", 30)), 401},
		{"30 letters of four bytes", jsonType, credentials(long("🂡", 30), long("🃁", 30)), 401},
		{"30 code points that look like 15", jsonType, credentials(long("e\u0301", 15), "x"), 401},
		{"30 code points, each escaped in twelve", jsonType, `{"username":"` + long(`\ud83c\udca1`, 30) + `","password":"y"}`, 401},
		{"a NUL is a character", jsonType, credentials("acme\x00", l.Password), 401},

		{"31 letters in the name", jsonType, credentials(long("a", 31), "b"), 400},
		{"31 letters in the password", jsonType, credentials("acme", l.Password+"x"), 400},
		{"31 letters of two bytes", jsonType, credentials("acme", long("ß", 31)), 400},
		{"31 letters of four bytes", jsonType, credentials(long("🂡", 31), "b"), 400},
		{"31 code points that look like 16", jsonType, credentials("e"+long("e\u0301", 15), "x"), 400},
		{"31 letters in a form", formType, "username=acme&password=" + long("x", 31), 400},
		{"no body", jsonType, "", 400},
		{"white space", jsonType, "  ", 400},
		{"no name", jsonType, `{"password":"x"}`, 400},
		{"no password", jsonType, `{"username":"acme"}`, 400},
		{"neither", jsonType, `{}`, 400},
		{"names in another case", jsonType, `{"Username":"acme","PASSWORD":"` + l.Password + `"}`, 400},
		{"empty name", jsonType, credentials("", "x"), 400},
		{"empty password", jsonType, credentials("acme", ""), 400},
		{"null name", jsonType, `{"username":null,"password":"x"}`, 400},
		{"null password", jsonType, `{"username":"acme","password":null}`, 400},
		{"a number", jsonType, `{"username":"acme","password":1}`, 400},
		{"a truth", jsonType, `{"username":true,"password":"x"}`, 400},
		{"an array", jsonType, `{"username":["acme"],"password":"x"}`, 400},
		{"an object", jsonType, `{"username":"acme","password":{"a":"b"}}`, 400},
		{"null", jsonType, `null`, 400},
		{"an array of them", jsonType, "[" + right + "]", 400},
		{"a text", jsonType, `"acme"`, 400},
		{"no JSON", jsonType, `username: acme`, 400},
		{"half of it", jsonType, right[:len(right)-1], 400},
		{"something behind", jsonType, right + "x", 400},
		{"another behind", jsonType, right + right, 400},
		{"a comment", jsonType, right + "// hello", 400},
		{"a byte order mark", jsonType, "\ufeff" + right, 400},
		{"not UTF-8", jsonType, `{"username":"acme","password":"` + "\xff" + `"}`, 400},
		{"not UTF-8 where it is ignored", jsonType, `{"x":"` + "\xc3\x28" + `",` + right[1:], 400},
		{"half a surrogate pair", jsonType, `{"username":"acme","password":"\ud800"}`, 400},
		{"the wrong half", jsonType, `{"username":"\udc00","password":"x"}`, 400},
		{"exactly 4 KB", jsonType, right + long(" ", 4096-len(right)), 200},
		{"more than 4 KB", jsonType, right + long(" ", 4097-len(right)), 400},
		{"a megabyte", jsonType, long("x", 1<<20), 400},
		{"deep", jsonType, long("[", 4000), 400},
		{"a form without a password", formType, "username=acme", 400},
		{"a form with an empty password", formType, "username=acme&password=", 400},
		{"a form with two passwords", formType, "username=acme&password=a&password=b", 400},
		{"a form that is none", formType, "username=acme&password=%zz", 400},
		{"a form with semicolons", formType, "username=acme;password=x", 400},
		{"a form that is not UTF-8", formType, "username=acme&password=%ff", 400},
		{"a form that is called JSON", jsonType, "username=acme&password=x", 400},
		{"a form of many parts", "multipart/form-data; boundary=x", "--x\r\n\r\n--x--", 400},
	} {
		t.Run(c.name, func(t *testing.T) {
			header := []string{"Content-Type", c.kind}
			if c.kind == "" {
				header = nil
			}
			wantLogin(t, w.send("POST", "/v1/authenticate", c.body, header...), c.want)
		})
	}
}

func swapCase(s string) string {
	return strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' {
			return r - 32
		}
		if 'A' <= r && r <= 'Z' {
			return r + 32
		}
		return r
	}, s)
}

func TestAuthenticateTakesNothingFromElsewhere(t *testing.T) {
	w := newWorld(t, plan{})
	l := w.join("acme")
	wantLogin(t, w.send("POST", "/v1/authenticate?username=acme&password="+l.Password, ""), 400)
	r := "acme:" + l.Password
	wantLogin(t, w.send("POST", "/v1/authenticate", "", "Authorization", r), 400)
	if got := w.send("GET", "/v1/authenticate?username=acme&password="+l.Password, ""); got.status != 405 || got.header.Get("Allow") != "POST, OPTIONS" {
		t.Errorf("GET: got %d, Allow %q", got.status, got.header.Get("Allow"))
	}
	// A token that comes along is not looked at: the operation is open.
	wantLogin(t, w.send("POST", "/v1/authenticate", credentials("acme", l.Password), "Authorization", "Bearer x"), 200)
}

func TestAuthenticateBodyThatBreaksOff(t *testing.T) {
	w := newWorld(t, plan{})
	for _, request := range []string{
		"POST /v1/authenticate HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\nzz\r\n",
		"POST /v1/authenticate HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n5\r\n{\"use\r\nzz\r\n",
	} {
		got := w.raw(request)
		if !strings.HasPrefix(got, "HTTP/1.1 400 Bad Request\r\n") || !strings.HasSuffix(got, "\r\n\r\n") {
			t.Errorf("got %q, want an empty 400", got)
		}
	}
	if log := w.log.String(); log != "" {
		t.Errorf("a body that broke off is not our failure, but the log says %s", log)
	}
}

// A18: exact bytes, no trimming, no normalising, no end at a NUL.
func TestPasswordIsTakenExactly(t *testing.T) {
	w := newWorld(t, plan{})
	const composed, decomposed = "p\u00e5ssword-long-enough", "pa\u030assword-long-enough"
	for i, c := range []struct {
		name  string
		set   string
		tried map[string]int
	}{
		{"composed", composed, map[string]int{composed: 200, decomposed: 401}},
		{"decomposed", decomposed, map[string]int{composed: 401, decomposed: 200}},
		{"a NUL inside", "before-\x00-after-long", map[string]int{"before-\x00-after-long": 200, "before-": 401, "before-\x00-after-lonG": 401}},
		{"spaces around", "  spaces around  ", map[string]int{"  spaces around  ": 200, "spaces around": 401, "  spaces around ": 401}},
		{"a line end", "a line and its end\n", map[string]int{"a line and its end\n": 200, "a line and its end": 401, "a line and its end\r\n": 401}},
		{"30 code points of four bytes", strings.Repeat("🂡", 30), map[string]int{
			strings.Repeat("🂡", 30): 200, strings.Repeat("🂡", 29): 401, strings.Repeat("🂡", 29) + "🂢": 401, strings.Repeat("🂡", 31): 400,
		}},
		{"full-width letters", "ｆｕｌｌｗｉｄｔｈｐａｓｓ", map[string]int{"ｆｕｌｌｗｉｄｔｈｐａｓｓ": 200, "fullwidthpass": 401}},
		{"a letter whose case folds to two", "straße-straße-straße", map[string]int{"straße-straße-straße": 200, "strasse-strasse-strasse": 401}},
	} {
		t.Run(c.name, func(t *testing.T) {
			user := "user-" + string(rune('a'+i))
			w.join(user)
			_, err := w.office.SetChosenPassword(t.Context(), user, c.set, false)
			must(t, err)
			for password, want := range c.tried {
				wantLogin(t, w.send("POST", "/authenticate", credentials(user, password), "Content-Type", jsonType), want)
			}
		})
	}
}

func TestSeveralTokensAreValidAtOnce(t *testing.T) {
	w := newWorld(t, plan{})
	l := w.join("acme")
	one, two := w.token(l), w.token(l)
	if one == two {
		t.Fatal("the same token twice")
	}
	for _, token := range []string{one, two} {
		if got := w.send("GET", "/v1/access/users/me", "", "Authorization", "Bearer "+token); got.status != 200 {
			t.Errorf("got %d, want 200", got.status)
		}
	}
	w.clock.Step(auth.TokenLife)
	if got := w.send("GET", "/v1/access/users/me", "", "Authorization", "Bearer "+one); got.status != 401 {
		t.Errorf("an hour later: got %d, want 401", got.status)
	}
}
