package bureau_test

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// sqlPieces are what functions of the store call a part of a statement that they
// are handed: conditions, orders, locks. They hold no value of a caller.
const sqlPieces = "where lock order by way query table columns"

// findMadeSQL finds a statement that is put together with something else than
// constants, the dialect and the store's own pieces. Values are arguments.
func findMadeSQL(s source) (out []finding) {
	each(s, func(d *ast.FuncDecl) {
		if d.Body == nil {
			return
		}
		f := sqlMaker{s, map[string][]ast.Expr{}}
		f.note(d.Body)
		inner := map[ast.Expr]bool{} // a part of a longer sum, which was looked at already
		refuse := func(parts []ast.Expr) {
			for _, p := range parts {
				if !f.piece(p, 0) {
					out = append(out, finding{p.Pos(), "a statement is made with " + s.textOf(p) + ": make it an argument"})
				}
			}
		}
		ast.Inspect(d.Body, func(n ast.Node) bool {
			switch e := n.(type) {
			case *ast.BinaryExpr:
				inner[e.X], inner[e.Y] = true, true
				if parts := operands(e); e.Op == token.ADD && !inner[e] && isSQL(parts) {
					refuse(parts)
				}
			case *ast.CallExpr:
				if s.named(e.Fun) == "fmt.Sprintf" && len(e.Args) > 1 && isSQL(e.Args[:1]) {
					refuse(e.Args[1:])
				}
			}
			return true
		})
	})
	return out
}

// placed is a statement that takes the columns of a table as they come. While
// nodes are upgraded there may be one more than it knows. What unnest makes has
// the columns that it was given.
var placed = regexp.MustCompile(`(?i)\bSELECT \*(?: FROM unnest\()?|\bRETURNING \*|\bSELECT \w+\.\*|\bINSERT INTO \w+ (?:VALUES|SELECT)\b`)

func findPlacedColumns(s source) (out []finding) {
	each(s, func(lit *ast.BasicLit) {
		text, err := strconv.Unquote(lit.Value)
		if err != nil || lit.Kind != token.STRING {
			return
		}
		for _, found := range placed.FindAllString(strings.Join(strings.Fields(text), " "), -1) {
			if !strings.HasSuffix(found, "unnest(") {
				out = append(out, finding{lit.Pos(), found + " does not name its columns"})
			}
		}
	})
	return out
}

// operands are the parts of a sum of texts.
func operands(e ast.Expr) []ast.Expr {
	if b, ok := e.(*ast.BinaryExpr); ok && b.Op == token.ADD {
		return append(operands(b.X), operands(b.Y)...)
	}
	return []ast.Expr{e}
}

func isSQL(parts []ast.Expr) bool {
	for _, p := range parts {
		if lit, ok := p.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if text, err := strconv.Unquote(lit.Value); err == nil && sqlText.MatchString(text) {
				return true
			}
		}
	}
	return false
}

// A sqlMaker is a function of the store and what it gives to its variables.
type sqlMaker struct {
	source
	given map[string][]ast.Expr
}

func (f sqlMaker) note(body ast.Node) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, to := range n.Lhs {
				if id, ok := to.(*ast.Ident); ok {
					f.given[id.Name] = append(f.given[id.Name], n.Rhs[min(i, len(n.Rhs)-1)])
				}
			}
		case *ast.ValueSpec:
			for i, id := range n.Names {
				if i < len(n.Values) {
					f.given[id.Name] = append(f.given[id.Name], n.Values[i])
				}
			}
		case *ast.RangeStmt:
			for _, to := range []ast.Expr{n.Key, n.Value} {
				if id, ok := to.(*ast.Ident); ok {
					f.given[id.Name] = append(f.given[id.Name], n.X)
				}
			}
		}
		return true
	})
}

// piece reports whether a part of a statement is a literal, a constant, the
// dialect's, made by a function of the store itself, or a variable that was
// given nothing else.
func (f sqlMaker) piece(e ast.Expr, depth int) bool {
	all := func(list []ast.Expr) bool {
		return depth < 10 && !slices.ContainsFunc(list, func(e ast.Expr) bool { return !f.piece(e, depth+1) })
	}
	switch e := e.(type) {
	case *ast.BasicLit:
		return true
	case *ast.ParenExpr:
		return f.piece(e.X, depth)
	case *ast.BinaryExpr:
		return all([]ast.Expr{e.X, e.Y})
	case *ast.CompositeLit:
		return all(e.Elts)
	case *ast.KeyValueExpr:
		return f.piece(e.Value, depth)
	case *ast.IndexExpr:
		return f.piece(e.X, depth)
	case *ast.Ident:
		given, ok := f.given[e.Name]
		return f.consts[e.Name] || has(sqlPieces, e.Name) || ok && all(given)
	case *ast.SelectorExpr:
		return !e.Sel.IsExported() // a field of the store's own; those of a company or an account are exported
	case *ast.CallExpr:
		switch fun := e.Fun.(type) {
		case *ast.Ident:
			switch fun.Name {
			case "string", "append":
				return all(e.Args)
			}
			return !fun.IsExported() // our own
		case *ast.SelectorExpr:
			if name := f.named(fun); strings.HasPrefix(name, "fmt.Sprint") || name == "strings.Join" || name == "strings.Repeat" {
				return all(e.Args)
			}
			return !fun.Sel.IsExported()
		}
	}
	return false
}
