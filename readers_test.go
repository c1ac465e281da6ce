package bureau_test

import "testing"

// ours begins why a function needs no fuzz test: what it reads we wrote
// ourselves, and nobody else can.
const ours = "ours: "

// readers are the functions that read what others wrote, and the fuzz test that
// feeds each of them anything.
var readers = map[string]string{
	"api.UnmarshalJSON":           "internal/api FuzzBodies",
	"app.ParseMatchKind":          "internal/app FuzzLines",
	"app.Read":                    "internal/app FuzzLines",
	"app.ReadSettings":            "internal/app FuzzSettings",
	"app.UnmarshalJSON":           "internal/app FuzzLines",
	"app.openFiles":               "internal/importer FuzzFiles",
	"app.readTrials":              "internal/app FuzzLines",
	"auth.Open":                   "internal/monitor FuzzUnsubscribe",
	"auth.OpenCursor":             "internal/auth FuzzOpenCursor",
	"auth.ParseDate":              "internal/api FuzzBodies",
	"auth.ParseRole":              "ours: a word of the operator's command",
	"auth.Verify":                 "internal/auth FuzzVerify",
	"bank.ParseAccount":           "internal/bank FuzzAccount",
	"bank.ParseAccountType":       "internal/api FuzzBodies",
	"bank.ParseBIC":               "internal/bank FuzzAccount",
	"bank.ParseGB":                "internal/bank FuzzAccount",
	"bank.ParseIBAN":              "internal/bank FuzzParseIBAN",
	"bank.ParseNameMatch":         "internal/api FuzzBodies",
	"bank.ParseSortCode":          "internal/bank FuzzAccount",
	"client.ReadWebhook":          "client FuzzVerifyWebhook",
	"client.UnmarshalJSON":        "client FuzzVerifyWebhook",
	"client.VerifyWebhook":        "client FuzzVerifyWebhook",
	"client.readError":            "client FuzzReadError",
	"client.readEvents":           "client FuzzReadEvents",
	"company.Decode":              "internal/company FuzzReadIsDecode",
	"company.ParseID":             "internal/company FuzzParseID",
	"company.ParseMoney":          "internal/monitor FuzzRules",
	"company.ParsePersonID":       "internal/api FuzzBodies",
	"company.Read":                "internal/company FuzzReadIsDecode",
	"company.readNumbers":         "ours: a copy of the index in the data folder, made anew if it does not fit",
	"handbook.UnmarshalJSON":      "ours: the document of our own interface",
	"identity.ParseBand":          "internal/api FuzzBodies",
	"identity.ParseCorrection":    "internal/identity FuzzNumbers",
	"identity.ParsePerson":        "internal/identity FuzzNumbers",
	"identity.ParseProduct":       "internal/api FuzzBodies",
	"identity.ParseSwedishNumber": "internal/identity FuzzNumbers",
	"identity.ParseVerifyReason":  "internal/api FuzzBodies",
	"kyc.ParseBody":               "internal/api FuzzBodies",
	"kyc.ParseDataset":            "internal/api FuzzBodies",
	"kyc.ParseDecision":           "internal/api FuzzBodies",
	"kyc.ReadNotice":              "ours: a row of the database",
	"kyc.UnmarshalText":           "internal/api FuzzBodies",
	"kyc.readBatch":               "internal/kyc FuzzBatchFile",
	"kyc.readKnown":               "ours: a copy of the index in the data folder, made anew if it does not fit",
	"match.Load":                  "ours: a copy of the index in the data folder, made anew if it does not fit",
	"match.ParseDate":             "internal/api FuzzBodies",
	"match.ParseKind":             "internal/api FuzzBodies",
	"match.Read":                  "internal/match FuzzCompare",
	"monitor.ParseRights":         "internal/api FuzzBodies",
	"monitor.openFile":            "internal/monitor FuzzPortfolioFile",
	"pdf.LoadFonts":               "ours: the operator's own folder of fonts",
	"store.readBackup":            "internal/store FuzzReadBackup",
}

func TestReadersAreFuzzed(t *testing.T) {
	for _, complaint := range checkReaders(tree(t), readers) {
		t.Error(complaint)
	}
}

// TestReaderCheckCanFail feeds the check a house with one importer and one
// reader, each time with one thing missing.
func TestReaderCheckCanFail(t *testing.T) {
	source := file{"internal/importer/un/un.go", []byte("package un\nvar List = importer.Source[kyc.Record]{Name: \"un\"}\n")}
	reader := file{"internal/bank/iban.go", []byte("package bank\nfunc ParseIBAN(text string) error { return nil }\n")}
	listTest := file{"internal/importer/un/un_test.go", []byte("package un\nfunc FuzzRead(f *testing.F) { feed(f, List) }\n")}
	bankTest := file{"internal/bank/iban_test.go", []byte("package bank\nfunc FuzzIBAN(f *testing.F) { feed(f, ParseIBAN) }\n")}
	other := file{"internal/bank/iban_test.go", []byte("package bank\nfunc TestIBAN(t *testing.T) {}\n")}
	blind := file{"internal/importer/un/un_test.go", []byte("package un\nfunc FuzzRead(f *testing.F) { feed(f, Other) }\n")}
	kept := []file{{"internal/importer/un/testdata/fuzz/FuzzRead/1", nil}, {"internal/bank/testdata/fuzz/FuzzIBAN/1", nil}}
	table := map[string]string{"bank.ParseIBAN": "internal/bank FuzzIBAN"}
	for _, c := range []struct {
		name  string
		files []file
		table map[string]string
		want  string
	}{
		{"all is there", append([]file{source, reader, listTest, bankTest}, kept...), table, ""},
		{"source without a fuzz test", append([]file{source, reader, bankTest}, kept...), table, "no fuzz test in internal/importer/un names the source List"},
		{"fuzz test of another source", append([]file{source, reader, blind, bankTest}, kept...), table, "names the source List"},
		{"reader that is not in the table", append([]file{reader, bankTest}, kept...), nil, "bank.ParseIBAN reads what others wrote"},
		{"reader whose fuzz test is gone", append([]file{reader, other}, kept...), table, "there is no internal/bank FuzzIBAN"},
		{"reader that is gone", append([]file{bankTest}, kept...), table, "bank.ParseIBAN is in the table of readers and nowhere else"},
		{"fuzz test without an input", []file{reader, bankTest}, table, "internal/bank FuzzIBAN has no input kept"},
		{"reader that needs none", []file{reader}, map[string]string{"bank.ParseIBAN": ours + "only we write it"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) { expect(t, checkReaders(c.files, c.table), c.want) })
	}
}
