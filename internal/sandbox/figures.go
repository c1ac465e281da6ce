package sandbox

import (
	"fmt"
	"math"
	"math/rand/v2"

	"bureau/internal/company"
)

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

func yearOf(l land, year int, size, turnover, profit, tax, equity float64, r *rand.Rand) company.Accounts {
	minor := func(v float64) int64 { return int64(math.Round(v)) * 100 }
	fixed, stocks := minor(turnover*0.22), minor(turnover*0.07)
	debtors, cash := minor(turnover*(0.09+0.05*r.Float64())), minor(turnover*(0.02+0.08*r.Float64()))
	current := stocks + debtors + cash
	total := fixed + current
	liabilities := total - minor(equity)
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

// score rates a company from its newest figures, as a source of scores would.
func score(status company.Status, list []company.Accounts, at company.Date) *company.Score {
	a := list[0]
	value := 50
	reasons := []string{}
	ratio := func(over, under string) float64 {
		if a.Items[under] == 0 {
			return 0
		}
		return float64(a.Items[over]) / float64(a.Items[under])
	}
	add := func(points int, why string) {
		value += points
		reasons = append(reasons, fmt.Sprintf("%+d %s", points, why))
	}
	switch e := ratio(company.Equity, company.TotalAssets); {
	case e > 0.4:
		add(25, "strong equity")
	case e > 0.15:
		add(10, "sound equity")
	case e < 0:
		add(-30, "liabilities exceed assets")
	default:
		add(-10, "thin equity")
	}
	if p := ratio(company.ProfitBeforeTax, company.Turnover); p > 0.04 {
		add(15, "profitable")
	} else if p < 0 {
		add(-15, "loss in the last year")
	}
	if ratio(company.CurrentAssets, company.CurrentLiabilities) < 1 {
		add(-10, "short of liquid means")
	}
	if status != company.Active {
		value = min(value, 5)
		reasons = append(reasons, "in proceedings or closed")
	}
	value = max(1, min(100, value))
	limit := a.Items[company.Turnover] / 50 / 100_000 * 100_000 * int64(value) / 100
	return &company.Score{
		Value: value, Band: company.BandOf(value), Limit: company.Money{Minor: max(0, limit), Currency: a.Currency}, At: at, Reasons: reasons,
	}
}
