package console

import (
	"strings"

	"bureau/internal/company"
)

// fieldNames say what changed.
var fieldNames = map[company.Field]string{
	company.Added: "Taken in", company.Removed: "No longer in any register", company.FieldName: "Name", company.OtherName: "Other name",
	company.FieldStatus: "Status", company.StatusText: "Status, in the register's words", company.FieldForm: "Legal form",
	company.FieldKind: "Kind of company", company.Jurisdiction: "Law it is under", company.YearEnd: "End of the financial year",
	company.Signing: "Who may sign", company.Founded: "Founding date", company.Dissolved: "Date of dissolution",
	company.FieldActivity: "Activity", company.FieldAddress: "Address", company.Phone: "Telephone", company.Email: "E-mail",
	company.Website: "Website", company.FieldEmployees: "Employees", company.Capital: "Share capital",
	company.OfficerIn: "Officer appointed", company.OfficerOut: "Officer left", company.OfficerChanged: "Officer's details",
	company.OfficerPast: "Past officer", company.OwnerIn: "Owner added", company.OwnerOut: "Owner ceased",
	company.OwnerChanged: "Owner's share or details", company.Group: "Group", company.AccountsFiled: "Accounts filed",
	company.AccountsChanged: "Accounts corrected", company.AccountsDue: "Accounts due", company.AccountsOverdue: "Accounts overdue",
	company.ReturnDue: "Annual return due", company.NewFiling: "Document filed", company.NewNotice: "Notice",
	company.ChargesChanged: "Charges", company.ScoreValue: "Score", company.ScoreBand: "Band", company.ScoreLimit: "Credit limit",
	company.LEI: "LEI", company.LEIStatus: "LEI status", company.VAT: "VAT number", company.RegNo: "Register number",
	company.FieldWithheld: "Withheld by the publisher", company.FieldHidden: "Hidden by the operator", company.Listed: "On a sanctions list",
}

func fieldWords(f company.Field) string {
	if words, ok := fieldNames[f]; ok {
		return words
	}
	return string(f)
}

// pointNames say what each line of the scorecard looked at; {} is what was
// measured.
var pointNames = map[string]string{
	"start": "Every company starts here", "age": "Years in business: {}", "accountsLate": "Days since its accounts were due: {}",
	"returnLate": "Days since its annual return was due: {}", "court": "Court notices in three years: {}",
	"strikeOff": "Notices of striking off in a year: {}", "charges": "Charges outstanding: {}",
	"accountsAge": "Months since its newest accounts: {}", "equity": "Equity is {} % of its assets",
	"liquidity": "Current assets are {} times what is due within a year", "margin": "Profit before tax is {} % of turnover",
	"return": "Profit before tax is {} % of its assets", "losses": "Years in a row with a loss: {}",
	"growth": "Turnover changed by {} % in a year", "cover": "Operating profit is {} times the interest paid",
	"size": "Employees: {}", "parent": "How its parent company stands", "boards": "Other companies of its directors that failed: {}",
	"directors": "Directors in office: {}", "leavers": "{} % of its board left within a year", "bounds": "Kept between 1 and 100",
	"closed": "It has closed: the score is held down", "proceedings": "It is in proceedings: the score is held down",
	"insolvency": "An insolvency was made known: the score is held down",
}

func reasonWords(p company.Point) string {
	words, ok := pointNames[p.Rule]
	if p.Rule == "accountsAge" && p.Value == "" {
		words = "No accounts are held"
	}
	if !ok {
		words = p.Rule + ": {}"
	}
	return strings.ReplaceAll(words, "{}", p.Value)
}
