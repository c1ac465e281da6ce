package companieshouse_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bureau/internal/importer"
	"bureau/internal/importer/companieshouse"
	"bureau/internal/importer/sourcetest"
)

// TestCutEverywhere cuts each file at every byte. Accounts are left out: a
// document is one record, and one that is cut is a bad record.
func TestCutEverywhere(t *testing.T) {
	for _, f := range fixtures {
		if !f.source.Whole {
			continue
		}
		t.Run(f.file, func(t *testing.T) {
			all, err := os.ReadFile(filepath.Join("testdata", f.file))
			if err != nil {
				t.Fatal(err)
			}
			whole := sourcetest.Collect(f.source, bytes.NewReader(all), f.file)
			hasTrailer := f.file != "companies.csv"
			for n := range len(all) - 1 { // without its line end the last line is still whole
				cut := sourcetest.Collect(f.source, bytes.NewReader(all[:n]), f.file)
				if f.source.Skim != nil {
					if err := f.source.Skim(bytes.NewReader(all[:n]), f.file); (err == nil) != (cut.Err == nil) ||
						errors.Is(err, importer.ErrCutShort) != errors.Is(cut.Err, importer.ErrCutShort) {
						t.Fatalf("cut at %d, before %.40q: skimmed %v, read %v", n, all[n:], err, cut.Err)
					}
				}
				between := all[n] == '\n' || n > 0 && all[n-1] == '\n'
				if !errors.Is(cut.Err, importer.ErrCutShort) && (hasTrailer || !between) {
					t.Fatalf("cut at %d, before %.40q: got %v, want it to be noticed", n, all[n:], cut.Err)
				}
				said := whole.Statements[:min(len(cut.Statements), len(whole.Statements))]
				if len(cut.Statements) > 0 && !reflect.DeepEqual(said, cut.Statements) {
					t.Fatalf("cut at %d says something else (-want +got):\n%s", n, cmp.Diff(said, cut.Statements))
				}
			}
		})
	}
}

func TestCutShort(t *testing.T) {
	const (
		header = "CompanyName, CompanyNumber,CompanyStatus,ConfStmtLastMadeUpDate\n"
		psc    = `{"company_number":"99000001","data":{"kind":"individual-person-with-significant-control","name":"A B","links":{"self":"/x/y"}}}` + "\n"
		total  = `{"data":{"kind":"totals#persons-of-significant-control-snapshot"}}`
	)
	for _, tt := range []struct {
		what   string
		source sourcetest.Source
		name   string
		in     string
		cut    bool
	}{
		{"no companies", companieshouse.Companies, "", header, true},
		{"nothing at all", companieshouse.Companies, "", "", true},
		{"no line end, and the last value is quoted", companieshouse.Companies, "", header + `"A","1","Active",""`, false},
		{"no line end, and the last value is a date", companieshouse.Companies, "", header + `A,1,Active,31/12/2023`, false},
		{"no line end, and the last value is half a date", companieshouse.Companies, "", header + `A,1,Active,31/12/20`, true},
		{"no line end, and nobody knows", companieshouse.Companies, "", header + `A,1,Active,`, true},
		{"a line end, and the last value is empty", companieshouse.Companies, "", header + "A,1,Active,\n", false},
		{"empty lines at the end", companieshouse.Companies, "", header + "A,1,Active,\n\n\r\n", false},
		{"a snapshot without a trailer", companieshouse.Companies, "", "AAAAAAAA312320240302\n", true},
		{"a snapshot with none in it", companieshouse.Companies, "", "AAAAAAAA312320240302\n99999999000000\n", false},
		{"officers without a trailer", companieshouse.Officers, "", "DDDDSNAP289820240421\n990000011 \n", true},
		{"officers with the wrong count", companieshouse.Officers, "", "DDDDSNAP289820240421\n990000011 \n9999999900000002\n", true},
		{"officers", companieshouse.Officers, "", "DDDDSNAP289820240421\n990000011 \n9999999900000001", false},
		{"officers twice over", companieshouse.Officers, "", strings.Repeat("DDDDSNAP289820240421\n990000011 \n9999999900000001\n", 2), false},
		{"no officers at all", companieshouse.Officers, "", "", true},
		{"owners without a count", companieshouse.PSC, "psc-snapshot-2024-11-23.txt", psc, true},
		{"owners after the count", companieshouse.PSC, "psc-snapshot-2024-11-23.txt", psc + total + "\n" + psc, true},
		{"owners with a count", companieshouse.PSC, "psc-snapshot-2024-11-23.txt", psc + total, false},
		{"a part of the owners", companieshouse.PSC, "psc-snapshot-2024-11-23_1of28.txt", psc, false},
		{"half a part of the owners", companieshouse.PSC, "psc-snapshot-2024-11-23_1of28.txt", psc + psc[:50], true},
		{"the last part of the owners", companieshouse.PSC, "psc-snapshot-2024-11-23_28of28.txt", psc, true},
		{"one owner, as the interface answers", companieshouse.PSC, "psc.json", "{\n" + psc[1:], true},
		{"a list of owners", companieshouse.PSC, "psc.json", "[" + psc + "," + total + "]", false},
		{"no accounts at all", companieshouse.Accounts, "", "", true},
	} {
		t.Run(tt.what, func(t *testing.T) {
			got := sourcetest.Collect(tt.source, strings.NewReader(tt.in), tt.name)
			if len(got.Bad) > 0 {
				t.Errorf("got bad records: %v", got.Bad)
			}
			if cut := errors.Is(got.Err, importer.ErrCutShort); cut != tt.cut || got.Err != nil && !cut {
				t.Errorf("got error %v, want cut short: %v", got.Err, tt.cut)
			}
			if tt.source.Skim != nil {
				err := tt.source.Skim(strings.NewReader(tt.in), tt.name)
				if cut := errors.Is(err, importer.ErrCutShort); cut != tt.cut || err != nil && !cut {
					t.Errorf("skimmed: got error %v, want cut short: %v", err, tt.cut)
				}
			}
		})
	}
}

// TestReaderFails sees to it that a failing disk is not taken for the end.
func TestReaderFails(t *testing.T) {
	for _, f := range fixtures {
		if !f.source.Whole {
			continue
		}
		for _, fails := range []error{io.ErrUnexpectedEOF, errors.New("the disk is gone")} {
			in := io.MultiReader(strings.NewReader(f.source.Sample), failing{fails})
			got := sourcetest.Collect(f.source, in, f.file)
			if !errors.Is(got.Err, fails) {
				t.Errorf("%s: got %v, want %v", f.file, got.Err, fails)
			}
		}
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// TestRefused are files that belong elsewhere.
func TestRefused(t *testing.T) {
	for _, tt := range []struct {
		source sourcetest.Source
		in     string
		want   string
	}{
		{companieshouse.Companies, "AAAAAAAA3225202207212022072120220721\n", "daily transactions (product 101)"},
		{companieshouse.Companies, "name,number\nA,1\n", "no list of companies"},
		{companieshouse.Officers, "DDDDUPDT289820240421\n", "no snapshot of officers"},
		{companieshouse.PSC, "hello\n", "no JSON"},
	} {
		got := sourcetest.Collect(tt.source, strings.NewReader(tt.in), "")
		if got.Err == nil || errors.Is(got.Err, importer.ErrCutShort) || !strings.Contains(got.Err.Error(), tt.want) {
			t.Errorf("%s of %q: got %v, want %q", tt.source.Name, tt.in, got.Err, tt.want)
		}
	}
}
