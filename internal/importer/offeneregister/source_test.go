package offeneregister_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"bureau/internal/importer"
	"bureau/internal/importer/offeneregister"
	"bureau/internal/importer/sourcetest"
)

func TestGolden(t *testing.T) {
	for _, file := range []string{"companies.jsonl", "companies.jsonl.bz2"} {
		sourcetest.Golden(t, offeneregister.Source, file)
	}
}

func TestSample(t *testing.T) { sourcetest.Sample(t, offeneregister.Source) }

func TestCutShort(t *testing.T) { sourcetest.CutShort(t, offeneregister.Source, "companies.jsonl.bz2") }

// A packed file that was cut says so too.
func TestCutShortPacked(t *testing.T) {
	packed, err := os.ReadFile("testdata/companies.jsonl.bz2")
	if err != nil {
		t.Fatal(err)
	}
	path := t.TempDir() + "/half.jsonl.bz2"
	if err := os.WriteFile(path, packed[:len(packed)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	files, err := importer.Files(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	in, err := files[0].Open(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if read := sourcetest.Collect(offeneregister.Source, in, ""); !errors.Is(read.Err, importer.ErrCutShort) {
		t.Errorf("got %v", read.Err)
	}
}

func TestEmptyIsCutShort(t *testing.T) {
	if read := sourcetest.Collect(offeneregister.Source, strings.NewReader(""), ""); !errors.Is(read.Err, importer.ErrCutShort) {
		t.Errorf("got %v", read.Err)
	}
}

func FuzzRead(f *testing.F) {
	sourcetest.Robust(f, offeneregister.Source,
		`{"company_number":"A","name":"B","officers":[{"name":", (AG ","type":"company"}],"registered_address":", 12345 c/o "}`)
}

func stream(n int) sourcetest.Stream {
	return sourcetest.Stream{N: n, Record: func(i int) string {
		return fmt.Sprintf(`{"all_attributes":{"_registerArt":"HRB","_registerNummer":"%d","additional_data":{"AD":true,"CD":true,"DK":true,`+
			`"HD":false,"SI":true,"UT":true,"VÖ":false},"federal_state":"Hamburg","native_company_number":"Hamburg HRB %[1]d",`+
			`"registered_office":"Hamburg","registrar":"Hamburg"},"company_number":"K9999_HRB%[1]d","current_status":"currently registered",`+
			`"jurisdiction_code":"de","name":"Beispiel Nr. %[1]d GmbH","officers":[{"name":"Erika Beispiel","other_attributes":{"city":"Hamburg",`+
			`"firstname":"Erika","flag":"vertretungsberechtigt gemäß allgemeiner Vertretungsregelung","lastname":"Beispiel"},`+
			`"position":"Geschäftsführer","start_date":"2018-02-06","type":"person"}],"registered_address":"Musterstraße 1, 22769 Hamburg.",`+
			`"retrieved_at":"2018-11-09T18:03:03Z"}`+"\n", i)
	}}
}

func TestMemoryIsFlat(t *testing.T) { sourcetest.Flat(t, offeneregister.Source, stream(100_000)) }

func BenchmarkRead(b *testing.B) { sourcetest.Speed(b, offeneregister.Source, stream(0)) }
