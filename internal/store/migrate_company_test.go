package store

import (
	"maps"
	"strings"
	"testing"

	"bureau/internal/company"
)

// Statements and documents are there after migration 0028 as they were before, and can
// be replaced: a source's key stays one company's, and a document is kept once.
func TestStatementsAndDocumentsStay(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		ctx := t.Context()
		db := connect(t, url)
		db.files = earlier(t, 27)
		if _, err := db.Migrate(ctx); err != nil {
			t.Fatal(err)
		}
		d := company.Document{Company: "GB-0-b", Reference: "a", Kind: "accounts", Media: company.PDF, Filed: "2026-01-02", Source: "documents"}
		other := d
		other.Company = "GB-0-B"
		err := db.write(ctx, func(t tx) error {
			rows := [][]any{
				{"a", int64(1), "GB-0-1", int64(11)},
				{"a", int64(2), "GB-0-2", int64(12)},
				{"b", int64(1), "GB-0-2", int64(13)},
			}
			return t.Bulk(ctx, "statement", fingerprintColumns, len(rows), func(i int) []any { return rows[i] })
		})
		for _, put := range []company.Document{d, other} {
			if err == nil {
				_, _, err = db.PutDocument(ctx, put, strings.NewReader("x"), 1)
			}
		}
		if err != nil {
			t.Fatal(err)
		}

		db = connect(t, url)
		if _, err := db.Migrate(ctx); err != nil {
			t.Fatal(err)
		}
		said := func(source string, want map[int64]int64, of map[int64]company.ID) {
			t.Helper()
			got := map[int64]int64{}
			rows := 0
			err := db.Fingerprints(ctx, source, func(key, hash int64) { got[key] = hash; rows++ })
			if err != nil || !maps.Equal(got, want) || rows != len(want) {
				t.Errorf("%s said %v in %d rows (%v), want %v", source, got, rows, err, want)
			}
			if at, err := db.Keys(ctx, source, []int64{1, 2, 3}); err != nil || !maps.Equal(at, of) {
				t.Errorf("%s spoke of %v (%v), want %v", source, at, err, of)
			}
		}
		said("a", map[int64]int64{1: 11, 2: 12}, map[int64]company.ID{1: "GB-0-1", 2: "GB-0-2"})
		err = db.Write(ctx, func(company.View) (company.Update, error) {
			return company.Update{Keys: []company.Fingerprint{
				{Source: "a", Key: 1, Company: "GB-0-9", Hash: 21},
				{Source: "a", Key: 2, Company: "GB-0-2", Hash: 22},
				{Source: "a", Key: 3, Company: "GB-0-3", Hash: 23},
			}}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		said("a", map[int64]int64{1: 21, 2: 22, 3: 23}, map[int64]company.ID{1: "GB-0-9", 2: "GB-0-2", 3: "GB-0-3"})
		said("b", map[int64]int64{1: 13}, map[int64]company.ID{1: "GB-0-2"})

		for _, put := range []company.Document{d, other} {
			if same, fresh, err := db.PutDocument(ctx, put, strings.NewReader("x"), 2); err != nil || !same || fresh {
				t.Errorf("a document of %s is the same: %v, new: %v (%v)", put.Company, same, fresh, err)
			}
			list, n, err := db.Documents(ctx, company.DocumentQuery{Company: put.Company, Limit: 10})
			if err != nil || n != 1 || list[0].ID != company.DocumentID(put.Company, put.Reference) {
				t.Errorf("%s has %d documents: %+v (%v)", put.Company, n, list, err)
			}
		}
	})
}
