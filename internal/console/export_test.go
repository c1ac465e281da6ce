package console

import (
	"strings"

	"bureau/internal/monitor"
)

// What the tests in package console_test need to see of the inside.

// A Row is a route and who may come: "" for anybody, "code", "reader", "analyst",
// "admin" or "operator".
type Row struct{ Method, Path, Need string }

// Rows are all routes.
func Rows() []Row {
	var out []Row
	for _, r := range (&Server{}).routes() {
		method, path, _ := strings.Cut(r.pattern, " ")
		out = append(out, Row{method, path, map[need]string{
			open: "", coding: "code", reader: "reader", analyst: "analyst", admin: "admin", operator: "operator",
		}[r.need]})
	}
	return out
}

// Within keeps an address inside the console.
func Within(to string) string { return within(to) }

// QR draws a text as a code.
func QR(text string) ([][]bool, error) {
	q, err := newQR(text)
	if err != nil {
		return nil, err
	}
	return q.dark, nil
}

// Correction is what corrects a block of a code.
func Correction(block []byte, n int) []byte { return correction(block, n) }

// RuleSentence is what a rule stands for.
func RuleSentence(name string, values monitor.Values) string { return ruleSentence(name, values) }

// Amounts is a text with its amounts as pages show them.
func Amounts(text string) string { return amounts(text) }

// ReadPages reads every template, as showing its page does, and returns how many
// there are.
func ReadPages(s *Server) (int, error) {
	all, err := s.loadPages()
	for _, read := range all {
		if _, rerr := read(); rerr != nil {
			return 0, rerr
		}
	}
	return len(all), err
}
