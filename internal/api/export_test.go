package api

import (
	"net/http"
	"slices"
	"strings"
)

// What the tests in package api_test need to see of the inside. They live in a
// package of their own because they use the real database and our own client.

// A Row is a row of the table of routes.
type Row = route

// Rows are the real rows.
func (s *Server) Rows() []Row { return s.routes() }

// Samples are the calls that the document shows, by operation.
func (s *Server) Samples() map[string]sample { return samples() }

// Build serves other rows than the real ones.
func (s *Server) Build(rows []Row) http.Handler { return s.build(rows) }

func (r route) Method() string  { return r.method }
func (r route) Pattern() string { return r.pattern }
func (r route) ID() string      { return r.id }
func (r route) HasID() bool     { return strings.Contains(r.pattern, "{") }

// Registered is everything that the router can find, as "GET /access". A
// pattern for every method has none.
func (s *Server) Registered() []string {
	var out []string
	s.router.root.walk(func(method string, e end) {
		out = append(out, strings.TrimSpace(method+" "+e.pattern))
	})
	slices.Sort(out)
	return out
}

func (n *node) walk(visit func(method string, e end)) {
	for method, e := range n.ends {
		visit(method, e)
	}
	for method, e := range n.rest {
		visit(method, e)
	}
	for _, next := range n.literal {
		next.walk(visit)
	}
	if n.id != nil {
		n.id.walk(visit)
	}
}
