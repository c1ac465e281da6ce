package companieshouse

import (
	"encoding/json"
	"io"
	"iter"
	"regexp"
	"strings"
	"time"

	"bureau/internal/company"
	"bureau/internal/importer"
	"bureau/internal/importer/jsonfile"
)

// PSC are the persons with significant control of companies and the beneficial
// owners of overseas entities.
//
// The snapshot is JSON lines, and its last line is a count; a file without that
// line is cut short, except that of the parts of a snapshot (…_3of32.txt) only
// the last one has it. An array, or objects over several lines as the
// publisher's interface answers them, can be read as well; without a count they
// are no whole list, and are refused like a file that was cut.
//
// What a company states about its search for such persons, and exemptions, are
// left out: they name no one, and are no notice that anyone waits for.
var PSC = importer.Source[company.Statement]{
	Name:    "companies-house-psc",
	Title:   "Companies House: persons with significant control (snapshot, JSON lines)",
	Every:   24 * time.Hour,
	Whole:   true,
	Licence: licence,
	Credit:  credit,
	Sample:  pscSample,
	Read:    readPSC,
}

var partOf = regexp.MustCompile(`_(\d+)of(\d+)\.`)

// moreParts says that a file is a part of a snapshot, and not the last one.
func moreParts(name string) bool {
	m := partOf.FindStringSubmatch(name)
	return m != nil && m[1] != m[2]
}

func readPSC(r io.Reader, name string) iter.Seq2[company.Statement, error] {
	return func(yield func(company.Statement, error) bool) {
		p := &pscReader{countries: newMemo(countryCode), natures: newMemo(natureOf)}
		var rec pscRecord // one for all: none of it but its strings is kept
		counted := false  // the last record was the count
		for v, err := range jsonfile.Values(r) {
			var (
				s  company.Statement
				ok bool
			)
			counted = false
			if err == nil {
				natures := rec.Data.Natures[:0]
				rec = pscRecord{}
				rec.Data.Natures = natures
				err = json.Unmarshal(v.Raw, &rec)
				if counted = strings.HasPrefix(rec.Data.Kind, "totals#"); counted {
					continue
				}
				if err == nil {
					s, ok, err = p.statement(&rec)
				}
				if err != nil {
					err = v.Bad(err)
				}
			}
			if (ok || err != nil) && !yield(s, err) {
				return
			}
			if _, bad := err.(*importer.Bad); err != nil && !bad {
				return
			}
		}
		if !counted && !moreParts(name) {
			yield(company.Statement{}, cutShort("the count that ends a snapshot is missing"))
		}
	}
}

type pscReader struct {
	countries memo[string]
	natures   memo[nature]
}

// pscRecord is a record as it is published. The day of birth is not in the
// file, and has no place here should it ever be.
type pscRecord struct {
	Number string `json:"company_number"`
	Data   struct {
		Kind  string `json:"kind"`
		Name  string `json:"name"`
		Names struct {
			Title    string `json:"title"`
			Forename string `json:"forename"`
			Middle   string `json:"middle_name"`
			Surname  string `json:"surname"`
		} `json:"name_elements"`
		Birth struct {
			Month int `json:"month"`
			Year  int `json:"year"`
		} `json:"date_of_birth"`
		Nationality    string          `json:"nationality"`
		Residence      string          `json:"country_of_residence"`
		Address        pscAddress      `json:"address"`
		Identification pscRegistration `json:"identification"`
		Natures        []string        `json:"natures_of_control"`
		Notified       string          `json:"notified_on"`
		Ceased         string          `json:"ceased_on"`
		IsCeased       bool            `json:"ceased"`
		Links          struct {
			Self string `json:"self"`
		} `json:"links"`
	} `json:"data"`
}

type pscAddress struct {
	CareOf   string `json:"care_of"`
	POBox    string `json:"po_box"`
	Premises string `json:"premises"`
	Line1    string `json:"address_line_1"`
	Line2    string `json:"address_line_2"`
	Town     string `json:"locality"`
	Region   string `json:"region"`
	Post     string `json:"postal_code"`
	Country  string `json:"country"`
}

type pscRegistration struct {
	Country string `json:"country_registered"`
	Place   string `json:"place_registered"`
	Number  string `json:"registration_number"`
}
