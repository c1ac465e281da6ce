package bureau_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A source is a file of the program, read as a tree.
type source struct {
	file
	tree    *ast.File
	set     *token.FileSet
	imports map[string]string // what a package is called here, and its path
	consts  map[string]bool   // what the package declares as constants
}

// checkSafety returns a sentence for everything in the program that the rules
// refuse and the exceptions do not name, and for every exception that nothing
// needs any more. Tests and what only tests import are not the program.
func checkSafety(files []file, exceptions map[string]string) (wrong []string) {
	var sources []source
	consts := map[string]map[string]bool{}
	for _, f := range files {
		dir := path.Dir(f.path)
		if path.Ext(f.path) != ".go" || strings.HasSuffix(f.path, "_test.go") || strings.Contains(f.path, "/testdata/") ||
			strings.HasSuffix(dir, "test") || dir == "bench" || elsewhere(f, files) {
			continue
		}
		s, err := readSource(f)
		if err != nil {
			return []string{err.Error()}
		}
		if consts[dir] == nil {
			consts[dir] = map[string]bool{}
		}
		s.consts = consts[dir] // whole once all files are read
		s.addConsts()
		sources = append(sources, s)
	}
	used := map[string]bool{}
	for _, s := range sources {
		for _, r := range safetyRules {
			if r.rooms != "" && !has(r.rooms, room(path.Dir(s.path))) {
				continue
			}
			for _, found := range r.find(s) {
				key := r.name + " " + s.path
				if _, ok := exceptions[key]; ok {
					used[key] = true
					continue
				}
				wrong = append(wrong, fmt.Sprintf("%s: %s: %s", s.set.Position(found.at), r.name, found.why))
			}
		}
	}
	for key := range exceptions {
		if !used[key] {
			wrong = append(wrong, "the exception "+strconv.Quote(key)+" is not needed")
		}
	}
	slices.Sort(wrong)
	return wrong
}

func readSource(f file) (source, error) {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, f.path, f.text, parser.SkipObjectResolution)
	if err != nil {
		return source{}, err
	}
	s := source{file: f, tree: tree, set: set, imports: map[string]string{}}
	for _, spec := range tree.Imports {
		at, _ := strconv.Unquote(spec.Path.Value)
		name := path.Base(at)
		if regexp.MustCompile(`^v\d+$`).MatchString(name) {
			name = path.Base(path.Dir(at))
		}
		if spec.Name != nil {
			name = spec.Name.Name
		}
		s.imports[name] = at
	}
	return s, nil
}

// addConsts notes the constants of a file, and its variables that hold texts.
func (s source) addConsts() {
	for _, d := range s.tree.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST && g.Tok != token.VAR {
			continue
		}
		for _, spec := range g.Specs {
			for _, name := range spec.(*ast.ValueSpec).Names {
				s.consts[name.Name] = true
			}
		}
	}
}

// A finding is a place that a rule refuses.
type finding struct {
	at  token.Pos
	why string
}

// A safetyRule refuses something in the rooms that it names, or everywhere.
type safetyRule struct {
	name  string
	rooms string
	find  func(s source) []finding
}

// each visits every node of a kind.
func each[T ast.Node](s source, visit func(T)) {
	ast.Inspect(s.tree, func(n ast.Node) bool {
		if n, ok := n.(T); ok {
			visit(n)
		}
		return true
	})
}

// named is what an expression names in another package, as "net/http.Get".
func (s source) named(e ast.Expr) string {
	sel, ok := e.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	id, ok := sel.X.(*ast.Ident)
	if !ok || s.imports[id.Name] == "" {
		return ""
	}
	return s.imports[id.Name] + "." + sel.Sel.Name
}

// imported finds imports of any of the packages.
func imported(why string, packages ...string) func(source) []finding {
	return func(s source) (out []finding) {
		for _, spec := range s.tree.Imports {
			at, _ := strconv.Unquote(spec.Path.Value)
			if slices.Contains(packages, at) {
				out = append(out, finding{spec.Pos(), at + " " + why})
			}
		}
		return out
	}
}

// mentioned finds uses of any of the names of other packages.
func mentioned(why string, names ...string) func(source) []finding {
	return func(s source) (out []finding) {
		each(s, func(e *ast.SelectorExpr) {
			if name := s.named(e); slices.Contains(names, name) {
				out = append(out, finding{e.Pos(), name + " " + why})
			}
		})
		return out
	}
}

// literals finds values of a struct type of another package that have none of
// some fields.
func literals(kind, fields, why string) func(source) []finding {
	return func(s source) (out []finding) {
		each(s, func(c *ast.CompositeLit) {
			if c.Type == nil || s.named(c.Type) != kind {
				return
			}
			for _, e := range c.Elts {
				if kv, ok := e.(*ast.KeyValueExpr); ok && has(fields, typeText(kv.Key)) {
					return
				}
			}
			out = append(out, finding{c.Pos(), kind + " " + why})
		})
		return out
	}
}
