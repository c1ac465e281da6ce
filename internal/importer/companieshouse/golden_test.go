package companieshouse_test

import (
	"testing"

	"bureau/internal/importer/companieshouse"
	"bureau/internal/importer/sourcetest"
)

// fixtures are made up, in the publisher's formats.
var fixtures = []struct {
	source sourcetest.Source
	file   string
}{
	{companieshouse.Companies, "companies.csv"},
	{companieshouse.Companies, "companies183.dat"},
	{companieshouse.Officers, "officers.dat"},
	{companieshouse.PSC, "psc.jsonl"},
	{companieshouse.Accounts, "Prod224_0001_99000001_20240331.html"},
	{companieshouse.Accounts, "Prod224_0001_SC990003_20091231.xml"},
}

func TestGolden(t *testing.T) {
	for _, f := range fixtures {
		t.Run(f.file, func(t *testing.T) { sourcetest.Golden(t, f.source, f.file) })
	}
}

func TestSample(t *testing.T) {
	for _, src := range []sourcetest.Source{
		companieshouse.Companies, companieshouse.Officers, companieshouse.PSC, companieshouse.Accounts,
	} {
		sourcetest.Sample(t, src)
	}
}

func FuzzCompanies(f *testing.F) {
	sourcetest.Robust(f, companieshouse.Companies,
		"AAAAAAAA312320240302\n99000001\n99999999000001\n",
		"CompanyName,CompanyNumber\n\"A \"\"B\"\" C\",1\n\"A\nB\",\"2\"\n\"x\n")
}

func FuzzOfficers(f *testing.F) {
	sourcetest.Robust(f, companieshouse.Officers, "DDDDSNAP289820240421\n9900000123012\n9999999900000001\n")
}

func FuzzPSC(f *testing.F) {
	sourcetest.Robust(f, companieshouse.PSC, `[{"company_number":"1","data":{"kind":"individual-beneficial-owner"}}]`)
}

func FuzzAccounts(f *testing.F) {
	sourcetest.Robust(f, companieshouse.Accounts,
		`<xbrl><context id="a"><instant>2020-01-01</instant></context><Equity contextRef="a" unitRef="GBP">1</Equity></xbrl>`,
		`<html><!-- --><![CDATA[ x ]]><script>a<b</script><ix:nonFraction name=Equity contextRef='a' scale=3>(1.5)</html>`,
		"PK\x03\x04")
}
