package lines_test

import (
	"bytes"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"bureau/internal/company"
	"bureau/internal/importer/lines"
	"bureau/internal/importer/sourcetest"
)

func TestGolden(t *testing.T) { sourcetest.Golden(t, lines.Source, "companies.jsonl") }

func TestSample(t *testing.T) { sourcetest.Sample(t, lines.Source) }

func TestCutShort(t *testing.T) { sourcetest.CutShort(t, lines.Source, "good.jsonl") }

func TestEmptyFeed(t *testing.T) {
	if read := sourcetest.Collect(lines.Source, strings.NewReader("\n"), ""); read.Err != nil || len(read.Bad) > 0 {
		t.Errorf("got %v, %v", read.Bad, read.Err)
	}
}

// What is written says the same when it is read.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := company.Statement{Country: "GB", Number: "09999990", Part: rapid.SampledFrom([]string{"", "p"}).Draw(t, "part")}
		draw(t, reflect.ValueOf(&want.Facts).Elem(), "Facts")
		var b bytes.Buffer
		if err := (lines.Writer{W: &b}).Write(want); err != nil {
			t.Fatal(err)
		}
		got, err := lines.Parse(b.Bytes())
		if err != nil {
			t.Fatalf("%v in\n%s", err, &b)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("(-want +got):\n%s\n%s", diff, &b)
		}
	})
}

// Who is meant is written too, when it is not a number.
func TestIdentities(t *testing.T) {
	for _, want := range []company.Statement{
		{Country: "SE", Number: "556000-0000"},
		{LEI: "999900EXAMPLE0000034", Facts: company.Facts{LEI: "999900EXAMPLE0000034"}},
		{Country: "DE", VAT: "DE999999999", Facts: company.Facts{VAT: []string{"DE999999999"}}},
		{Country: "GB", Number: "09999990", Part: "officer 7", Gone: true},
	} {
		b, err := lines.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := lines.Parse(b)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
	}
}

const document = "../../../docs/companies-format.md"

// The document shows every field once, in lines that can be read.
func TestDocument(t *testing.T) {
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(text), "```json\n")
	example, _, ok2 := strings.Cut(rest, "```")
	if !ok || !ok2 {
		t.Fatalf("%s has no example", document)
	}
	read := sourcetest.Collect(lines.Source, strings.NewReader(example), "")
	if read.Err != nil || len(read.Bad) > 0 || len(read.Statements) == 0 {
		t.Fatalf("the example: %d statements, bad %v, %v", len(read.Statements), read.Bad, read.Err)
	}
	var all []company.Facts
	for _, s := range read.Statements {
		all = append(all, s.Facts)
	}
	missing := holes(reflect.ValueOf(all), "Facts")
	slices.Sort(missing)
	if len(missing) > 0 {
		t.Errorf("the example does not show %s", strings.Join(missing, ", "))
	}
}

// The document names every item of accounts.
func TestDocumentItems(t *testing.T) {
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("../../company/accounts.go")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(source)) {
		if _, rest, ok := strings.Cut(line, `= "`); ok {
			item, _, _ := strings.Cut(rest, `"`)
			if !strings.Contains(string(text), "`"+item+"`") {
				t.Errorf("the document does not name the item %s", item)
			}
			in := `{"id":"GB-0-1","accounts":[{"end":"2023","currency":"GBP","items":{"` + item + `":1}}]}`
			if _, err := lines.Parse([]byte(in)); err != nil {
				t.Errorf("%s: %v", item, err)
			}
		}
	}
}

func TestRefused(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`{"name":"A"}`, "id: the line names no company: give id, or country and number, or lei, or vatNumbers"},
		{`{"id":"x"}`, `id: "x" is not a connectId: it looks like GB-0-03375464`},
		{`{"id":"GB-0-1","country":"GB","number":"2"}`, "id: GB-0-1 is not country GB and number 2"},
		{`{"number":"2"}`, "country: it is missing beside the number"},
		{`{"country":"Gb","number":"2"}`, `country: "Gb" is no country: it is two capital letters, as in GB`},
		{`{"id":"GB-0-1","nmae":"A"}`, `there is no field "nmae"`},
		{`{"id":"GB-0-1","officers":[{"name":"A","role":"ceo","salary":1}]}`, `there is no field "salary"`},
		{`{"id":"GB-0-1","name":7}`, "name: it is a number, and must be text"},
		{`{"id":"GB-0-1","officers":[{"name":7}]}`, "officers.name: it is a number, and must be text"},
		{`{"id":"GB-0-1","employees":[{"count":1.5}]}`, "employees.count: it is a number, and must be a whole number"},
		{`{"id":"GB-0-1","founded":"1.4.2015"}`, `founded: "1.4.2015" is no date: it looks like 2006-01-02, 2006-01 or 2006`},
		{`{"id":"GB-0-1","founded":"2015-02-30"}`, `founded: "2015-02-30" is no date: it looks like 2006-01-02, 2006-01 or 2006`},
		{`{"id":"GB-0-1","status":"active"}`, `status: "active" is none of Active, NonActive, Pending, Other`},
		{`{"id":"GB-0-1","lei":"999900EXAMPLE0000035"}`, `lei: "999900EXAMPLE0000035" is no LEI, or its check digits are wrong`},
		{`{"id":"GB-0-1","yearEnd":"31-12"}`, `yearEnd: "31-12" is no day of the year: it looks like 12-31`},
		{`{"id":"GB-0-1","otherNames":[{"text":"A","kind":"old"}]}`, `otherNames[0].kind: "old" is none of former, trading, alternative, ascii, short`},
		{`{"id":"GB-0-1","addresses":[{"kind":"home"}]}`, `addresses[0].kind: "home" is none of registered, headOffice, postal, branch, trading, former`},
		{`{"id":"GB-0-1","officers":[{"name":"A"}]}`, "officers[0].role: it is missing"},
		{`{"id":"GB-0-1","owners":[{}]}`, "owners[0].name: it is missing"},
		{`{"id":"GB-0-1","owners":[{"protected":true}]}`, ""},
		{`{"id":"GB-0-1","owners":[{"name":"A","shareMin":60,"shareMax":50}]}`, "owners[0]: shareMin and shareMax are percent: from 0 to 100, the smaller first"},
		{`{"id":"GB-0-1","capital":{"minorUnits":100,"currency":"pounds"}}`, `capital: "pounds" is no currency: it is three capital letters, as in EUR`},
		{`{"id":"GB-0-1","accounts":[{"end":"2023","currency":"GBP","items":{"sales":1}}]}`, `accounts[0].items: there is no item "sales"`},
		{`{"id":"GB-0-1","score":{"value":101}}`, "score.value: 101 is not from 0 to 100"},
		{`{"id":"GB-0-1",}`, "this is no JSON: invalid character '}' looking for beginning of object key string"},
	} {
		_, err := lines.Parse([]byte(c.in))
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.in, got, c.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	sourcetest.Robust(f, lines.Source, `{"id":"GB-0-1","gone":true}`, `{"lei":"999900EXAMPLE0000034","score":{"value":1}}`)
}

func stream(n int) sourcetest.Stream {
	return sourcetest.Stream{N: n, Record: func(i int) string { return lines.Source.Sample }}
}

func TestMemoryIsFlat(t *testing.T) { sourcetest.Flat(t, lines.Source, stream(30_000)) }

func BenchmarkRead(b *testing.B) { sourcetest.Speed(b, lines.Source, stream(0)) }
