package bankdir_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bureau/internal/bank"
	"bureau/internal/importer"
	"bureau/internal/importer/bankdir"
	"bureau/internal/importer/sourcetest"
)

type read[T any] func(r io.Reader, name string) iter.Seq2[T, error]

// told is all that a reader makes of a file, as text for people.
func told[T any](f read[T], in io.Reader, name string) string {
	var b strings.Builder
	for rec, err := range f(in, name) {
		var bad *importer.Bad
		switch {
		case errors.As(err, &bad):
			fmt.Fprintf(&b, "bad %v\n  | %s\n", bad, strings.ReplaceAll(strings.TrimSpace(bad.Raw), "\n", "\n  | "))
		case err != nil:
			fmt.Fprintf(&b, "error %v\n", err)
		default:
			facts, _ := json.Marshal(rec)
			fmt.Fprintf(&b, "%s %s\n", key(rec), facts)
		}
	}
	return b.String()
}

// key is what is not among the facts of a record.
func key(rec any) string {
	switch r := rec.(type) {
	case bank.Branch:
		return r.SortCode.String()
	case bank.Bank:
		return r.Country + " " + r.Code
	case bank.Account:
		return r.Country + " " + r.Number + " at " + r.Place
	}
	return ""
}

func golden[T any](t *testing.T, f read[T], file string) {
	t.Helper()
	path := filepath.Join("testdata", file)
	in, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	got := told(f, in, file)
	if os.Getenv("BUREAU_UPDATE") == "1" {
		if err := os.WriteFile(path+".golden", []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path + ".golden")
	if err != nil {
		t.Fatalf("%v; BUREAU_UPDATE=1 writes it", err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s is not what it was (-want +got):\n%s", file, d)
	}
}

func TestGolden(t *testing.T) {
	golden(t, bankdir.ReadBranches, "sortcodes.csv")
	golden(t, bankdir.ReadAccounts, "accounts.csv")
	for _, file := range []string{"banks.json", "banks.v2.json", "blz.txt", "blz-utf8.txt"} {
		golden(t, bankdir.ReadBanks, file)
	}
}

// What is shown as a sample can be read as it stands.
func TestSamples(t *testing.T) {
	for name, text := range map[string]string{
		bankdir.Modulus.Name:  told(bankdir.ReadModulus, strings.NewReader(bankdir.Modulus.Sample), "sample"),
		bankdir.Branches.Name: told(bankdir.ReadBranches, strings.NewReader(bankdir.Branches.Sample), "sample"),
		bankdir.Banks.Name:    told(bankdir.ReadBanks, strings.NewReader(bankdir.Banks.Sample), "sample"),
		bankdir.Accounts.Name: told(bankdir.ReadAccounts, strings.NewReader(bankdir.Accounts.Sample), "sample"),
	} {
		if text == "" || strings.Contains(text, "bad ") || strings.Contains(text, "error ") {
			t.Errorf("the sample of %s: %s", name, text)
		}
	}
}

// A file that is cut somewhere is noticed, unless the cut is between two lines.
func cutShort[T any](t *testing.T, f read[T], all string) {
	t.Helper()
	for n := range all {
		var last error
		for _, err := range f(strings.NewReader(all[:n]), "cut") {
			var bad *importer.Bad
			if err != nil && !errors.As(err, &bad) {
				last = err
			}
		}
		if !errors.Is(last, importer.ErrCutShort) && n > 0 && all[n-1] != '\n' && strings.TrimSpace(all[n:]) != "" {
			t.Fatalf("cut behind %.40q: got %v, want it to be noticed", all[max(0, n-40):n], last)
		}
	}
}

func TestCutShort(t *testing.T) {
	cutShort(t, bankdir.ReadBranches, bankdir.Branches.Sample)
	cutShort(t, bankdir.ReadAccounts, bankdir.Accounts.Sample)
	cutShort(t, bankdir.ReadBanks, bankdir.Banks.Sample)
	blz, err := os.ReadFile("testdata/blz.txt")
	if err != nil {
		t.Fatal(err)
	}
	cutShort(t, bankdir.ReadBanks, string(blz[:bytes.IndexByte(blz, '\n')+1]))
	table, err := os.ReadFile("../../bank/testdata/weights.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfterN(string(table), "\n", 5)
	cutShort(t, bankdir.ReadModulus, lines[3]+lines[3]) // a comment that is cut is a comment
}

func TestModulusTableIsTakenWholeOrNotAtAll(t *testing.T) {
	const row = "990000 990099 MOD11 0 0 0 0 0 0 8 7 6 5 4 3 2 1\n"
	for _, c := range []struct{ text, want string }{
		{"", "there is no row in it"},
		{row + "990100 990199 MOD12 0 0 0 0 0 0 8 7 6 5 4 3 2 1\n", `line 2: there is no method "MOD12"`},
		{row + "990100 990199 MOD11 0 0 0 0 0 0 8 7 6 5 4 3 2 x\n", `line 2: "x" is no weight`},
		{row + "990100 990199 MOD11 0 0 0\n", "line 2: it has 6 columns"},
		{row + "990100 990199 MOD11 0 0 0 0 0 0 8 7 6 5 4 3 2 1 15\n", "line 2: there is no exception 15"},
		{row + "990199 990100 MOD11 0 0 0 0 0 0 8 7 6 5 4 3 2 1\n", "line 2: the sort codes from 990199 to 990100 are no range"},
		{row + "99010 990199 MOD11 0 0 0 0 0 0 8 7 6 5 4 3 2 1\n", `line 2: "99010"`},
	} {
		got := told(bankdir.ReadModulus, strings.NewReader(c.text), "")
		if !strings.Contains(got, "error ") || !strings.Contains(got, c.want) {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
	}
}

func TestModulusTableSaysWhenItBegins(t *testing.T) {
	const row = "990000 990099 MOD11 0 0 0 0 0 0 8 7 6 5 4 3 2 1\r\n"
	for _, c := range []struct{ name, text, want string }{
		{"valacdos.txt", row, ""},
		{"valacdos-2026-03-02.txt", row, "2026-03-02"},
		{"valacdos_20260302.txt", row, "2026-03-02"},
		{"valacdos-2026-13-02.txt", row, ""},
		{"valacdos-2026-03-02.txt", "# valid from: 2026-05-01\n" + row, "2026-05-01"},
	} {
		for l, err := range bankdir.ReadModulus(strings.NewReader(c.text), c.name) {
			if err != nil || string(l.ValidFrom) != c.want {
				t.Errorf("%s: %q (%v), want %q", c.name, l.ValidFrom, err, c.want)
			}
		}
	}
}

// Real directories are read without a loss.
func TestRealFiles(t *testing.T) {
	for _, c := range []struct {
		file  string
		banks int
	}{
		{"de-blz/blz_2015_09_07.txt.gz", 3500},
		{"de-blz/blz_cemoktra_2024.txt.gz", 3000},
		{"bank-registry/at.v2.json", 800},
		{"bank-registry/fr.json", 300},
		{"bank-registry/de.json.gz", 3000},
		{"bank-registry/no.v2.json", 100},
		{"bank-registry/es.json", 400},
		{"bank-registry/it.json", 300},
		{"bank-registry/nl.json", 60},
		{"bank-registry/se.json", 20},
		{"bank-registry/be.v2.json", 500},
		{"bank-registry/ch.v2.json", 500},
		{"bank-registry/dk.v2.json", 500},
		{"bank-registry/gb.json", 30},
	} {
		t.Run(c.file, func(t *testing.T) {
			files, err := importer.Files(sourcetest.Shared(t, "bank", filepath.FromSlash(c.file)), nil)
			if err != nil {
				t.Fatal(err)
			}
			in, err := files[0].Open(nil)
			if err != nil {
				t.Fatal(err)
			}
			defer in.Close()
			banks, bad := 0, 0
			for _, err := range bankdir.ReadBanks(in, c.file) {
				var b *importer.Bad
				switch {
				case errors.As(err, &b):
					if bad++; bad < 4 {
						t.Logf("%v: %s", b, b.Raw)
					}
				case err != nil:
					t.Fatal(err)
				default:
					banks++
				}
			}
			if banks < c.banks || bad > banks/100 {
				t.Errorf("%d banks and %d bad records", banks, bad)
			}
			t.Logf("%d banks, %d bad", banks, bad)
		})
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{bankdir.Modulus.Sample, bankdir.Branches.Sample, bankdir.Banks.Sample, bankdir.Accounts.Sample, `{"entries":[`, `"`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_ = told(bankdir.ReadModulus, strings.NewReader(text), text)
		_ = told(bankdir.ReadBranches, strings.NewReader(text), text)
		_ = told(bankdir.ReadBanks, strings.NewReader(text), text)
		_ = told(bankdir.ReadAccounts, strings.NewReader(text), text)
	})
}
