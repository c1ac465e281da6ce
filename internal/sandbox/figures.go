package sandbox

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"bureau/internal/company"
)

// leastDebt is the part of its assets that every company owes to somebody.
const leastDebt = 8

// years of accounts that a company has, the newest first.
const years = 5

// accounts makes figures that add up: assets equal liabilities and equity, and
// each year follows from the one before.
func accounts(r *rand.Rand, l land, lastYear int, size float64) []company.Accounts {
	turnover := size * (0.6 + 0.8*r.Float64())
	growth := 0.93 + 0.2*r.Float64()
	margin := -0.03 + 0.14*r.Float64()
	equity := turnover * (0.05 + 0.5*r.Float64())
	out := make([]company.Accounts, 0, years)
	for y := years - 1; y >= 0; y-- {
		year := lastYear - y
		profit := turnover * (margin + 0.04*(r.Float64()-0.5))
		tax := math.Max(0, profit*0.21)
		equity += (profit - tax) * 0.6
		out = append(out, yearOf(l, year, size, turnover, profit, tax, equity, r))
		turnover *= growth * (0.95 + 0.1*r.Float64())
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out
}

// since leaves out the years before a company was founded. There is one at least.
func since(founded company.Date, list []company.Accounts) []company.Accounts {
	n := slices.IndexFunc(list, func(a company.Accounts) bool { return a.Start < founded })
	if n < 0 {
		return list
	}
	return list[:max(1, n)]
}

func yearOf(l land, year int, size, turnover, profit, tax, equity float64, r *rand.Rand) company.Accounts {
	minor := func(v float64) int64 { return int64(math.Round(v)) * 100 }
	fixed, stocks := minor(turnover*0.22), minor(turnover*0.07)
	debtors, cash := minor(turnover*(0.09+0.05*r.Float64())), minor(turnover*(0.02+0.08*r.Float64()))
	current := stocks + debtors + cash
	total := fixed + current
	liabilities := max(total-minor(equity), total/leastDebt) // whoever owes nobody anything pays dividends
	short := liabilities * 7 / 10
	return company.Accounts{
		End: company.Date(fmt.Sprintf("%d-12-31", year)), Start: company.Date(fmt.Sprintf("%d-01-01", year)),
		Months: 12, Currency: l.currency, Kind: "full",
		Items: map[string]int64{
			company.Turnover: minor(turnover), company.CostOfSales: minor(turnover * 0.7), company.OperatingProfit: minor(profit * 1.1),
			company.InterestPaid: minor(profit*1.1) - minor(profit), company.ProfitBeforeTax: minor(profit), company.Tax: minor(tax),
			company.ProfitAfterTax: minor(profit) - minor(tax), company.Wages: minor(turnover * 0.25),
			company.FixedAssets: fixed, company.TangibleAssets: fixed, company.Stocks: stocks, company.TradeDebtors: debtors,
			company.Debtors: debtors, company.Cash: cash, company.CurrentAssets: current, company.TotalAssets: total,
			company.TradeCreditors: short / 2, company.CurrentLiabilities: short, company.LongTermLiabilities: liabilities - short,
			company.TotalLiabilities: liabilities, company.NetCurrentAssets: current - short,
			company.NetAssets: total - liabilities, company.Equity: total - liabilities,
			company.ShareCapital: minor(size * 0.01), company.EmployeesAverage: int64(math.Max(1, turnover/180000)),
		},
	}
}

// follow is a year's figures after another's: everything moved by the same
// growth, and the profit by chance. They still add up.
func follow(r *rand.Rand, last company.Accounts, end company.Date) company.Accounts {
	next := company.Accounts{
		End: end, Start: yearBefore(end), Months: last.Months, Currency: last.Currency, Kind: last.Kind,
		Items: make(map[string]int64, len(last.Items)),
	}
	growth := 70 + r.Int64N(55) // per cent
	for name, v := range last.Items {
		next.Items[name] = v / 10_000 * growth * 100
	}
	it := next.Items
	profit := it[company.Turnover] / 100 * (r.Int64N(22) - 9)
	tax := max(0, profit/500*100)
	it[company.OperatingProfit] = profit + it[company.InterestPaid]
	it[company.ProfitBeforeTax], it[company.Tax], it[company.ProfitAfterTax] = profit, tax, profit-tax
	it[company.CurrentAssets] = it[company.Stocks] + it[company.Debtors] + it[company.Cash]
	it[company.TotalAssets] = it[company.FixedAssets] + it[company.CurrentAssets]
	it[company.Equity] = min(it[company.Equity]+profit-tax, it[company.TotalAssets]-it[company.TotalAssets]/leastDebt/100*100)
	it[company.NetAssets] = it[company.Equity]
	it[company.TotalLiabilities] = it[company.TotalAssets] - it[company.Equity]
	it[company.CurrentLiabilities] = it[company.TotalLiabilities] / 1000 * 7 * 100
	it[company.LongTermLiabilities] = it[company.TotalLiabilities] - it[company.CurrentLiabilities]
	it[company.TradeCreditors] = it[company.CurrentLiabilities] / 2
	it[company.NetCurrentAssets] = it[company.CurrentAssets] - it[company.CurrentLiabilities]
	it[company.ShareCapital] = last.Items[company.ShareCapital]
	it[company.EmployeesAverage] = max(1, last.Items[company.EmployeesAverage]*growth/100)
	return next
}

// yearBefore is the day after the one a year before an end of month.
func yearBefore(end company.Date) company.Date {
	t, err := time.Parse(time.DateOnly, string(end))
	if err != nil {
		panic(err) // we wrote it ourselves
	}
	return day(t.AddDate(0, 0, 1).AddDate(-1, 0, 0))
}
