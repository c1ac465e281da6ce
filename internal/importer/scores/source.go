package scores

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"iter"
	"strings"

	"bureau/internal/company"
	"bureau/internal/importer"
	"bureau/internal/importer/csvfile"
	"bureau/internal/importer/jsonfile"
)

// Source is the operator's own scores.
var Source = importer.Source[company.Statement]{
	Name:    "scores",
	Title:   "scores of the operator's own, in CSV or JSON lines",
	Licence: "whatever the operator's own data comes under",
	Sample: "id,score,band,limit,currency,date,reasons\n" +
		"GB-0-09999990,64,B,25000,GBP,2026-10-31,pays in time|two county court judgments\n",
	About: true,
	Read:  Read,
}

// columns are those of the CSV; the JSON lines have the same names.
var columns = []string{"id", "country", "number", "lei", "score", "band", "limit", "currency", "date", "reasons"}

// A record is one line, in the words of both formats.
type record struct {
	ID       string      `json:"id"`
	Country  string      `json:"country"`
	Number   string      `json:"number"`
	LEI      string      `json:"lei"`
	Score    json.Number `json:"score"`
	Band     string      `json:"band"`
	Limit    json.Number `json:"limit"`
	Currency string      `json:"currency"`
	Date     string      `json:"date"`
	Reasons  []string    `json:"reasons"`
	Gone     bool        `json:"gone"`
}

// Read yields what a file says: JSON lines if it begins with a bracket, else
// CSV with a first line that names the columns.
func Read(r io.Reader, _ string) iter.Seq2[company.Statement, error] {
	in := bufio.NewReaderSize(r, 64<<10)
	head, _ := in.Peek(4096)
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	if len(head) > 0 && (head[0] == '{' || head[0] == '[') {
		return readJSON(in)
	}
	return readCSV(in)
}

func readJSON(r io.Reader) iter.Seq2[company.Statement, error] {
	return func(yield func(company.Statement, error) bool) {
		for v, err := range jsonfile.Values(r) {
			var s company.Statement
			if err == nil {
				var why error
				if s, why = parse(v.Raw); why != nil {
					err = v.Bad(why)
				}
			}
			if !yield(s, err) {
				return
			}
		}
	}
}

func parse(raw []byte) (company.Statement, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	var rec record
	if err := d.Decode(&rec); err != nil {
		return company.Statement{}, jsonfile.Explain(err)
	}
	return rec.statement()
}

func readCSV(in io.Reader) iter.Seq2[company.Statement, error] {
	return func(yield func(company.Statement, error) bool) {
		for r, err := range csvfile.Rows(in, columns, []string{"score"}) {
			var s company.Statement
			if err == nil {
				rec := record{
					ID: r.At("id"), Country: r.At("country"), Number: r.At("number"), LEI: r.At("lei"),
					Score: json.Number(r.At("score")), Band: r.At("band"), Limit: json.Number(r.At("limit")),
					Currency: r.At("currency"), Date: r.At("date"), Reasons: reasons(r.At("reasons")),
				}
				var why error
				if s, why = rec.statement(); why != nil {
					err = r.Bad(why)
				}
			}
			if !yield(s, err) {
				return
			}
		}
	}
}

// reasons are separated by bars.
func reasons(text string) (out []string) {
	for reason := range strings.SplitSeq(text, "|") {
		if reason = strings.TrimSpace(reason); reason != "" {
			out = append(out, reason)
		}
	}
	return out
}
