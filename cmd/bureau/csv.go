package main

import "strings"

// csvField quotes a field, and disarms one that a spreadsheet would take for a
// formula.
func csvField(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		s = "'" + s
	}
	if strings.ContainsAny(s, ",\"\r\n") {
		return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	return s
}

func csvLine(values []string) string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = csvField(v)
	}
	return strings.Join(out, ",")
}
