package app

import (
	"context"
	"slices"

	"bureau/internal/company"
	"bureau/internal/fault"
)

// CorrectCompany lets the operator say something about a company that no import
// takes away.
func (a *App) CorrectCompany(ctx context.Context, id, field, value string) (string, error) {
	return a.correct(ctx, id, func(f *company.Facts) error { return company.Set(f, field, value) })
}

// SuppressField keeps a field of a company from being shown, or shows it again.
func (a *App) SuppressField(ctx context.Context, id, field string, show bool) (string, error) {
	if !slices.Contains(company.Fields(), field) {
		return "", fault.Invalid.Errorf("there is no field %q; the fields are %v", field, company.Fields())
	}
	return a.correct(ctx, id, func(f *company.Facts) error {
		f.Suppressed = slices.DeleteFunc(f.Suppressed, func(have string) bool { return have == field })
		if !show {
			f.Suppressed = append(f.Suppressed, field)
		}
		return nil
	})
}

// ForgetCorrections takes away all that the operator said about a company.
func (a *App) ForgetCorrections(ctx context.Context, id string) (string, error) {
	return a.correct(ctx, id, func(f *company.Facts) error {
		*f = company.Facts{}
		return nil
	})
}

func (a *App) correct(ctx context.Context, id string, edit func(*company.Facts) error) (name string, err error) {
	parsed, err := company.ParseID(id)
	if err != nil {
		return "", err
	}
	c, err := a.Register.Correct(ctx, parsed, edit)
	return c.Name, err
}
