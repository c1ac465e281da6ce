package monitor

import (
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// SortName is a name as lists are sorted by it: without case, at most 64 bytes.
func SortName(name string) string {
	s := cases.Fold().String(norm.NFKC.String(name))
	if len(s) > 64 {
		s = strings.ToValidUTF8(s[:64], "")
	}
	return strings.ReplaceAll(s, "\x00", "")
}
