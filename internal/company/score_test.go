package company

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

const rateDay = Date("2026-11-15")

// sound is a company of which the scorecard thinks nothing either way but for
// its age and missing figures.
func sound(change ...func(*Facts)) Facts {
	f := Facts{Status: Active, Founded: "2018-03-01"}
	for _, c := range change {
		c(&f)
	}
	return f
}

// figures are accounts that end the newest year.
func figures(items map[string]int64) func(*Facts) {
	return func(f *Facts) {
		f.Accounts = append(f.Accounts, Accounts{
			End: Date(fmt.Sprintf("%d-12-31", 2025-len(f.Accounts))), Months: 12, Currency: "EUR", Items: items,
		})
	}
}

func founded(d Date) func(*Facts)     { return func(f *Facts) { f.Founded = d } }
func accountsDue(d Date) func(*Facts) { return func(f *Facts) { f.Due.AccountsNext = d } }
func returnDue(d Date) func(*Facts)   { return func(f *Facts) { f.Due.ReturnNext = d } }

func notice(d Date, kind string) func(*Facts) {
	return func(f *Facts) { f.Notices = append(f.Notices, Notice{Date: d, Kind: kind}) }
}

func onBoard(role string, from, until Date) func(*Facts) {
	return func(f *Facts) { f.Officers = append(f.Officers, Officer{Role: role, From: from, Until: until}) }
}

func employs(e Employees) func(*Facts) { return func(f *Facts) { f.Employees = []Employees{e} } }
func charged(n int) func(*Facts)       { return func(f *Facts) { f.Charges = &Charges{Outstanding: n} } }

// Every rule, at its edges: what it is worth and what was measured.
var scoreCases = []struct {
	rule   string
	name   string
	facts  Facts
	around Around
	points int
	value  string
}{
	{rule: "age", name: "a day short of a year", facts: sound(founded("2025-11-16")), points: -12, value: "0"},
	{rule: "age", name: "a year to the day", facts: sound(founded("2025-11-15")), points: -8, value: "1"},
	{rule: "age", name: "two years", facts: sound(founded("2024-11-15")), points: -3, value: "2"},
	{rule: "age", name: "five years", facts: sound(founded("2021-11-15")), points: 3, value: "5"},
	{rule: "age", name: "ten years", facts: sound(founded("2016-11")), points: 6, value: "10"},
	{rule: "age", name: "twenty years, of which only the year is known", facts: sound(founded("2006")), points: 9, value: "20"},
	{rule: "age", name: "founded tomorrow", facts: sound(founded("2026-11-16"))},
	{rule: "age", name: "not known", facts: sound(founded(""), figures(map[string]int64{Turnover: 1}))},

	{rule: "accountsLate", name: "due today", facts: sound(accountsDue("2026-11-15"))},
	{rule: "accountsLate", name: "due yesterday", facts: sound(accountsDue("2026-11-14")), points: -6, value: "1"},
	{rule: "accountsLate", name: "thirty days", facts: sound(accountsDue("2026-10-16")), points: -6, value: "30"},
	{rule: "accountsLate", name: "thirty-one days", facts: sound(accountsDue("2026-10-15")), points: -10, value: "31"},
	{rule: "accountsLate", name: "ninety-one days", facts: sound(accountsDue("2026-08-16")), points: -16, value: "91"},
	{rule: "accountsLate", name: "only the month is known", facts: sound(accountsDue("2026-01"))},
	{rule: "returnLate", name: "due today", facts: sound(returnDue("2026-11-15"))},
	{rule: "returnLate", name: "ninety days", facts: sound(returnDue("2026-08-17")), points: -3, value: "90"},
	{rule: "returnLate", name: "ninety-one days", facts: sound(returnDue("2026-08-16")), points: -6, value: "91"},

	{rule: "court", name: "one judgment", facts: sound(notice("2024-01-01", "court")), points: -8, value: "1"},
	{rule: "court", name: "two judgments", facts: sound(notice("2024-01-01", "court"), notice("2026-01-01", "Court")), points: -14, value: "2"},
	{rule: "court", name: "three years to the day", facts: sound(notice("2023-11-15", "court"))},
	{rule: "court", name: "a day short of three years", facts: sound(notice("2023-11-16", "court")), points: -8, value: "1"},
	{rule: "court", name: "dated tomorrow", facts: sound(notice("2026-11-16", "court"))},
	{rule: "strikeOff", name: "this year", facts: sound(notice("2026-02-01", "strike-off")), points: -15, value: "1"},
	{rule: "strikeOff", name: "a year ago", facts: sound(notice("2025-11-15", "strike-off"))},
	{rule: "charges", name: "none outstanding", facts: sound(charged(0))},
	{rule: "charges", name: "four", facts: sound(charged(4)), points: -1, value: "4"},
	{rule: "charges", name: "five", facts: sound(charged(5)), points: -3, value: "5"},

	{rule: "accountsAge", name: "none held", facts: sound(), points: -3},
	{rule: "accountsAge", name: "eleven months", facts: sound(figures(map[string]int64{Cash: 1}))},
	{rule: "accountsAge", name: "twenty-two months", facts: Facts{Founded: "2018-03-01", Accounts: []Accounts{{End: "2025-01-31", Items: map[string]int64{Cash: 1}}}}, points: -3, value: "22"},
	{rule: "accountsAge", name: "thirty-four months", facts: Facts{Founded: "2018-03-01", Accounts: []Accounts{{End: "2024-01-31", Items: map[string]int64{Equity: -1, TotalAssets: 1}}}}, points: -8, value: "34"},
	{rule: "equity", name: "figures that are stale say nothing", facts: Facts{Founded: "2018-03-01", Accounts: []Accounts{{End: "2024-01-31", Items: map[string]int64{Equity: -1, TotalAssets: 1}}}}},

	{rule: "equity", name: "below nought", facts: sound(figures(map[string]int64{Equity: -1, TotalAssets: 100})), points: -18, value: "-1"},
	{rule: "equity", name: "thin", facts: sound(figures(map[string]int64{Equity: 0, TotalAssets: 100})), points: -6, value: "0"},
	{rule: "equity", name: "ten per cent", facts: sound(figures(map[string]int64{Equity: 10, TotalAssets: 100})), points: 2, value: "10"},
	{rule: "equity", name: "twenty-five per cent", facts: sound(figures(map[string]int64{NetAssets: 25, TotalAssets: 100})), points: 8, value: "25"},
	{rule: "equity", name: "forty-five per cent", facts: sound(figures(map[string]int64{Equity: 45, TotalAssets: 100})), points: 13, value: "45"},
	{rule: "equity", name: "no total", facts: sound(figures(map[string]int64{Equity: 45}))},
	{rule: "liquidity", name: "under 0.7", facts: sound(figures(map[string]int64{CurrentAssets: 69, CurrentLiabilities: 100})), points: -7, value: "0.69"},
	{rule: "liquidity", name: "0.7", facts: sound(figures(map[string]int64{CurrentAssets: 70, CurrentLiabilities: 100})), points: -3, value: "0.70"},
	{rule: "liquidity", name: "1", facts: sound(figures(map[string]int64{CurrentAssets: 100, CurrentLiabilities: 100})), points: 2, value: "1.00"},
	{rule: "liquidity", name: "1.5", facts: sound(figures(map[string]int64{CurrentAssets: 150, CurrentLiabilities: 100})), points: 5, value: "1.50"},
	{rule: "margin", name: "a loss of a few in a thousand", facts: sound(figures(map[string]int64{Turnover: 1000_00, ProfitBeforeTax: -4_00})), points: -6, value: "-0.4"},
	{rule: "margin", name: "a loss of next to nothing", facts: sound(figures(map[string]int64{Turnover: 1000_000_00, ProfitBeforeTax: -1_00})), points: -6, value: "0"},
	{rule: "margin", name: "a heavy loss", facts: sound(figures(map[string]int64{ProfitBeforeTax: -11, Turnover: 100})), points: -9, value: "-11"},
	{rule: "margin", name: "a loss", facts: sound(figures(map[string]int64{ProfitBeforeTax: -10, Turnover: 100})), points: -6, value: "-10"},
	{rule: "margin", name: "even", facts: sound(figures(map[string]int64{ProfitBeforeTax: 0, Turnover: 100})), points: 1, value: "0"},
	{rule: "margin", name: "three per cent", facts: sound(figures(map[string]int64{ProfitBeforeTax: 3, Turnover: 100})), points: 4, value: "3"},
	{rule: "margin", name: "ten per cent", facts: sound(figures(map[string]int64{ProfitAfterTax: 10, Turnover: 100})), points: 7, value: "10"},
	{rule: "return", name: "beside a turnover it is not asked", facts: sound(figures(map[string]int64{ProfitBeforeTax: -5, Turnover: 100, TotalAssets: 100}))},
	{rule: "return", name: "a loss", facts: sound(figures(map[string]int64{ProfitBeforeTax: -5, TotalAssets: 100})), points: -6, value: "-5"},
	{rule: "return", name: "a little", facts: sound(figures(map[string]int64{ProfitBeforeTax: 4, TotalAssets: 100})), points: 2, value: "4"},
	{rule: "return", name: "five per cent", facts: sound(figures(map[string]int64{ProfitBeforeTax: 5, TotalAssets: 100})), points: 4, value: "5"},
	{rule: "losses", name: "one year", facts: sound(figures(map[string]int64{ProfitBeforeTax: -1}), figures(map[string]int64{ProfitBeforeTax: 1}))},
	{rule: "losses", name: "two years", facts: sound(figures(map[string]int64{ProfitBeforeTax: -1}), figures(map[string]int64{ProfitAfterTax: -1}), figures(map[string]int64{ProfitBeforeTax: 1})), points: -4, value: "2"},
	{rule: "losses", name: "three years", facts: sound(figures(map[string]int64{ProfitBeforeTax: -1}), figures(map[string]int64{ProfitBeforeTax: -1}), figures(map[string]int64{ProfitBeforeTax: -1})), points: -7, value: "3"},
	{rule: "losses", name: "years of which nothing is known end the count", facts: sound(figures(map[string]int64{ProfitBeforeTax: -1}), figures(map[string]int64{Cash: 1}), figures(map[string]int64{ProfitBeforeTax: -1}))},
	{rule: "growth", name: "down by more than 30 per cent", facts: sound(figures(map[string]int64{Turnover: 69}), figures(map[string]int64{Turnover: 100})), points: -6, value: "-31"},
	{rule: "growth", name: "down by 30 per cent", facts: sound(figures(map[string]int64{Turnover: 70}), figures(map[string]int64{Turnover: 100})), points: -3, value: "-30"},
	{rule: "growth", name: "down by 15 per cent", facts: sound(figures(map[string]int64{Turnover: 85}), figures(map[string]int64{Turnover: 100}))},
	{rule: "growth", name: "up by 10 per cent", facts: sound(figures(map[string]int64{Turnover: 110}), figures(map[string]int64{Turnover: 100})), points: 2, value: "10"},
	{rule: "growth", name: "up by half is too fast to be good", facts: sound(figures(map[string]int64{Turnover: 150}), figures(map[string]int64{Turnover: 100}))},
	{rule: "cover", name: "interest is more than is earned", facts: sound(figures(map[string]int64{OperatingProfit: 99, InterestPaid: 100})), points: -5, value: "0.99"},
	{rule: "cover", name: "three times", facts: sound(figures(map[string]int64{OperatingProfit: 300, InterestPaid: 100})), points: 3, value: "3.00"},
	{rule: "cover", name: "no interest is paid", facts: sound(figures(map[string]int64{OperatingProfit: 300, InterestPaid: 0}))},

	{rule: "size", name: "nine", facts: sound(employs(Employees{Count: 9}))},
	{rule: "size", name: "ten", facts: sound(employs(Employees{Count: 10})), points: 2, value: "10"},
	{rule: "size", name: "a range counts from its foot", facts: sound(employs(Employees{Range: "50-99"})), points: 4, value: "50"},
	{rule: "size", name: "two hundred and fifty, in the accounts", facts: sound(figures(map[string]int64{EmployeesAverage: 250})), points: 6, value: "250"},

	{rule: "parent", name: "none known", facts: sound()},
	{rule: "parent", name: "it is sound", facts: sound(), around: Around{Parent: ParentSound}, points: 2, value: "0"},
	{rule: "parent", name: "it fails", facts: sound(), around: Around{Parent: ParentFails}, points: -12, value: "1"},
	{rule: "boards", name: "one", facts: sound(), around: Around{Failed: 1}, points: -4, value: "1"},
	{rule: "boards", name: "two", facts: sound(), around: Around{Failed: 2}, points: -8, value: "2"},
	{rule: "boards", name: "three", facts: sound(), around: Around{Failed: 3}, points: -12, value: "3"},
	{rule: "directors", name: "one in office", facts: sound(onBoard("director", "2018-03-01", ""))},
	{rule: "directors", name: "the last one left", facts: sound(onBoard("director", "2018-03-01", "2026-11-15")), points: -6, value: "0"},
	{rule: "directors", name: "an auditor runs nothing", facts: sound(onBoard("auditor", "2018-03-01", ""))},
	{rule: "leavers", name: "one of two", facts: sound(onBoard("director", "2018", ""), onBoard("director", "2018", "2026-06-01"))},
	{rule: "leavers", name: "two of four", facts: sound(onBoard("director", "2018", ""), onBoard("director", "2018", ""), onBoard("chair", "2018", "2026-06-01"), onBoard("director", "2018", "2025-11-16")), points: -4, value: "50"},
	{rule: "leavers", name: "two of five", facts: sound(onBoard("director", "2018", ""), onBoard("director", "2018", ""), onBoard("director", "2018", ""), onBoard("director", "2018", "2026-06-01"), onBoard("director", "2018", "2026-06-01"))},
	{rule: "leavers", name: "more than a year ago", facts: sound(onBoard("director", "2018", ""), onBoard("director", "2018", "2025-11-15"), onBoard("director", "2018", "2025-11-15"))},

	{rule: "proceedings", name: "a fair company in liquidation", facts: sound(func(f *Facts) { f.Status = Pending }), points: -40},
	{rule: "closed", name: "a company that is gone", facts: sound(func(f *Facts) { f.Status = NonActive }), points: -50},
	{rule: "closed", name: "gone, and nothing else is known", facts: Facts{Status: NonActive}, points: -47},
	{rule: "insolvency", name: "a notice before the register's status", facts: sound(notice("2026-11-01", "insolvency")), points: -40},
	{rule: "insolvency", name: "two years later", facts: sound(notice("2024-11-15", "insolvency"))},
}

func TestScorecard(t *testing.T) {
	tested := map[string]bool{startRule: true, limitRule: true}
	for _, c := range scoreCases {
		t.Run(c.rule+": "+c.name, func(t *testing.T) {
			score, ok := Rate(c.facts, c.around, rateDay)
			if !ok {
				t.Fatal("it was not rated")
			}
			var got Point
			if i := slices.IndexFunc(score.Points, func(p Point) bool { return p.Rule == c.rule }); i >= 0 {
				got = score.Points[i]
			}
			want := Point{c.rule, c.points, c.value}
			if c.points == 0 {
				want = Point{}
			}
			if got != want {
				t.Errorf("got %+v, want %+v of %+v", got, want, score.Points)
			}
		})
		tested[c.rule] = true
	}
	for _, rule := range Rules() {
		if !tested[rule] {
			t.Errorf("no case pins the rule %s", rule)
		}
	}
}

// Whatever is held of a company, its points add up to its score, the score is
// from 0 to 100, and the day on which it is next due is to come.
func TestEveryPointHasAReason(t *testing.T) {
	rules := Rules()
	rapid.Check(t, func(r *rapid.T) {
		f := anyFacts(r)
		f.Founded = rapid.SampledFrom([]Date{"", "1990", "2026-11-14", "2027-01-01", "nonsense"}).Draw(r, "founded")
		around := Around{Parent: ParentState(rapid.IntRange(0, 2).Draw(r, "parent")), Failed: rapid.IntRange(0, 9).Draw(r, "failed")}
		score, ok := Rate(f, around, rateDay)
		if !ok {
			return
		}
		sum := 0
		for _, p := range score.Points {
			sum += p.Points
			if !slices.Contains(rules, p.Rule) || p.Points == 0 {
				r.Fatalf("a point without a reason: %+v", p)
			}
		}
		if sum != score.Value || score.Value < 0 || score.Value > 100 || score.Band != BandOf(score.Value) {
			r.Fatalf("the points come to %d: %+v", sum, score)
		}
		if score.Limit.Minor < 0 || score.Limit.Minor%100 != 0 {
			r.Fatalf("a limit of %+v", score.Limit)
		}
		if score.Next != "" && score.Next <= rateDay {
			r.Fatalf("it is due on %s", score.Next)
		}
	})
}

// Between the day it was rated and the day it is next due, time changes nothing.
func TestNothingChangesBeforeItIsDue(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		day := func(what string) Date {
			d := rateDayTime().AddDate(0, 0, rapid.IntRange(-2500, 800).Draw(r, what))
			return Date(d.Format("2006-01-02"))
		}
		f := sound(founded(day("founded")), accountsDue(day("accounts")), returnDue(day("return")),
			notice(day("notice"), rapid.SampledFrom([]string{"court", "strike-off", "insolvency"}).Draw(r, "kind")),
			onBoard("director", day("from"), ""), onBoard("director", "2010", day("until")), onBoard("director", "2010", day("until")))
		f.Accounts = []Accounts{{End: day("end"), Currency: "EUR", Items: map[string]int64{Equity: 1, TotalAssets: 3}}}
		score, _ := Rate(f, Around{}, rateDay)
		at, _ := rateDay.from()
		until, ok := score.Next.from()
		if !ok {
			until = at.AddDate(3, 0, 0)
		}
		for d := at; d.Before(until); d = d.AddDate(0, 0, 1) {
			later, _ := Rate(f, Around{}, Date(d.Format("2006-01-02")))
			if !later.same(&score) {
				r.Fatalf("on %s it was %d, on %s it is %d; it was due on %q", rateDay, score.Value, d.Format("2006-01-02"), later.Value, score.Next)
			}
		}
	})
}

func TestTooLittleIsNotRated(t *testing.T) {
	for _, f := range []Facts{{}, {Name: "Oak", Status: Active, LEI: "x"}, {Status: Other}} {
		if s, ok := Rate(f, Around{Failed: 3}, rateDay); ok {
			t.Errorf("%+v was rated %+v", f, s)
		}
	}
}

func TestLimit(t *testing.T) {
	strong := map[string]int64{Equity: 60_000_00, TotalAssets: 100_000_00, CurrentAssets: 3, CurrentLiabilities: 1}
	with := func(name string, v int64) map[string]int64 {
		out := map[string]int64{name: v}
		for k, v := range strong {
			if _, ok := out[k]; !ok {
				out[k] = v
			}
		}
		return out
	}
	for _, c := range []struct {
		name  string
		facts Facts
		want  Money
	}{
		{"a share of the equity", sound(figures(strong)), Money{9000_00, "EUR"}},
		{"the turnover's share, if that is lower", sound(figures(with(Turnover, 200_000_00))), Money{4000_00, "EUR"}},
		{"of a turnover that is high the equity's", sound(figures(with(Turnover, 20_000_000_00))), Money{9000_00, "EUR"}},
		{"nought where debts exceed what there is", sound(figures(with(Equity, -5))), Money{0, "EUR"}},
		{"the capital where there are no figures", sound(func(f *Facts) { f.Capital = Money{100_000_00, "SEK"} }), Money{4000_00, "SEK"}},
		{"none where nothing is known", sound(), Money{}},
		{"nought in proceedings, whatever it has", sound(figures(strong), func(f *Facts) { f.Status = Pending }), Money{0, "EUR"}},
	} {
		if score, _ := Rate(c.facts, Around{}, rateDay); score.Limit != c.want {
			t.Errorf("%s: got %+v (band %s, %d), want %+v", c.name, score.Limit, score.Band, score.Value, c.want)
		}
	}
}

// The document names every rule, and says of each what it is worth.
func TestDocumentOfTheScorecard(t *testing.T) {
	text := scorecardTable()
	checkDocument(t, "../../docs/scorecard.md", text)
}

func scorecardTable() string {
	var b strings.Builder
	b.WriteString("| line | measured | below … | points |\n|---|---|---|---|\n")
	for _, f := range scorecard {
		for i, s := range f.steps {
			name, unit, below := f.rule, scorecardUnits[f.rule], fmt.Sprintf("below %g", s.below)
			if s.below == top {
				below = "otherwise"
			}
			if i > 0 {
				name, unit = "", ""
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %+d |\n", name, unit, below, s.points)
		}
		if f.unknown != 0 {
			fmt.Fprintf(&b, "| | | not known | %+d |\n", f.unknown)
		}
	}
	return strings.ReplaceAll(b.String(), "| +0 |", "| 0 |")
}
