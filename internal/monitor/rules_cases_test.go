package monitor_test

import (
	"bureau/internal/importer/bods"
	"bureau/internal/importer/brreg"
	house "bureau/internal/importer/companieshouse"
	"bureau/internal/importer/gleif"
	"bureau/internal/importer/lines"
	"bureau/internal/importer/offeneregister"
	"bureau/internal/importer/sec"
	"bureau/internal/importer/sirene"
	"bureau/internal/monitor"
)

// The companies of the samples.
const (
	joinery  = "GB-0-99000001"
	mills    = "FR-0-999990013"
	bakery   = "NO-0-310000019"
	baker    = "DE-0-K9999_HRB1"
	bakeries = "US-0-CIK0009999999"
)

const everywhere = monitor.Everywhere

// A second officer of the joinery, and the end of the file with it.
const (
	officerEnd  = "9999999900000002"
	secondPlace = "990000012301269666720001        20240401                199002          0075MS<IRIS<WREN<<<<3 CANAL STREET<<ROTHERBY<<ENGLAND<DIRECTOR<BRITISH<ENGLAND<\n9999999900000003"
)

const (
	branch   = `"addresses":[{"kind":"registered","city":"Anytown"},{"kind":"branch","street":"High Street","house":"2","city":"Anytown"}]`
	noBranch = `"addresses":[{"kind":"registered","city":"Anytown"}]`
	score60  = `"score":{"value":60,"band":"B","limit":{"minorUnits":1000000,"currency":"EUR"}}`
	score30  = `"score":{"value":30,"band":"D","limit":{"minorUnits":250000,"currency":"EUR"}}`
	filed    = `"accounts":[{"end":"2025-12-31","currency":"EUR","items":{"cash":500}}]`
	capital1 = `"capital":{"minorUnits":5000000,"currency":"EUR"}`
	capital2 = `"capital":{"minorUnits":7500000,"currency":"EUR"}`
	aPhone   = `"phones":["555-0100"]`
)

// named are files that say what the joinery is called.
var named = []edition{{house.Companies, house.Companies.Sample}}

var ruleCases = []ruleCase{
	{
		country: everywhere, code: 101, source: lines.Source, was: own("GB", score60), is: own("GB", score30), about: "GB-0-1",
		old: "B", new: "D", why: "The rating band fell by 2, from B to D; the rule asks for 1 or more",
	},
	{
		country: everywhere, code: 102, values: monitor.Values{"false", "50"}, source: lines.Source, was: own("GB", score60), is: own("GB", score30), about: "GB-0-1",
		old: "10000.00 EUR", new: "2500.00 EUR", why: "The credit limit fell by 75 %, from 10000.00 EUR to 2500.00 EUR; the rule asks for 50 % or more",
	},
	{
		country: everywhere, code: 104, source: house.Companies, was: house.Companies.Sample, is: edited(house.Companies, "HOLLOWAY & FINCH JOINERY LTD", "HOLLOWAY JOINERY LTD"), about: joinery,
		old: "HOLLOWAY & FINCH JOINERY LTD", new: "HOLLOWAY JOINERY LTD", why: "The name changed from HOLLOWAY & FINCH JOINERY LTD to HOLLOWAY JOINERY LTD",
	},
	{
		country: everywhere, code: 105, source: house.Companies, was: house.Companies.Sample, is: edited(house.Companies, "UNIT 4 MILL YARD", "UNIT 9 MILL YARD"), about: joinery,
		old: "UNIT 4 MILL YARD, CANAL STREET, ROTHERBY, WEST YORKSHIRE, ZZ1 4QX, GB", new: "UNIT 9 MILL YARD, CANAL STREET, ROTHERBY, WEST YORKSHIRE, ZZ1 4QX, GB", why: "The registered address changed from UNIT 4 MILL YARD, CANAL STREET, ROTHERBY, WEST YORKSHIRE, ZZ1 4QX, GB to UNIT 9 MILL YARD, CANAL STREET, ROTHERBY, WEST YORKSHIRE, ZZ1 4QX, GB",
	},
	{
		country: everywhere, code: 107, source: house.Officers, first: named, was: house.Officers.Sample, is: edited(house.Officers, officerEnd, secondPlace), about: joinery,
		new: "director: IRIS WREN", why: "An officer was appointed: director: IRIS WREN",
	},

	{
		country: everywhere, code: 5001, source: gleif.LEI, was: gleif.LEI.Sample, is: edited(gleif.LEI, "MARROWBY &amp; FINCH LIMITED", "MARROWBY LIMITED"), about: joinery,
		old: "MARROWBY & FINCH LIMITED", new: "MARROWBY LIMITED", why: "The name changed from MARROWBY & FINCH LIMITED to MARROWBY LIMITED",
	},
	{
		country: everywhere, code: 5002, source: sirene.Source, was: edited(sirene.Source, ",MDE,", ",,"), is: sirene.Source.Sample, about: mills,
		new: "MDE", why: "A short name is new: MDE",
	},
	{
		country: everywhere, code: 5003, source: sirene.Source, was: sirene.Source.Sample, is: edited(sirene.Source, ",2021-03-01,A,", ",2026-10-01,C,"), about: mills,
		old: "Active", new: "NonActive", why: "The status changed from Active to NonActive",
	},
	{
		country: everywhere, code: 5004, source: offeneregister.Source, was: offeneregister.Source.Sample, is: edited(offeneregister.Source, "currently registered", "removed"), about: baker,
		old: "Active", new: "NonActive", why: "The status changed from Active to NonActive",
	},
	{
		country: everywhere, code: 5005, source: house.Companies, was: house.Companies.Sample, is: edited(house.Companies, `"Active"`, `"Active - Proposal to Strike off"`), about: joinery,
		old: "Active", new: "Active - Proposal to Strike off", why: "The register's words for the status changed from Active to Active - Proposal to Strike off",
	},
	{
		country: everywhere, code: 5006, source: lines.Source, was: own("GB", aPhone), is: `{"id":"GB-0-1","gone":true}` + "\n", about: "GB-0-1",
		old: "Example GB", why: "No source holds the company any more",
	},
	{
		country: everywhere, code: 5018, source: lines.Source, was: own("GB", aPhone), between: `{"id":"GB-0-1","gone":true}` + "\n", is: own("GB", aPhone), about: "GB-0-1",
		new: "Example GB", why: "A source holds the company again: Example GB",
	},
	{
		country: everywhere, code: 5007, source: brreg.Source, was: brreg.Source.Sample, is: edited(brreg.Source, `"AS","beskrivelse":"Aksjeselskap"`, `"ASA","beskrivelse":"Allmennaksjeselskap"`), about: bakery,
		old: "AS Aksjeselskap", new: "ASA Allmennaksjeselskap", why: "The legal form changed from AS Aksjeselskap to ASA Allmennaksjeselskap",
	},
	{
		country: everywhere, code: 5008, source: sirene.Source, was: sirene.Source.Sample, is: edited(sirene.Source, "10.61A", "10.71C"), about: mills,
		old: "10.61A", new: "10.71C", why: "The activity changed from 10.61A to 10.71C",
	},
	{
		country: everywhere, code: 5033, source: lines.Source, was: own("SE", `"signing":"the board"`), is: own("SE", `"signing":"two together"`), about: "SE-0-1",
		old: "the board", new: "two together", why: "Who may sign for it changed from the board to two together",
	},
	{
		country: everywhere, code: 5009, source: lines.Source, was: own("GB", `"registerNumber":"1"`), is: own("GB", `"registerNumber":"SC1"`), about: "GB-0-1",
		old: "1", new: "SC1", why: "The register number changed from 1 to SC1",
	},

	{
		country: everywhere, code: 5010, source: brreg.Source, was: brreg.Source.Sample, is: edited(brreg.Source, `"konkurs":false`, `"konkurs":true,"konkursdato":"2026-11-10"`), about: bakery,
		new: "2026-11-10 bankruptcy opened", why: "A notice (insolvency) was published: 2026-11-10 bankruptcy opened",
	},
	{
		country: everywhere, code: 5011, source: lines.Source, was: own("GB", aPhone), is: own("GB", `"notices":[{"date":"2026-11-10","kind":"court","text":"a judgment for 1,000"}]`), about: "GB-0-1",
		new: "2026-11-10 a judgment for 1,000", why: "A notice (court) was published: 2026-11-10 a judgment for 1,000",
	},
	{
		country: everywhere, code: 5012, source: lines.Source, was: own("GB", aPhone), is: own("GB", `"notices":[{"date":"2026-11-10","kind":"strike-off","text":"to be struck off"}]`), about: "GB-0-1",
		new: "2026-11-10 to be struck off", why: "A notice (strike-off) was published: 2026-11-10 to be struck off",
	},
	{
		country: everywhere, code: 5013, source: gleif.LEI, was: gleif.LEI.Sample, is: edited(gleif.LEI, "</lei:EntityCreationDate>", `</lei:EntityCreationDate>
        <lei:LegalEntityEvents>
          <lei:LegalEntityEvent event_status="IN_PROGRESS">
            <lei:LegalEntityEventType>LIQUIDATION</lei:LegalEntityEventType>
            <lei:LegalEntityEventEffectiveDate>2026-11-01T00:00:00Z</lei:LegalEntityEventEffectiveDate>
            <lei:LegalEntityEventRecordedDate>2026-11-10T00:00:00Z</lei:LegalEntityEventRecordedDate>
          </lei:LegalEntityEvent>
        </lei:LegalEntityEvents>`), about: joinery,
		new: "2026-11-01 LIQUIDATION IN_PROGRESS", why: "A notice (liquidation) was published: 2026-11-01 LIQUIDATION IN_PROGRESS",
	},
	{
		country: everywhere, code: 5014, source: house.Companies, was: house.Companies.Sample, is: edited(house.Companies, `"3","1","0","2"`, `"4","2","0","2"`), about: joinery,
		old: "1 outstanding of 3", new: "2 outstanding of 4", why: "The register of charges changed from 1 outstanding of 3 to 2 outstanding of 4",
	},
	{
		country: everywhere, code: 5015, source: brreg.Source, was: brreg.Source.Sample, is: edited(brreg.Source, `"konkurs":false`, `"slettedato":"2026-11-10"`), about: bakery,
		new: "2026-11-10", why: "The date of dissolution is now: 2026-11-10",
	},
	{
		country: everywhere, code: 5016, source: house.Companies, was: house.Companies.Sample, is: edited(house.Companies, `"Active"`, `"Liquidation"`), about: joinery,
		old: "Active", new: "Liquidation", why: "The register's words for the status changed from Active to Liquidation",
	},
	{
		country: everywhere, code: 5017, source: house.Companies, was: house.Companies.Sample, is: edited(house.Companies, "14/03/2011", "14/03/2012"), about: joinery,
		old: "2011-03-14", new: "2012-03-14", why: "The founding date changed from 2011-03-14 to 2012-03-14",
	},

	{
		country: everywhere, code: 5020, source: offeneregister.Source, was: offeneregister.Source.Sample, is: edited(offeneregister.Source, "Musterstraße 1,", "Musterstraße 5,"), about: baker,
		old: "Musterstraße 1, Hamburg, Hamburg, 20095, DE", new: "Musterstraße 5, Hamburg, Hamburg, 20095, DE", why: "The registered address changed from Musterstraße 1, Hamburg, Hamburg, 20095, DE to Musterstraße 5, Hamburg, Hamburg, 20095, DE",
	},
	{
		country: everywhere, code: 5021, source: gleif.LEI, was: edited(gleif.LEI, "<lei:HeadquartersAddress xml:lang=\"en\">\n          <lei:FirstAddressLine>7 Candle Row", "<lei:HeadquartersAddress xml:lang=\"en\">\n          <lei:FirstAddressLine>8 Candle Row"), is: gleif.LEI.Sample, about: joinery,
		old: "8 Candle Row, Leeds, LS1 9ZZ, GB", new: "7 Candle Row, Leeds, LS1 9ZZ, GB", why: "The head office's address changed from 8 Candle Row, Leeds, LS1 9ZZ, GB to 7 Candle Row, Leeds, LS1 9ZZ, GB",
	},
	{
		country: everywhere, code: 5022, source: lines.Source, was: own("GB", noBranch), is: own("GB", branch), about: "GB-0-1",
		new: "2 High Street, Anytown", why: "A branch is new: 2 High Street, Anytown",
	},
	{
		country: everywhere, code: 5023, source: sec.Source, was: sec.Source.Sample, is: edited(sec.Source, `"555-0100"`, `"555-0100","website":"https://bakery.example"`), about: bakeries,
		new: "https://bakery.example", why: "A website is new: https://bakery.example",
	},
	{
		country: everywhere, code: 5024, source: brreg.Source, was: brreg.Source.Sample, is: edited(brreg.Source, `"konkurs":false`, `"postadresse":{"adresse":["Postboks 7"],"postnummer":"0001","poststed":"OSLO","landkode":"NO"}`), about: bakery,
		new: "Postboks 7, OSLO, 0001, NO", why: "The postal address is now: Postboks 7, OSLO, 0001, NO",
	},

	{
		country: everywhere, code: 5030, source: house.Officers, first: named, was: house.Officers.Sample, is: edited(house.Officers, officerEnd, secondPlace), about: joinery,
		new: "director: IRIS WREN", why: "An officer was appointed: director: IRIS WREN",
	},
	{
		country: everywhere, code: 5031, source: house.Officers, first: named, was: edited(house.Officers, officerEnd, secondPlace), is: house.Officers.Sample, about: joinery,
		old: "director: IRIS WREN", why: "An officer left: director: IRIS WREN",
	},
	{
		country: everywhere, code: 5032, source: house.Officers, first: named, was: house.Officers.Sample, is: edited(house.Officers, "JOINER<BRITISH", "DRIVER<BRITISH"), about: joinery,
		old: "MARK THOMAS HOLLOWAY; BRITISH; ENGLAND; JOINER; 12 CONNAUGHT PARK, ROTHERBY, WEST YORKSHIRE, ZZ1 4QX, GB", new: "MARK THOMAS HOLLOWAY; BRITISH; ENGLAND; DRIVER; 12 CONNAUGHT PARK, ROTHERBY, WEST YORKSHIRE, ZZ1 4QX, GB", why: "What is known of an officer changed from MARK THOMAS HOLLOWAY; BRITISH; ENGLAND; JOINER; 12 CONNAUGHT PARK, ROTHERBY, WEST YORKSHIRE, ZZ1 4QX, GB to MARK THOMAS HOLLOWAY; BRITISH; ENGLAND; DRIVER; 12 CONNAUGHT PARK, ROTHERBY, WEST YORKSHIRE, ZZ1 4QX, GB",
	},
	{
		country: everywhere, code: 5035, source: bods.Source, was: bodsEntity, is: bods.Source.Sample, about: "GB-0-09999990",
		new: "Erin Example", why: "An owner is new: Erin Example",
	},
	{
		country: everywhere, code: 5036, source: house.PSC, first: named, was: house.PSC.Sample, is: edited(house.PSC, `"notified_on":"2016-04-06"`, `"notified_on":"2016-04-06","ceased_on":"2026-10-31"`), about: joinery,
		old: "Mark Thomas Holloway", new: "until 2026-10-31", why: "An owner left on 2026-10-31: Mark Thomas Holloway",
	},
	{
		country: everywhere, code: 5037, source: house.PSC, first: named, was: house.PSC.Sample, is: edited(house.PSC, `"ownership-of-shares-50-to-75-percent"`, `"ownership-of-shares-75-to-100-percent"`), about: joinery,
		old: "Mark Thomas Holloway; British; England; 12 Connaught Park, Rotherby, ZZ1 4QX, GB; appoints directors, shares 50-75%, votes 50-75%", new: "Mark Thomas Holloway; British; England; 12 Connaught Park, Rotherby, ZZ1 4QX, GB; appoints directors, shares 75-100%, votes 50-75%", why: "What is known of an owner changed from Mark Thomas Holloway; British; England; 12 Connaught Park, Rotherby, ZZ1 4QX, GB; appoints directors, shares 50-75%, votes 50-75% to Mark Thomas Holloway; British; England; 12 Connaught Park, Rotherby, ZZ1 4QX, GB; appoints directors, shares 75-100%, votes 50-75%",
	},

	{
		country: everywhere, code: 5040, source: gleif.Relationships, first: []edition{{gleif.LEI, gleif.LEI.Sample}}, was: gleif.Relationships.Sample, is: edited(gleif.Relationships, "984500B0REAU00000232", "984500B0REAU00000329"), about: joinery,
		old: "984500B0REAU00000232", new: "984500B0REAU00000329", why: "The parent company changed from 984500B0REAU00000232 to 984500B0REAU00000329",
	},
	{
		country: everywhere, code: 5041, source: gleif.Relationships, first: []edition{{gleif.LEI, gleif.LEI.Sample}}, was: gleif.Relationships.Sample, is: edited(gleif.Relationships, "IS_DIRECTLY_CONSOLIDATED_BY", "IS_ULTIMATELY_CONSOLIDATED_BY"), about: joinery,
		new: "984500B0REAU00000232", why: "The ultimate parent company is now: 984500B0REAU00000232",
	},
	{
		country: everywhere, code: 5042, source: gleif.Relationships, first: []edition{{gleif.LEI, gleif.LEI.Sample}}, was: gleif.Relationships.Sample, is: edited(gleif.Relationships, "984500B0REAU00000232", "984500B0REAU00000329"), about: joinery,
		old: "984500B0REAU00000232", new: "984500B0REAU00000329", why: "The parent company changed from 984500B0REAU00000232 to 984500B0REAU00000329",
	},

	{
		country: everywhere, code: 5050, source: brreg.Source, was: edited(brreg.Source, `"konkurs":false`, `"kapital":{"belop":30000,"valuta":"NOK"}`), is: edited(brreg.Source, `"konkurs":false`, `"kapital":{"belop":100000,"valuta":"NOK"}`), about: bakery,
		old: "30000.00 NOK", new: "100000.00 NOK", why: "The capital changed from 30000.00 NOK to 100000.00 NOK",
	},
	{
		country: everywhere, code: 5051, source: house.Accounts, first: named, was: house.Accounts.Sample, is: edited(house.Accounts, "2024-03-31", "2025-03-31", "2023-04-01", "2024-04-01"), about: joinery,
		new: "Accounts to 2025-03-31", why: "Accounts to 2025-03-31 were filed",
	},
	{
		country: everywhere, code: 5052, source: house.Accounts, first: named, was: house.Accounts.Sample, is: edited(house.Accounts, "12,500", "11,900"), about: joinery,
		old: "Accounts to 2024-03-31", new: "Accounts to 2024-03-31, corrected", why: "Accounts to 2024-03-31 were corrected",
	},
	{
		country: everywhere, code: 5053, source: house.Companies, was: edited(house.Companies, "31/12/2024", "15/11/2026"), about: joinery,
		new: "15 November 2026", why: "Accounts were due on 15 November 2026, and none were filed",
	},
	{
		country: everywhere, code: 5054, source: sec.Source, was: sec.Source.Sample, is: edited(sec.Source, `"phone":"555-0100"`, `"phone":"555-0100","filings":{"recent":{"accessionNumber":["0009999999-26-000001"],"filingDate":["2026-11-10"],"form":["10-K"],"primaryDocDescription":["Annual report"]}}`), about: bakeries,
		new: "2026-11-10 10-K Annual report", why: "A document was filed: 2026-11-10 10-K Annual report",
	},
	{
		country: everywhere, code: 5055, source: brreg.Source, was: brreg.Source.Sample, is: edited(brreg.Source, `"antallAnsatte":12`, `"antallAnsatte":19`), about: bakery,
		old: "12", new: "19", why: "The number of employees changed from 12 to 19",
	},
	{
		country: everywhere, code: 5056, source: house.Companies, was: house.Companies.Sample, is: edited(house.Companies, "31/12/2024", "31/12/2025"), about: joinery,
		old: "2024-12-31", new: "2025-12-31", why: "The day on which the next accounts are due changed from 2024-12-31 to 2025-12-31",
	},
	{
		country: everywhere, code: 5057, source: sec.Source, was: sec.Source.Sample, is: edited(sec.Source, `"1231"`, `"0630"`), about: bakeries,
		old: "12-31", new: "06-30", why: "The end of the financial year changed from 12-31 to 06-30",
	},

	{
		country: everywhere, code: 5060, values: monitor.Values{"20"}, source: lines.Source, was: own("GB", score60), is: own("GB", score30), about: "GB-0-1",
		old: "60", new: "30", why: "The score fell by 30 points, from 60 to 30; the rule asks for 20 or more",
	},
	{
		country: everywhere, code: 5061, source: lines.Source, was: own("GB", score30), is: own("GB", score60), about: "GB-0-1",
		old: "30", new: "60", why: "The score changed from 30 to 60",
	},
	{
		country: everywhere, code: 5062, source: lines.Source, was: own("GB", score30), is: own("GB", score60), about: "GB-0-1",
		old: "D", new: "B", why: "The rating band changed from D to B",
	},
	{
		country: everywhere, code: 5063, source: lines.Source, was: own("GB", score30), is: own("GB", score60), about: "GB-0-1",
		old: "2500.00 EUR", new: "10000.00 EUR", why: "The credit limit changed from 2500.00 EUR to 10000.00 EUR",
	},

	{
		country: everywhere, code: 5070, source: gleif.LEI, was: gleif.LEI.Sample, is: edited(gleif.LEI, ">ISSUED<", ">LAPSED<"), about: joinery,
		old: "ISSUED", new: "LAPSED", why: "The LEI's status changed from ISSUED to LAPSED",
	},
	{
		country: everywhere, code: 5071, source: gleif.LEI, first: []edition{{house.Companies, house.Companies.Sample}}, was: edited(gleif.LEI, "984500B0REAU00000135", "984500B0REAU00000232", "99000001", "99000002"), is: gleif.LEI.Sample, about: joinery,
		new: "984500B0REAU00000135", why: "The LEI is now: 984500B0REAU00000135",
	},
	{
		country: everywhere, code: 5072, source: brreg.Source, was: edited(brreg.Source, `"registrertIMvaregisteret":true`, `"registrertIMvaregisteret":false`), is: brreg.Source.Sample, about: bakery,
		new: "NO310000019MVA", why: "A VAT number is new: NO310000019MVA",
	},

	{
		country: "GB", code: 1801, source: lines.Source, was: own("GB", score60), is: own("GB", score30), about: "GB-0-1",
		old: "60", new: "30", why: "The score fell by 50 %, from 60 to 30; the rule asks for 15 % or more",
	},
	{
		country: "GB", code: 1802, source: lines.Source, was: own("GB", score60), is: own("GB", score30), about: "GB-0-1",
		old: "10000.00 EUR", new: "2500.00 EUR", why: "The credit limit fell by 75 %, from 10000.00 EUR to 2500.00 EUR; the rule asks for 10 % or more",
	},
	{
		country: "GB", code: 1804, source: house.Accounts, first: named, was: house.Accounts.Sample, is: edited(house.Accounts, "2024-03-31", "2025-03-31", "2023-04-01", "2024-04-01"), about: joinery,
		new: "Accounts to 2025-03-31", why: "Accounts to 2025-03-31 were filed",
	},
	{
		country: "GB", code: 1815, source: house.Companies, was: house.Companies.Sample, is: edited(house.Companies, "Private Limited Company", "Public Limited Company"), about: joinery,
		old: "ltd Private Limited Company", new: "plc Public Limited Company", why: "The legal form changed from ltd Private Limited Company to plc Public Limited Company",
	},
	{
		country: "GB", code: 3054, source: house.Companies, was: house.Companies.Sample, is: edited(house.Companies, `"Active"`, `"In Administration"`), about: joinery,
		old: "Active", new: "Pending", why: "The status changed from Active to Pending",
	},
	{
		country: "BE", code: 1703, source: lines.Source, was: own("BE", score60), is: own("BE", score30), about: "BE-0-1",
		old: "60", new: "30", why: "The score fell by 50 %, from 60 to 30; the rule asks for 10 % or more",
	},
	{
		country: "BE", code: 1718, source: lines.Source, was: own("BE", aPhone), is: own("BE", filed), about: "BE-0-1",
		new: "Accounts to 2025-12-31", why: "Accounts to 2025-12-31 were filed",
	},
	{
		country: "US", code: 1603, source: sec.Source, was: sec.Source.Sample, is: edited(sec.Source, "1 MAIN ST", "9 MAIN ST"), about: bakeries,
		old: "1 MAIN ST, ANYTOWN, CA, 90000, US", new: "9 MAIN ST, ANYTOWN, CA, 90000, US", why: "The head office's address changed from 1 MAIN ST, ANYTOWN, CA, 90000, US to 9 MAIN ST, ANYTOWN, CA, 90000, US",
	},
	{
		country: "AT", code: 3100, source: lines.Source, was: own("AT", `"legalForm":{"text":"GmbH"}`), is: own("AT", `"legalForm":{"text":"AG"}`), about: "AT-0-1",
		old: "GmbH", new: "AG", why: "The legal form changed from GmbH to AG",
	},
	{
		country: "AT", code: 3101, source: lines.Source, was: own("AT", aPhone), is: own("AT", filed), about: "AT-0-1",
		new: "Accounts to 2025-12-31", why: "Accounts to 2025-12-31 were filed",
	},
	{
		country: "DK", code: 1007, source: lines.Source, was: own("DK", aPhone), is: own("DK", filed), about: "DK-0-1",
		new: "Accounts to 2025-12-31", why: "Accounts to 2025-12-31 were filed",
	},
	{
		country: "DK", code: 1010, source: lines.Source, was: own("DK", `"legalForm":{"text":"ApS"}`), is: own("DK", `"legalForm":{"text":"A/S"}`), about: "DK-0-1",
		old: "ApS", new: "A/S", why: "The legal form changed from ApS to A/S",
	},
	{
		country: "FR", code: 302, source: sirene.Source, was: sirene.Source.Sample, is: edited(sirene.Source, "MOULINS DE L'EXEMPLE", "MOULINS DU MODELE"), about: mills,
		old: "MOULINS DE L'EXEMPLE", new: "MOULINS DU MODELE", why: "The name changed from MOULINS DE L'EXEMPLE to MOULINS DU MODELE",
	},
	{
		country: "FR", code: 704, source: lines.Source, was: own("FR", aPhone), is: own("FR", filed), about: "FR-0-1",
		new: "Accounts to 2025-12-31", why: "Accounts to 2025-12-31 were filed",
	},
	{
		country: "FR", code: 802, source: lines.Source, was: own("FR", capital1), is: own("FR", capital2), about: "FR-0-1",
		old: "50000.00 EUR", new: "75000.00 EUR", why: "The capital changed from 50000.00 EUR to 75000.00 EUR",
	},
	{
		country: "FI", code: 802, source: lines.Source, was: own("FI", capital1), is: own("FI", capital2), about: "FI-0-1",
		old: "50000.00 EUR", new: "75000.00 EUR", why: "The capital changed from 50000.00 EUR to 75000.00 EUR",
	},
	{
		country: "FI", code: 806, source: lines.Source, was: own("FI", `"legalForm":{"text":"Oy"}`), is: own("FI", `"legalForm":{"text":"Oyj"}`), about: "FI-0-1",
		old: "Oy", new: "Oyj", why: "The legal form changed from Oy to Oyj",
	},
	{
		country: "DE", code: 2004, source: lines.Source, was: own("DE", aPhone), is: own("DE", filed), about: "DE-0-1",
		new: "Accounts to 2025-12-31", why: "Accounts to 2025-12-31 were filed",
	},
	{
		country: "DE", code: 2006, source: lines.Source, was: own("DE", capital1), is: own("DE", capital2), about: "DE-0-1",
		old: "50000.00 EUR", new: "75000.00 EUR", why: "The capital changed from 50000.00 EUR to 75000.00 EUR",
	},
	{
		country: "IE", code: 2103, source: lines.Source, was: own("IE", aPhone), is: own("IE", filed), about: "IE-0-1",
		new: "Accounts to 2025-12-31", why: "Accounts to 2025-12-31 were filed",
	},
	{
		country: "IE", code: 3056, source: lines.Source, was: own("IE", `"legalForm":{"text":"LTD"}`), is: own("IE", `"legalForm":{"text":"DAC"}`), about: "IE-0-1",
		old: "LTD", new: "DAC", why: "The legal form changed from LTD to DAC",
	},
	{
		country: "IT", code: 1405, source: lines.Source, was: own("IT", aPhone), is: own("IT", filed), about: "IT-0-1",
		new: "Accounts to 2025-12-31", why: "Accounts to 2025-12-31 were filed",
	},
	{
		country: "IT", code: 1406, source: lines.Source, was: own("IT", `"legalForm":{"text":"S.r.l."}`), is: own("IT", `"legalForm":{"text":"S.p.A."}`), about: "IT-0-1",
		old: "S.r.l.", new: "S.p.A.", why: "The legal form changed from S.r.l. to S.p.A.",
	},
	{
		country: "LI", code: 2401, source: lines.Source, was: own("LI", aPhone), is: own("LI", filed), about: "LI-0-1",
		new: "Accounts to 2025-12-31", why: "Accounts to 2025-12-31 were filed",
	},
	{
		country: "LU", code: 1308, source: lines.Source, was: own("LU", aPhone), is: own("LU", filed), about: "LU-0-1",
		new: "Accounts to 2025-12-31", why: "Accounts to 2025-12-31 were filed",
	},
	{
		country: "NL", code: 1511, source: lines.Source, was: own("NL", aPhone), is: own("NL", filed), about: "NL-0-1",
		new: "Accounts to 2025-12-31", why: "Accounts to 2025-12-31 were filed",
	},
	{
		country: "NO", code: 924, source: brreg.Source, was: brreg.Source.Sample, is: edited(brreg.Source, "Storgata 1", "Storgata 9"), about: bakery,
		old: "Storgata 1, OSLO, 0001, NO", new: "Storgata 9, OSLO, 0001, NO", why: "The registered address changed from Storgata 1, OSLO, 0001, NO to Storgata 9, OSLO, 0001, NO",
	},
	{
		country: "NO", code: 925, source: brreg.Source, was: edited(brreg.Source, `"konkurs":false`, `"kapital":{"belop":30000,"valuta":"NOK"}`), is: edited(brreg.Source, `"konkurs":false`, `"kapital":{"belop":100000,"valuta":"NOK"}`), about: bakery,
		old: "30000.00 NOK", new: "100000.00 NOK", why: "The capital changed from 30000.00 NOK to 100000.00 NOK",
	},
	{
		country: "ES", code: 2201, source: lines.Source, was: own("ES", aPhone), is: own("ES", filed), about: "ES-0-1",
		new: "Accounts to 2025-12-31", why: "Accounts to 2025-12-31 were filed",
	},
	{
		country: "ES", code: 2202, source: lines.Source, was: own("ES", aPhone), is: `{"id":"ES-0-1","name":"Example ES","status":"NonActive","phones":["555-0100"]}` + "\n", about: "ES-0-1",
		old: "Active", new: "NonActive", why: "The status changed from Active to NonActive",
	},
	{
		country: "SE", code: 3040, source: lines.Source, was: own("SE", `"legalForm":{"text":"HB"}`), is: own("SE", `"legalForm":{"text":"AB"}`), about: "SE-0-1",
		old: "HB", new: "AB", why: "The legal form changed from HB to AB",
	},
	{
		country: "SE", code: 3043, source: lines.Source, was: own("SE", aPhone), is: own("SE", filed), about: "SE-0-1",
		new: "Accounts to 2025-12-31", why: "Accounts to 2025-12-31 were filed",
	},
	{
		country: "SE", code: 3044, source: lines.Source, was: own("SE", capital1), is: own("SE", capital2), about: "SE-0-1",
		old: "50000.00 EUR", new: "75000.00 EUR", why: "The capital changed from 50000.00 EUR to 75000.00 EUR",
	},
}

// bodsEntity is the sample without its person and its relationship.
var bodsEntity = `[{"statementId":"s1","statementDate":"2024-01-01","recordId":"r1","recordType":"entity","recordStatus":"new","recordDetails":{"isComponent":false,"entityType":{"type":"registeredEntity"},"name":"Example Bakeries Limited","identifiers":[{"scheme":"GB-COH","id":"09999990"}]}}]`
