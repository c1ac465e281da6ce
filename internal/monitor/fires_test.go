package monitor

import (
	"strings"
	"testing"

	"bureau/internal/company"
)

// A change in a few words: what it was and is.
func ch(f company.Field, old, new string) company.Change {
	return company.Change{Company: "GB-0-1", Field: f, Old: old, New: new}
}

func item(f company.Field, item, old, new string) company.Change {
	c := ch(f, old, new)
	c.Item = item
	return c
}

// firing are changes, and what a rule says to them. A why that is empty means
// that nothing is told.
var firing = []struct {
	code   int
	values Values
	c      company.Change
	why    string
}{
	// Rule 101: by bands, or below a band.
	{101, Values{"1"}, ch(company.ScoreBand, "B", "C"), "The rating band fell by 1, from B to C; the rule asks for 1 or more"},
	{101, Values{"2"}, ch(company.ScoreBand, "B", "C"), ""},
	{101, Values{"2"}, ch(company.ScoreBand, "B", "D"), "The rating band fell by 2, from B to D; the rule asks for 2 or more"},
	{101, Values{"4"}, ch(company.ScoreBand, "A", "E"), "The rating band fell by 4, from A to E; the rule asks for 4 or more"},
	{101, Values{"1"}, ch(company.ScoreBand, "C", "B"), ""},
	{101, Values{"1"}, ch(company.ScoreBand, "", "E"), ""},
	{101, Values{"1"}, ch(company.ScoreBand, "A", ""), ""},
	{101, Values{"1"}, ch(company.ScoreBand, "A", "withdrawn"), ""},
	{101, Values{"1"}, ch(company.ScoreBand, "a", "b"), ""},
	{101, Values{"", "B"}, ch(company.ScoreBand, "A", "B"), ""},
	{101, Values{"", "B"}, ch(company.ScoreBand, "A", "C"), "The rating band fell from A to C, which is below B"},
	{101, Values{"", "B"}, ch(company.ScoreBand, "D", "E"), "The rating band fell from D to E, which is below B"},
	{101, Values{"", "D"}, ch(company.ScoreBand, "E", "D"), ""},
	{101, Values{"3", "A"}, ch(company.ScoreBand, "A", "B"), "The rating band fell from A to B, which is below A"},
	{101, Values{"4", "Any"}, ch(company.ScoreBand, "C", "B"), "The rating band changed from C to B"},
	{101, Values{"", "Any"}, ch(company.ScoreBand, "", "B"), "The rating band is now: B"},
	{101, Values{"", "Any"}, ch(company.ScoreBand, "B", ""), "The rating band is no longer: B"},

	// Rule 102: any change, by a share, below an amount.
	{102, Values{"true"}, ch(company.ScoreLimit, "1000.00 GBP", "1100.00 GBP"), "The credit limit changed from 1000.00 GBP to 1100.00 GBP"},
	{102, Values{"true"}, ch(company.ScoreLimit, "", "1100.00 GBP"), "The credit limit is now: 1100.00 GBP"},
	{102, Values{"false", "10"}, ch(company.ScoreLimit, "1000.00 GBP", "900.00 GBP"), "The credit limit fell by 10 %, from 1000.00 GBP to 900.00 GBP; the rule asks for 10 % or more"},
	{102, Values{"false", "10"}, ch(company.ScoreLimit, "1000.00 GBP", "900.01 GBP"), ""},
	{102, Values{"", "10"}, ch(company.ScoreLimit, "900.00 GBP", "1000.00 GBP"), ""},
	{102, Values{"", "100"}, ch(company.ScoreLimit, "900.00 GBP", ""), "The credit limit fell by 100 %, from 900.00 GBP to none; the rule asks for 100 % or more"},
	{102, Values{"", "10"}, ch(company.ScoreLimit, "", "900.00 GBP"), ""},
	{102, Values{"", "10"}, ch(company.ScoreLimit, "1000.00 GBP", "10.00 EUR"), ""},
	{102, Values{"", "10"}, ch(company.ScoreLimit, "1000.00 GBP", "n/a"), ""},
	{102, Values{"", "10"}, ch(company.ScoreLimit, "0.00 GBP", "-10.00 GBP"), ""},
	{102, Values{"", "", "500"}, ch(company.ScoreLimit, "500.00 GBP", "499.99 GBP"), "The credit limit fell from 500.00 GBP to 499.99 GBP, which is below 500"},
	{102, Values{"", "", "500"}, ch(company.ScoreLimit, "600.00 GBP", "500.00 GBP"), ""},
	{102, Values{"", "", "500"}, ch(company.ScoreLimit, "499.00 GBP", "400.00 GBP"), ""},
	{102, Values{"", "", "500"}, ch(company.ScoreLimit, "", "400.00 GBP"), ""},
	{102, Values{"", "", "500"}, ch(company.ScoreLimit, "600.00 GBP", ""), "The credit limit fell from 600.00 GBP to none, which is below 500"},
	{102, Values{"", "90", "500"}, ch(company.ScoreLimit, "600.00 GBP", "499.00 GBP"), "The credit limit fell from 600.00 GBP to 499.00 GBP, which is below 500"},

	// Scores: by points, below a score, by a share.
	{5060, Values{"5"}, ch(company.ScoreValue, "60", "55"), "The score fell by 5 points, from 60 to 55; the rule asks for 5 or more"},
	{5060, Values{"5"}, ch(company.ScoreValue, "60", "56"), ""},
	{5060, Values{"5"}, ch(company.ScoreValue, "55", "60"), ""},
	{5060, Values{"5"}, ch(company.ScoreValue, "", "1"), ""},
	{5060, Values{"5"}, ch(company.ScoreValue, "60", ""), ""},
	{5060, Values{"5"}, ch(company.ScoreValue, "60", "none"), ""},
	{5060, Values{"", "30"}, ch(company.ScoreValue, "30", "29"), "The score fell from 30 to 29, which is below 30"},
	{5060, Values{"", "30"}, ch(company.ScoreValue, "31", "30"), ""},
	{5060, Values{"", "30"}, ch(company.ScoreValue, "29", "12"), ""},
	{1801, Values{"15"}, ch(company.ScoreValue, "60", "51"), "The score fell by 15 %, from 60 to 51; the rule asks for 15 % or more"},
	{1801, Values{"15"}, ch(company.ScoreValue, "60", "52"), ""},
	{1801, Values{"15"}, ch(company.ScoreValue, "51", "60"), ""},
	{1802, Values{"7"}, ch(company.ScoreLimit, "300.00 GBP", "279.00 GBP"), "The credit limit fell by 7 %, from 300.00 GBP to 279.00 GBP; the rule asks for 7 % or more"},
	{1802, Values{"7.5"}, ch(company.ScoreLimit, "300.00 GBP", "277.50 GBP"), "The credit limit fell by 8 %, from 300.00 GBP to 277.50 GBP; the rule asks for 7.5 % or more"},
	{1802, Values{"7.5"}, ch(company.ScoreLimit, "300.00 GBP", "277.51 GBP"), ""},
	{5061, Values{}, ch(company.ScoreValue, "51", "60"), "The score changed from 51 to 60"},

	// Status and insolvency.
	{5004, Values{}, ch(company.FieldStatus, "Active", "Pending"), "The status changed from Active to Pending"},
	{5004, Values{}, ch(company.FieldStatus, "Pending", "NonActive"), ""},
	{5004, Values{}, ch(company.FieldStatus, "NonActive", "Active"), ""},
	{5004, Values{}, ch(company.FieldStatus, "", "NonActive"), ""},
	{5004, Values{}, ch(company.FieldStatus, "Active", ""), ""},
	{5016, Values{}, ch(company.StatusText, "Active", "In Administration"), "The register's words for the status changed from Active to In Administration"},
	{5016, Values{}, ch(company.StatusText, "In Administration", "Liquidation"), ""},
	{5016, Values{}, ch(company.StatusText, "Liquidation", "Active"), ""},
	{5016, Values{}, ch(company.StatusText, "Active", "Active - Proposal to Strike off"), ""},
	{5010, Values{}, item(company.NewNotice, "insolvency", "", "2026-01-02 bankruptcy opened"), "A notice (insolvency) was published: 2026-01-02 bankruptcy opened"},
	{5010, Values{}, item(company.NewNotice, "Liquidation", "", "a liquidator"), "A notice (Liquidation) was published: a liquidator"},
	{5010, Values{}, item(company.NewNotice, "court", "", "x"), ""},
	{5010, Values{}, item(company.NewNotice, "", "", "insolvency"), ""},
	{5011, Values{}, item(company.NewNotice, "court", "", ""), "A notice (court) was published"},
	{5012, Values{}, item(company.NewNotice, "strike-off", "", "x"), "A notice (strike-off) was published: x"},
	{5012, Values{}, item(company.NewNotice, "insolvency", "", "x"), ""},

	// Items of a field.
	{5020, Values{}, item(company.FieldAddress, "registered", "1 Old Row", "2 New Row"), "The registered address changed from 1 Old Row to 2 New Row"},
	{5020, Values{}, item(company.FieldAddress, "headOffice", "1 Old Row", "2 New Row"), ""},
	{5021, Values{}, item(company.FieldAddress, "headOffice", "", "2 New Row"), "The head office's address is now: 2 New Row"},
	{5022, Values{}, item(company.FieldAddress, "branch", "1 Old Row", ""), "A branch is gone: 1 Old Row"},
	{5022, Values{}, item(company.FieldAddress, "trading", "", "1 Old Row"), "A trading place is new: 1 Old Row"},
	{5022, Values{}, item(company.FieldAddress, "postal", "", "1 Old Row"), ""},
	{5024, Values{}, item(company.FieldAddress, "postal", "", "PO Box 7"), "The postal address is now: PO Box 7"},
	{5040, Values{}, item(company.Group, "parent", "A", "B"), "The parent company changed from A to B"},
	{5040, Values{}, item(company.Group, "ultimateParent", "A", "B"), ""},
	{5041, Values{}, item(company.Group, "ultimateParent", "A", ""), "The ultimate parent company is no longer: A"},

	// Words.
	{5002, Values{}, item(company.OtherName, "trading", "", "Corner Shop"), "A trading name is new: Corner Shop"},
	{5030, Values{}, ch(company.OfficerIn, "", "director: Ann Example"), "An officer was appointed: director: Ann Example"},
	{5031, Values{}, ch(company.OfficerOut, "director: Ann Example", "2026-01-31"), "An officer left on 2026-01-31: director: Ann Example"},
	{5031, Values{}, ch(company.OfficerOut, "director: Ann Example", ""), "An officer left: director: Ann Example"},
	{5036, Values{}, ch(company.OwnerOut, "Ben Example", ""), "An owner left: Ben Example"},
	{5051, Values{}, item(company.AccountsFiled, "2025-12-31", "", "GBP cash=1"), "Accounts to 2025-12-31 were filed"},
	{5053, Values{}, item(company.AccountsOverdue, "2026-09-30", "", "30 September 2026"), "Accounts were due on 30 September 2026, and none were filed"},
	{5006, Values{}, ch(company.Removed, "Acme Ltd", ""), "No source holds the company any more"},
	{5018, Values{}, ch(company.Added, "", "Acme Ltd"), "A source holds the company again: Acme Ltd"},
	{5080, Values{}, item(company.Listed, "made-up list", "", "Acme Ltd"), "The company is on the sanctions list made-up list: Acme Ltd"},
	{5080, Values{}, item(company.Listed, "made-up list", "Acme Ltd", ""), "The company is no longer on the sanctions list made-up list: Acme Ltd"},
}

func TestRulesFire(t *testing.T) {
	for _, test := range firing {
		r, ok := FindRule(Everywhere, test.code)
		if !ok {
			r, ok = FindRule("GB", test.code)
		}
		if !ok {
			t.Fatalf("there is no rule %d", test.code)
		}
		v := test.values
		if v != (Values{}) {
			checked, err := r.Check(v)
			if err != nil {
				t.Errorf("rule %d does not take %q: %v", test.code, v, err)
			}
			v = checked
		}
		told, ok := r.Fires(&test.c, v)
		if ok != (test.why != "") || told.Why != test.why {
			t.Errorf("rule %d %q on %s %q > %q: told %v, %q; want %q",
				test.code, test.values, test.c.Field, test.c.Old, test.c.New, ok, told.Why, test.why)
		}
	}
}

// Old and new are the change's own, but for the few that a person could not
// read, or did not ask for.
func TestToldValues(t *testing.T) {
	for _, test := range []struct {
		code     int
		values   Values
		c        company.Change
		old, new string
	}{
		{101, Values{"1", "", "true"}, ch(company.ScoreBand, "B", "C"), "B", "C"},
		{101, Values{"1", "", "false"}, ch(company.ScoreBand, "B", "C"), "B", ""},
		{5001, Values{}, ch(company.FieldName, "Old Ltd", "New Ltd"), "Old Ltd", "New Ltd"},
		{5031, Values{}, ch(company.OfficerOut, "director: Ann", "2026-01-31"), "director: Ann", "until 2026-01-31"},
		{5051, Values{}, item(company.AccountsFiled, "2025-12-31", "", "GBP cash=1"), "", "Accounts to 2025-12-31"},
		{5052, Values{}, item(company.AccountsChanged, "2025-12-31", "GBP cash=1", "GBP cash=2"), "Accounts to 2025-12-31", "Accounts to 2025-12-31, corrected"},
		{5013, Values{}, item(company.NewNotice, "court", "", ""), "", "court"},
	} {
		r, _ := FindRule(Everywhere, test.code)
		told, ok := r.Fires(&test.c, test.values)
		if !ok || told.Old != test.old || told.New != test.new {
			t.Errorf("rule %d on %v told %q > %q (%v), want %q > %q", test.code, test.c, told.Old, told.New, ok, test.old, test.new)
		}
	}
}

// A register may hold a text of any length; an event is read by people.
func TestLongValuesAreCut(t *testing.T) {
	c := ch(company.FieldActivity, strings.Repeat("ä", 5000), strings.Repeat("ö", 5000))
	r, _ := FindRule(Everywhere, 5008)
	told, _ := r.Fires(&c, Values{})
	for what, text := range map[string]string{"old": told.Old, "new": told.New, "why": told.Why} {
		if len(text) > 1010 || !strings.HasSuffix(text, "…") || strings.ContainsRune(text, '\uFFFD') {
			t.Errorf("%s is %d bytes and ends in %q", what, len(text), text[len(text)-6:])
		}
	}
}

// A change of a field that a rule does not look at, or of another country's
// company, is never told.
func TestRulesLookAtTheirOwn(t *testing.T) {
	for _, r := range AllRules() {
		other := ch("something else", "A", "C")
		if _, ok := r.Fires(&other, r.Defaults()); ok {
			t.Errorf("rule %d tells of a field that it does not look at", r.Code)
		}
		if r.Country == Everywhere {
			continue
		}
		abroad := ch(r.Fields[0], "90", "10")
		abroad.Company = company.NewID("XK", "1")
		if _, ok := r.Fires(&abroad, r.Defaults()); ok {
			t.Errorf("rule %d of %s tells of a company of Kosovo", r.Code, r.Country)
		}
	}
}
