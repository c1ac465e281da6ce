package companieshouse_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bureau/internal/company"
	"bureau/internal/importer"
	"bureau/internal/importer/companieshouse"
	"bureau/internal/importer/sourcetest"
)

// TestRealFiles reads every file that the publisher's data is here for, in a
// format that we know.
func TestRealFiles(t *testing.T) {
	root := sourcetest.Shared(t, "registers", "companies-house")
	for _, tt := range []struct {
		source sourcetest.Source
		files  string // a pattern
		count  []int  // of statements, by file
		cut    string // why the file is not whole, if it is not
	}{
		{companieshouse.Companies, "BasicCompanyData-*.zip", []int{9, 14}, ""},
		{companieshouse.Companies, "bulk-product-217-sample.csv", []int{11}, ""},
		{companieshouse.Companies, "bulk-product-183-sample.dat", []int{11}, "11 records, and its trailer says 653190"},
		{companieshouse.Officers, "officers-prod195-test.dat", []int{35}, ""},
		{companieshouse.PSC, "psc/psc_snapshot_sample.jsonl", []int{23}, ""},
		{companieshouse.PSC, "psc/psc-data-*.json", []int{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3, 1}, ""},
		{companieshouse.PSC, "psc/rs_psc_totals.json", []int{0}, ""},
		{companieshouse.PSC, "psc/rs_psc_[cils]*.json", []int{1, 1, 1, 1, 0, 0, 1}, "the count that ends a snapshot is missing"},
		{companieshouse.PSC, "psc/rs_psc_exemptions.json", []int{0}, "the count that ends a snapshot is missing"},
		{companieshouse.Accounts, "accounts/*", []int{1, 1}, ""},
	} {
		paths, err := filepath.Glob(filepath.Join(root, tt.files))
		if err != nil || len(paths) != len(tt.count) {
			t.Errorf("%s: %d files, %v; want %d", tt.files, len(paths), err, len(tt.count))
			continue
		}
		for i, path := range paths {
			rel, _ := filepath.Rel(root, path)
			t.Run(rel, func(t *testing.T) {
				got := readReal(t, tt.source, path)
				if len(got.Statements) != tt.count[i] || len(got.Bad) != 0 {
					t.Errorf("got %d statements, bad records %v; want %d and none", len(got.Statements), got.Bad, tt.count[i])
				}
				switch {
				case tt.cut == "" && got.Err != nil:
					t.Errorf("got error %v", got.Err)
				case tt.cut != "" && (!errors.Is(got.Err, importer.ErrCutShort) || !strings.Contains(got.Err.Error(), tt.cut)):
					t.Errorf("got error %v, want %s", got.Err, tt.cut)
				}
			})
		}
	}
}

// readReal reads all members of a file but those that a system left in a zip.
func readReal(t *testing.T, src sourcetest.Source, path string) (all sourcetest.Reading) {
	t.Helper()
	files, err := importer.Files(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		in, err := f.Open(nil)
		if err != nil {
			t.Fatal(err)
		}
		got := sourcetest.Collect(src, in, f.Name)
		in.Close()
		all.Statements = append(all.Statements, got.Statements...)
		all.Bad = append(all.Bad, got.Bad...)
		all.Err = errors.Join(all.Err, got.Err)
	}
	return all
}

// The tree of someone else's reader, as far as it says what ours does.
type expected struct {
	Number  string   `json:"company_number"`
	Name    string   `json:"company_name"`
	Status  string   `json:"company_status"`
	Type    string   `json:"type"`
	Created string   `json:"date_of_creation"`
	Codes   []string `json:"sic_codes"`
	Former  []struct {
		Name  string `json:"name"`
		From  string `json:"effective_from"`
		Until string `json:"ceased_on"`
	} `json:"previous_company_names"`
	Accounts struct {
		Next string `json:"next_due"`
		Last struct {
			MadeUp string `json:"made_up_to"`
			Type   string `json:"type"`
		} `json:"last_accounts"`
		Reference struct{ Day, Month int } `json:"accounting_reference_date"`
	} `json:"accounts"`
	Confirmation struct {
		Next string `json:"next_due"`
		Last string `json:"last_made_up_to"`
	} `json:"confirmation_statement"`
	Address struct {
		Premises string `json:"premises"`
		Line1    string `json:"address_line_1"`
		Line2    string `json:"address_line_2"`
		Town     string `json:"locality"`
		Region   string `json:"region"`
		Post     string `json:"postal_code"`
	} `json:"registered_office_address"`
}

// TestExpected compares what we make of the snapshots with what another reader
// makes of them.
func TestExpected(t *testing.T) {
	for _, product := range []string{"183", "217"} {
		t.Run(product, func(t *testing.T) {
			root := sourcetest.Shared(t, "registers", "companies-house")
			b, err := os.ReadFile(filepath.Join(root, "bulk-product-"+product+"-sample-expected.json"))
			if err != nil {
				t.Fatal(err)
			}
			var want []expected
			if err := json.Unmarshal(b, &want); err != nil {
				t.Fatal(err)
			}
			paths, _ := filepath.Glob(filepath.Join(root, "bulk-product-"+product+"-sample.*"))
			got := readReal(t, companieshouse.Companies, paths[0])
			if len(got.Statements) != len(want) {
				t.Fatalf("got %d companies, want %d", len(got.Statements), len(want))
			}
			for i, s := range got.Statements {
				if diff := cmp.Diff(plain(want[i]), told(s, product)); diff != "" {
					t.Errorf("%s (-want +got):\n%s", s.Number, diff)
				}
			}
		})
	}
}

// plain and told put the two into one form.
func plain(e expected) map[string]any {
	var former []company.Name
	for _, f := range e.Former {
		former = append(former, company.Name{
			Text: f.Name, Kind: company.Former, From: company.Date(f.From), Until: company.Date(f.Until),
		})
	}
	year := ""
	if r := e.Accounts.Reference; r.Day > 0 && r.Day < 99 {
		year = fmt.Sprintf("%02d-%02d", r.Month, r.Day)
	}
	line := strings.TrimSpace(e.Address.Premises + " " + e.Address.Line1)
	where := strings.ToUpper(strings.Join([]string{line, e.Address.Line2, e.Address.Town, e.Address.Region, e.Address.Post}, "|"))
	return map[string]any{
		"number": e.Number, "name": e.Name, "form": e.Type, "founded": e.Created, "status": e.Status,
		"sic": strings.Join(e.Codes, " "), "former": former, "where": where,
		"accounts": e.Accounts.Next + " " + e.Accounts.Last.MadeUp + " " + e.Accounts.Last.Type,
		"return":   e.Confirmation.Next + " " + e.Confirmation.Last,
		"year":     year,
	}
}

func told(s company.Statement, product string) map[string]any {
	f := s.Facts
	var sic []string
	for _, a := range f.Activities {
		sic = append(sic, a.Code)
	}
	var a company.Address
	if len(f.Addresses) > 0 {
		a = f.Addresses[0]
	}
	lines := append(a.Lines, "", "")
	status := strings.ToLower(f.StatusText)
	last := string(f.Due.ReturnLast)
	if product == "183" {
		// It reads the marker one column too far, and calls returns of before
		// 2016 otherwise.
		status = ""
		if last < "2016-06-30" {
			last = ""
		}
	}
	return map[string]any{
		"number": s.Number, "name": f.Name, "form": f.Form.Code, "founded": string(f.Founded), "status": status,
		"sic": strings.Join(sic, " "), "former": f.Names,
		"where":    strings.ToUpper(strings.Join([]string{lines[0], lines[1], a.City, a.Region, a.Post}, "|")),
		"accounts": string(f.Due.AccountsNext) + " " + string(f.Due.AccountsLast) + " " + f.Due.AccountsKind,
		"return":   string(f.Due.ReturnNext) + " " + last,
		"year":     f.YearEnd,
	}
}

// TestRealAccounts holds figures against those that are printed in the two
// documents.
func TestRealAccounts(t *testing.T) {
	for _, tt := range []struct {
		file   string
		number string
		want   []company.Accounts
	}{
		{"Prod224_0012_01873499_20230131.ixbrl.html", "01873499", []company.Accounts{
			{
				End: "2023-01-31", Start: "2022-02-01", Months: 12, Currency: "GBP", Kind: "full",
				Items: map[string]int64{
					company.Turnover: 9_281_499_00, company.CostOfSales: 5_813_532_00, company.GrossProfit: 3_467_967_00,
					company.OperatingProfit: 1_488_283_00, company.ProfitBeforeTax: 1_496_056_00, company.Tax: 27_714_00,
					company.ProfitAfterTax: 1_468_342_00, company.Dividends: 1_000_000_00, company.Wages: 5_050_489_00,
					company.Depreciation: 329_684_00, company.TangibleAssets: 905_413_00, company.Investments: 200_00,
					company.FixedAssets: 905_613_00, company.Stocks: 3_000_00, company.TradeDebtors: 2_090_054_00,
					company.Debtors: 5_095_688_00, company.Cash: 1_947_590_00, company.CurrentAssets: 7_046_278_00,
					company.TradeCreditors: 120_218_00, company.CurrentLiabilities: 5_280_070_00,
					company.NetCurrentAssets: 1_766_208_00, company.Provisions: 22_743_00, company.NetAssets: 2_649_078_00,
					company.ShareCapital: 50_000_00, company.RetainedEarnings: 2_599_078_00, company.Equity: 2_649_078_00,
					company.EmployeesAverage: 90,
				},
			},
			{
				End: "2022-01-31", Start: "2021-02-01", Months: 12, Currency: "GBP",
				Items: map[string]int64{
					company.Turnover: 9_129_706_00, company.CostOfSales: 5_655_383_00, company.GrossProfit: 3_474_323_00,
					company.OperatingProfit: 1_289_660_00, company.ProfitBeforeTax: 1_290_528_00, company.Tax: 38_995_00,
					company.ProfitAfterTax: 1_251_533_00, company.Dividends: 1_100_000_00, company.Wages: 4_765_704_00,
					company.Depreciation: 317_545_00, company.TangibleAssets: 821_752_00, company.Investments: 200_00,
					company.FixedAssets: 821_952_00, company.Stocks: 4_126_00, company.TradeDebtors: 1_865_536_00,
					company.Debtors: 4_391_535_00, company.Cash: 1_687_205_00, company.CurrentAssets: 6_082_866_00,
					company.TradeCreditors: 59_976_00, company.CurrentLiabilities: 4_692_234_00,
					company.NetCurrentAssets: 1_390_632_00, company.Provisions: 31_848_00, company.NetAssets: 2_180_736_00,
					company.ShareCapital: 50_000_00, company.RetainedEarnings: 2_130_736_00, company.Equity: 2_180_736_00,
					company.EmployeesAverage: 89,
				},
			},
		}},
		{"Prod224_9953_00003006_20090731.xbrl.xml", "00003006", []company.Accounts{
			{
				End: "2009-07-31", Start: "2008-08-01", Months: 12, Currency: "GBP", Kind: "small",
				Items: map[string]int64{
					company.Debtors: 25_853_00, company.CurrentAssets: 25_853_00, company.NetCurrentAssets: 25_853_00,
					company.NetAssets: 25_853_00, company.ShareCapital: 25_000_00, company.RetainedEarnings: 853_00,
					company.Equity: 25_853_00,
				},
			},
			{
				End: "2008-07-31", Start: "2007-08-01", Months: 12, Currency: "GBP",
				Items: map[string]int64{
					company.Debtors: 25_853_00, company.CurrentAssets: 25_853_00, company.NetCurrentAssets: 25_853_00,
					company.NetAssets: 25_853_00, company.ShareCapital: 25_000_00, company.RetainedEarnings: 853_00,
					company.Equity: 25_853_00,
				},
			},
		}},
	} {
		got := sourcetest.Real(t, companieshouse.Accounts, "registers", "companies-house", "accounts", tt.file)
		if len(got.Statements) != 1 || got.Statements[0].Number != tt.number {
			t.Fatalf("%s: got %+v", tt.file, got)
		}
		if diff := cmp.Diff(tt.want, got.Statements[0].Facts.Accounts); diff != "" {
			t.Errorf("%s (-printed +got):\n%s", tt.file, diff)
		}
	}
}
