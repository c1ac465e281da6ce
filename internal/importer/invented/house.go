package invented

import (
	"fmt"
	"strings"
)

// CompaniesHouse is a made-up BasicCompanyData file of n companies, as long and
// as mixed as the real one: in no order of numbers, most with one trade, some
// with former names and charges. An edition differs from another in about one
// company of fifty.
func CompaniesHouse(n, edition int) *Stream {
	return &Stream{Head: houseHeader, N: n, Record: func(i int) string { return houseRow(i, edition) }}
}

var houseHeader = func() string {
	names := []string{
		"CompanyName", " CompanyNumber", "RegAddress.CareOf", "RegAddress.POBox", "RegAddress.AddressLine1",
		" RegAddress.AddressLine2", "RegAddress.PostTown", "RegAddress.County", "RegAddress.Country",
		"RegAddress.PostCode", "CompanyCategory", "CompanyStatus", "CountryOfOrigin", "DissolutionDate",
		"IncorporationDate", "Accounts.AccountRefDay", "Accounts.AccountRefMonth", "Accounts.NextDueDate",
		"Accounts.LastMadeUpDate", "Accounts.AccountCategory", "Returns.NextDueDate", "Returns.LastMadeUpDate",
		"Mortgages.NumMortCharges", "Mortgages.NumMortOutstanding", "Mortgages.NumMortPartSatisfied",
		"Mortgages.NumMortSatisfied", "SICCode.SicText_1", "SICCode.SicText_2", "SICCode.SicText_3",
		"SICCode.SicText_4", "LimitedPartnerships.NumGenPartners", "LimitedPartnerships.NumLimPartners", "URI",
	}
	for i := range 10 {
		names = append(names, fmt.Sprintf("PreviousName_%d.CONDATE", i+1), fmt.Sprintf(" PreviousName_%d.CompanyName", i+1))
	}
	return strings.Join(append(names, "ConfStmtNextDueDate", " ConfStmtLastMadeUpDate"), ",") + "\n"
}()

var (
	houseWords = []string{
		"ACORN", "BRIDGE", "CEDAR", "DALE", "ELM", "FORGE", "GROVE", "HARBOUR", "IRON", "JUNIPER",
		"KESTREL", "LARCH", "MILL", "NORTH", "OAK", "PINE", "QUARRY", "RIVER", "STONE", "THISTLE",
	}
	houseTowns  = []string{"LEEDS", "LONDON", "YORK", "BRISTOL", "CARDIFF", "DERBY", "EXETER", "HULL", "LUTON", "NORWICH"}
	houseTrades = []string{
		"62020 - Information technology consultancy activities", "41202 - Construction of domestic buildings",
		"68209 - Other letting and operating of own or leased real estate", "99999 - Dormant Company",
		"47910 - Retail sale via mail order houses or via Internet",
		"70229 - Management consultancy activities other than financial management",
	}
	houseKinds = []string{"MICRO ENTITY", "TOTAL EXEMPTION FULL", "DORMANT", "NO ACCOUNTS FILED", "SMALL"}
)

func houseRow(i, edition int) string {
	// Numbers lie in no order: the real file is sorted by name.
	number := (i*7_368_787 + 1_234_567) % 16_000_000
	word := func(k int) string { return houseWords[(number/7+k*i+k)%len(houseWords)] }
	due := 1 + i%28
	if i%50 == edition%50 {
		due = 1 + (due+edition)%28
	}
	status := "Active"
	if i%17 == 0 {
		status = "Active - Proposal to Strike off"
	}
	second, former, charges := "", `"",""`, `"0","0","0","0"`
	if i%4 == 0 {
		second = houseTrades[(i/4)%len(houseTrades)]
	}
	if i%8 == 0 {
		former = fmt.Sprintf(`"%02d/0%d/2015","%s %s LIMITED"`, 1+i%28, 1+i%9, word(5), word(6))
	}
	if i%9 == 0 {
		charges = `"3","1","0","2"`
	}
	town := houseTowns[number%len(houseTowns)]
	return fmt.Sprintf(`"%s %s %s %d LIMITED","%08d","","","%d %s STREET","%s PARK","%s","","ENGLAND","%s%d %dQX",`+
		`"Private Limited Company","%s","United Kingdom","","%02d/%02d/20%02d","31","%d","%02d/12/2026","31/03/2025","%s",`+
		`"","",%s,"%s","%s","","","0","0","http://business.data.gov.uk/id/company/%08d",`+
		`%s,"","","","","","","","","","","","","","","","","","","%02d/04/2027","%02d/03/2026"`+"\n",
		word(1), word(2), word(3), i%1000, number, 1+i%300, word(4), word(7), town, town[:2], 1+i%20, i%10,
		status, 1+i%28, 1+i%12, i%26, 1+i%12, due, houseKinds[i%len(houseKinds)],
		charges, houseTrades[i%len(houseTrades)], second, number, former, 1+i%28, 1+i%28)
}
