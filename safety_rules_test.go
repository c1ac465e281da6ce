package bureau_test

import (
	"go/ast"
	"go/token"
	"regexp"
	"strconv"
)

// safetyRules are what the program does not do. safety_proof_test.go shows that
// each of them can fail.
var safetyRules = []safetyRule{
	{"weak cipher", "", imported("is broken, or nearly",
		"crypto/md5", "crypto/sha1", "crypto/des", "crypto/rc4", "golang.org/x/crypto/md4", "golang.org/x/crypto/ripemd160",
		"golang.org/x/crypto/blowfish", "golang.org/x/crypto/tea", "golang.org/x/crypto/xtea", "golang.org/x/crypto/cast5")},
	{"guessable chance", "auth api console notify app cmd client handbook", imported("can be guessed: take crypto/rand", "math/rand", "math/rand/v2")},
	{"unsafe memory", "", imported("goes around the compiler's checks", "unsafe")},
	{"TLS without trust", "", mentionedField("InsecureSkipVerify", "believes any certificate")},
	{"old TLS", "", either(
		mentioned("is too old", "crypto/tls.VersionTLS10", "crypto/tls.VersionTLS11", "crypto/tls.VersionSSL30"),
		literals("crypto/tls.Config", "MinVersion", "does not say which version is the oldest"),
	)},
	{"shared client", "", mentioned("has no limits of its own and anybody may change it",
		"net/http.DefaultClient", "net/http.Get", "net/http.Post", "net/http.PostForm", "net/http.Head",
		"net/http.DefaultServeMux", "net/http.Handle", "net/http.HandleFunc", "net/http.ListenAndServe", "net/http.ListenAndServeTLS")},
	{"patient server", "", literals("net/http.Server", "ReadHeaderTimeout ReadTimeout", "waits for ever for a caller's header")},
	{"another program", "", imported("starts programs", "os/exec")},
	{"open file", "", findModes},
	{"read without end", "", findUnboundedReads},
	{"packed without bound", "", mentioned("makes much of little: say what bounds it",
		"archive/tar.NewReader", "archive/zip.NewReader", "archive/zip.OpenReader", "compress/bzip2.NewReader", "compress/flate.NewReader",
		"compress/flate.NewReaderDict", "compress/gzip.NewReader", "compress/lzw.NewReader", "compress/zlib.NewReader", "compress/zlib.NewReaderDict")},
	{"raw HTML", "", either(
		imported("does not escape", "text/template"),
		mentioned("is not escaped", "html/template.HTML", "html/template.JS", "html/template.JSStr", "html/template.CSS", "html/template.URL", "html/template.HTMLAttr"),
	)},
	{"secret in a log", "", findLoggedSecrets},
	{"SQL made of values", "store", findMadeSQL},
	{"SQL outside the store", "", findStraySQL},
	{"columns by their place", "store", findPlacedColumns},
}

func either(finds ...func(source) []finding) func(source) []finding {
	return func(s source) (out []finding) {
		for _, find := range finds {
			out = append(out, find(s)...)
		}
		return out
	}
}

// mentionedField finds a field by its name, set or read.
func mentionedField(field, why string) func(source) []finding {
	return func(s source) (out []finding) {
		each(s, func(id *ast.Ident) {
			if id.Name == field {
				out = append(out, finding{id.Pos(), field + " " + why})
			}
		})
		return out
	}
}

// modes are the calls that make files and folders, and the widest mode of each.
var modes = map[string]int64{
	"os.WriteFile": 0o644, "os.OpenFile": 0o644, "os.Mkdir": 0o755, "os.MkdirAll": 0o755, "os.Chmod": 0o755,
}

func findModes(s source) (out []finding) {
	each(s, func(c *ast.CallExpr) {
		name := s.named(c.Fun)
		if name == "os.Create" {
			out = append(out, finding{c.Pos(), "os.Create makes a file that everybody may read: say its mode with os.OpenFile"})
		}
		most, ok := modes[name]
		if !ok || len(c.Args) == 0 {
			return
		}
		lit, ok := c.Args[len(c.Args)-1].(*ast.BasicLit)
		if !ok {
			return // a name, which is a mode that was read or is checked where it is made
		}
		if mode, err := strconv.ParseInt(lit.Value, 0, 64); err != nil || mode&^most != 0 {
			out = append(out, finding{c.Pos(), name + " with " + lit.Value + " lets others in"})
		}
	})
	return out
}

// findUnboundedReads finds io.ReadAll of anything but a reader with an end.
func findUnboundedReads(s source) (out []finding) {
	each(s, func(c *ast.CallExpr) {
		if s.named(c.Fun) != "io.ReadAll" || len(c.Args) != 1 {
			return
		}
		if inner, ok := c.Args[0].(*ast.CallExpr); ok {
			switch s.named(inner.Fun) {
			case "io.LimitReader", "net/http.MaxBytesReader":
				return
			}
		}
		out = append(out, finding{c.Pos(), "io.ReadAll takes whatever is sent: put io.LimitReader around it"})
	})
	return out
}

var (
	secretName = regexp.MustCompile(`(?i)(password|passwd|secret|token|masterkey|privatekey)$`)
	logCall    = regexp.MustCompile(`^(Debug|Info|Warn|Error|Log|LogAttrs|Print|Printf|Println|Fprint|Fprintf|Fprintln)(Context)?$`)
)

// findLoggedSecrets finds a variable or field that is called a secret among what
// a log or a printer is given.
func findLoggedSecrets(s source) (out []finding) {
	each(s, func(c *ast.CallExpr) {
		sel, ok := c.Fun.(*ast.SelectorExpr)
		if !ok || !logCall.MatchString(sel.Sel.Name) {
			return
		}
		for _, arg := range c.Args {
			name := ""
			switch a := arg.(type) {
			case *ast.Ident:
				name = a.Name
			case *ast.SelectorExpr:
				name = a.Sel.Name
			}
			if secretName.MatchString(name) {
				out = append(out, finding{arg.Pos(), sel.Sel.Name + " is given " + name})
			}
		}
	})
	return out
}

// sqlText is how a statement begins, or goes on after a line's beginning.
var sqlText = regexp.MustCompile(`(?m)^\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE TABLE|ALTER TABLE|DROP TABLE)\s`)

// findStraySQL finds statements elsewhere than in the store. A bench that asked
// the store would measure, and believe, the store by itself.
func findStraySQL(s source) (out []finding) {
	if s.in("internal/store") || s.in("internal/bench") {
		return nil
	}
	each(s, func(lit *ast.BasicLit) {
		if text, err := strconv.Unquote(lit.Value); err == nil && lit.Kind == token.STRING && sqlText.MatchString(text) {
			out = append(out, finding{lit.Pos(), "a statement belongs in internal/store"})
		}
	})
	return out
}

func (s source) textOf(e ast.Expr) string {
	from, to := s.set.Position(e.Pos()).Offset, s.set.Position(e.End()).Offset
	return string(s.text[from:to])
}
