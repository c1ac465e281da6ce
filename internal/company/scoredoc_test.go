package company

import (
	"os"
	"strings"
	"testing"
	"time"
)

func rateDayTime() time.Time {
	t, _ := rateDay.from()
	return t
}

// scorecardUnits say in the document what each line measures.
var scorecardUnits = map[string]string{
	"age":          "whole years since it was founded",
	"accountsLate": "days since its accounts were due",
	"returnLate":   "days since its annual return was due",
	"court":        "court notices in the last three years",
	"strikeOff":    "notices of striking off in the last year",
	"charges":      "charges outstanding",
	"accountsAge":  "months since its newest accounts end",
	"equity":       "equity, in per cent of total assets",
	"liquidity":    "current assets for each unit that is due within a year",
	"margin":       "profit before tax, in per cent of turnover",
	"return":       "profit before tax, in per cent of total assets, where no turnover is published",
	"losses":       "years in a row with a loss, up to the newest",
	"growth":       "change of turnover against the year before, in per cent",
	"cover":        "operating profit for each unit of interest paid",
	"size":         "employees",
	"parent":       "1 where its parent closed or is being wound up, 0 where it is sound",
	"boards":       "other companies of its directors that failed in the last five years",
	"directors":    "directors in office",
	"leavers":      "share of the board that left within a year, in per cent, where two or more did",
}

// checkDocument holds the table between two marks of a document against text;
// BUREAU_UPDATE=1 (make golden) writes it anew.
func checkDocument(t *testing.T, path, text string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(b), "<!-- table -->\n")
	_, after, ok2 := strings.Cut(rest, "<!-- /table -->")
	if !ok || !ok2 {
		t.Fatalf("%s has no place for the table", path)
	}
	want := before + "<!-- table -->\n" + text + "<!-- /table -->" + after
	if string(b) == want {
		return
	}
	if os.Getenv("BUREAU_UPDATE") != "1" {
		t.Fatalf("%s does not say what the scorecard is: run make golden", path)
	}
	if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}

// AUC is auc, for tests outside.
var AUC = auc
