package pdf_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"bureau/internal/pdf"
	"bureau/internal/pdf/pdftest"
)

var loaded = sync.OnceValues(func() (*pdf.Fonts, error) { return pdf.LoadFonts("") })

func fonts(t testing.TB) *pdf.Fonts {
	t.Helper()
	f, err := loaded()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func head(title string) pdf.Head {
	return pdf.Head{
		Title: title, ID: "GB-0-1", Date: "2026-11-15", Source: "Sources: one, two", Trace: "23921650-c073-11ea-860f-06bc8182190e",
		Page: "Page %s of %s", Language: "en", Made: time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC), Romanised: "Some names are romanised.",
	}
}

// everything is a document with each thing in it that can be drawn.
func everything(p *pdf.Paper, name string) {
	p.Title(name, "Below "+name)
	p.Rating(pdf.Rating{Score: 64, Band: "B", Words: "Low risk " + name, Facts: []pdf.Fact{{Label: "Limit", Value: name}}})
	p.Section("Facts "+name, 10)
	p.Facts([]pdf.Fact{{Label: name, Value: name}, {Label: "Id", Value: name, Mono: true}, {Label: "Bad", Value: "x", Bad: true}, {Label: "Nothing"}})
	p.Table(pdf.Table{
		Columns: []pdf.Column{{Title: name, Width: 3}, {Title: "Figure", Width: 1, Right: true}},
		Rows:    [][]string{{name, "12 000"}, {"child", name}}, Indent: []int{0, 1}, Strong: map[int]bool{1: true},
	})
	p.Charts([]pdf.Chart{{Title: name, Labels: []string{"2024", "2025"}, Values: []float64{5e6, -2e3}, Known: []bool{true, true}}})
	p.Text(name)
	p.Note(name)
}

func draw(t testing.TB, f *pdf.Fonts, name string) []byte {
	t.Helper()
	p := f.New(head(name))
	everything(p, name)
	b, err := p.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func lines(t testing.TB, b []byte) string {
	t.Helper()
	text, err := pdftest.Lines(b)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestGolden(t *testing.T) {
	got := lines(t, draw(t, fonts(t), "Łódź Ελλάς Россия"))
	const path = "testdata/everything.txt"
	if os.Getenv("BUREAU_UPDATE") == "1" {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("(-want +got; make golden rewrites it):\n%s", d)
	}
}

// Scripts that there is a font for stay as they are; others are romanised, and
// a note says so.
func TestScripts(t *testing.T) {
	for _, c := range []struct{ name, shown, not string }{
		{"Æøß Ștefan Nguyễn Žižek", "Æøß Ștefan Nguyễn Žižek", "romanised"},
		{"Акционерное общество «Ёлка»", "Акционерное общество «Ёлка»", "romanised"},
		{"Ελληνική Εταιρεία ΑΕ", "Ελληνική Εταιρεία ΑΕ", "romanised"},
		{"株式会社 東京", "romanised", "株"},
		{"شركة النور", "romanised", "ش"},
		{"שלום בע״מ", "romanised", "ש"},
		{"Tiger 🐅 Ltd", "Tiger ? Ltd", "🐅"},
	} {
		got := lines(t, draw(t, fonts(t), c.name))
		if !strings.Contains(got, c.shown) || strings.Contains(got, c.not) {
			t.Errorf("%s is shown as:\n%s", c.name, got)
		}
	}
}

// A name cannot turn the writing round, hide what follows or leave its place.
func TestHostileNames(t *testing.T) {
	for _, c := range []struct{ name, shown string }{
		{"<script>alert(1)</script> & Co", "<script>alert(1)</script> & Co"},
		{"Good \u202eLtd dab\u202c Company", "Good Ltd dab Company"},
		{"Zero\u200bWidth\u00adName", "ZeroWidthName"},
		{"two\r\nlines\tand\u2028more\x00", "two lines and more"},
		{`(Paren) \ Tj ET`, `(Paren) \ Tj ET`},
		{"\xff\xfebroken", "broken"},
		{"{pages} {nb}", "{nb}"},
	} {
		if got := lines(t, draw(t, fonts(t), c.name)); !strings.Contains(got, c.shown) {
			t.Errorf("%q is shown as:\n%s", c.name, got)
		}
	}
}

// Whatever is written stays between the margins, on pages that there are, in
// characters that can be seen.
func TestNothingLeavesThePage(t *testing.T) {
	f := fonts(t)
	any := rapid.OneOf(
		rapid.String(),
		rapid.StringMatching(`[A-Za-z]{1,200}( [A-Z]{1,20}){0,20}`),
		rapid.SampledFrom([]string{"", strings.Repeat("W", 10_000), strings.Repeat("word ", 2_000), strings.Repeat("漢", 10_000)}),
	)
	rapid.Check(t, func(r *rapid.T) {
		name := any.Draw(r, "name")
		p := f.New(head(name))
		everything(p, name)
		b, err := p.Bytes()
		if err != nil {
			r.Fatalf("%v", err)
		}
		pages, err := pdftest.Pages(b)
		if err != nil {
			r.Fatalf("%v", err)
		}
		const point = 72 / 25.4
		for _, page := range pages {
			for _, x := range page {
				if x.X < 17.9*point || x.X > 192.1*point || x.Y < 8*point || x.Y > 290*point {
					r.Fatalf("%q is at %.1f, %.1f mm", x.Text, x.X/point, x.Y/point)
				}
				for _, c := range x.Text {
					if unicode.IsControl(c) || unicode.Is(unicode.Cf, c) {
						r.Fatalf("%q holds what nobody sees", x.Text)
					}
				}
			}
		}
	})
}

// Long tables go on on the next page, under their head.
func TestTableGoesOverPages(t *testing.T) {
	p := fonts(t).New(head("Long"))
	table := pdf.Table{Columns: []pdf.Column{{Title: "Row", Width: 1}, {Title: "Value", Width: 1, Right: true}}}
	for i := range 120 {
		table.Rows = append(table.Rows, []string{fmt.Sprintf("row %d", i), fmt.Sprint(i)})
	}
	p.Table(table)
	b, err := p.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	got := lines(t, b)
	if n := strings.Count(got, "Row | Value"); n != strings.Count(got, "--- page") || n < 3 {
		t.Errorf("the head is there %d times:\n%s", n, got)
	}
	if !strings.Contains(got, "row 119") || !strings.Contains(got, "Page 1 of 3") && !strings.Contains(got, "Page 1 of 4") {
		t.Errorf("the end, or the number of pages, is missing:\n%s", got)
	}
}

// Wherever a table begins on a page, its end is not left alone on the next.
func TestEndOfATableKeepsTogether(t *testing.T) {
	for above := range 30 {
		p := fonts(t).New(head("Long"))
		for range above {
			p.Text("something above")
		}
		table := pdf.Table{Columns: []pdf.Column{{Title: "Row", Width: 1}}}
		for i := range 60 {
			table.Rows = append(table.Rows, []string{fmt.Sprintf("row %d", i)})
		}
		p.Table(table)
		b, err := p.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		pages := strings.Split(lines(t, b), "--- page")
		if last := pages[len(pages)-1]; !strings.Contains(last, "row 57") || !strings.Contains(last, "row 59") {
			t.Errorf("below %d lines the last page holds only\n%s", above, last)
		}
	}
}

// Fonts are shared by any number of documents at a time.
func TestFontsAreShared(t *testing.T) {
	f := fonts(t)
	want := lines(t, draw(t, f, "Žluťoučký kůň"))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if got := lines(t, draw(t, f, "Žluťoučký kůň")); got != want {
				t.Errorf("got:\n%s", got)
			}
		})
	}
	wg.Wait()
}

func TestFontFolder(t *testing.T) {
	dir := t.TempDir()
	if _, err := pdf.LoadFonts(filepath.Join(dir, "none")); err == nil {
		t.Error("a folder that is not there was taken")
	}
	if err := os.WriteFile(filepath.Join(dir, "readme.txt"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := pdf.LoadFonts(dir); err != nil {
		t.Errorf("a folder with other files: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "broken.ttf"), []byte("not a font"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := pdf.LoadFonts(dir); err == nil || !strings.Contains(err.Error(), "broken.ttf") {
		t.Errorf("a broken font: %v", err)
	}
}

func TestShort(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 999: "999", 1000: "1 k", 12_400_000: "12.4 m", -830_000: "-830 k", 3e9: "3 bn", 2e13: "20 tn"} {
		if got := pdf.Short(v); got != want {
			t.Errorf("%v is %q, want %q", v, got, want)
		}
	}
}
