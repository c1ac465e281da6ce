package monitor

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"bureau/internal/company"
	"bureau/internal/fault"
)

// known are the codes that clients of long standing send, by country.
var known = map[string][]int{
	Everywhere: {101, 102, 104, 105, 107},
	"GB":       {1801, 1802, 1804, 1815, 3054}, "BE": {1703, 1718}, "US": {1603}, "AT": {3100, 3101}, "DK": {1007, 1010},
	"FR": {302, 704, 802}, "FI": {802, 806}, "DE": {2004, 2006}, "IE": {2103, 3056}, "IT": {1405, 1406}, "LI": {2401},
	"LU": {1308}, "NL": {1511}, "NO": {924, 925}, "ES": {2201, 2202}, "SE": {3040, 3043, 3044},
}

func TestKnownCodesAreThere(t *testing.T) {
	for country, codes := range known {
		for _, code := range codes {
			if _, ok := FindRule(country, code); !ok {
				t.Errorf("rule %d of %s is missing", code, country)
			}
		}
	}
	for country := range byCountry {
		if known[country] == nil {
			t.Errorf("nobody knows rules of %s", country)
		}
	}
}

// An event is unique by its portfolio, change and rule's code. So no company may
// be watched by two rules of one code.
func TestCodesAreUniqueForACompany(t *testing.T) {
	seen := map[ruleKey]bool{}
	for _, r := range AllRules() {
		if seen[ruleKey{r.Country, r.Code}] || r.Country != Everywhere && seen[ruleKey{Everywhere, r.Code}] {
			t.Errorf("there are two rules %d for companies of %s", r.Code, r.Country)
		}
		seen[ruleKey{r.Country, r.Code}] = true
	}
}

func TestRulesAreInOrder(t *testing.T) {
	if !slices.IsSortedFunc(AllRules(), compareRules) || AllRules()[0].Country != Everywhere {
		t.Error("the rules are not in the order of country and code, those for everywhere first")
	}
}

// What a rule shows to people is complete, and its parameters are those that
// its name has places for.
func TestRulesAreSaid(t *testing.T) {
	place := regexp.MustCompile(`\{\d\}`)
	for _, r := range AllRules() {
		if r.Name == "" || r.Type.Name == "" || r.Local == "" || r.Global == "" || r.Version < 1 || len(r.Fields) == 0 || r.fires == nil {
			t.Errorf("rule %d of %s lacks something: %+v", r.Code, r.Country, r)
		}
		for _, p := range place.FindAllString(r.Name, -1) {
			if n, _ := strconv.Atoi(p[1:2]); n >= len(r.Params) {
				t.Errorf("rule %d: its name speaks of %s, and it has %d parameters", r.Code, p, len(r.Params))
			}
		}
		for i, p := range r.Params {
			if p.Means == "" || p.Allowed == "" {
				t.Errorf("rule %d: param%d does not say what it is", r.Code, i)
			}
		}
	}
}

// untold are the fields of changes that no rule looks at, and why.
var untold = map[string]string{
	"OfficerPast":   "it happened before anybody watched",
	"FieldWithheld": "the publisher forbids to show who it is",
	"FieldHidden":   "nothing happened to it",
}

// Whatever the register can tell, there is a rule for, and words.
func TestEveryFieldHasARule(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "../company/change.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	fields := 0
	ast.Inspect(file, func(n ast.Node) bool {
		v, ok := n.(*ast.ValueSpec)
		if !ok || len(v.Values) != 1 {
			return true
		}
		if is, ok := v.Type.(*ast.Ident); !ok || is.Name != "Field" {
			return true
		}
		fields++
		text, _ := strconv.Unquote(v.Values[0].(*ast.BasicLit).Value)
		name, f := v.Names[0].Name, company.Field(text)
		if why := untold[name]; (why == "") != (len(byField[f]) > 0) {
			t.Errorf("company.%s is looked at by %d rules (%s)", name, len(byField[f]), why)
		}
		c := ch(f, "A", "B")
		if untold[name] == "" && strings.HasPrefix(sentence(&c), text) {
			t.Errorf("company.%s has no words: %q", name, sentence(&c))
		}
		return true
	})
	if fields < 40 {
		t.Errorf("found %d fields in the register's code", fields)
	}
}

// Each rule tells something as it comes.
func TestEveryRuleFiresByDefault(t *testing.T) {
	values := []string{"", "A", "E", "90", "10", "900.00 GBP", "100.00 GBP", "Active", "Pending", "2026-01-31", "Liquidation"}
	items := []string{"", "registered", "headOffice", "postal", "branch", "parent", "ultimateParent", "insolvency", "court", "strike-off"}
	for _, r := range AllRules() {
		v, err := r.Check(Values{})
		if err != nil || v != r.Defaults() {
			t.Errorf("rule %d: no parameters are checked to %q (%v), the defaults are %q", r.Code, v, err, r.Defaults())
		}
		country := strings.ReplaceAll(r.Country, Everywhere, "GB")
		if !firesOnSome(r, v, country, values, items) {
			t.Errorf("rule %d of %s never fires with %q", r.Code, r.Country, v)
		}
	}
}

func firesOnSome(r *Rule, v Values, country string, values, items []string) bool {
	for _, f := range r.Fields {
		for _, old := range values {
			for _, new := range values {
				for _, item := range items {
					c := company.Change{Company: company.NewID(country, "1"), Field: f, Item: item, Old: old, New: new}
					if _, ok := r.Fires(&c, v); ok && old != new {
						return true
					}
				}
			}
		}
	}
	return false
}

func TestParametersAreChecked(t *testing.T) {
	for _, test := range []struct {
		code      int
		in, want  Values
		complains string // part of the detail; empty if it is taken
	}{
		{101, Values{}, Values{"1", "", "true"}, ""},
		{101, Values{" 1 ", "A"}, Values{"1", "A", ""}, ""},
		{101, Values{"2.0", "any", "TRUE"}, Values{"2", "Any", "true"}, ""},
		{101, Values{"", "c"}, Values{"", "C", ""}, ""},
		{101, Values{"", "", "false"}, Values{}, "param0 or param1"},
		{101, Values{"5"}, Values{}, `param0 of rule 101: "5" is not allowed; by how many bands it must fall: one of 1, 2, 3, 4, or empty`},
		{101, Values{"1", "E"}, Values{}, "param1 of rule 101"},
		{101, Values{"1", "A", "maybe"}, Values{}, "param2 of rule 101"},
		{101, Values{"1 band"}, Values{}, "param0"},
		{102, Values{}, Values{"true", "", ""}, ""},
		{102, Values{"True"}, Values{"true", "", ""}, ""},
		{102, Values{"False", "5.50", "0010000"}, Values{"false", "5.5", "10000"}, ""},
		{102, Values{"false"}, Values{}, "param1 or param2"},
		{102, Values{"", "0"}, Values{}, "a number from 1 to 100"},
		{102, Values{"", "101"}, Values{}, "param1"},
		{102, Values{"", "10 %"}, Values{}, "param1"},
		{102, Values{"", "", "-1"}, Values{}, "param2"},
		{102, Values{"", "", "1e9"}, Values{}, "param2"},
		{102, Values{"", "", "1000000000000000"}, Values{}, "param2"},
		{102, Values{"", "", "NaN"}, Values{}, "param2"},
		{102, Values{"", "", "."}, Values{}, "param2"},
		{102, Values{"", "", strings.Repeat("9", 5000)}, Values{}, "…"},
		{105, Values{"", " ", ""}, Values{}, ""}, // it takes none: clients send all three
		{105, Values{"", "y"}, Values{}, "param1 of rule 105: the rule has no such parameter"},
		{5060, Values{"1", "2", "3"}, Values{}, "param2 of rule 5060: the rule has no such parameter"},
		{5060, Values{}, Values{"1", "", ""}, ""},
		{5060, Values{"", "25"}, Values{"", "25", ""}, ""},
	} {
		r, _ := FindRule(Everywhere, test.code)
		got, err := r.Check(test.in)
		if test.complains == "" {
			if err != nil || got != test.want {
				t.Errorf("rule %d %q is kept as %q (%v), want %q", test.code, test.in, got, err, test.want)
			}
			continue
		}
		f, ok := fault.Of(err)
		if !ok || !errors.Is(err, fault.Invalid) || len(f.Details) == 0 || !strings.Contains(strings.Join(f.Details, "\n"), test.complains) {
			t.Errorf("rule %d %q: %v %q, want it refused with %q", test.code, test.in, err, f.Details, test.complains)
		}
		if text := strings.Join(f.Details, ""); len(text) > 400 {
			t.Errorf("rule %d repeats %d bytes", test.code, len(text))
		}
	}
}

// To check what was checked changes nothing, whatever a client sends.
func TestCheckIsIdempotent(t *testing.T) {
	param := rapid.OneOf(
		rapid.SampledFrom([]string{"", " ", "1", "4", "01.50", "A", "d", "Any", "true", "FALSE", "10", "100", "99999", "x"}),
		rapid.String(), rapid.StringMatching(`[0-9]{1,6}(\.[0-9]{0,4})?`))
	rapid.Check(t, func(t *rapid.T) {
		r := rapid.SampledFrom(AllRules()).Draw(t, "rule")
		v := Values{param.Draw(t, "param0"), param.Draw(t, "param1"), param.Draw(t, "param2")}
		once, err := r.Check(v)
		if err != nil {
			if !errors.Is(err, fault.Invalid) {
				t.Fatalf("refused with %v", err)
			}
			return
		}
		twice, err := r.Check(once)
		if err != nil || twice != once {
			t.Fatalf("rule %d: %q is kept as %q, and that as %q (%v)", r.Code, v, once, twice, err)
		}
	})
}

func TestSwitchesAreChecked(t *testing.T) {
	list, err := CheckSwitches("GB", []Switch{
		{Code: 1801, On: true, Values: Values{"20"}},
		{Code: 1815, On: true},
		{Code: 1802, Values: Values{"junk"}}, // off: its parameters do not matter
		{Code: 1801, On: true, Values: Values{"30.0"}},
		{Code: 3054, On: true}, // the last word counts
	})
	want := []Switch{{Code: 1801, On: true, Values: Values{"30"}}, {Code: 1815, On: true}, {Code: 1802}, {Code: 3054, On: true}}
	if err != nil || !slices.Equal(list, want) {
		t.Errorf("checked to %v (%v), want %v", list, err, want)
	}
	if _, err := CheckSwitches("GB", []Switch{{Code: 1801, On: true}, {Code: 1703, On: true}}); !errors.Is(err, fault.Missing) {
		t.Errorf("a rule of another country: %v", err)
	}
	_, err = CheckSwitches("GB", []Switch{{Code: 1801, On: true, Values: Values{"0"}}, {Code: 1802, On: true, Values: Values{"x"}}})
	if f, _ := fault.Of(err); !errors.Is(err, fault.Invalid) || len(f.Details) != 2 {
		t.Errorf("two wrong ones: %v %q", err, f.Details)
	}
}

// A switch that names some parameters leaves the others as they are. One that
// names none changes nothing of a rule that is on.
func TestSwitchKeepsWhatItLeavesOut(t *testing.T) {
	all, second := Left{true, true, true}, Left{true, false, true}
	for _, c := range []struct {
		code int
		was  *Values
		in   Values
		left Left
		want Values
		err  string
	}{
		{101, nil, Values{}, all, Values{"1", "", "true"}, ""},
		{101, &Values{"2", "C", "true"}, Values{}, all, Values{"2", "C", "true"}, ""},
		{101, &Values{"2", "C", "true"}, Values{}, Left{}, Values{"1", "", "true"}, ""}, // all empty: its own
		{101, &Values{"2", "C", "true"}, Values{"", "b"}, second, Values{"2", "B", "true"}, ""},
		{101, nil, Values{"", "b"}, second, Values{"", "B", ""}, ""},
		{101, &Values{"", "C", ""}, Values{"", ""}, second, Values{"1", "", "true"}, ""},
		{101, &Values{"", "C", "true"}, Values{"", ""}, second, Values{}, "param0 or param1 must say"},
		{102, &Values{"true", "10", ""}, Values{"false"}, Left{false, true, true}, Values{"false", "10", ""}, ""},
		{102, nil, Values{"false"}, Left{false, true, true}, Values{}, "param1 or param2 must say"},
	} {
		list, err := CheckSwitches(Everywhere, []Switch{{Code: c.code, On: true, Values: c.in, Left: c.left}})
		if err != nil {
			t.Fatal(err)
		}
		got, err := list[0].Over(Everywhere, c.was)
		f, _ := fault.Of(err)
		if c.err == "" && (err != nil || got != c.want) || c.err != "" && !strings.Contains(strings.Join(f.Details, ""), c.err) {
			t.Errorf("%d from %v by %v without %v: got %v (%v), want %v %s", c.code, c.was, c.in, c.left, got, f.Details, c.want, c.err)
		}
	}
	_, err := CheckSwitches(Everywhere, []Switch{{Code: 105, On: true, Values: Values{"", "x"}, Left: Left{true, false, true}}})
	if !errors.Is(err, fault.Invalid) {
		t.Errorf("a parameter that the rule does not have: %v", err)
	}
	_, err = CheckSwitches("PLC", []Switch{{Code: 101, On: true}})
	if f, _ := fault.Of(err); !errors.Is(err, fault.Missing) || !strings.Contains(f.Details[0], "those of XX") {
		t.Errorf("a country without rules: %v %q", err, f.Details)
	}
}
