package store

import (
	"fmt"
	"go/ast"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// publicReaders are the functions of a package that read by public, and those that
// they hand it to.
func publicReaders(t *testing.T, from fs.FS) (out []string) {
	t.Helper()
	for _, f := range sources(t, from) {
		for _, d := range f.Decls {
			d, ok := d.(*ast.FuncDecl)
			if !ok || d.Body == nil {
				continue
			}
			ast.Inspect(d.Body, func(n ast.Node) bool {
				c, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				if called(c) == "public" {
					out = append(out, d.Name.Name)
				}
				for _, a := range c.Args {
					if a, ok := a.(*ast.CallExpr); ok && called(a) == "public" {
						out = append(out, called(c))
					}
				}
				return true
			})
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// notPublic returns a sentence for every statement that reads a customer's table
// outside the wall.
func notPublic(t *testing.T, from fs.FS) (out []string) {
	t.Helper()
	readers := publicReaders(t, from)
	for _, w := range readStatements(t, from) {
		if !slices.Contains(readers, w.in) {
			continue
		}
		for _, found := range touched.FindAllStringSubmatch(strings.Join(strings.Fields(w.text), " "), -1) {
			if !slices.Contains(everybodys, found[2]) {
				out = append(out, fmt.Sprintf("%s reads %s outside the wall", w.in, found[2]))
			}
		}
	}
	return out
}

// What is read outside the wall is no customer's.
func TestPublicReads(t *testing.T) {
	here := os.DirFS(".")
	if got := publicReaders(t, here); !slices.Contains(got, "Numbered") || !slices.Contains(got, "heldMany") {
		t.Errorf("only %q read so: the test does not see them all", got)
	}
	for _, wrong := range notPublic(t, here) {
		t.Error(wrong)
	}
}

func TestPrivateReadsAreFound(t *testing.T) {
	planted := fstest.MapFS{"a.go": {Data: []byte("package store\n" +
		"func (db *DB) Fine() { each(ctx, db.public(), f, `SELECT id FROM company`) }\n" +
		"func (db *DB) Held() { db.many(ctx, db.public()) }\n" +
		"func (db *DB) many(t tx) { each(ctx, t, f, `SELECT id FROM company AS c JOIN portfolio AS p ON p.x = c.x`) }\n" +
		"func (db *DB) Wrong() { db.public().QueryRow(ctx, `SELECT name FROM webhook`) }\n" +
		"func (db *DB) Walled() { each(ctx, db, f, `SELECT id FROM member`) }\n")}}
	got := notPublic(t, planted)
	if len(got) != 2 || !strings.Contains(got[0]+got[1], "many reads portfolio") || !strings.Contains(got[0]+got[1], "Wrong reads webhook") {
		t.Errorf("found %q, want the two that are not public", got)
	}
}
