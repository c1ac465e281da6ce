package api

import (
	"math"

	"bureau/internal/company"
)

// Where each figure stands in the report.
var (
	profitItems = map[string]string{
		company.Turnover: "revenue", company.CostOfSales: "operatingCosts", company.OperatingProfit: "operatingProfit",
		company.Wages: "wagesAndSalaries", company.Depreciation: "depreciation", company.InterestPaid: "financialExpenses",
		company.ProfitBeforeTax: "profitBeforeTax", company.Tax: "tax", company.ProfitAfterTax: "profitAfterTax",
		company.Dividends: "dividends", company.RetainedEarnings: "retainedProfit",
	}
	balanceItems = map[string]string{
		company.TangibleAssets: "totalTangibleAssets", company.IntangibleAssets: "totalIntangibleAssets",
		company.Investments: "investments", company.FixedAssets: "totalFixedAssets", company.Stocks: "totalInventories",
		company.TradeDebtors: "tradeReceivables", company.Debtors: "totalReceivables", company.Cash: "cash",
		company.CurrentAssets: "totalCurrentAssets", company.TotalAssets: "totalAssets",
		company.TradeCreditors: "tradePayables", company.CurrentLiabilities: "totalCurrentLiabilities",
		company.LongTermLiabilities: "totalLongTermLiabilities", company.TotalLiabilities: "totalLiabilities",
		company.ShareCapital: "calledUpShareCapital", company.Reserves: "otherReserves",
		company.Equity: "totalShareholdersEquity",
	}
	otherItems = map[string]string{company.NetCurrentAssets: "workingCapital", company.NetAssets: "netWorth"}
)

func statements(list []company.Accounts) []statementJSON {
	out := []statementJSON{}
	for _, a := range list {
		j := statementJSON{
			Type: "GlobalFinancials", YearEnd: dateOut(a.End), Currency: a.Currency, Consolidated: a.Consolidated,
			ProfitLoss: pickItems(a, profitItems), Balance: pickItems(a, balanceItems), OtherFigures: pickItems(a, otherItems),
			Ratios: ratios(a.Items),
		}
		if a.Months > 0 {
			weeks := int(math.Round(float64(a.Months) * 52 / 12))
			j.Weeks = &weeks
		}
		out = append(out, j)
	}
	return out
}

func pickItems(a company.Accounts, names map[string]string) map[string]float64 {
	out := map[string]float64{}
	for item, name := range names {
		if v, ok := a.Items[item]; ok {
			out[name] = major(v)
		}
	}
	return out
}

// ratios are worked out from the figures; one that lacks a figure, or would
// divide by nothing, is left out.
func ratios(items map[string]int64) map[string]float64 {
	out := map[string]float64{}
	put := func(name, over, under string, scale float64) {
		a, okA := items[over]
		b, okB := items[under]
		if okA && okB && b != 0 {
			out[name] = math.Round(float64(a)/float64(b)*scale*100) / 100
		}
	}
	put("preTaxProfitMargin", company.ProfitBeforeTax, company.Turnover, 100)
	put("returnOnTotalAssetsEmployed", company.ProfitBeforeTax, company.TotalAssets, 100)
	put("returnOnNetAssetsEmployed", company.ProfitBeforeTax, company.NetAssets, 100)
	put("stockTurnoverRatio", company.Stocks, company.Turnover, 100)
	put("debtorDays", company.TradeDebtors, company.Turnover, 365)
	put("creditorDays", company.TradeCreditors, company.Turnover, 365)
	put("currentRatio", company.CurrentAssets, company.CurrentLiabilities, 1)
	put("equityInPercentage", company.Equity, company.TotalAssets, 100)
	put("totalDebtRatio", company.TotalLiabilities, company.Equity, 1)
	put("currentDebtRatio", company.CurrentLiabilities, company.Equity, 1)
	if a, ok := items[company.CurrentAssets]; ok {
		if b, ok := items[company.CurrentLiabilities]; ok && b != 0 {
			out["liquidityRatioOrAcidTest"] = math.Round(float64(a-items[company.Stocks])/float64(b)*100) / 100
		}
	}
	return out
}
