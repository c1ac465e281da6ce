package sandbox

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"bureau/internal/bank"
	"bureau/internal/company"
)

// Banks that do not exist, with sort codes and bank codes that no bank was
// given.
var bankNames = []string{"Brimwick Bank plc", "Bank of Osterholt", "Thornbeck Mutual", "Vallmora Trust", "Kestrel & Co Bankers"}

// branchesOf is how many branches each bank has.
const branchesOf = 8

// modulusRows are the world's own modulus table: two banks with one check, two
// with two of which both must hold, and one whose accounts cannot be checked.
func modulusRows() []bank.Row {
	mod11 := [14]int16{0, 0, 3, 9, 2, 7, 8, 4, 6, 10, 5, 3, 2, 1}
	mod10 := [14]int16{5, 3, 1, 7, 3, 1, 7, 1, 3, 9, 7, 1, 3, 1}
	double := [14]int16{2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1}
	return []bank.Row{
		{From: 990000, To: 990099, Method: bank.Mod11, Weights: mod11},
		{From: 990100, To: 990199, Method: bank.Mod10, Weights: mod10},
		{From: 990200, To: 990299, Method: bank.Mod11, Weights: mod11},
		{From: 990200, To: 990299, Method: bank.DoubleAlternate, Weights: double},
		{From: 990300, To: 990399, Method: bank.Mod11, Weights: mod11, Exception: 6},
		{From: 990300, To: 990399, Method: bank.DoubleAlternate, Weights: double, Exception: 6},
	}
}

func sortCode(bankNo, branch int) bank.SortCode { return bank.SortCode(990001 + 100*bankNo + branch) }

// swift is the four letters of a bank.
func swift(n int) string { return []string{"BRIM", "OSTR", "THRN", "VALL", "KEST"}[n] }

// Branches are the world's directory of sort codes.
func (w World) Branches() []bank.Branch {
	gb := landOf("GB")
	var out []bank.Branch
	for i, name := range bankNames {
		for j := range branchesOf {
			r := w.random("branch", i*branchesOf+j)
			a := gb.address(r, company.Registered)
			out = append(out, bank.Branch{
				SortCode: sortCode(i, j), Bank: name, Name: a.City, Address: fmt.Sprintf("%s %s, %s", a.House, a.Street, a.City),
				Post: a.Post, Country: "GB", Phone: fmt.Sprintf("%s%02d", gb.phone, r.IntN(100)),
				BIC: swift(i) + "GB2L", ChapsBIC: swift(i) + "GB2LXXX", Chaps: true, Cheques: i%2 == 0, DirectDebit: true,
				FasterPayments: i != 3, Bacs: true,
			})
		}
	}
	return out
}

// A numbering is how the world's account numbers of a country look.
type numbering struct {
	code   string // of the bank: %d is its number; empty where it is four letters
	layout string // of bank code and account; # is where check characters go
	first  int    // account
	checks []string
}

var numberings = map[string]numbering{
	"BE": {"99%d", "%s%07d#", 1_000_000, digits(100)},
	"DE": {"9999999%d", "%s%010d#", 1_000_000, nothing},
	"ES": {"999%d", "%s0001#%010d", 1_000_000, digits(100)},
	"FR": {"9999%d", "%s00001%011d#", 1_000_000, digits(100)},
	"IE": {"", "%s990001%08d#", 10_000_000, nothing},
	"IT": {"9999%d", "#%s00001%012d", 1_000_000, letters()},
	"NL": {"", "%s%09d#", 500_000_000, digits(10)},
	"NO": {"999%d", "%s%06d#", 100_000, digits(10)},
	"SE": {"99%d", "%s%017d#", 1_000_000, nothing},
}

var nothing = []string{""}

// digits are all numbers below n, in as many digits.
func digits(n int) []string {
	wide := len(fmt.Sprint(n - 1))
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("%0*d", wide, i)
	}
	return out
}

func letters() []string { return strings.Split("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "") }

func (n numbering) bank(b int) string {
	if n.code == "" {
		return swift(b)
	}
	return fmt.Sprintf(n.code, b)
}

// iban is the n-th account of a country at a bank. A few numbers have no check
// digit that holds and are passed over: each account has a block of its own.
func (n numbering) iban(country string, b, account int) bank.IBAN {
	const block = 5
	for skip := range block {
		text := fmt.Sprintf(n.layout, n.bank(b), n.first+account*block+skip)
		for _, check := range n.checks {
			i, err := bank.NewIBAN(country, strings.Replace(text, "#", check, 1))
			if err == nil && i.National() != bank.Fails {
				return i
			}
		}
	}
	panic("no account number of " + country + " holds")
}

// BankCodes are the world's directory of banks outside Britain.
func (w World) BankCodes() []bank.Bank {
	var out []bank.Bank
	for _, country := range slices.Sorted(maps.Keys(numberings)) {
		for b, name := range bankNames {
			out = append(out, bank.Bank{
				Country: country, Code: numberings[country].bank(b), Name: name + " (" + country + ")", Short: name,
				BICs: []string{swift(b) + country + "2LXXX"}, City: landOf(country).cities[0].city,
			})
		}
	}
	return out
}

// britishAccount is the n-th account of a branch whose check digits hold. One
// in ten does, or one in a hundred where there are two checks.
func britishAccount(m *bank.Modulus, code bank.SortCode, n int) bank.GB {
	const block = 2000
	for skip := range block {
		acc := bank.GB{SortCode: code, Number: bank.AccountNumber(10_000_000 + n*block + skip)}
		if s, _ := m.Check(acc); s != bank.Fails {
			return acc
		}
	}
	panic("no account number of " + code.String() + " holds")
}

// BankAccounts are the accounts of the world's companies, and of some of its
// people in Britain.
func (w World) BankAccounts() []bank.Account {
	m := modulus()
	var out []bank.Account
	for c, l := range lands {
		for n := range w.PerCountry {
			var a bank.Account
			switch _, numbered := numberings[l.code]; {
			case l.code == "GB":
				a = mustAccount(bank.NewGBAccount(parts(w.companyAccount(m, n))))
			case numbered:
				a = mustAccount(bank.NewIBANAccount(string(numberings[l.code].iban(l.code, n%len(bankNames), n))))
			default:
				continue // no IBANs, and no bank of ours
			}
			said := w.company(c, l, n).Facts
			a.Names, a.Type, a.Company = []string{said.Name}, bank.Business, w.ID(l.code, n)
			for _, other := range said.Names {
				if other.Kind == company.Trading {
					a.Names = append(a.Names, other.Text)
				}
			}
			out = append(out, a)
		}
	}
	return append(out, w.personalAccounts(m)...)
}

// companyAccount is the account of the n-th British company.
func (w World) companyAccount(m *bank.Modulus, n int) bank.GB {
	return britishAccount(m, sortCode(n%len(bankNames), n/len(bankNames)%branchesOf), n)
}

// personalAccounts are those of people. A few are of the sorts that no name is
// confirmed for.
func (w World) personalAccounts(m *bank.Modulus) (out []bank.Account) {
	gb := landOf("GB")
	for n := range min(100, w.PerCountry) {
		acc := britishAccount(m, sortCode(n%len(bankNames), n%branchesOf), 20_000+n)
		a := mustAccount(bank.NewGBAccount(parts(acc)))
		a.Names, a.Type = []string{w.person(gb, n).Name}, bank.Personal
		switch n % 20 {
		case 7:
			a.Standing = bank.OptedOut
		case 11:
			a.Standing = bank.Switched
		case 13:
			a.Standing = bank.Closed
		case 17:
			a.Reference = fmt.Sprintf("ROLL%04d", n)
		case 19:
			a.Names = append(a.Names, w.person(gb, n+1).Name) // a joint account
		}
		out = append(out, a)
	}
	return out
}

func modulus() *bank.Modulus {
	m, err := bank.NewModulus(modulusRows(), nil)
	if err != nil {
		panic(err) // our own table
	}
	return m
}

func parts(acc bank.GB) (code, number string) { return acc.SortCode.String(), acc.Number.String() }

func mustAccount(a bank.Account, err error) bank.Account {
	if err != nil {
		panic(err) // our own number
	}
	return a
}

// BankExample is the account of a British company, for those who want to try.
func (w World) BankExample(n int) (code, account, iban string) {
	acc := w.companyAccount(modulus(), n)
	code, account = parts(acc)
	i, err := bank.NewIBAN("GB", swift(n%len(bankNames))+code+account)
	if err != nil {
		panic(err) // our own number
	}
	return code, account, string(i)
}

func landOf(code string) land {
	return lands[slices.IndexFunc(lands, func(l land) bool { return l.code == code })]
}
