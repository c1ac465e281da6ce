package company

// The names of items in accounts. Amounts are whole minor units; what a source
// calls otherwise its importer renames.
const (
	Turnover            = "turnover"
	CostOfSales         = "costOfSales"
	GrossProfit         = "grossProfit"
	OperatingProfit     = "operatingProfit"
	InterestPaid        = "interestPaid"
	ProfitBeforeTax     = "profitBeforeTax"
	Tax                 = "tax"
	ProfitAfterTax      = "profitAfterTax"
	Dividends           = "dividends"
	Wages               = "wages"
	Depreciation        = "depreciation"
	IntangibleAssets    = "intangibleAssets"
	TangibleAssets      = "tangibleAssets"
	Investments         = "investments"
	FixedAssets         = "fixedAssets"
	Stocks              = "stocks"
	TradeDebtors        = "tradeDebtors"
	Debtors             = "debtors"
	Cash                = "cash"
	CurrentAssets       = "currentAssets"
	TotalAssets         = "totalAssets"
	TradeCreditors      = "tradeCreditors"
	CurrentLiabilities  = "currentLiabilities" // due within a year
	LongTermLiabilities = "longTermLiabilities"
	Provisions          = "provisions"
	TotalLiabilities    = "totalLiabilities"
	NetCurrentAssets    = "netCurrentAssets"
	NetAssets           = "netAssets"
	ShareCapital        = "shareCapital"
	Reserves            = "reserves"
	RetainedEarnings    = "retainedEarnings"
	Equity              = "equity"
	EmployeesAverage    = "employeesAverage" // a count, not an amount
)
