package companieshouse_test

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"bureau/internal/company"
	"bureau/internal/importer"
	"bureau/internal/importer/companieshouse"
	"bureau/internal/importer/sourcetest"
)

// The streams repeat one record under ever new numbers.

func companies(n int) sourcetest.Stream {
	head, row, _ := strings.Cut(companieshouse.Companies.Sample, "\n")
	return sourcetest.Stream{Head: head + "\n", N: n, Record: renumber(row)}
}

func officers(n int) sourcetest.Stream {
	lines := strings.SplitAfter(companieshouse.Officers.Sample, "\n")
	return sourcetest.Stream{
		Head: lines[0], N: n, Tail: fmt.Sprintf("99999999%08d\n", n), Record: renumber(lines[2]),
	}
}

func owners(n int) sourcetest.Stream {
	row, total, _ := strings.Cut(companieshouse.PSC.Sample, "\n")
	return sourcetest.Stream{Tail: total, N: n, Record: renumber(row + "\n")}
}

// renumber gives the company in a record another number each time.
func renumber(record string) func(int) string {
	before, after, _ := strings.Cut(record, "99000001")
	return func(i int) string { return before + strconv.Itoa(10_000_000+i) + after }
}

func TestMemory(t *testing.T) {
	t.Run("companies", func(t *testing.T) { sourcetest.Flat(t, companieshouse.Companies, companies(500_000)) })
	t.Run("owners", func(t *testing.T) { sourcetest.Flat(t, companieshouse.PSC, owners(100_000)) })
	t.Run("officers", func(t *testing.T) {
		src := companieshouse.Officers
		src.Read = func(r io.Reader, name string) iter.Seq2[company.Statement, error] {
			return func(yield func(company.Statement, error) bool) {
				for s, err := range companieshouse.Officers.Read(r, name) {
					// The stream has any length, and its trailer only one.
					if errors.Is(err, importer.ErrCutShort) || !yield(s, err) {
						return
					}
				}
			}
		}
		sourcetest.Flat(t, src, officers(500_000))
	})
}

func BenchmarkCompanies(b *testing.B) { sourcetest.Speed(b, companieshouse.Companies, companies(0)) }

func BenchmarkOfficers(b *testing.B) { sourcetest.Speed(b, companieshouse.Officers, officers(20_000)) }
func BenchmarkPSC(b *testing.B)      { sourcetest.Speed(b, companieshouse.PSC, owners(0)) }

// BenchmarkAccounts reads a document of 300 KB with 130 tags, as larger
// companies file them.
func BenchmarkAccounts(b *testing.B) {
	path := sourcetest.Shared(b, "registers", "companies-house", "accounts", "Prod224_0012_01873499_20230131.ixbrl.html")
	doc, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(doc)))
	for b.Loop() {
		got := sourcetest.Collect(companieshouse.Accounts, strings.NewReader(string(doc)), filepath.Base(path))
		if len(got.Statements) != 1 {
			b.Fatal(got)
		}
	}
}
