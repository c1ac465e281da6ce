package monitor

import (
	"slices"

	"bureau/internal/company"
)

// The types of rule, by the parameters that they take.
var (
	plain      = Type{1, "Any change"}
	falling    = Type{2, "Fall - 1 input"}
	threshold  = Type{3, "Fall or threshold - 2 inputs"}
	bandChange = Type{4, "Rating band change - 3 inputs"}
	limited    = Type{5, "Amount change - 3 inputs"}
)

// details, figures, officers, owners are kinds of change that rules share.
var (
	details = []company.Field{
		company.FieldName, company.OtherName, company.FieldStatus, company.StatusText, company.FieldForm,
		company.FieldActivity, company.FieldAddress, company.RegNo, company.Removed,
	}
	figures  = []company.Field{company.AccountsFiled, company.AccountsChanged, company.Capital}
	officers = []company.Field{company.OfficerIn, company.OfficerOut, company.OfficerChanged}
)

// global are the rules for companies of every country. 101 to 107 are known to
// clients of long standing; from 5001 on they are our own.
var global = []Rule{
	{Code: 101, Name: "Rating band | falls by {0} band(s), or below band {1}", Type: bandChange, Fields: fields(company.ScoreBand), Local: "IR", Params: []Param{
		oneOf("by how many bands it must fall", "1", "1", "2", "3", "4"),
		oneOf("a band that it must fall below; Any tells every change, up and down", "", "A", "B", "C", "D", "Any"),
		oneOf("whether the new band is told as the new value", "true", "true", "false"),
	}, fires: bandFalls, never: neverFalls},
	{Code: 102, Name: "Credit limit | any change {0}, falls by {1} %, or below {2}", Type: limited, Fields: fields(company.ScoreLimit), Local: "CL", Params: []Param{
		oneOf("whether every change is told", "true", "true", "false"),
		percent("by how many per cent it must fall", ""),
		amount("an amount that it must fall below", ""),
	}, fires: limitFalls, never: neverLimits},
	{Code: 104, Name: "Company details", Type: plain, Fields: details, Local: "CD"},
	{Code: 105, Name: "Address", Type: plain, Fields: fields(company.FieldAddress), Local: "AD"},
	{Code: 107, Name: "Officers", Type: plain, Fields: officers, Local: "OF"},

	{Code: 5001, Name: "Name", Type: plain, Fields: fields(company.FieldName), Local: "NA"},
	{Code: 5002, Name: "Trading name, former name, name in another script", Type: plain, Fields: fields(company.OtherName), Local: "ON"},
	{Code: 5003, Name: "Status", Type: plain, Fields: fields(company.FieldStatus), Local: "ST"},
	{Code: 5004, Name: "Status becomes other than active", Type: plain, Fields: fields(company.FieldStatus), Local: "ST", fires: becomesInactive},
	{Code: 5005, Name: "The register's words for the status", Type: plain, Fields: fields(company.StatusText), Local: "ST"},
	{Code: 5006, Name: "No longer in any register", Type: plain, Fields: fields(company.Removed), Local: "RM"},
	{Code: 5007, Name: "Legal form", Type: plain, Fields: fields(company.FieldForm), Local: "LF"},
	{Code: 5008, Name: "Activity", Type: plain, Fields: fields(company.FieldActivity), Local: "AC"},
	{Code: 5009, Name: "Register number", Type: plain, Fields: fields(company.RegNo), Local: "RN"},

	{Code: 5010, Name: "Insolvency notice", Type: plain, Fields: fields(company.NewNotice), Local: "IN", fires: noticeOf("insolvency", "liquidation", "administration")},
	{Code: 5011, Name: "Court notice", Type: plain, Fields: fields(company.NewNotice), Local: "CT", fires: noticeOf("court")},
	{Code: 5012, Name: "Notice of striking off", Type: plain, Fields: fields(company.NewNotice), Local: "SO", fires: noticeOf("strike-off")},
	{Code: 5013, Name: "Any notice of a court, gazette or register", Type: plain, Fields: fields(company.NewNotice), Local: "NO"},
	{Code: 5014, Name: "Charges registered or satisfied", Type: plain, Fields: fields(company.ChargesChanged), Local: "CH"},
	{Code: 5015, Name: "Date of dissolution", Type: plain, Fields: fields(company.Dissolved), Local: "DI"},

	{Code: 5016, Name: "Status says insolvency", Type: plain, Fields: fields(company.StatusText), Local: "IN", fires: saysInsolvent},
	{Code: 5017, Name: "Founding date, kind of company or law it is under", Type: plain, Fields: fields(company.Founded, company.FieldKind, company.Jurisdiction), Local: "CD"},
	{Code: 5018, Name: "In a register again", Type: plain, Fields: fields(company.Added), Local: "RM"},

	{Code: 5020, Name: "Registered address", Type: plain, Fields: fields(company.FieldAddress), Local: "AD", fires: itemOf(string(company.Registered))},
	{Code: 5021, Name: "Head office", Type: plain, Fields: fields(company.FieldAddress), Local: "AD", fires: itemOf(string(company.HeadOffice))},
	{Code: 5022, Name: "Branches and trading places", Type: plain, Fields: fields(company.FieldAddress), Local: "BR", fires: itemOf(string(company.Branch), string(company.TradingPlace))},
	{Code: 5023, Name: "Telephone, e-mail, website", Type: plain, Fields: fields(company.Phone, company.Email, company.Website), Local: "CO"},
	{Code: 5024, Name: "Postal address", Type: plain, Fields: fields(company.FieldAddress), Local: "AD", fires: itemOf(string(company.Postal))},

	{Code: 5030, Name: "Officer appointed", Type: plain, Fields: fields(company.OfficerIn), Local: "OF"},
	{Code: 5031, Name: "Officer left", Type: plain, Fields: fields(company.OfficerOut), Local: "OF"},
	{Code: 5032, Name: "Officer's details", Type: plain, Fields: fields(company.OfficerChanged), Local: "OF"},
	{Code: 5033, Name: "Who may sign for the company", Type: plain, Fields: fields(company.Signing), Local: "SG"},
	{Code: 5035, Name: "Owner added", Type: plain, Fields: fields(company.OwnerIn), Local: "OW"},
	{Code: 5036, Name: "Owner ceased", Type: plain, Fields: fields(company.OwnerOut), Local: "OW"},
	{Code: 5037, Name: "Owner's share or details", Type: plain, Fields: fields(company.OwnerChanged), Local: "OW"},

	{Code: 5040, Name: "Parent company", Type: plain, Fields: fields(company.Group), Local: "GR", fires: itemOf(string(company.Parent))},
	{Code: 5041, Name: "Ultimate parent company", Type: plain, Fields: fields(company.Group), Local: "GR", fires: itemOf(string(company.UltimateParent))},
	{Code: 5042, Name: "Any link to the group", Type: plain, Fields: fields(company.Group), Local: "GR"},

	{Code: 5050, Name: "Capital", Type: plain, Fields: fields(company.Capital), Local: "CA"},
	{Code: 5051, Name: "Accounts filed", Type: plain, Fields: fields(company.AccountsFiled), Local: "FI"},
	{Code: 5052, Name: "Accounts corrected", Type: plain, Fields: fields(company.AccountsChanged), Local: "FI"},
	{Code: 5053, Name: "Accounts overdue", Type: plain, Fields: fields(company.AccountsOverdue), Local: "OD"},
	{Code: 5054, Name: "Document filed", Type: plain, Fields: fields(company.NewFiling), Local: "FL"},
	{Code: 5055, Name: "Employees", Type: plain, Fields: fields(company.FieldEmployees), Local: "EM"},
	{Code: 5056, Name: "Date for the next accounts or return", Type: plain, Fields: fields(company.AccountsDue, company.ReturnDue), Local: "DU"},
	{Code: 5057, Name: "End of the financial year", Type: plain, Fields: fields(company.YearEnd), Local: "YE"},

	{Code: 5060, Name: "Score | falls by {0} points, or below {1}", Type: threshold, Fields: fields(company.ScoreValue), Local: "SC", Params: []Param{
		points("by how many points it must fall", "1"), points("a score that it must fall below", ""),
	}, fires: scoreFalls},
	{Code: 5061, Name: "Score, up or down", Type: plain, Fields: fields(company.ScoreValue), Local: "SC"},
	{Code: 5062, Name: "Rating band, up or down", Type: plain, Fields: fields(company.ScoreBand), Local: "IR"},
	{Code: 5063, Name: "Credit limit, up or down", Type: plain, Fields: fields(company.ScoreLimit), Local: "CL"},

	{Code: 5070, Name: "LEI status", Type: plain, Fields: fields(company.LEIStatus), Local: "LE"},
	{Code: 5071, Name: "LEI", Type: plain, Fields: fields(company.LEI), Local: "LE"},
	{Code: 5072, Name: "VAT number", Type: plain, Fields: fields(company.VAT), Local: "VA"},

	{Code: 5080, Name: "On a sanctions list", Type: plain, Fields: fields(company.Listed), Local: "SL"},
}

// national are the rules of single countries, under codes that their clients
// know.
var national = []Rule{
	of("GB", 1801, scoreRule("15")), of("GB", 1802, limitRule("10")),
	of("GB", 1804, figuresRule), of("GB", 1815, detailsRule),
	of("GB", 3054, Rule{Name: "Status", Type: plain, Fields: fields(company.FieldStatus), Local: "ST"}),
	of("BE", 1703, scoreRule("10")), of("BE", 1718, figuresRule),
	of("US", 1603, detailsRule),
	of("AT", 3100, detailsRule), of("AT", 3101, figuresRule),
	of("DK", 1007, figuresRule), of("DK", 1010, detailsRule),
	of("FR", 302, detailsRule), of("FR", 704, figuresRule), of("FR", 802, capitalRule),
	of("FI", 802, capitalRule), of("FI", 806, detailsRule),
	of("DE", 2004, figuresRule), of("DE", 2006, capitalRule),
	of("IE", 2103, figuresRule), of("IE", 3056, detailsRule),
	of("IT", 1405, figuresRule), of("IT", 1406, detailsRule),
	of("LI", 2401, figuresRule), of("LU", 1308, figuresRule), of("NL", 1511, figuresRule),
	of("NO", 924, detailsRule), of("NO", 925, figuresRule),
	of("ES", 2201, figuresRule),
	of("ES", 2202, Rule{Name: "Company status", Type: plain, Fields: fields(company.FieldStatus), Local: "ST"}),
	of("SE", 3040, detailsRule), of("SE", 3043, figuresRule), of("SE", 3044, capitalRule),
}

var (
	detailsRule = Rule{Name: "Company details", Type: plain, Fields: details, Local: "CD"}
	figuresRule = Rule{Name: "Accounts", Type: plain, Fields: figures, Local: "FI"}
	capitalRule = Rule{Name: "Share capital", Type: plain, Fields: fields(company.Capital), Local: "CA"}
)

func scoreRule(standard string) Rule {
	return Rule{
		Name: "Credit score | falls by {0} %", Type: falling, Fields: fields(company.ScoreValue), Local: "SC",
		Params: []Param{percent("by how many per cent it must fall", standard)}, fires: fallsBy,
	}
}

func limitRule(standard string) Rule {
	return Rule{
		Name: "Credit limit | falls by {0} %", Type: falling, Fields: fields(company.ScoreLimit), Local: "CL",
		Params: []Param{percent("by how many per cent it must fall", standard)}, fires: fallsBy,
	}
}

func of(country string, code int, r Rule) Rule {
	r.Country, r.Code = country, code
	return r
}

func fields(list ...company.Field) []company.Field { return list }

// book is every rule, in the order of country and code; byCountry the same by
// country, byField by the field that they look at.
var (
	book      []*Rule
	byCountry = map[string][]*Rule{}
	byField   = map[company.Field][]*Rule{}
)

func init() {
	for i := range global {
		global[i].Country = Everywhere
	}
	for _, list := range [][]Rule{global, national} {
		for i := range list {
			r := &list[i]
			if r.fires == nil {
				r.fires = always
			}
			r.Version, r.Global = max(r.Version, 1), r.Local
			book = append(book, r)
		}
	}
	slices.SortStableFunc(book, compareRules)
	for _, r := range book {
		byCountry[r.Country] = append(byCountry[r.Country], r)
		for _, f := range r.Fields {
			byField[f] = append(byField[f], r)
		}
	}
}
