package bureau_test

import (
	"strings"
	"testing"
)

// TestSafetyRulesCanFail plants, for every rule, something that it refuses and
// something that only looks like it.
func TestSafetyRulesCanFail(t *testing.T) {
	planted := map[string]bool{}
	for _, c := range []struct {
		rule string // "" if the source is fine
		path string
		text string
	}{
		{"weak cipher", "internal/bank/a.go", `import "crypto/md5"`},
		{"weak cipher", "internal/bank/a.go", `import old "crypto/des"`},
		{"", "internal/bank/a.go", `import "crypto/sha256"`},
		{"guessable chance", "internal/auth/a.go", `import "math/rand/v2"`},
		{"", "internal/sandbox/a.go", `import "math/rand/v2"`},
		{"unsafe memory", "internal/bank/a.go", `import "unsafe"`},
		{"TLS without trust", "internal/notify/a.go", `import "crypto/tls"; var c = tls.Config{MinVersion: tls.VersionTLS12, InsecureSkipVerify: true}`},
		{"TLS without trust", "internal/notify/a.go", `import "crypto/tls"; func f(c *tls.Config) { c.InsecureSkipVerify = true }`},
		{"old TLS", "internal/notify/a.go", `import "crypto/tls"; var c = &tls.Config{}`},
		{"old TLS", "internal/notify/a.go", `import "crypto/tls"; var c = &tls.Config{MinVersion: tls.VersionTLS10}`},
		{"", "internal/notify/a.go", `import "crypto/tls"; var c = &tls.Config{MinVersion: tls.VersionTLS12}`},
		{"shared client", "internal/importer/a.go", `import "net/http"; var r, _ = http.Get("https://example.com")`},
		{"shared client", "internal/importer/a.go", `import web "net/http"; var c = web.DefaultClient`},
		{"", "internal/importer/a.go", `import "net/http"; var c = &http.Client{}; var r, _ = c.Get("https://example.com")`},
		{"patient server", "internal/app/a.go", `import "net/http"; var s = &http.Server{Addr: ":1"}`},
		{"", "internal/app/a.go", `import "net/http"; var s = &http.Server{ReadHeaderTimeout: 5}`},
		{"another program", "internal/pdf/a.go", `import "os/exec"; var c = exec.Command("convert")`},
		{"open file", "internal/app/a.go", `import "os"; var err = os.WriteFile("key", nil, 0o666)`},
		{"open file", "internal/app/a.go", `import "os"; var err = os.MkdirAll("data", 0777)`},
		{"open file", "internal/app/a.go", `import "os"; var f, err = os.Create("key")`},
		{"", "internal/app/a.go", `import "os"; var err = os.WriteFile("key", nil, 0o600)`},
		{"read without end", "internal/api/a.go", `import "io"; func f(r io.Reader) { io.ReadAll(r) }`},
		{"", "internal/api/a.go", `import "io"; func f(r io.Reader) { io.ReadAll(io.LimitReader(r, 9)) }`},
		{"packed without bound", "internal/api/a.go", `import "compress/gzip"; func f(r R) { gzip.NewReader(r) }`},
		{"", "internal/api/a.go", `import "compress/gzip"; func f(w W) { gzip.NewWriter(w) }`},
		{"raw HTML", "internal/console/a.go", `import "text/template"; var t = template.New("page")`},
		{"raw HTML", "internal/console/a.go", `import "html/template"; func f(name string) any { return template.HTML(name) }`},
		{"", "internal/console/a.go", `import "html/template"; var t = template.New("page")`},
		{"secret in a log", "internal/auth/a.go", `func f(l L, password string) { l.Info("login", "with", password) }`},
		{"secret in a log", "internal/auth/a.go", `import "fmt"; func f(h H) { fmt.Println(h.ClientSecret) }`},
		{"", "internal/auth/a.go", `func f(l L, tokens int) { l.Info("login", "tokens", tokens) }`},
		{"SQL made of values", "internal/store/a.go", "func f(t tx, c C) { t.Exec(`SELECT id FROM c WHERE name = '` + c.Name + `'`) }"},
		{"SQL made of values", "internal/store/a.go", "import \"fmt\"; func f(t tx, name string) { t.Exec(fmt.Sprintf(`DELETE FROM c WHERE name = '%s'`, name)) }"},
		{"SQL made of values", "internal/store/a.go", "func f(t tx, c C) { w := `x`; w = string(c.Name); t.Exec(`SELECT id FROM c ` + w) }"},
		{"", "internal/store/a.go", "const columns = `id`; func (db *DB) f(t tx, lock string) { w := `WHERE id = $1 `; t.Exec(`SELECT ` + columns + ` FROM c ` + w + db.d.forUpdate + lock) }"},
		{"columns by their place", "internal/store/a.go", "const q = `SELECT * FROM company`"},
		{"columns by their place", "internal/store/a.go", "const q = `INSERT INTO company VALUES ($1)`"},
		{"", "internal/store/a.go", "const q = `INSERT INTO company (id) SELECT * FROM unnest($1::text[])`"},
		{"SQL outside the store", "internal/company/a.go", "const q = `SELECT id FROM company`"},
		{"", "internal/company/a.go", `const words = "SELECTED from a list"`},
		{"", "internal/company/a_test.go", `import "crypto/md5"`},
		{"", "internal/store/storetest/a.go", `import "os/exec"`},
	} {
		planted[c.rule] = true
		pkg := "p"
		got := checkSafety([]file{{c.path, []byte("package " + pkg + ";" + c.text + "\n")}}, nil)
		switch {
		case c.rule == "" && len(got) > 0:
			t.Errorf("%s\nis refused: %q", c.text, got)
		case c.rule != "" && (len(got) == 0 || !strings.Contains(got[0], ": "+c.rule+": ")):
			t.Errorf("%s\ngot %q, want %q", c.text, got, c.rule)
		}
	}
	for _, r := range safetyRules {
		if !planted[r.name] {
			t.Errorf("nothing shows that the rule %q can fail", r.name)
		}
	}
}

func TestSafetyExceptions(t *testing.T) {
	bad := []file{{"internal/auth/totp.go", []byte("package auth; import \"crypto/sha1\"\n")}}
	key := "weak cipher internal/auth/totp.go"
	expect(t, checkSafety(bad, nil), "crypto/sha1")
	expect(t, checkSafety(bad, map[string]string{key: "a standard asks for it"}), "")
	expect(t, checkSafety(nil, map[string]string{key: "a standard asks for it"}), "is not needed")
}
