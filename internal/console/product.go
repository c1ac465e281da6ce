package console

import "bureau/internal/auth"

// has reports whether the visitor's customer has a product anywhere. It refuses
// nobody: a page leaves out what was not bought.
func (s *Server) has(v *visit, p auth.Product) bool {
	return v.customer.MayUse(p, "", auth.DateOf(s.Now()))
}

// needs refuses who does not have a product, and has that written down.
func (s *Server) needs(v *visit, p auth.Product, country string) error {
	return s.Gate.Allow(v.ctx(), v.by, p, country)
}
