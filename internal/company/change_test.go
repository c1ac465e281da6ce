package company

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// compared are two states of a company and what is told about them: field,
// item, old and new of each change.
type compared struct {
	what    string
	was, is Facts
	want    []string
}

func director(id, name string, until Date) Officer {
	return Officer{Person: Person{ID: id, Name: name}, Role: "director", RoleText: "Director", From: "2020-01-01", Until: until}
}

func owner(id, name string, until Date, natures ...string) Owner {
	return Owner{Person: Person{ID: id, Name: name}, Natures: natures, Until: until}
}

func officers(list ...Officer) Facts { return Facts{Officers: list} }
func owners(list ...Owner) Facts     { return Facts{Owners: list} }

var differences = []compared{
	{"a name", Facts{Name: "Oak"}, Facts{Name: "Elm"}, []string{"name||Oak|Elm"}},
	{"a name that was not known", Facts{}, Facts{Name: "Elm"}, []string{"name|||Elm"}},
	{
		"a trading name goes, a former one comes",
		Facts{Names: []Name{{Text: "Oak", Kind: Trading}}},
		Facts{Names: []Name{{Text: "Oak", Kind: Former}}},
		[]string{"otherName|trading|Oak|", "otherName|former||Oak"},
	},
	{"a register number", Facts{RegNo: "1"}, Facts{RegNo: "2"}, []string{"number||1|2"}},
	{"an LEI and its state", Facts{LEI: "A", LEIStatus: "ISSUED"}, Facts{LEI: "B", LEIStatus: "LAPSED"}, []string{"lei||A|B", "leiStatus||ISSUED|LAPSED"}},
	{"VAT numbers", Facts{VAT: []string{"1", "2"}}, Facts{VAT: []string{"2", "3"}}, []string{"vat||1|", "vat|||3"}},
	{"a status and its words", Facts{Status: Active, StatusText: "Active"}, Facts{Status: Pending, StatusText: "Liquidation"}, []string{"status||Active|Pending", "statusText||Active|Liquidation"}},
	{"the day it was founded", Facts{Founded: "2001"}, Facts{Founded: "2001-02-03"}, []string{"founded||2001|2001-02-03"}},
	{"the day it was dissolved", Facts{}, Facts{Dissolved: "2001"}, []string{"dissolved|||2001"}},
	{"a legal form", Facts{Form: Form{"1", "Ltd"}}, Facts{Form: Form{"2", "Plc"}}, []string{"form||1 Ltd|2 Plc"}},
	{"a kind", Facts{Kind: Ltd}, Facts{Kind: NonLtd}, []string{"kind||Ltd|NonLtd"}},
	{"whose law it is under", Facts{Jurisdiction: "US-DE"}, Facts{Jurisdiction: "US-NY"}, []string{"jurisdiction||US-DE|US-NY"}},
	{"the end of its year", Facts{YearEnd: "12-31"}, Facts{YearEnd: "03-31"}, []string{"yearEnd||12-31|03-31"}},
	{"the main trade", Facts{Activities: []Activity{{Code: "1"}, {Code: "2"}}}, Facts{Activities: []Activity{{Code: "2"}, {Code: "1"}}}, []string{"activity||1; 2|2; 1"}},
	{
		"addresses, each by its kind",
		Facts{Addresses: []Address{{Kind: Registered, City: "York"}, {Kind: Branch, City: "Hull"}}},
		Facts{Addresses: []Address{{Kind: Registered, City: "Leeds"}, {Kind: Postal, City: "Bath"}, {Kind: Branch, City: "Deal"}}},
		[]string{"address|registered|York|Leeds", "address|postal||Bath", "address|branch|Hull|", "address|branch||Deal"},
	},
	{
		"phones, mails and sites",
		Facts{Phones: []string{"1"}, Emails: []string{"a@x"}, Websites: []string{"x"}},
		Facts{Phones: []string{"2"}, Emails: []string{"b@x"}, Websites: []string{"y"}},
		[]string{"phone||1|", "phone|||2", "email||a@x|", "email|||b@x", "website||x|", "website|||y"},
	},
	{"employees, of the last year", Facts{Employees: []Employees{{Year: 2025, Count: 9}}}, Facts{Employees: []Employees{{Year: 2026, Range: "10-19"}, {Year: 2025, Count: 9}}}, []string{"employees||9|10-19"}},
	{"capital", Facts{Capital: Money{-5, "GBP"}}, Facts{Capital: Money{123456, "GBP"}}, []string{"capital||-0.05 GBP|1234.56 GBP"}},
	{"an officer comes", officers(), officers(director("a", "Ann", "")), []string{"officerAppointed|a||director: Ann"}},
	{"an officer leaves", officers(director("a", "Ann", "")), officers(director("a", "Ann", "2026-01-01")), []string{"officerResigned|a|director: Ann|2026-01-01"}},
	{"an officer is not listed any more", officers(director("a", "Ann", "")), officers(), []string{"officerResigned|a|director: Ann|"}},
	{"an officer was never gone after all", officers(director("a", "Ann", "2026-01-01")), officers(director("a", "Ann", "")), []string{"officerAppointed|a||director: Ann"}},
	{"an officer has another name", officers(director("a", "Ann", "")), officers(director("a", "Anne", "")), []string{"officerChanged|a|Ann|Anne"}},
	{"an officer who had left before we heard of them", officers(), officers(director("a", "Ann", "2020-01-01")), []string{"officerPast|a||director: Ann"}},
	{"an officer who left comes back", officers(director("a", "Ann", "2026-01-01")), officers(director("a", "Ann", "2026-01-01"), director("a", "Ann", "")), []string{"officerAppointed|a||director: Ann"}},
	{
		"an owner who may not be shown", owners(), owners(Owner{Person: Person{ID: "p", Name: "Secret", Protected: true}}),
		[]string{"ownerAdded|p||(protected)"},
	},
	{"an owner comes and another goes", owners(owner("a", "Ann", "")), owners(owner("b", "Ben", "")), []string{"ownerCeased|a|Ann|", "ownerAdded|b||Ben"}},
	{"an owner holds in another way", owners(owner("a", "Ann", "", "votes", "shares")), owners(owner("a", "Ann", "", "shares")), []string{"ownerChanged|a|Ann; shares, votes|Ann; shares"}},
	{"a parent", Facts{Links: []Link{{Kind: Parent, LEI: "A"}}}, Facts{Links: []Link{{Kind: Parent, LEI: "A", Until: "2026"}, {Kind: Parent, Name: "B Ltd"}}}, []string{"group|parent|A|B Ltd"}},
	{"a parent that is not named", Facts{}, Facts{Links: []Link{{Kind: UltimateParent, Reason: "NATURAL_PERSONS"}}}, []string{"group|ultimateParent||NATURAL_PERSONS"}},
	{"accounts are filed", Facts{}, Facts{Accounts: []Accounts{{End: "2025-12-31", Currency: "GBP", Items: map[string]int64{Turnover: 100, Cash: 5}}}}, []string{"accountsFiled|2025-12-31||GBP cash=5 turnover=100"}},
	{
		"accounts are corrected, those of the group are others",
		Facts{Accounts: []Accounts{{End: "2025", Currency: "GBP", Items: map[string]int64{Cash: 5}}}},
		Facts{Accounts: []Accounts{{End: "2025", Currency: "GBP", Items: map[string]int64{Cash: 6}}, {End: "2025", Currency: "GBP", Consolidated: true}}},
		[]string{"accountsChanged|2025|GBP cash=5|GBP cash=6", "accountsFiled|2025||GBP"},
	},
	{"what is due", Facts{Due: Due{AccountsNext: "1", ReturnNext: "1"}}, Facts{Due: Due{AccountsNext: "2", ReturnNext: "3"}}, []string{"accountsDue||1|2", "returnDue||1|3"}},
	{"a filing", Facts{Filings: []Filing{{Date: "2025", Type: "AA"}}}, Facts{Filings: []Filing{{Date: "2026", Type: "CS01", Text: "Return"}}}, []string{"filing|CS01||2026 CS01 Return"}},
	{"a notice", Facts{}, Facts{Notices: []Notice{{Date: "2026", Kind: "insolvency", Text: "Winding up"}}}, []string{"notice|insolvency||2026 Winding up"}},
	{"charges", Facts{}, Facts{Charges: &Charges{Total: 3, Outstanding: 1}}, []string{"charges|||1 outstanding of 3"}},
	{
		"a score, its band and its limit",
		Facts{Score: &Score{Value: 0, Band: "E"}},
		Facts{Score: &Score{Value: 60, Band: "B", Limit: Money{100, "EUR"}}},
		[]string{"score||0|60", "band||E|B", "limit|||1.00 EUR"},
	},
	{"a score of nought is a score", Facts{}, Facts{Score: &Score{Value: 0, Band: "E"}}, []string{"score|||0", "band|||E"}},
	{"a score that was withdrawn", Facts{Score: &Score{Value: 1, Band: "E"}}, Facts{}, []string{"score||1|", "band||E|"}},
	{"who may sign", Facts{Signing: "the board"}, Facts{Signing: "two together"}, []string{"signing||the board|two together"}},
	{"what may not be shown", Facts{}, Facts{Withheld: true}, []string{"withheld|||yes"}},
	{"what is suppressed", Facts{Phones: []string{"1"}}, Facts{Suppressed: []string{"phones"}}, []string{"hidden|phones||"}},
}

var likenesses = []compared{
	{"case and spaces", Facts{Name: "Oak  Ltd", StatusText: "active"}, Facts{Name: " OAK LTD ", StatusText: "Active"}, nil},
	{"the order of names", Facts{Names: []Name{{Text: "A", Kind: Trading}, {Text: "B", Kind: Trading}}}, Facts{Names: []Name{{Text: "b", Kind: Trading}, {Text: "A ", Kind: Trading}}}, nil},
	{"when a name was used", Facts{Names: []Name{{Text: "A", Kind: Former}}}, Facts{Names: []Name{{Text: "A", Kind: Former, Until: "2020"}}}, nil},
	{"the order of the trades behind the main one", Facts{Activities: []Activity{{Code: "1"}, {Code: "2"}, {Code: "3"}}}, Facts{Activities: []Activity{{Code: "1"}, {Code: "3"}, {Code: "2"}}}, nil},
	{"the order of numbers, phones and mails", Facts{VAT: []string{"1", "2"}, Phones: []string{"1", "2"}, Emails: []string{"a@x"}}, Facts{VAT: []string{"2", "1"}, Phones: []string{"2", "1"}, Emails: []string{"A@X"}}, nil},
	{"the order of addresses", Facts{Addresses: []Address{{Kind: Registered, City: "York"}, {Kind: Branch, City: "Hull"}}}, Facts{Addresses: []Address{{Kind: Branch, City: "HULL"}, {Kind: Registered, City: "york"}}}, nil},
	{"an address in other columns", Facts{Addresses: []Address{{Kind: Registered, Lines: []string{"1 High Street"}}}}, Facts{Addresses: []Address{{Kind: Registered, House: "1", Street: "High Street"}}}, nil},
	{"a former address", Facts{}, Facts{Addresses: []Address{{Kind: FormerAddress, City: "Hull"}}}, nil},
	{"the order of officers", officers(director("a", "Ann", ""), director("b", "Ben", "")), officers(director("b", "BEN", ""), director("a", "Ann", "")), nil},
	{"a former officer who is not listed any more", officers(director("a", "Ann", "2020-01-01")), officers(), nil},
	{"a former officer with another name", officers(director("a", "Ann", "2020-01-01")), officers(director("a", "Anne", "2020-01-01")), nil},
	{"an owner who left and came back, listed twice", owners(owner("a", "Ann", "2020"), owner("a", "Ann", "")), owners(owner("a", "Ann", ""), owner("a", "Ann", "2020")), nil},
	{"the order of the ways in which an owner holds", owners(owner("a", "Ann", "", "x", "y")), owners(owner("a", "Ann", "", "y", "x")), nil},
	{"what is not shown of one who may not be", owners(Owner{Person: Person{ID: "p", Name: "A", Protected: true}}), owners(Owner{Person: Person{ID: "p", Name: "B", Nationality: "X", Protected: true}}), nil},
	{"the order of links", Facts{Links: []Link{{Kind: Parent, LEI: "A"}, {Kind: Parent, LEI: "B"}}}, Facts{Links: []Link{{Kind: Parent, LEI: "B"}, {Kind: Parent, LEI: "A"}}}, nil},
	{"accounts that are not listed any more", Facts{Accounts: []Accounts{{End: "2020", Currency: "GBP"}}}, Facts{}, nil},
	{"filings and notices that are not listed any more", Facts{Filings: []Filing{{Date: "2020", Type: "AA"}}, Notices: []Notice{{Date: "2020", Kind: "charge"}}}, Facts{}, nil},
	{"nothing and nothing", Facts{}, Facts{}, nil},
}

func TestCompare(t *testing.T) {
	seen := map[Field]bool{Added: true, Removed: true, AccountsOverdue: true, Listed: true} // these are not of a comparison
	for _, test := range slices.Concat(differences, likenesses) {
		var got []string
		for _, c := range Compare(Company{ID: "GB-0-1", Facts: test.was}, Company{ID: "GB-0-1", Facts: test.is}) {
			got = append(got, fmt.Sprintf("%s|%s|%s|%s", c.Field, c.Item, c.Old, c.New))
			seen[c.Field] = true
			if c.Company != "GB-0-1" {
				t.Errorf("%s: a change of %q", test.what, c.Company)
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s:\n got %q\nwant %q", test.what, got, test.want)
		}
		for _, same := range []Facts{test.was, test.is} {
			if got := Compare(Company{Facts: same}, Company{Facts: same}); len(got) != 0 {
				t.Errorf("%s: compared with itself: %+v", test.what, got)
			}
		}
	}
	for _, f := range allFields(t) {
		if !seen[f] {
			t.Errorf("no case shows the field %q", f)
		}
	}
}

// allFields are the constants of type Field, from the source.
func allFields(t *testing.T) (out []Field) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "change.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		v, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if kind, ok := v.Type.(*ast.Ident); ok && kind.Name == "Field" {
			text, err := strconv.Unquote(v.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, Field(text))
		}
		return true
	})
	if len(out) < 30 || !slices.ContainsFunc(out, func(f Field) bool { return strings.HasPrefix(string(f), "officer") }) {
		t.Fatalf("found only %v", out)
	}
	return out
}
