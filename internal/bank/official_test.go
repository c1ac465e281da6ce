package bank_test

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bureau/internal/bank"
	"bureau/internal/importer/bankdir"
	"bureau/internal/importer/sourcetest"
)

// loadTable reads tables in the publisher's format.
func loadTable(t testing.TB, paths ...string) (rows []bank.Row, subs []bank.Substitution) {
	t.Helper()
	for _, p := range paths {
		f, err := os.Open(p)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for l, err := range bankdir.ReadModulus(f, filepath.Base(p)) {
			switch {
			case err != nil:
				t.Fatal(err)
			case l.Row != nil:
				rows = append(rows, *l.Row)
			default:
				subs = append(subs, *l.Substitution)
			}
		}
	}
	return rows, subs
}

func compileTable(t testing.TB, rows []bank.Row, subs []bank.Substitution) *bank.Modulus {
	t.Helper()
	m, err := bank.NewModulus(rows, subs)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func gb(t testing.TB, code, number string) bank.GB {
	t.Helper()
	acc, err := bank.ParseGB("sortCode", code, "bankAccount", number)
	if err != nil {
		t.Fatal(err)
	}
	return acc
}

var realTables = []string{"valacdos-v640.txt", "valacdos-v7-90.txt", "valacdos-ball-hayden-2023.txt", "valacdos-alexfilatov-2026.txt"}

func realTable(t testing.TB, name string) ([]bank.Row, []bank.Substitution) {
	t.Helper()
	return loadTable(t, sourcetest.Shared(t, "bank", "uk-modulus", name), sourcetest.Shared(t, "bank", "uk-modulus", "scsubtab.txt"))
}

// The publisher's own cases hold with every table that we have of it. A number
// that cannot be checked is one that the publisher takes for valid.
func TestOfficialCases(t *testing.T) {
	cases := sourcetest.Shared(t, "bank", "uk-modulus", "testcases-V770.fixtures.txt")
	f, err := os.Open(cases)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var lines [][]string
	for s := bufio.NewScanner(f); s.Scan(); {
		if w := strings.Fields(s.Text()); len(w) > 4 && w[0] != "#" {
			lines = append(lines, []string{w[0], w[len(w)-3], w[len(w)-2], w[len(w)-1]})
		}
	}
	if len(lines) != 34 {
		t.Fatalf("read %d cases, want 34", len(lines))
	}
	for _, table := range realTables {
		rows, subs := realTable(t, table)
		m := compileTable(t, rows, subs)
		for _, l := range lines {
			state, why := m.Check(gb(t, l[1], l[2]))
			if (state != bank.Fails) != (l[3] == "Y") {
				t.Errorf("%s: case %s: %s %s %s (%s), want %s", table, l[0], l[1], l[2], state, why, l[3])
			}
		}
	}
}
