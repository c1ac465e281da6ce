package lines

import "bureau/internal/company"

// items are what accounts may hold.
var items = []string{
	company.Turnover, company.CostOfSales, company.GrossProfit, company.OperatingProfit,
	company.InterestPaid, company.ProfitBeforeTax, company.Tax, company.ProfitAfterTax,
	company.Dividends, company.Wages, company.Depreciation,
	company.IntangibleAssets, company.TangibleAssets, company.Investments, company.FixedAssets,
	company.Stocks, company.TradeDebtors, company.Debtors, company.Cash, company.CurrentAssets,
	company.TotalAssets, company.TradeCreditors, company.CurrentLiabilities,
	company.LongTermLiabilities, company.Provisions, company.TotalLiabilities,
	company.NetCurrentAssets, company.NetAssets, company.ShareCapital, company.Reserves,
	company.RetainedEarnings, company.Equity, company.EmployeesAverage,
}

// isLEI checks an LEI and its check digits (ISO 7064, mod 97-10).
func isLEI(s string) bool {
	if len(s) != 20 {
		return false
	}
	rest := 0
	for _, c := range s {
		switch {
		case '0' <= c && c <= '9':
			rest = (rest*10 + int(c-'0')) % 97
		case 'A' <= c && c <= 'Z':
			rest = (rest*100 + int(c-'A'+10)) % 97
		default:
			return false
		}
	}
	return rest == 1
}
