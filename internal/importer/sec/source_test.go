package sec_test

import (
	"archive/zip"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"bureau/internal/importer"
	"bureau/internal/importer/sec"
	"bureau/internal/importer/sourcetest"
)

func TestGolden(t *testing.T) {
	for _, file := range []string{"submissions.jsonl", "CIK0009999991.json", "company_tickers.json"} {
		sourcetest.Golden(t, sec.Source, file)
	}
}

func TestSample(t *testing.T) { sourcetest.Sample(t, sec.Source) }

func TestCutShort(t *testing.T) {
	for _, file := range []string{"CIK0009999991.json", "company_tickers.json"} {
		sourcetest.CutShort(t, sec.Source, file)
	}
}

// The bulk file is a zip with a document for each filer.
func TestZip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "submissions.zip")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	for _, name := range []string{"CIK0009999991.json", "company_tickers.json"} {
		doc, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(doc); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	files, err := importer.Files(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, file := range files {
		in, err := file.Open(nil)
		if err != nil {
			t.Fatal(err)
		}
		n += len(sourcetest.Collect(sec.Source, in, file.Name).Statements)
		in.Close()
	}
	if n != 3 {
		t.Errorf("got %d statements of a zip, want 3", n)
	}
}

func FuzzRead(f *testing.F) {
	sourcetest.Robust(f, sec.Source,
		`{"cik":1,"name":"A","filings":{"recent":{"accessionNumber":["1","2"],"filingDate":["2020-01-01"],"form":["8-K"]}}}`,
		`{"0":{"cik_str":1,"ticker":"A","title":"B"}}`)
}

func stream(n int) sourcetest.Stream {
	return sourcetest.Stream{N: n, Record: func(i int) string {
		return fmt.Sprintf(`{"cik":"%d","entityType":"operating","sic":"2050","sicDescription":"Bakery Products","name":"Example Nr. %[1]d Inc.",`+
			`"tickers":["EXBK"],"exchanges":["NYSE"],"ein":"990000001","fiscalYearEnd":"1231","stateOfIncorporation":"DE",`+
			`"addresses":{"business":{"street1":"1 MAIN ST","city":"ANYTOWN","stateOrCountry":"CA","zipCode":"90000"}},"phone":"555-0100",`+
			`"filings":{"recent":{"accessionNumber":["1","2","3"],"filingDate":["2024-01-01","2023-01-01","2022-01-01"],"form":["10-K","10-K","10-K"]}}}`+"\n", i+1)
	}}
}

func TestMemoryIsFlat(t *testing.T) { sourcetest.Flat(t, sec.Source, stream(50_000)) }

func BenchmarkRead(b *testing.B) { sourcetest.Speed(b, sec.Source, stream(0)) }
