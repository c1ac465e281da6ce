package bods_test

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"bureau/internal/importer"
	"bureau/internal/importer/bods"
	"bureau/internal/importer/sourcetest"
)

func TestGolden(t *testing.T) {
	for _, file := range []string{"statements.json", "statements.jsonl"} {
		sourcetest.Golden(t, bods.Source, file)
	}
}

func TestSample(t *testing.T) { sourcetest.Sample(t, bods.Source) }

// What must not be stored is in the file, and in nothing that comes of it.
func TestNothingPrivate(t *testing.T) {
	in, err := os.ReadFile("testdata/statements.json")
	if err != nil {
		t.Fatal(err)
	}
	got := sourcetest.Told(bods.Source, strings.NewReader(string(in)), "")
	for _, private := range []string{"SECRET-TAX", "Secret Lane", "1965-11-30", "isPep"} {
		if !strings.Contains(string(in), private) {
			t.Errorf("the file has no %q to hide", private)
		}
		if strings.Contains(got, private) {
			t.Errorf("%q comes out", private)
		}
	}
}

func TestVersions(t *testing.T) {
	for in, want := range map[string]string{
		`[{"statementID":"a","statementType":"entityStatement","publicationDetails":{"bodsVersion":"0.2"}}]`: "this is BODS 0.2: version 0.4 is needed",
		`{"statementID":"a","statementType":"personStatement"}`:                                              "this is BODS before 0.4: version 0.4 is needed",
		`{"statementId":"a","recordId":"r","publicationDetails":{"bodsVersion":"0.3"}}`:                      "this is BODS 0.3: version 0.4 is needed",
	} {
		read := sourcetest.Collect(bods.Source, strings.NewReader(in), "")
		if read.Err == nil || !strings.HasPrefix(read.Err.Error(), want) || len(read.Bad) > 0 {
			t.Errorf("%s: got %v and %v, want %s", in, read.Err, read.Bad, want)
		}
	}
}

// A file that ends early is told from a whole one, and what it held until then
// comes out.
func TestCutShort(t *testing.T) {
	whole := strings.TrimSpace(bods.Source.Sample)
	for n := range len(whole) {
		read := sourcetest.Collect(bods.Source, strings.NewReader(whole[:n]), "")
		if !errors.Is(read.Err, importer.ErrCutShort) && n > 0 {
			t.Fatalf("cut at %d: got %v", n, read.Err)
		}
	}
	cut := sourcetest.Collect(bods.Source, strings.NewReader(whole[:len(whole)-1]), "")
	if len(cut.Statements) != 2 {
		t.Errorf("got %d statements before the end, want 2", len(cut.Statements))
	}
	if read := sourcetest.Collect(bods.Source, strings.NewReader(""), ""); read.Err != nil {
		t.Errorf("an empty feed: %v", read.Err)
	}
}

func FuzzRead(f *testing.F) {
	in, err := os.ReadFile("testdata/statements.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	sourcetest.Robust(f, bods.Source, string(in), `{"recordId":"a","recordType":"relationship","recordDetails":{"subject":"a","interestedParty":"a"}}`)
}

// stream is made of a company, its owner and what ties them, each time.
func stream(n int) sourcetest.Stream {
	return sourcetest.Stream{N: n, Record: func(i int) string {
		switch id := i / 3; i % 3 {
		case 0:
			return fmt.Sprintf(`{"statementId":"a%d","statementDate":"2024-01-01","recordId":"e%[1]d","recordType":"entity","recordStatus":"new",`+
				`"recordDetails":{"entityType":{"type":"registeredEntity"},"name":"Example %[1]d Limited","identifiers":[{"scheme":"GB-COH","id":"%08[1]d"}]}}`+"\n", id)
		case 1:
			return fmt.Sprintf(`{"statementId":"b%d","statementDate":"2024-01-01","recordId":"p%[1]d","recordType":"person","recordStatus":"new",`+
				`"recordDetails":{"personType":"knownPerson","names":[{"fullName":"Person %[1]d"}],"birthDate":"1970-05-05"}}`+"\n", id)
		default:
			return fmt.Sprintf(`{"statementId":"c%d","statementDate":"2024-01-01","recordId":"t%[1]d","recordType":"relationship","recordStatus":"new",`+
				`"recordDetails":{"subject":"e%[1]d","interestedParty":"p%[1]d","interests":[{"type":"shareholding","share":{"exact":60}}]}}`+"\n", id)
		}
	}}
}

// Memory holds a few bytes a record, whatever a record says.
func TestMemory(t *testing.T) {
	const records = 90_000
	s := stream(records)
	var before, now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	count := 0
	for _, err := range bods.Read(&s, "") {
		if err != nil {
			t.Fatal(err)
		}
		if count++; count == records/3 {
			runtime.GC()
			runtime.ReadMemStats(&now)
		}
	}
	if count != records/3*2 {
		t.Fatalf("got %d statements", count)
	}
	const perRecord, fixed = 60, 10 << 20
	held := int64(now.HeapAlloc) - int64(before.HeapAlloc)
	if held > fixed+perRecord*records {
		t.Errorf("holds %d KB of %d records", held>>10, records)
	}
	t.Logf("holds %d KB of %d records", held>>10, records)
}

func TestScratchFileIsGone(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	s := stream(30_000)
	for range bods.Read(&s, "") {
		break // whoever reads may stop early
	}
	left, err := os.ReadDir(os.TempDir())
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func BenchmarkRead(b *testing.B) { sourcetest.Speed(b, bods.Source, stream(0)) }
