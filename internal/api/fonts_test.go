package api_test

import (
	"context"
	"sync"
	"testing"

	"bureau/internal/pdf"
)

var loadFonts = sync.OnceValues(func() (*pdf.Fonts, error) { return pdf.LoadFonts("") })

// fonts are those of the program, read once.
func fonts(t testing.TB) *pdf.Fonts {
	t.Helper()
	f, err := loadFonts()
	must(t, err)
	return f
}

type ctxt = context.Context
