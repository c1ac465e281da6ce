package app

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/importer/sourcetest"
)

// realFiles are the publishers' own files, as commands would name them. Most
// are excerpts or the fixtures of other programs, so some records are refused.
var realFiles = []struct {
	source, pattern string
	together        bool // all files of the pattern in one command
	o               ImportOptions
}{
	{"gleif", "gleif/lei-*.xml", false, ImportOptions{}},
	{"gleif", "gleif/*Top10.xml", false, ImportOptions{}},
	{"gleif", "gleif/*intra-day.json.gz", false, ImportOptions{}},
	{"gleif-relationships", "gleif/rr-*.xml", false, ImportOptions{}},
	{"gleif-relationships", "gleif/repex-*.xml", false, ImportOptions{}},
	{"companies-house", "companies-house/BasicCompanyData-*.zip", true, ImportOptions{}},
	{"companies-house", "companies-house/bulk-product-217-sample.csv", false, ImportOptions{}},
	{"companies-house", "companies-house/bulk-product-183-sample.dat", false, ImportOptions{Partial: true}},
	{"companies-house-officers", "companies-house/officers-prod195-test.dat", false, ImportOptions{}},
	{"companies-house-psc", "companies-house/psc/psc_snapshot_sample.jsonl", false, ImportOptions{}},
	{"companies-house-psc", "companies-house/psc/psc-data-*.json", true, ImportOptions{Partial: true}},
	{"companies-house-psc", "companies-house/psc/rs_psc_*.json", true, ImportOptions{Partial: true}},
	{"companies-house-accounts", "companies-house/accounts/*", true, ImportOptions{}},
	{"sirene", "fr-sirene/sample_*_OK.csv", false, ImportOptions{}},
	{"sirene", "fr-sirene/sirene[TU]*Data.csv", false, ImportOptions{Partial: true}},
	{"brreg", "no-brreg/e[n][th]*response.json", false, ImportOptions{}},
	{"brreg", "no-brreg/entity_*.json", false, ImportOptions{}},
	{"brreg", "no-brreg/roles_*.json", false, ImportOptions{}},
	{"brreg", "no-brreg/search_*.json", false, ImportOptions{}},
	{"brreg", "no-brreg/nav-*.json", false, ImportOptions{Partial: true}},
	{"brreg", "no-brreg/underenheter-*.json", false, ImportOptions{}},
	{"offeneregister", "de-offeneregister/*", false, ImportOptions{}},
	{"sec", "sec/submissions-sample.json", false, ImportOptions{}},
	{"sec", "sec/company_tickers.json", false, ImportOptions{}},
	{"bods", "bods/bods-0.4-*.json", false, ImportOptions{}},
	{"bods", "bods/example-*.json", false, ImportOptions{}},
	{"bods", "bods/*.jsonl.gz", false, ImportOptions{}},
}

// TestRealFilesImport takes in every file of the publishers that is in a format
// we know, one after the other into one register; the second time changes
// nothing, whatever came in between.
func TestRealFilesImport(t *testing.T) {
	t.Parallel()
	root := sourcetest.Shared(t, "registers")
	onBoth(t, func(t *testing.T, r registrar) {
		for _, f := range realFiles {
			paths, err := filepath.Glob(filepath.Join(root, f.pattern))
			if err != nil || len(paths) == 0 {
				t.Errorf("%s: no file (%v)", f.pattern, err)
				continue
			}
			commands := [][]string{paths}
			if !f.together {
				commands = slices.Collect(slices.Chunk(paths, 1))
			}
			for _, c := range commands {
				first := r.take(f.source, f.o, c...)
				second := r.take(f.source, f.o, c...)
				if second.Changes != 0 || second.Companies != 0 || second.Removed != 0 || second.Records != first.Records {
					t.Errorf("%s %s: the second time %+v, the first %+v", f.source, filepath.Base(c[0]), second, first)
				}
				if first.Records+first.Refused == 0 && !strings.Contains(c[0], "totals") {
					t.Errorf("%s %s: nothing in it", f.source, filepath.Base(c[0]))
				}
				t.Logf("%s %s: %d records, %d refused, %d new, %d unknown", f.source, filepath.Base(c[0]), first.Records, first.Refused, first.New, first.Unknown)
			}
		}
	})
}

// A leaf is one text of an XML file and the way to it.
type leaf struct{ path, text string }

// leaves reads an XML file as plainly as can be: each record is the list of its
// texts, known by those of some paths.
func leaves(t *testing.T, file, record string, key ...string) map[string][]leaf {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out := map[string][]leaf{}
	var at []string
	var now []leaf
	for d := xml.NewDecoder(f); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			if at = append(at, token.Name.Local); token.Name.Local == record {
				at, now = nil, nil
			}
		case xml.CharData:
			if text := strings.TrimSpace(string(token)); text != "" {
				now = append(now, leaf{strings.Join(at, "/"), text})
			}
		case xml.EndElement:
			if token.Name.Local == record {
				var names []string
				for _, k := range key {
					names = append(names, textAt(now, k))
				}
				out[strings.Join(names, " ")] = now
			} else if len(at) > 0 {
				at = at[:len(at)-1]
			}
		}
	}
}

func textAt(record []leaf, path string) string {
	for _, l := range record {
		if l.path == path {
			return l.text
		}
	}
	return ""
}

// whole gives an excerpt the count that it would have if it were whole.
func (r registrar) whole(file, record string, n int) string {
	r.t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		r.t.Fatal(err)
	}
	if got := bytes.Count(b, []byte("</"+record+">")); got != n {
		r.t.Fatalf("%s has %d records, or %d", file, n, got)
	}
	count := regexp.MustCompile(`RecordCount>\d+<`)
	return r.write(filepath.Base(file), string(count.ReplaceAll(b, []byte(fmt.Sprintf("RecordCount>%d<", n)))))
}

// told are the changes after a number: the company's LEI, the field, old and new.
func (r registrar) told(after int64, leis map[company.ID]string) (out []string) {
	r.t.Helper()
	for _, c := range r.changes(after) {
		out = append(out, strings.Join([]string{leis[c.Company], string(c.Field), c.Item, c.Old, c.New}, "|"))
	}
	slices.Sort(out)
	return out
}

// known adds the company with an LEI, and reports whether there is one.
func (r registrar) known(leis map[company.ID]string, lei string) bool {
	r.t.Helper()
	id, err := r.DB.Find(r.t.Context(), company.Ident{Kind: company.ByLEI, Value: lei})
	if err != nil && !errors.Is(err, fault.Missing) {
		r.t.Fatal(err)
	}
	if err == nil {
		leis[id] = lei
	}
	return err == nil
}

// leiFields are the paths of which a change is one of ours.
var leiFields = map[string][]company.Field{
	"Entity/LegalName":                {company.FieldName},
	"Entity/EntityStatus":             {company.FieldStatus, company.StatusText},
	"Registration/RegistrationStatus": {company.LEIStatus},
}

// leiSilent are those of which it is not.
var leiSilent = []string{"Registration/LastUpdateDate"}

var leiStatuses = map[string]string{"ACTIVE": "Active", "INACTIVE": "NonActive"}

// comparedLEIs is what the plain comparison of two editions comes to.
func comparedLEIs(t *testing.T, was, is map[string][]leaf) (out []string) {
	t.Helper()
	for lei, now := range is {
		before, ok := was[lei]
		if !ok {
			out = append(out, lei+"|added|||"+textAt(now, "Entity/LegalName"))
			continue
		}
		for _, l := range now {
			old := textAt(before, l.path)
			if old == l.text || slices.Contains(before, l) || slices.Contains(leiSilent, l.path) {
				continue
			}
			const event = "Entity/LegalEntityEvents/LegalEntityEvent/"
			switch {
			case l.path == event+"LegalEntityEventType":
				if l.text != "DISSOLUTION" {
					t.Errorf("%s: %s, and nobody says what that means", lei, l.text)
				}
				out = append(out, lei+"|dissolved|||"+textAt(now, event+"LegalEntityEventEffectiveDate")[:10])
			case strings.HasPrefix(l.path, event):
			case leiFields[l.path] == nil:
				t.Errorf("%s: %s became %q, and nobody says what that means", lei, l.path, l.text)
			default:
				for _, field := range leiFields[l.path] {
					o, n := old, l.text
					if field == company.FieldStatus {
						o, n = leiStatuses[o], leiStatuses[n]
					}
					out = append(out, strings.Join([]string{lei, string(field), "", o, n}, "|"))
				}
			}
		}
	}
	for lei, before := range was {
		if is[lei] == nil {
			out = append(out, lei+"|removed||"+textAt(before, "Entity/LegalName")+"|")
		}
	}
	slices.Sort(out)
	return out
}

// TestRealLEIsComparePlainly: two dated editions of one list make the changes
// that the plain comparison of the two files finds.
func TestRealLEIsComparePlainly(t *testing.T) {
	t.Parallel()
	root := sourcetest.Shared(t, "registers", "gleif")
	old, now := filepath.Join(root, "lei-updates-data2.xml"), filepath.Join(root, "lei-updates-data2-new.xml")
	was, is := leaves(t, old, "LEIRecord", "LEI"), leaves(t, now, "LEIRecord", "LEI")
	onBoth(t, func(t *testing.T, r registrar) {
		leis := map[company.ID]string{}
		o := ImportOptions{Whole: true}
		r.take("gleif", o, r.whole(old, "lei:LEIRecord", len(was)))
		for lei := range was {
			r.known(leis, lei)
		}
		from := r.lastChange()
		r.take("gleif", o, r.whole(now, "lei:LEIRecord", len(is)))
		for lei := range is {
			r.known(leis, lei)
		}
		if diff := cmp.Diff(comparedLEIs(t, was, is), r.told(from, leis)); diff != "" {
			t.Errorf("(-plain comparison +changes):\n%s", diff)
		}
	})
}

// links are what a file of relationships or exceptions says: who is tied to
// whom, or why to nobody, by LEI and kind of tie.
func links(t *testing.T, file string) map[string]string {
	t.Helper()
	out := map[string]string{}
	kinds := map[string]string{
		"IS_DIRECTLY_CONSOLIDATED_BY": "parent", "IS_ULTIMATELY_CONSOLIDATED_BY": "ultimateParent", "IS_FUND-MANAGED_BY": "fundManager",
		"DIRECT_ACCOUNTING_CONSOLIDATION_PARENT": "parent", "ULTIMATE_ACCOUNTING_CONSOLIDATION_PARENT": "ultimateParent",
	}
	for key, r := range leaves(t, file, "RelationshipRecord", "Relationship/StartNode/NodeID", "Relationship/RelationshipType") {
		lei, kind, _ := strings.Cut(key, " ")
		if textAt(r, "Extension/Deletion/DeletedAt") == "" && textAt(r, "Relationship/RelationshipStatus") == "ACTIVE" {
			out[lei+"|group|"+kinds[kind]] = textAt(r, "Relationship/EndNode/NodeID")
		}
	}
	for key, r := range leaves(t, file, "Exception", "LEI", "ExceptionCategory") {
		lei, kind, _ := strings.Cut(key, " ")
		if textAt(r, "Extension/Deletion/DeletedAt") == "" {
			out[lei+"|group|"+kinds[kind]] = textAt(r, "ExceptionReason")
		}
	}
	return out
}

// TestRealLinksComparePlainly does the same with relationships and with
// exceptions, which are lists of two kinds under one name.
func TestRealLinksComparePlainly(t *testing.T) {
	t.Parallel()
	root := sourcetest.Shared(t, "registers", "gleif")
	onBoth(t, func(t *testing.T, r registrar) {
		for _, file := range []string{"lei-data.xml", "lei-updates-data2.xml", "lei-updates-data2-new.xml"} {
			r.take("gleif", ImportOptions{}, filepath.Join(root, file))
		}
		for _, edition := range []string{"", "-new"} {
			for name, record := range map[string]string{"rr": "rr:RelationshipRecord", "repex": "repex:Exception"} {
				file := filepath.Join(root, name+"-updates-data2"+edition+".xml")
				b, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				from := r.lastChange()
				r.take("gleif-relationships", ImportOptions{Whole: true}, r.whole(file, record, bytes.Count(b, []byte("</"+record+">"))))
				was := map[string]string{}
				if edition != "" {
					was = links(t, strings.Replace(file, edition, "", 1))
				}
				leis := map[company.ID]string{}
				want := comparedLinks(r, leis, was, links(t, file))
				if diff := cmp.Diff(want, r.told(from, leis)); diff != "" || len(want) == 0 {
					t.Errorf("%s (-plain comparison +changes):\n%s", filepath.Base(file), diff)
				}
			}
		}
	})
}

// comparedLinks compares two editions. Ties of companies that no list has named
// are left out.
func comparedLinks(r registrar, leis map[company.ID]string, was, is map[string]string) (want []string) {
	for _, key := range slices.Sorted(maps.Keys(was)) {
		if _, ok := is[key]; !ok {
			is[key] = ""
		}
	}
	for _, key := range slices.Sorted(maps.Keys(is)) {
		lei, _, _ := strings.Cut(key, "|")
		if r.known(leis, lei) && was[key] != is[key] {
			want = append(want, key+"|"+was[key]+"|"+is[key])
		}
	}
	slices.Sort(want)
	return want
}
