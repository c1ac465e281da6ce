package listfile_test

import (
	"path/filepath"
	"testing"
	"time"

	"bureau/internal/importer"
	"bureau/internal/importer/bis"
	"bureau/internal/importer/canada"
	"bureau/internal/importer/eu"
	"bureau/internal/importer/listfile/listtest"
	"bureau/internal/importer/ofac"
	"bureau/internal/importer/seco"
	"bureau/internal/importer/sourcetest"
	"bureau/internal/importer/uk"
	"bureau/internal/importer/un"
	"bureau/internal/kyc"
	"bureau/internal/store"
)

// realLists are the publishers' own files, each with a plain reader that shares
// nothing with the importer: what it counts is what an import must come to.
var realLists = []struct {
	src   listtest.Source
	files []string
	plain func(t *testing.T, paths []string) census
}{
	{ofac.Source, []string{"ofac_2021/sdn.csv.gz", "ofac_2021/alt.csv.gz", "ofac_2021/add.csv.gz", "ofac_2021/sdn_comments.csv"}, plainOFAC},
	{ofac.Source, []string{"ofac_cons/cons_prim.csv", "ofac_cons/cons_alt.csv", "ofac_cons/cons_add.csv", "ofac_cons/cons_comments.csv"}, plainOFAC},
	{ofac.Source, []string{"ofac_cons/consolidated_2025.xml.gz"}, plainOFACXML},
	{ofac.Source, []string{"ofac_cons/consolidated_fixture.xml"}, plainOFACXML},
	{ofac.Source, []string{"ofac_sdn_fixture.xml"}, plainOFACXML},
	{un.Source, []string{"un_consolidated_2025.xml.gz"}, plainUN},
	{un.Source, []string{"un_consolidated_2026.xml.gz"}, plainUN},
	{uk.Source, []string{"uk_ofsi_conlist_2014.csv.gz"}, plainOFSI},
	{uk.Source, []string{"uk_ofsi_conlist_2018.csv.gz"}, plainOFSI},
	{uk.Source, []string{"format-samples/uk_sanctions_list.csv"}, fixed(2, 3)},
	{uk.Source, []string{"format-samples/uk_sanctions_list.xml"}, fixed(2, 4)},
	{canada.Source, []string{"ca_sema_2025.xml.gz"}, plainCanada},
	{bis.Source, []string{"bis_dpl.txt"}, plainBIS},
	{eu.Source, []string{"format-samples/eu_fsf_csv_1_1.csv"}, fixed(1, 2)},
	{eu.Source, []string{"format-samples/eu_fsf_xml_1_1.xml"}, fixed(1, 3)},
	{seco.Source, []string{"format-samples/ch_seco_whole-list.xml"}, fixed(2, 3)},
	{ofac.Source, []string{"format-samples/ofac_sdn_advanced_minimal.xml"}, fixed(1, 1)},
}

func realPaths(t *testing.T, files []string) (paths []string) {
	t.Helper()
	for _, f := range files {
		paths = append(paths, sourcetest.Shared(t, "sanctions", filepath.FromSlash(f)))
	}
	return paths
}

func TestRealListsAgreeWithAPlainReading(t *testing.T) {
	for _, c := range realLists {
		t.Run(c.files[0], func(t *testing.T) {
			t.Parallel()
			paths := realPaths(t, c.files)
			in := listtest.Open(t, c.src, paths...)
			defer in.Close()
			read := listtest.Collect(c.src, in, filepath.Base(c.files[0]))
			if read.Err != nil {
				t.Fatal(read.Err)
			}
			for i, b := range read.Bad {
				if i < 5 {
					t.Errorf("bad record: %s", b)
				}
			}
			got := census{entries: len(read.Records)}
			numbers := map[string]bool{}
			for _, r := range read.Records {
				numbers[r.List+r.Number] = true
				got.add(r.Entry)
			}
			if len(numbers) != len(read.Records) {
				t.Errorf("%d entries have %d numbers", len(read.Records), len(numbers))
			}
			want := c.plain(t, paths)
			if got.entries != want.entries || got.people != want.people && want.people >= 0 || got.names < want.names {
				t.Errorf("%+v, want %+v", got, want)
			}
			if want.born >= 0 && got.born != want.born {
				t.Errorf("%d have a date of birth, want %d", got.born, want.born)
			}
			t.Logf("%+v", got)
		})
	}
}

// The two editions that we have of two lists differ as a plain comparison says.
func TestRealListsChangeAsTheirPublishersDid(t *testing.T) {
	for _, c := range []struct {
		src         listtest.Source
		list        string
		first, next string
		numbers     func(t *testing.T, path string) map[string]string
	}{
		{un.Source, kyc.UNSanctions, "un_consolidated_2025.xml.gz", "un_consolidated_2026.xml.gz", unRecords},
		{uk.Source, kyc.UKOFSI, "uk_ofsi_conlist_2014.csv.gz", "uk_ofsi_conlist_2018.csv.gz", ofsiGroups},
	} {
		t.Run(c.list, func(t *testing.T) {
			t.Parallel()
			paths := realPaths(t, []string{c.first, c.next})
			db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "lists.db"))
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			was, is := c.numbers(t, paths[0]), c.numbers(t, paths[1])
			got := take(t, db, c.src, paths[0])
			if got.New != int64(len(was)) || got.Changed+got.Removed+got.Unchanged != 0 {
				t.Errorf("first: %+v, want %d new", got, len(was))
			}
			var added, removed, same int64
			for number, text := range is {
				old, known := was[number]
				switch {
				case !known:
					added++
				case old == text:
					same++
				}
			}
			for number := range was {
				if _, there := is[number]; !there {
					removed++
				}
			}
			got = take(t, db, c.src, paths[1])
			if got.New != added || got.Removed != removed || got.New+got.Changed+got.Unchanged != int64(len(is)) {
				t.Errorf("next: %+v, want %d new, %d removed, %d in all", got, added, removed, len(is))
			}
			// Whoever is described in the same words has not changed. More may
			// have changed in ways that do not matter, such as the order of rows.
			if got.Unchanged < same {
				t.Errorf("%d are unchanged, and %d are described in the same words", got.Unchanged, same)
			}
			t.Logf("%+v (%d in the same words)", got.Versions, same)
			if again := take(t, db, c.src, paths[1]); again.Unchanged != int64(len(is)) || again.New+again.Changed+again.Removed != 0 {
				t.Errorf("again: %+v", again)
			}
			last, err := db.LastEntryChange(t.Context())
			if want := int64(len(was)) + added + removed + got.Changed; err != nil || last != want {
				t.Errorf("the log ends at %d (%v), want %d", last, err, want)
			}
			checkHistory(t, db, c.list, len(was), len(is))
		})
	}
}

// checkHistory reads both versions back.
func checkHistory(t *testing.T, db *store.DB, list string, first, next int) {
	t.Helper()
	versions, err := db.ListVersions(t.Context(), list, 10)
	if err != nil || len(versions) != 2 {
		t.Fatalf("versions: %+v (%v)", versions, err)
	}
	for i, want := range []int{next, first} {
		n := 0
		err := db.EntriesOf(t.Context(), list, versions[i].Number, func(h kyc.Held) error {
			n++
			_, err := h.Entry()
			return err
		})
		if err != nil || n != want {
			t.Errorf("version %d has %d entries (%v), want %d", versions[i].Number, n, err, want)
		}
	}
}

// take imports a file.
func take(t *testing.T, db *store.DB, src listtest.Source, path string) kyc.Result {
	t.Helper()
	files, err := importer.Files(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	in := &kyc.Intake{Store: db, File: filepath.Base(path), Whole: true, Now: time.Now}
	report, err := importer.Run(t.Context(), src, files, in, importer.Options{Now: time.Now})
	if err != nil || report.Refused > 0 {
		t.Fatalf("%s: %v, refused %v", path, err, report.First)
	}
	return in.Result
}
