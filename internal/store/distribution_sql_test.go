package store

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A written is a statement as the store's source has it. What is only known when
// it runs (a lock, a value) is left out of its text.
type written struct {
	in   string // the function or the constant that holds it
	text string
}

// A textReader puts statements together from the pieces that the source has them in.
type textReader struct {
	files  []*ast.File
	consts map[string]ast.Expr       // of the package, variables too
	funcs  map[string]*ast.FuncDecl  // by their bare names
	calls  map[string][]ast.Expr     // the arguments given to "function/parameter"
	local  map[string][]ast.Expr     // what the function that is read gives its variables
	params map[string]map[string]int // what a function is handed, and where
	starts map[string]bool           // constants that begin longer statements
	in     string
}

// readStatements finds the statements of a package, tests left out. It does not see
// the table where that is only known when it runs, as in backups and months, nor a
// condition that an object gathers, as that of a list of events does: such a query
// seems to lack its column, and has to say why.
func readStatements(t *testing.T, from fs.FS) []written {
	t.Helper()
	r := &textReader{
		consts: map[string]ast.Expr{}, funcs: map[string]*ast.FuncDecl{},
		calls: map[string][]ast.Expr{}, params: map[string]map[string]int{},
		starts: map[string]bool{},
	}
	r.files = sources(t, from)
	r.index()
	var out []written
	for _, f := range r.files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Body != nil {
					r.local, r.in = givenIn(d.Body), d.Name.Name
					out = append(out, r.statements(d.Name.Name, d.Body)...)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if s, ok := s.(*ast.ValueSpec); ok && !r.starts[s.Names[0].Name] {
						r.local, r.in = nil, ""
						out = append(out, r.statements(s.Names[0].Name, s)...)
					}
				}
			}
		}
	}
	return out
}

// sources are the files of a package, tests left out.
func sources(t *testing.T, from fs.FS) (out []*ast.File) {
	t.Helper()
	names, err := fs.Glob(from, "*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		b, err := fs.ReadFile(from, name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, b, 0)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, f)
	}
	return out
}

// index notes what can be looked up by name.
func (r *textReader) index() {
	for _, f := range r.files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				r.funcs[d.Name.Name] = d
				r.params[d.Name.Name] = paramsOf(d)
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if s, ok := s.(*ast.ValueSpec); ok {
						for i, v := range s.Values {
							r.consts[s.Names[i].Name] = v
						}
					}
				}
			}
		}
	}
	for _, f := range r.files {
		ast.Inspect(f, func(n ast.Node) bool {
			if sum, ok := n.(*ast.BinaryExpr); ok {
				if id, ok := sum.X.(*ast.Ident); ok {
					r.starts[id.Name] = true
				}
			}
			c, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			for name, at := range r.params[called(c)] {
				if at < len(c.Args) {
					key := called(c) + "/" + name
					r.calls[key] = append(r.calls[key], c.Args[at])
				}
			}
			return true
		})
	}
}

func paramsOf(d *ast.FuncDecl) map[string]int {
	out := map[string]int{}
	at := 0
	for _, field := range d.Type.Params.List {
		for _, name := range field.Names {
			out[name.Name] = at
			at++
		}
	}
	return out
}

// givenIn is what a function gives to its variables.
func givenIn(body ast.Node) map[string][]ast.Expr {
	given := map[string][]ast.Expr{}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, to := range n.Lhs {
				if id, ok := to.(*ast.Ident); ok {
					given[id.Name] = append(given[id.Name], n.Rhs[min(i, len(n.Rhs)-1)])
				}
			}
		case *ast.ValueSpec:
			for i, v := range n.Values {
				given[n.Names[i].Name] = append(given[n.Names[i].Name], v)
			}
		case *ast.RangeStmt:
			if id, ok := n.Value.(*ast.Ident); ok {
				given[id.Name] = append(given[id.Name], n.X)
			}
		}
		return true
	})
	return given
}

var statementStart = regexp.MustCompile(`^\s*(WITH|SELECT|INSERT INTO|UPDATE|DELETE FROM)\s`)

// statements are those in a function or a declaration. One that is handed a part of
// itself is there once for each caller.
func (r *textReader) statements(in string, node ast.Node) (out []written) {
	inner := map[ast.Expr]bool{} // a part of a longer sum, which is looked at there
	ast.Inspect(node, func(n ast.Node) bool {
		if sum, ok := n.(*ast.BinaryExpr); ok {
			if id, ok := sum.X.(*ast.Ident); ok {
				for _, e := range r.local[id.Name] {
					inner[e] = true
				}
			}
		}
		return true
	})
	ast.Inspect(node, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		switch e := e.(type) {
		case *ast.BinaryExpr:
			inner[e.X], inner[e.Y] = true, true
			if id, ok := first(e).(*ast.Ident); ok {
				if _, ok := r.params[in][id.Name]; ok {
					return true // a whole statement, which is read at the caller
				}
			}
		case *ast.BasicLit:
		case *ast.CallExpr:
			if called(e) != "Sprintf" {
				return true
			}
			inner[e.Args[0]] = true
		default:
			return true
		}
		if inner[e] {
			return true
		}
		for _, text := range r.texts(e, map[string]bool{}) {
			if statementStart.MatchString(text) {
				out = append(out, written{in, strings.Join(strings.Fields(text), " ")})
			}
		}
		return true
	})
	return out
}

// texts are what an expression may be: one text, or one for each way that a
// function is called.
func (r *textReader) texts(e ast.Expr, seen map[string]bool) []string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if s, err := strconv.Unquote(e.Value); err == nil && e.Kind == token.STRING {
			return []string{s}
		}
	case *ast.ParenExpr:
		return r.texts(e.X, seen)
	case *ast.BinaryExpr:
		return crossed(r.texts(e.X, seen), r.texts(e.Y, seen))
	case *ast.IndexExpr:
		return r.texts(e.X, seen)
	case *ast.KeyValueExpr:
		return r.texts(e.Value, seen)
	case *ast.CompositeLit:
		return r.either(e.Elts, seen)
	case *ast.Ident:
		return r.named(e.Name, seen)
	case *ast.CallExpr:
		return []string{r.call(e, seen)}
	}
	return []string{""}
}

// named is what a name stands for.
func (r *textReader) named(name string, seen map[string]bool) []string {
	key := r.in + "/" + name
	if seen[key] {
		return []string{""}
	}
	seen[key] = true
	defer delete(seen, key)
	if given, ok := r.local[name]; ok {
		return r.either(given, seen)
	}
	if _, ok := r.params[r.in][name]; !ok {
		if v, ok := r.consts[name]; ok {
			return r.texts(v, seen)
		}
		return []string{""}
	}
	if len(r.calls[key]) == 0 {
		return []string{""}
	}
	local := r.local
	r.local = nil // a caller's own variables are not known here
	defer func() { r.local = local }()
	var out []string
	for _, arg := range r.calls[key] {
		out = append(out, r.texts(arg, seen)...)
	}
	return out
}

// call is what a function of ours, or one that formats or joins, makes of its
// arguments: every piece of text that it may put in.
func (r *textReader) call(c *ast.CallExpr, seen map[string]bool) string {
	name := called(c)
	text := r.all(c.Args, seen)
	switch name {
	case "oneOf":
		return r.all(c.Args[:1], seen) + " = ANY($1)"
	case "Sprintf":
		format := r.texts(c.Args[0], seen)[0]
		for _, arg := range c.Args[1:] {
			format = strings.Replace(format, "%s", r.all([]ast.Expr{arg}, seen), 1)
		}
		return format
	}
	if d := r.funcs[name]; d != nil && d.Body != nil && makesText(d) {
		ast.Inspect(d.Body, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				text += " " + r.texts(lit, seen)[0]
			}
			return true
		})
	}
	return text
}

func makesText(d *ast.FuncDecl) bool {
	if d.Type.Results == nil {
		return false
	}
	is, _ := d.Type.Results.List[0].Type.(*ast.Ident)
	return is != nil && is.Name == "string"
}

// either is what a variable may hold: one of several whole statements, or pieces
// that were put together.
func (r *textReader) either(list []ast.Expr, seen map[string]bool) []string {
	var out []string
	whole := false
	for _, e := range list {
		for _, text := range r.texts(e, seen) {
			whole = whole || statementStart.MatchString(text)
			out = append(out, text)
		}
	}
	if whole {
		return out
	}
	return []string{strings.Join(out, " ")}
}

// all are the pieces of a list, one after the other. A whole statement is no piece:
// it is read where it stands.
func (r *textReader) all(list []ast.Expr, seen map[string]bool) string {
	var out []string
	for _, e := range list {
		for _, text := range r.texts(e, seen) {
			if !statementStart.MatchString(text) {
				out = append(out, text)
			}
		}
	}
	return strings.Join(out, " ")
}

func called(c *ast.CallExpr) string {
	switch f := c.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

// first is what a sum begins with.
func first(e ast.Expr) ast.Expr {
	if b, ok := e.(*ast.BinaryExpr); ok {
		return first(b.X)
	}
	return e
}

func crossed(a, b []string) (out []string) {
	for _, x := range a {
		for _, y := range b {
			out = append(out, x+y)
		}
	}
	return out
}
