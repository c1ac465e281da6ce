package companieshouse

import "bureau/internal/company"

// A concept is a name of one of the taxonomies for one of our items. With a
// member it is that only for a part of it: creditors are our current
// liabilities where they are due within one year.
type concept struct {
	name, member, item string
}

// concepts are UK GAAP as it was (2004 and 2009), FRS 101, 102 and 105 as they
// have been since 2014, and IFRS. Where a document has several for one item the
// one that comes first here is taken.
var concepts = []concept{
	{"TurnoverRevenue", "", company.Turnover},
	{"TurnoverGrossOperatingRevenue", "", company.Turnover},
	{"Turnover", "", company.Turnover},
	{"Revenue", "", company.Turnover},
	{"RevenueFromContractsWithCustomers", "", company.Turnover},
	{"CostSales", "", company.CostOfSales},
	{"CostOfSales", "", company.CostOfSales},
	{"GrossProfitLoss", "", company.GrossProfit},
	{"GrossProfit", "", company.GrossProfit},
	{"OperatingProfitLoss", "", company.OperatingProfit},
	{"ProfitLossFromOperatingActivities", "", company.OperatingProfit},
	{"InterestPayableSimilarChargesFinanceCosts", "", company.InterestPaid},
	{"InterestPayableSimilarCharges", "", company.InterestPaid},
	{"FinanceCosts", "", company.InterestPaid},
	{"InterestExpense", "", company.InterestPaid},
	{"ProfitLossOnOrdinaryActivitiesBeforeTax", "", company.ProfitBeforeTax},
	{"ProfitLossBeforeTax", "", company.ProfitBeforeTax},
	{"TaxTaxCreditOnProfitOrLossOnOrdinaryActivities", "", company.Tax},
	{"TaxOnProfitOrLossOnOrdinaryActivities", "", company.Tax},
	{"IncomeTaxExpenseContinuingOperations", "", company.Tax},
	{"ProfitLoss", "", company.ProfitAfterTax},
	{"ProfitLossForPeriod", "", company.ProfitAfterTax},
	{"ProfitLossOnOrdinaryActivitiesAfterTax", "", company.ProfitAfterTax},
	{"ProfitLossForYear", "", company.ProfitAfterTax},
	{"DividendsPaid", "", company.Dividends},
	{"EquityDividendsPaid", "", company.Dividends},
	{"DividendsPaidOnShares", "", company.Dividends},
	{"DividendsPaidOnSharesFinal", "", company.Dividends},
	{"WagesSalaries", "", company.Wages},
	{"StaffCostsEmployeeBenefitsExpense", "", company.Wages},
	{"StaffCosts", "", company.Wages},
	{"DepreciationAmortisationImpairmentExpense", "", company.Depreciation},
	{"DepreciationOtherAmountsWrittenOffTangibleIntangibleFixedAssets", "", company.Depreciation},
	{"DepreciationExpensePropertyPlantEquipment", "", company.Depreciation},
	{"IncreaseFromDepreciationChargeForYearPropertyPlantEquipment", "", company.Depreciation},
	{"TangibleFixedAssetsDepreciationChargeForPeriod", "", company.Depreciation},

	{"IntangibleAssets", "", company.IntangibleAssets},
	{"IntangibleFixedAssets", "", company.IntangibleAssets},
	{"IntangibleAssetsOtherThanGoodwill", "", company.IntangibleAssets},
	{"PropertyPlantEquipment", "", company.TangibleAssets},
	{"TangibleFixedAssets", "", company.TangibleAssets},
	{"PropertyPlantAndEquipment", "", company.TangibleAssets},
	{"InvestmentsFixedAssets", "", company.Investments},
	{"FixedAssetInvestments", "", company.Investments},
	{"FixedAssets", "", company.FixedAssets},
	{"NoncurrentAssets", "", company.FixedAssets},
	{"TotalInventories", "", company.Stocks},
	{"StocksInventory", "", company.Stocks},
	{"Stocks", "", company.Stocks},
	{"Inventories", "", company.Stocks},
	{"TradeDebtorsTradeReceivables", "", company.TradeDebtors},
	{"TradeDebtors", "", company.TradeDebtors},
	{"CurrentTradeReceivables", "", company.TradeDebtors},
	{"Debtors", "", company.Debtors},
	{"Debtors", "WithinOneYear", company.Debtors},
	{"Debtors", "AfterOneYear", ""}, // a part of them
	{"DebtorsDueWithinOneYear", "", company.Debtors},
	{"TradeAndOtherCurrentReceivables", "", company.Debtors},
	{"CashBankOnHand", "", company.Cash},
	{"CashBankInHand", "", company.Cash},
	{"CashBank", "", company.Cash},
	{"CashCashEquivalents", "", company.Cash},
	{"CashAndCashEquivalents", "", company.Cash},
	{"CurrentAssets", "", company.CurrentAssets},
	{"TotalAssets", "", company.TotalAssets},
	{"Assets", "", company.TotalAssets},

	{"TradeCreditorsTradePayables", "", company.TradeCreditors},
	{"TradeCreditors", "", company.TradeCreditors},
	{"TradeCurrentPayables", "", company.TradeCreditors},
	{"Creditors", "WithinOneYear", company.CurrentLiabilities},
	{"Creditors", "CurrentFinancialInstruments", company.CurrentLiabilities},
	{"CreditorsDueWithinOneYear", "", company.CurrentLiabilities},
	{"CreditorsDueWithinOneYearTotalCurrentLiabilities", "", company.CurrentLiabilities},
	{"CurrentLiabilities", "", company.CurrentLiabilities},
	{"Creditors", "AfterOneYear", company.LongTermLiabilities},
	{"Creditors", "Non-currentFinancialInstruments", company.LongTermLiabilities},
	{"CreditorsDueAfterOneYear", "", company.LongTermLiabilities},
	{"CreditorsDueAfterOneYearTotalNoncurrentLiabilities", "", company.LongTermLiabilities},
	{"NoncurrentLiabilities", "", company.LongTermLiabilities},
	{"ProvisionsForLiabilitiesBalanceSheetSubtotal", "", company.Provisions},
	{"ProvisionsForLiabilitiesCharges", "", company.Provisions},
	{"TaxationIncludingDeferredTaxationBalanceSheetSubtotal", "", company.Provisions},
	{"Provisions", "", company.Provisions},
	{"Liabilities", "", company.TotalLiabilities},
	{"TotalLiabilities", "", company.TotalLiabilities},
	{"NetCurrentAssetsLiabilities", "", company.NetCurrentAssets},
	{"NetAssetsLiabilities", "", company.NetAssets},
	{"NetAssetsLiabilitiesIncludingPensionAssetLiability", "", company.NetAssets},
	{"CharityFunds", "", company.NetAssets},
	{"Equity", "ShareCapital", company.ShareCapital},
	{"CalledUpShareCapital", "", company.ShareCapital},
	{"IssuedCapital", "", company.ShareCapital},
	{"Equity", "OtherReservesSubtotal", company.Reserves},
	{"OtherAggregateReserves", "", company.Reserves},
	{"OtherReserves", "", company.Reserves},
	{"Equity", "RetainedEarningsAccumulatedLosses", company.RetainedEarnings},
	{"ProfitLossAccountReserve", "", company.RetainedEarnings},
	{"RetainedEarnings", "", company.RetainedEarnings},
	{"Equity", "", company.Equity},
	{"ShareholderFunds", "", company.Equity},

	{"AverageNumberEmployeesDuringPeriod", "", company.EmployeesAverage},
	{"EmployeesTotal", "", company.EmployeesAverage},
	{"AverageNumberEmployees", "", company.EmployeesAverage},
}

// What a document says about itself.
const (
	isNumber      = "UKCompaniesHouseRegisteredNumber"
	isNumber2008  = "CompaniesHouseRegisteredNumber"
	isBalanceDate = "BalanceSheetDate"
	isEnd         = "EndDateForPeriodCoveredByReport"
	isStart       = "StartDateForPeriodCoveredByReport"
	isDormant     = "EntityDormantTruefalse"
	isDormant2009 = "EntityDormant"
	isDormant2008 = "CompanyDormant"
	isStandard    = "AccountingStandardsApplied"
	isType        = "AccountsTypeFullOrAbbreviated"
	isType2022    = "AccountsType"
	isSmall2008   = "AccountsAreInAccordanceWithSpecialProvisionsCompaniesActRelatingToSmallCompanies"
)

// asked says that a concept is one of those above.
func asked(name string) bool { return byConcept[name] != nil }

// byConcept are the places in concepts by name; what documents say about
// themselves has an empty list.
var byConcept = func() map[string][]int {
	by := map[string][]int{}
	for i, c := range concepts {
		by[c.name] = append(by[c.name], i)
	}
	for _, name := range []string{
		isNumber, isNumber2008, isBalanceDate, isEnd, isStart, isDormant, isDormant2009, isDormant2008,
		isStandard, isType, isType2022, isSmall2008,
	} {
		by[name] = []int{}
	}
	return by
}()

// kindMembers are the kinds of accounts by the member that stands for them. The
// first that a document names is its kind: micro-entity accounts call
// themselves full as well.
var kindMembers = []struct{ member, kind string }{
	{"Micro-entities", "micro"},
	{"AbridgedAccounts", "abridged"},
	{"AbbreviatedAccounts", "abbreviated"},
	{"FilletedAccounts", "filleted"},
	{"SmallEntities", "small"},
	{"FullAccounts", "full"},
}
