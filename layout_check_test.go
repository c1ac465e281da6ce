package bureau_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// survey returns a sentence for everything that is wrong with the files.
func survey(files []file) []string {
	var wrong []string
	for _, f := range files {
		wrong = append(wrong, checkVendors(f)...)
		if path.Ext(f.path) == ".go" && !strings.Contains("/"+f.path, "/testdata/") {
			wrong = append(wrong, checkLength(f)...)
			wrong = append(wrong, checkName(f)...)
			wrong = append(wrong, checkPackage(f)...)
			wrong = append(wrong, checkSkips(f)...)
			if !elsewhere(f, files) {
				wrong = append(wrong, checkImports(f)...)
			}
		}
	}
	return append(wrong, checkDocs(files)...)
}

// skips are calls that leave a test out.
var skips = regexp.MustCompile(`\b(t|b|f|tb|inner)\.Skip(f|Now)?\(`)

// checkSkips keeps tests from being left out where nobody notices: lacktest fails
// them in CI, and sourcetest knows the one thing that CI may lack.
func checkSkips(f file) []string {
	test := strings.HasSuffix(f.path, "_test.go") || strings.HasSuffix(path.Dir(f.path), "test")
	for line := range bytes.Lines(f.text) {
		if test && skips.Match(line) && !bytes.Contains(line, []byte("lacktest.Skip(")) &&
			f.path != "internal/lacktest/skip.go" && f.path != "internal/importer/sourcetest/shared.go" && !strings.HasPrefix(f.path, "layout_") {
			return []string{f.path + ": a test is left out through lacktest.Skip, or not at all"}
		}
	}
	return nil
}

// elsewhere reports whether f belongs to a module of its own below the root.
func elsewhere(f file, files []file) bool {
	return slices.ContainsFunc(files, func(m file) bool {
		return path.Base(m.path) == "go.mod" && m.path != "go.mod" && f.in(path.Dir(m.path))
	})
}

// room is the room that a folder belongs to; the root is ".".
func room(dir string) string {
	first, rest, _ := strings.Cut(dir, "/")
	if first == "internal" && rest != "" {
		first, _, _ = strings.Cut(rest, "/")
	}
	return first
}

func checkImports(f file) (wrong []string) {
	here, test := room(path.Dir(f.path)), strings.HasSuffix(f.path, "_test.go")
	opens, onPlan := mayImport[here]
	if !onPlan && !(here == "." && test) {
		return []string{f.path + ": " + here + " is not on the plan of the house; see mayImport"}
	}
	if test && here != "client" {
		return nil
	}
	parsed, err := parse(f)
	if err != nil {
		return []string{err.Error()}
	}
	for _, spec := range parsed.Imports {
		name, _ := strconv.Unquote(spec.Path.Value)
		if ours, ok := strings.CutPrefix(name, "bureau/"); ok {
			there := room(ours)
			if there != here && !has(opens, there) {
				wrong = append(wrong, fmt.Sprintf("%s: %s may not import %s", f.path, here, name))
			}
			if ours == "internal/store/storetest" && !test {
				wrong = append(wrong, f.path+": only tests may import "+name)
			}
		}
		for big, rooms := range onlyIn {
			if (name == big || strings.HasPrefix(name, big+"/")) && !has(rooms, here) && !test {
				wrong = append(wrong, fmt.Sprintf("%s: %s belongs in: %s", f.path, name, rooms))
			}
		}
	}
	return wrong
}

func checkLength(f file) []string {
	n := bytes.Count(f.text, []byte("\n"))
	if len(f.text) > 0 && !bytes.HasSuffix(f.text, []byte("\n")) {
		n++
	}
	if n > maxLines {
		return []string{fmt.Sprintf("%s: %d lines, at most %d; split it by subject", f.path, n, maxLines)}
	}
	return nil
}

// checkName asks the go command's own rules whether the name alone ties a file
// to a system. One that means it says so in a //go:build line as well.
func checkName(f file) []string {
	nowhere := build.Context{
		GOOS: "nowhere", GOARCH: "nothing", Compiler: "gc",
		OpenFile: func(string) (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader("package p\n")), nil
		},
	}
	base := path.Base(f.path)
	built, err := nowhere.MatchFile(path.Dir(f.path), base)
	if err != nil {
		return []string{f.path + ": " + err.Error()}
	}
	meant := bytes.HasPrefix(f.text, []byte("//go:build ")) || bytes.Contains(f.text, []byte("\n//go:build "))
	if !built && !meant && !strings.HasPrefix(base, "_") && !strings.HasPrefix(base, ".") {
		return []string{f.path + ": a name that ends in a system or a processor drops out of the build elsewhere"}
	}
	return nil
}

func checkPackage(f file) []string {
	parsed, err := parse(f)
	if err != nil {
		return []string{err.Error()}
	}
	if name := strings.TrimSuffix(parsed.Name.Name, "_test"); has(badPackages, name) {
		return []string{f.path + ": a package called " + name + " says nothing of what it holds"}
	}
	return nil
}

// checkDocs wants a doc.go with a package comment in every package under
// internal/.
func checkDocs(files []file) (wrong []string) {
	documented := map[string]bool{}
	for _, f := range files {
		if !f.in("internal") || path.Ext(f.path) != ".go" || strings.Contains(f.path, "/testdata/") {
			continue
		}
		dir := path.Dir(f.path)
		said := false
		if path.Base(f.path) == "doc.go" {
			parsed, err := parse(f)
			said = err == nil && strings.HasPrefix(parsed.Doc.Text(), "Package "+parsed.Name.Name+" ")
		}
		documented[dir] = documented[dir] || said
	}
	for dir, ok := range documented {
		if !ok {
			wrong = append(wrong, dir+": no doc.go with a package comment")
		}
	}
	slices.Sort(wrong)
	return wrong
}

var wireKey = regexp.MustCompile(`\b` + wireVendor + `[A-Z]\w*`)

func checkVendors(f file) (wrong []string) {
	text := f.text
	if slices.ContainsFunc(strings.Fields(wirePlaces), func(place string) bool {
		return f.path == place || strings.HasSuffix(place, "/") && strings.HasPrefix(f.path, place)
	}) {
		text = wireKey.ReplaceAll(text, nil)
	}
	text = bytes.ToLower(append([]byte(f.path+"\n"), text...))
	for _, v := range vendors {
		if i := bytes.Index(text, []byte(v)); i >= 0 {
			wrong = append(wrong, fmt.Sprintf("%s:%d: names a vendor: %s", f.path, bytes.Count(text[:i], []byte("\n")), v))
		}
	}
	return wrong
}

func parse(f file) (*ast.File, error) {
	return parser.ParseFile(token.NewFileSet(), f.path, f.text, parser.ImportsOnly|parser.ParseComments)
}

// has reports whether word is one of the words of list.
func has(list, word string) bool {
	return slices.Contains(strings.Fields(list), word)
}
