package console

import (
	"encoding/csv"
	"errors"
	"strings"

	"bureau/internal/fault"
)

// writeCSV writes a line. A cell that a spreadsheet would take for a formula
// gets a mark before it: what a company is called cannot calculate.
func writeCSV(w *csv.Writer, cells ...string) {
	for i, c := range cells {
		if c != "" && strings.ContainsRune("=+-@\t\r", rune(c[0])) {
			cells[i] = "'" + c
		}
	}
	_ = w.Write(cells)
}

// splitLines are the words of a text with one on each line, or commas between
// them.
func splitLines(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\r\n,;", r) })
}

// wrongName is said to who did not write what they want to delete.
func wrongName(name string) error {
	return fault.Invalid.Errorf("to delete %q write its name exactly as it is", clip(name, 100))
}

// errEnough ends the reading of a log.
var errEnough = errors.New("enough")

func isEnough(err error) bool { return errors.Is(err, errEnough) }

// labels are what forms call the fields that calls know by another name.
var labels = map[string]string{
	"accountNumber":   "Account number",
	"countryCodes[0]": "Country",
	"dateOfBirth":     "Date of birth",
	"emails":          "Mail",
	"endDate":         "To",
	"iban":            "IBAN",
	"id":              "Company",
	"name":            "Name",
	"reason":          "Why you look",
	"sortCode":        "Sort code",
	"startDate":       "From",
	"url":             "Address",
}

// inWords is what is wrong with some fields, under the names that they have in
// forms.
func inWords(details []string) []string {
	out := make([]string, len(details))
	for i, line := range details {
		field, rest, ok := strings.Cut(line, ": ")
		if label := labels[field]; ok && label != "" {
			line = label + ": " + rest
		}
		out[i] = line
	}
	return out
}
