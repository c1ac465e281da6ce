package bank_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"bureau/internal/bank"
)

func madeUp(t testing.TB) ([]bank.Row, []bank.Substitution) {
	t.Helper()
	return loadTable(t, "testdata/weights.txt", "testdata/substitutions.txt")
}

var words = map[bank.State]string{bank.Passes: "yes", bank.Fails: "no", bank.Unknown: "unknown"}

// compare holds the check against the second reading for one number.
func compare(t testing.TB, m *bank.Modulus, nv naive, code bank.SortCode, account uint32) (state bank.State) {
	t.Helper()
	acc := bank.GB{SortCode: code, Number: bank.AccountNumber(account)}
	state, why := m.Check(acc)
	if want := nv.valid(code.String(), acc.Number.String()); words[state] != want {
		t.Fatalf("%s %s: %s (%s), and the second reading says %s", code, acc.Number, state, why, want)
	}
	return state
}

// Every range of a table, at its ends and somewhere within, with numbers that
// hold and numbers with one digit off, of every sort that an exception speaks
// of.
func agree(t *testing.T, rows []bank.Row, subs []bank.Substitution, tries int) {
	m, nv := compileTable(t, rows, subs), newNaive(rows, subs)
	r := rand.New(rand.NewPCG(1, 2))
	passed := map[uint8]int{}
	for _, row := range rows {
		codes := []bank.SortCode{row.From, row.To, row.From + bank.SortCode(r.IntN(int(row.To-row.From)+1))}
		if row.Exception == 5 {
			for _, s := range subs {
				codes = append(codes, s.From)
			}
		}
		for _, code := range codes {
			for range tries {
				account := special(r)
				found := uint32(1 << 31)
				for last := range uint32(30) { // one in ten or eleven holds
					n := account - account%100 + last*7%100
					if compare(t, m, nv, code, n) == bank.Passes {
						found = n
						passed[row.Exception]++
					}
				}
				if found == 1<<31 {
					continue
				}
				for place, ten := 0, uint32(1); place < 8; place, ten = place+1, ten*10 {
					digit := found / ten % 10
					compare(t, m, nv, code, found-digit*ten+(digit+1+uint32(r.IntN(9)))%10*ten)
				}
			}
		}
	}
	for e := range uint8(15) {
		if passed[e] == 0 {
			t.Errorf("no number passed a row with exception %d: the test sees nothing", e)
		}
	}
}

// special is an account number with the digits that exceptions look for more
// often than chance has them.
func special(r *rand.Rand) uint32 {
	n := []byte(fmt.Sprintf("%08d", r.IntN(100_000_000)))
	switch r.IntN(6) {
	case 0:
		copy(n, "09")
	case 1:
		copy(n, "99")
	case 2:
		n[0] = '0'
	case 3:
		n[2] = "69"[r.IntN(2)]
	case 4:
		n[0] = "45678"[r.IntN(5)]
	}
	out := uint32(0)
	for _, c := range n {
		out = out*10 + uint32(c-'0')
	}
	return out
}

func TestCheckAgreesWithASecondReading(t *testing.T) {
	rows, subs := madeUp(t)
	agree(t, rows, subs, 20)
}

func TestCheckAgreesOnRealTables(t *testing.T) {
	for _, name := range realTables {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rows, subs := realTable(t, name)
			agree(t, rows, subs, 1)
		})
	}
}

// Any table, not only those that were published.
func TestAnyTableAgrees(t *testing.T) {
	pairs := [][2]uint8{{0, 0}, {2, 9}, {10, 11}, {12, 13}, {0, 3}, {5, 5}, {6, 6}}
	methods := []bank.Method{bank.Mod10, bank.Mod11, bank.DoubleAlternate}
	rapid.Check(t, func(t *rapid.T) {
		draw := func(label string, e uint8) bank.Row {
			row := bank.Row{From: 500000, To: 500009, Method: rapid.SampledFrom(methods).Draw(t, label), Exception: e}
			switch e {
			case 1:
				row.Method = bank.DoubleAlternate
			case 4, 14:
				row.Method = bank.Mod11
			case 5:
				row.Method = map[string]bank.Method{"first": bank.Mod11, "second": bank.DoubleAlternate}[label]
			}
			for i := range row.Weights {
				row.Weights[i] = rapid.Int16Range(-3, 128).Draw(t, "weight")
			}
			return row
		}
		var rows []bank.Row
		if e := rapid.SampledFrom([]uint8{0, 1, 4, 7, 8, 14, 255}).Draw(t, "exception"); e != 255 {
			rows = append(rows, draw("first", e))
		} else {
			p := rapid.SampledFrom(pairs).Draw(t, "pair")
			rows = append(rows, draw("first", p[0]), draw("second", p[1]))
		}
		subs := []bank.Substitution{{From: 500003, To: bank.SortCode(rapid.IntRange(0, 999999).Draw(t, "substitute"))}}
		m, err := bank.NewModulus(rows, subs)
		if err != nil {
			t.Fatal(err)
		}
		for code := bank.SortCode(499999); code <= 500010; code++ {
			n := bank.AccountNumber(rapid.IntRange(0, 99_999_999).Draw(t, "account"))
			state, _ := m.Check(bank.GB{SortCode: code, Number: n})
			if want := newNaive(rows, subs).valid(code.String(), n.String()); words[state] != want {
				t.Fatalf("%s %s: %s, and the second reading says %s", code, n, state, want)
			}
		}
	})
}

func TestWhatCannotBeCheckedIsNeitherRightNorWrong(t *testing.T) {
	rows, subs := madeUp(t)
	m := compileTable(t, rows, subs)
	for _, c := range []struct {
		what    string
		m       *bank.Modulus
		account bank.GB
		want    bank.Reason
	}{
		{"a sort code without a row", m, gb(t, "123456", "12345678"), bank.NoRow},
		{"a sort code below the first row", m, gb(t, "000000", "12345678"), bank.NoRow},
		{"a sort code above the last row", m, gb(t, "999999", "12345678"), bank.NoRow},
		{"an account in a foreign currency", m, gb(t, "990950", "41000066"), bank.ForeignCurrency},
		{"no table at all", compileTable(t, nil, nil), gb(t, "990000", "12345678"), bank.NoTable},
	} {
		if state, why := c.m.Check(c.account); state != bank.Unknown || why != c.want {
			t.Errorf("%s: %s, %s", c.what, state, why)
		}
	}
}

func TestTableThatMakesNoSense(t *testing.T) {
	row := bank.Row{From: 100000, To: 200000, Method: bank.Mod10}
	for _, c := range []struct {
		rows []bank.Row
		want string
	}{
		{[]bank.Row{row, row, row}, "sort code 100000 has more than two rows"},
		{[]bank.Row{row, row, {From: 200000, To: 200000, Method: bank.Mod11}}, "sort code 200000 has more than two rows"},
		{[]bank.Row{{From: 200000, To: 100000, Method: bank.Mod10}}, "row 1: the sort codes from 200000 to 100000 are no range"},
		{[]bank.Row{row, {From: 1, To: 2, Method: "MOD12"}}, `row 2: there is no method "MOD12"`},
		{[]bank.Row{{From: 1, To: 2, Method: bank.Mod10, Exception: 15}}, "there is no exception 15"},
	} {
		if _, err := bank.NewModulus(c.rows, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}

func TestCheckAllocatesNothing(t *testing.T) {
	rows, subs := madeUp(t)
	m := compileTable(t, rows, subs)
	n := uint32(0)
	if got := testing.AllocsPerRun(1000, func() {
		m.Check(bank.GB{SortCode: bank.SortCode(990000 + n%2000), Number: bank.AccountNumber(n * 7919 % 100_000_000)})
		n++
	}); got != 0 {
		t.Errorf("%v allocations a check, want none", got)
	}
}

// BenchmarkCheck is a check beside the second reading of the same rules.
func BenchmarkCheck(b *testing.B) {
	rows, subs := madeUp(b)
	m, nv := compileTable(b, rows, subs), newNaive(rows, subs)
	accounts := make([]bank.GB, 1024)
	r := rand.New(rand.NewPCG(3, 4))
	for i := range accounts {
		row := rows[r.IntN(len(rows))]
		accounts[i] = bank.GB{SortCode: row.From, Number: bank.AccountNumber(special(r))}
	}
	b.Run("ours", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			m.Check(accounts[i%len(accounts)])
		}
	})
	b.Run("baseline", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			a := accounts[i%len(accounts)]
			nv.valid(a.SortCode.String(), a.Number.String())
		}
	})
}
