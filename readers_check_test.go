package bureau_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// readerName is how a function is called that makes something of what others
// wrote.
var readerName = regexp.MustCompile(`^(?i:parse|read|load|decode|verify|unmarshal|open)([A-Z]|$)`)

// checkReaders wants every source of the importers, and every function that
// reads what others wrote, to be fed anything by a fuzz test: a source by one in
// its own package that names it, a function by the one that the table says. It
// also wants a kept input or two for every fuzz test, so that what was found once
// is looked at in every run of the tests.
func checkReaders(files []file, table map[string]string) (wrong []string) {
	fuzz := map[string]map[string]bool{} // "internal/bank FuzzAccount" and the words of its body
	readers := map[string]string{}       // "bank.ParseIBAN" and its file
	sources := map[string]string{}       // "internal/importer/un Source" and its file
	kept := map[string]bool{}            // "internal/bank FuzzAccount"
	for _, f := range files {
		if dir, name, ok := strings.Cut(f.path, "/testdata/fuzz/"); ok {
			kept[dir+" "+path.Dir(name)] = true
		}
		if path.Ext(f.path) != ".go" || strings.Contains(f.path, "/testdata/") || elsewhere(f, files) {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), f.path, f.text, parser.SkipObjectResolution)
		if err != nil {
			return []string{err.Error()}
		}
		test := strings.HasSuffix(f.path, "_test.go")
		for _, d := range parsed.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if test && strings.HasPrefix(d.Name.Name, "Fuzz") {
					fuzz[path.Dir(f.path)+" "+d.Name.Name] = wordsOf(d)
				} else if !test && readsOthers(f, d) {
					readers[parsed.Name.Name+"."+d.Name.Name] = f.path
				}
			case *ast.GenDecl:
				if !test && f.in("internal/importer") {
					for _, name := range sourcesOf(d) {
						sources[path.Dir(f.path)+" "+name] = f.path
					}
				}
			}
		}
	}
	for _, at := range slices.Sorted(maps.Keys(sources)) {
		dir, name, _ := strings.Cut(at, " ")
		named := false
		for test, words := range fuzz {
			in, _, _ := strings.Cut(test, " ")
			named = named || in == dir && words[name]
		}
		if !named {
			wrong = append(wrong, fmt.Sprintf("%s: no fuzz test in %s names the source %s", sources[at], dir, name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(readers)) {
		if _, ok := table[name]; !ok {
			wrong = append(wrong, fmt.Sprintf("%s: %s reads what others wrote; write a fuzz test and put both into the table of readers", readers[name], name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(table)) {
		switch by := table[name]; {
		case readers[name] == "":
			wrong = append(wrong, name+" is in the table of readers and nowhere else")
		case fuzz[by] == nil && !strings.HasPrefix(by, ours):
			wrong = append(wrong, fmt.Sprintf("%s: there is no %s, which is to feed %s", readers[name], by, name))
		}
	}
	for _, test := range slices.Sorted(maps.Keys(fuzz)) {
		if !kept[test] {
			wrong = append(wrong, test+" has no input kept in testdata/fuzz")
		}
	}
	return wrong
}

// readsOthers reports whether a function is one that takes text, bytes, a reader
// or an answer and is called as one that makes something of them. Importers are
// fed through their sources, and suites for tests not at all.
func readsOthers(f file, d *ast.FuncDecl) bool {
	dir := path.Dir(f.path)
	if !f.in("internal") && !f.in("client") && dir != "client" || f.in("internal/importer") ||
		strings.HasSuffix(dir, "test") || f.in("internal/sandbox") || f.in("internal/match/gen") || f.in("internal/match/fit") {
		return false
	}
	if !readerName.MatchString(d.Name.Name) || d.Name.Name == "Read" && d.Recv != nil && typeText(d.Type.Params.List[0].Type) == "[]byte" {
		return false // the latter is an io.Reader itself
	}
	for _, p := range d.Type.Params.List {
		switch kind := typeText(p.Type); kind {
		case "context.Context":
			return false // it asks somebody, and what comes back is read elsewhere
		case "io.Reader", "*bufio.Reader", "*http.Response":
			return true
		case "string", "[]byte":
			// A small helper that is handed a part is fed by what hands it on.
			return d.Name.IsExported()
		}
	}
	return false
}

func typeText(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.StarExpr:
		return "*" + typeText(e.X)
	case *ast.SelectorExpr:
		return typeText(e.X) + "." + e.Sel.Name
	case *ast.ArrayType:
		return "[]" + typeText(e.Elt)
	}
	return "?"
}

// sourcesOf names the variables of a declaration that hold an importer.Source.
func sourcesOf(d *ast.GenDecl) (names []string) {
	for _, s := range d.Specs {
		v, ok := s.(*ast.ValueSpec)
		if !ok {
			continue
		}
		for i, value := range v.Values {
			lit, ok := value.(*ast.CompositeLit)
			if !ok {
				continue
			}
			index, ok := lit.Type.(*ast.IndexExpr)
			if ok && typeText(index.X) == "importer.Source" {
				names = append(names, v.Names[i].Name)
			}
		}
	}
	return names
}

func wordsOf(d *ast.FuncDecl) map[string]bool {
	words := map[string]bool{}
	ast.Inspect(d, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			words[id.Name] = true
		}
		return true
	})
	return words
}
