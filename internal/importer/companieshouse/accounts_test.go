package companieshouse_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
	"testing"

	"bureau/internal/company"
	"bureau/internal/importer/companieshouse"
	"bureau/internal/importer/sourcetest"
)

// doc is a document with tags in its body.
func doc(body string) string {
	const context = `<xbrli:context id="%s"><xbrli:entity/><xbrli:period>%s</xbrli:period></xbrli:context>`
	return `<html><body>` +
		fmt.Sprintf(context, "now", "<xbrli:instant>2024-03-31</xbrli:instant>") +
		fmt.Sprintf(context, "year", "<xbrli:startDate>2023-04-01</xbrli:startDate><xbrli:endDate>2024-03-31</xbrli:endDate>") +
		`<xbrli:unit id="EUR"><xbrli:measure>iso4217:EUR</xbrli:measure></xbrli:unit>` +
		`<xbrli:unit id="JPY"><xbrli:measure>iso4217:JPY</xbrli:measure></xbrli:unit>` +
		body + `</body></html>`
}

func num(concept, attrs, value string) string {
	return fmt.Sprintf(`<ix:nonFraction name="x:%s" contextRef="now" %s>%s</ix:nonFraction>`, concept, attrs, value)
}

func say(concept, value string) string {
	return fmt.Sprintf(`<ix:nonNumeric name="y:%s" contextRef="year">%s</ix:nonNumeric>`, concept, value)
}

func TestBadAccounts(t *testing.T) {
	equity := num("Equity", `unitRef="EUR"`, "1")
	whole := doc(say("UKCompaniesHouseRegisteredNumber", "99000001") + equity)
	for _, tt := range []struct{ what, name, in, want string }{
		{"plain HTML", "a.html", "<html><body>Accounts</body></html>", "nothing in the document is tagged"},
		{"no HTML", "a.html", "%PDF-1.4", "nothing in the document is tagged"},
		{"cut", "a.html", whole[:len(whole)-20], "the document ends too early"},
		{"no number", "a.html", doc(equity), "there is no company number"},
		{"a number that is none", "a.html", doc(say("UKCompaniesHouseRegisteredNumber", "see over") + equity), "that is not a company number"},
		{"filed for another", "Prod224_0012_99000002_20240331.html", whole, "is about company 99000001, and was filed for 99000002"},
		{"no year", "a.html", doc(say("UKCompaniesHouseRegisteredNumber", "99000001")), "does not say which year"},
		{"UTF-16", "a.html", "\xff\xfe<\x00h\x00", "UTF-16"},
	} {
		got := sourcetest.Collect(companieshouse.Accounts, strings.NewReader(tt.in), tt.name)
		if got.Err != nil || len(got.Bad) != 1 || !strings.Contains(got.Bad[0].Error(), tt.want) {
			t.Errorf("%s: got %v, bad %v; want %s", tt.what, got.Err, got.Bad, tt.want)
		}
	}
}

func TestAccounts(t *testing.T) {
	me := say("UKCompaniesHouseRegisteredNumber", "99000001")
	for _, tt := range []struct {
		what, name, in string
		want           company.Accounts
	}{
		{
			"the number from the name of the file", "Prod224_0012_99000001_20240331.html", doc(num("Equity", `unitRef="EUR"`, "1")),
			company.Accounts{End: "2024-03-31", Currency: "EUR", Items: map[string]int64{company.Equity: 100}},
		},
		{
			"a currency without a minor unit", "", doc(me + num("Equity", `unitRef="JPY"`, "1,000")),
			company.Accounts{End: "2024-03-31", Currency: "JPY", Items: map[string]int64{company.Equity: 1000}},
		},
		{
			"what most figures are in", "", doc(me + num("Equity", `unitRef="JPY"`, "1") + num("CurrentAssets", `unitRef="EUR"`, "2") + num("FixedAssets", `unitRef="EUR"`, "3")),
			company.Accounts{End: "2024-03-31", Currency: "EUR", Items: map[string]int64{company.CurrentAssets: 200, company.FixedAssets: 300}},
		},
		{
			"a unit that is not explained", "", doc(me + num("Equity", `unitRef="gbp"`, "1")),
			company.Accounts{End: "2024-03-31", Currency: "GBP", Items: map[string]int64{company.Equity: 100}},
		},
		{
			"a minus in the attribute and in print", "", doc(me + num("Equity", `unitRef="EUR" sign="-"`, "(1)")),
			company.Accounts{End: "2024-03-31", Currency: "EUR", Items: map[string]int64{company.Equity: -100}},
		},
		{
			"two names for one item", "", doc(me + num("ShareholderFunds", `unitRef="EUR"`, "9") + num("Equity", `unitRef="EUR"`, "1")),
			company.Accounts{End: "2024-03-31", Currency: "EUR", Items: map[string]int64{company.Equity: 100}},
		},
		{
			"single quotes, capitals and no quotes", "", doc(me + `<IX:NONFRACTION NAME='x:Equity' CONTEXTREF=now UNITREF=EUR>1</IX:NONFRACTION>`),
			company.Accounts{End: "2024-03-31", Currency: "EUR", Items: map[string]int64{company.Equity: 100}},
		},
		{
			"dormant, without a figure", "", doc(me + say("EntityDormantTruefalse", "true") + say("BalanceSheetDate", "31 March 2024")),
			company.Accounts{End: "2024-03-31", Currency: "GBP", Kind: "dormant"},
		},
	} {
		t.Run(tt.what, func(t *testing.T) {
			got := sourcetest.Collect(companieshouse.Accounts, strings.NewReader(tt.in), tt.name)
			if len(got.Statements) != 1 {
				t.Fatalf("got %+v", got)
			}
			a := got.Statements[0].Facts.Accounts[0]
			a.Start, a.Months = "", 0
			if fmt.Sprint(a) != fmt.Sprint(tt.want) {
				t.Errorf("got %+v, want %+v", a, tt.want)
			}
		})
	}
}

// TestCommunityInterest reads the zip inside a zip that such companies file.
func TestCommunityInterest(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range map[string]string{
		"CIC-99000001/accounts/financialStatement.xhtml": companieshouse.Accounts.Sample,
		"CIC-99000001/cic34/cicReport.xhtml":             "<html>We did good</html>",
		"CIC-99000001/logo.png":                          "…",
	} {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		w.Write([]byte(text))
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	got := sourcetest.Collect(companieshouse.Accounts, &b, "Prod224_0012_99000001_20240331_CIC.zip")
	if got.Err != nil || len(got.Bad) > 0 || len(got.Statements) != 1 || got.Statements[0].Number != "99000001" {
		t.Errorf("got %+v", got)
	}
}
