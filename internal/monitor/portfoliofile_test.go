package monitor

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"bureau/internal/fault"
)

// readRows reads a file to its end.
func readRows(r io.Reader) (rows []FileRow, err error) {
	f, err := openFile(r)
	if err != nil {
		return nil, err
	}
	for {
		row, err := f.next()
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return rows, err
		}
		rows = append(rows, row)
	}
}

func TestPortfolioFile(t *testing.T) {
	one := []FileRow{{Line: 2, ID: "GB-0-1", Reference: "r", Limit: "500", Notes: "n"}}
	ids := []FileRow{{Line: 1, ID: "GB-0-1"}, {Line: 2, ID: "UK00000002"}}
	for _, c := range []struct {
		name, text string
		want       []FileRow
	}{
		{"columns", "id,reference,personalLimit,notes\nGB-0-1,r,500,n\n", one},
		{"no line end at the end", "id,reference,personalLimit,notes\nGB-0-1,r,500,n", one},
		{"line ends of other systems", "id,reference,personalLimit,notes\r\nGB-0-1,r,500,n\r\n", one},
		{"line ends of old systems", "id,reference,personalLimit,notes\rGB-0-1,r,500,n\r", one},
		{"names in any case and order", "NOTES,PersonalLimit,ID,Reference\nn,500,GB-0-1,r\n", one},
		{"semicolons", "id;reference;personalLimit;notes\nGB-0-1;r;500;n\n", one},
		{"tabs", "id\treference\tpersonalLimit\tnotes\nGB-0-1\tr\t500\tn\n", one},
		{"a mark before the text", "\ufeffid,reference,personalLimit,notes\nGB-0-1,r,500,n\n", one},
		{"quotation marks", `"id","reference","personalLimit","notes"` + "\n" + `"GB-0-1","r","500","n"` + "\n", one},
		{"spaces around", " id , reference,personalLimit,\"notes\" \n GB-0-1 ,r, \"500\" ,n\n", one},
		{"columns of others", "id,reference,colour,personalLimit,notes\nGB-0-1,r,red,500,n\n", one},
		{"empty columns behind", "id,reference,personalLimit,notes\nGB-0-1,r,500,n,,,\n", one},
		{"fewer values than columns", "id,reference,notes\nGB-0-1\n", []FileRow{{Line: 2, ID: "GB-0-1"}}},
		{"values with separators, marks and lines", "id,notes\nGB-0-1,\"a, \"\"b\"\"\nc\"\nGB-0-2,d\n", []FileRow{
			{Line: 2, ID: "GB-0-1", Notes: "a, \"b\"\nc"}, {Line: 4, ID: "GB-0-2", Notes: "d"},
		}},
		{"country and number", "regNo;countryCode\n03375464;gb\n", []FileRow{{Line: 2, Country: "gb", RegNo: "03375464"}}},
		{"id before country and number", "id,countryCode,regNo\nGB-0-1,FR,2\n,FR,2\n", []FileRow{
			{Line: 2, ID: "GB-0-1", Country: "FR", RegNo: "2"}, {Line: 3, Country: "FR", RegNo: "2"},
		}},
		{"one id a line", "GB-0-1\nUK00000002\n", ids},
		{"one id a line, with marks", "\"GB-0-1\"\r\n\"UK00000002\"", ids},
		{"one id a line, with empty columns", "GB-0-1;;\nUK00000002;;\n", ids},
		{"a heading and one column", "Id\nGB-0-1\n", []FileRow{{Line: 2, ID: "GB-0-1"}}},
		{"empty lines", "\n \r\nid\n\nGB-0-1\n\n,,\n  \nGB-0-2\n\n", []FileRow{{Line: 5, ID: "GB-0-1"}, {Line: 9, ID: "GB-0-2"}}},
		{"formulas are texts", "id,reference,notes\nGB-0-1,=1+1,\"@SUM(A1)\"\n", []FileRow{{Line: 2, ID: "GB-0-1", Reference: "=1+1", Notes: "@SUM(A1)"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for name, r := range map[string]io.Reader{
				"at once": strings.NewReader(c.text), "byte by byte": iotest.OneByteReader(strings.NewReader(c.text)),
				"with its end": iotest.DataErrReader(strings.NewReader(c.text)),
			} {
				got, err := readRows(r)
				if d := cmp.Diff(c.want, got); d != "" || err != nil {
					t.Errorf("%s (%v, -want +got):\n%s", name, err, d)
				}
			}
		})
	}
}

// A line that makes no sense costs that line and no other.
func TestPortfolioFileWithBadLines(t *testing.T) {
	for _, c := range []struct{ name, bad, why string }{
		{"a mark that is not closed", `"GB-0-9`, notClosed},
		{"a mark inside", `GB"-0-9`, markInside},
		{"text behind a mark", `"GB-0-9"x,r`, textBehind},
		{"NUL", "GB-0-\x009,r", "it holds a NUL character"},
		{"not UTF-8", "GB-0-9,Caf\xe9", "it is not UTF-8"},
		{"too many values", "GB-0-9,r,n,x", manyColumns},
		{"no company", ",r", "it names no company"},
		{"a long reference", "GB-0-9," + strings.Repeat("é", 201), "personalReference: at most 200 characters"},
		{"long notes", "GB-0-9,r," + strings.Repeat("é", 4001), "freeText: at most 4000 characters"},
		{"a line of a megabyte", "GB-0-9,r," + strings.Repeat("x", 1<<20), tooLong},
		{"a mark and a megabyte", `"` + strings.Repeat("x", 1<<20), tooLong},
		{"a megabyte of marks", strings.Repeat(`"`, 1<<20+1), tooLong},
	} {
		t.Run(c.name, func(t *testing.T) {
			// More than a record stands behind it, so that a mark that is not
			// closed finds no end there.
			var behind strings.Builder
			for i := range 10_000 {
				fmt.Fprintf(&behind, "GB-0-%d,r\n", i)
			}
			for _, r := range []string{"", behind.String()} {
				rows, err := readRows(strings.NewReader("id,reference,notes\nGB-0-1\n" + c.bad + "\nGB-0-2\n" + r))
				if err != nil || len(rows) < 3 {
					t.Fatalf("%d rows (%v)", len(rows), err)
				}
				bad := rows[1]
				if bad.Line != 3 || bad.Problem != c.why && (c.why != notClosed || bad.Problem != tooLong) {
					t.Errorf("line %d: %q, want line 3: %q", bad.Line, bad.Problem, c.why)
				}
				if rows[0].ID != "GB-0-1" || rows[0].Problem != "" || rows[2].ID != "GB-0-2" || rows[2].Line != 4 || rows[2].Problem != "" {
					t.Errorf("around it: %+v, %+v", rows[0], rows[2])
				}
				if want := 3 + strings.Count(r, "\n"); len(rows) != want {
					t.Errorf("%d rows, want %d", len(rows), want)
				}
			}
		})
	}
}

func TestPortfolioFileIsRefused(t *testing.T) {
	for _, c := range []struct{ name, text, why string }{
		{"empty", "", "the file is empty"},
		{"a mark and no text", "\ufeff", "the file is empty"},
		{"blank", " \r\n\n \n", "the file is empty"},
		{"UTF-16", "\xff\xfei\x00d\x00", "the file is UTF-16"},
		{"a workbook", "PK\x03\x04xyz", "a workbook"},
		{"columns without a company", "name,address\nx,y\n", "the first line must name the columns"},
		{"a country alone", "countryCode,notes\nGB,x\n", "names countryCode, but not regNo"},
		{"a number alone", "regNo;notes\n1;x\n", "names regNo, but not countryCode"},
		{"a column twice", "id,ID\nGB-0-1,GB-0-2\n", "names the column id twice"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := readRows(strings.NewReader(c.text))
			view, _ := fault.Of(err)
			if view.Kind != fault.Invalid || !strings.HasPrefix(view.Text, "importcsv: ") || !strings.Contains(view.Text, c.why) {
				t.Errorf("got %v, want a refusal with %q", err, c.why)
			}
			if err := checkHead([]byte(c.text)); !errors.Is(err, fault.Invalid) {
				t.Errorf("it was taken at first: %v", err)
			}
		})
	}
	if err := checkHead([]byte("id,notes\n\n")); !errors.Is(err, fault.Invalid) {
		t.Errorf("a first line alone was taken: %v", err)
	}
}

// A file that cannot be read to its end is not a shorter file.
func TestPortfolioFileThatBreaksOff(t *testing.T) {
	wrong := errors.New("the disk is gone")
	for _, n := range []int{0, 5, 100_000} {
		text := "id\n" + strings.Repeat("GB-0-1\n", n)
		_, err := readRows(io.MultiReader(strings.NewReader(text), iotest.ErrReader(wrong)))
		if !errors.Is(err, wrong) {
			t.Errorf("after %d lines: got %v, want the reader's error", n, err)
		}
	}
}

// What encoding/csv writes comes back.
func TestPortfolioFileReadsWhatOthersWrite(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b bytes.Buffer
		w := csv.NewWriter(&b)
		w.Comma = rapid.SampledFrom([]rune(fileSeparators)).Draw(t, "separator")
		w.UseCRLF = rapid.Bool().Draw(t, "crlf")
		_ = w.Write([]string{"id", "reference", "notes"})
		cell := rapid.StringMatching(`([a-z",;=é\n]| ){0,20}`)
		var want []FileRow
		for range rapid.IntRange(1, 20).Draw(t, "rows") {
			id, ref, notes := "GB-0-1", cell.Draw(t, "reference"), cell.Draw(t, "notes")
			_ = w.Write([]string{id, ref, notes})
			want = append(want, FileRow{ID: id, Reference: strings.TrimSpace(ref), Notes: strings.TrimSpace(notes)})
		}
		w.Flush()
		got, err := readRows(bytes.NewReader(b.Bytes()))
		for i := range got {
			got[i].Line = 0
			got[i].Reference = strings.ReplaceAll(got[i].Reference, "\r\n", "\n")
			got[i].Notes = strings.ReplaceAll(got[i].Notes, "\r\n", "\n")
		}
		if d := cmp.Diff(want, got); d != "" || err != nil {
			t.Fatalf("%q (%v, -want +got):\n%s", b.String(), err, d)
		}
	})
}

// Whatever is sent, reading ends, says the same in pieces as at once, and goes
// on after each row as if it had never stopped.
func FuzzPortfolioFile(f *testing.F) {
	for _, seed := range []string{
		"id,notes\nGB-0-1,x\n", "GB-0-1\nGB-0-2", "id;notes\r\n\"a\";\"b\nc\"\r\nd;e", "id\n\"\nx\n\"\n", "\ufeffcountryCode\tregNo\nGB\t1\n",
		"id\n\"\"\"\n\"a\"b\n\x00\n\xff\n", "id\ra\r\rb\n\r", "a\",\"\na\",\"\n", " \n\nid\n,\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		rows, err := readRows(bytes.NewReader(text))
		again, err2 := readRows(iotest.HalfReader(bytes.NewReader(text)))
		if d := cmp.Diff(rows, again); d != "" || (err == nil) != (err2 == nil) {
			t.Fatalf("in pieces it is another file (%v, %v):\n%s", err, err2, d)
		}
		if err != nil {
			return
		}
		for i := range rows {
			if i > 0 && rows[i].Line <= rows[i-1].Line {
				t.Fatalf("line %d comes after line %d", rows[i].Line, rows[i-1].Line)
			}
		}
		first, err := openFile(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		for i := range min(len(rows), 20) {
			if _, err := first.next(); err != nil {
				t.Fatal(err)
			}
			second, _ := openFile(bytes.NewReader(text))
			at := first.place()
			second.goOn(bytes.NewReader(text[at.Offset:]), at)
			var rest []FileRow
			for row, err := second.next(); err == nil; row, err = second.next() {
				rest = append(rest, row)
			}
			if len(rest) != len(rows)-i-1 || len(rest) > 0 && rest[0] != rows[i+1] {
				t.Fatalf("after row %d come %+v, want %+v", i, rest, rows[i+1:])
			}
		}
	})
}

// The worst file that we could think of is read in about the time of a plain
// one of its size: no line is looked at over and over.
func BenchmarkPortfolioFile(b *testing.B) {
	const size = 4 << 20
	fill := func(line string) string { return "id,notes\n" + strings.Repeat(line, size/len(line)) }
	for name, text := range map[string]string{
		"plain": fill("GB-0-1,x\n"), "open marks": fill("a\",\"\n"), "marks": fill("\"\n"), "quoted": fill("\"GB-0-1\",\"x\"\n"),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(size)
			for b.Loop() {
				if _, err := readRows(strings.NewReader(text)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
