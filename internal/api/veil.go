package api

import (
	"context"

	"bureau/internal/company"
	"bureau/internal/fault"
)

// Who objected, or is hidden by the law, is hidden wherever a register names
// them.

// veil hides people in a report.
func (s *Server) veil(ctx context.Context, r *company.Report) error {
	return s.Finder.Hide(ctx, r)
}

// mayShow is a fault.Missing for somebody on boards who may not be shown, as for
// one who does not exist.
func (s *Server) mayShow(ctx context.Context, id company.PersonID) error {
	hidden, err := s.Identity.Veiled(ctx, []company.PersonID{id})
	if err == nil && hidden[id] {
		err = fault.Missing.Errorf("Person resource not found")
	}
	return err
}
