package monitor

import (
	"fmt"
	"strings"

	"bureau/internal/company"
)

// tell is what an event says of a change, unless its rule knows better. The log
// keeps changes whole; what is told of them is cut to a length that can be read.
func tell(c *company.Change) Told {
	t := Told{Old: c.Old, New: c.New}
	switch c.Field {
	case company.OfficerOut, company.OwnerOut:
		if c.New != "" {
			t.New = "until " + c.New
		}
	case company.AccountsFiled: // the figures would fill a page
		t.New = "Accounts to " + c.Item
	case company.AccountsChanged:
		t.Old, t.New = "Accounts to "+c.Item, "Accounts to "+c.Item+", corrected"
	case company.NewNotice:
		if c.New == "" {
			t.New = c.Item // a notice without a word of its own
		}
	}
	t.Old, t.New, t.Why = cut(t.Old, 1000), cut(t.New, 1000), short(sentence(c))
	return t
}

// short cuts a reason to what fits a line or two.
func short(why string) string { return cut(why, 500) }

func cut(s string, bytes int) string {
	if len(s) <= bytes {
		return s
	}
	return strings.ToValidUTF8(s[:bytes], "") + "…"
}

// sentence says what happened.
func sentence(c *company.Change) string {
	switch c.Field {
	case company.OfficerOut, company.OwnerOut:
		until := ""
		if c.New != "" {
			until = " on " + c.New
		}
		return fmt.Sprintf("%s left%s: %s", thing(c), until, c.Old)
	case company.AccountsFiled:
		return "Accounts to " + c.Item + " were filed"
	case company.AccountsChanged:
		return "Accounts to " + c.Item + " were corrected"
	case company.AccountsOverdue:
		return "Accounts were due on " + c.New + ", and none were filed"
	case company.Removed:
		return "No source holds the company any more"
	case company.Added: // it was watched, so it was known before
		return "A source holds the company again: " + c.New
	case company.Listed:
		if c.New == "" {
			return "The company is no longer on the sanctions list " + c.Item + ": " + c.Old
		}
		return "The company is on the sanctions list " + c.Item + ": " + c.New
	}
	w := wordsOf(c)
	switch {
	case c.Old == "" && c.New == "":
		return w.thing + w.came
	case c.Old == "":
		return w.thing + w.came + ": " + c.New
	case c.New == "":
		return w.thing + w.went + ": " + c.Old
	}
	return w.thing + " changed from " + c.Old + " to " + c.New
}

// thing names what changed.
func thing(c *company.Change) string { return wordsOf(c).thing }

// words name a field and say how it comes and goes.
type words struct{ thing, came, went string }

// A fact is there once or not at all; of an entry there are several.
func fact(thing string) words  { return words{thing, " is now", " is no longer"} }
func entry(thing string) words { return words{thing, " is new", " is gone"} }

var fieldWords = map[company.Field]words{
	company.FieldName: fact("The name"), company.OtherName: entry("Another name"),
	company.FieldStatus: fact("The status"), company.StatusText: fact("The register's words for the status"),
	company.FieldForm: fact("The legal form"), company.FieldKind: fact("The kind of company"),
	company.Founded: fact("The founding date"), company.Dissolved: fact("The date of dissolution"),
	company.FieldActivity: fact("The activity"), company.FieldAddress: fact("The address"),
	company.Phone: entry("A telephone number"), company.Email: entry("An e-mail address"), company.Website: entry("A website"),
	company.FieldEmployees: fact("The number of employees"), company.Capital: fact("The capital"),
	company.OfficerIn: {thing: "An officer", came: " was appointed"}, company.OfficerOut: entry("An officer"),
	company.OfficerChanged: fact("What is known of an officer"),
	company.OwnerIn:        entry("An owner"), company.OwnerOut: entry("An owner"), company.OwnerChanged: fact("What is known of an owner"),
	company.Group:       fact("A link to the group"),
	company.AccountsDue: fact("The day on which the next accounts are due"),
	company.ReturnDue:   fact("The day on which the next return is due"),
	company.NewFiling:   {thing: "A document", came: " was filed"}, company.NewNotice: {thing: "A notice", came: " was published"},
	company.ChargesChanged: fact("The register of charges"), company.ScoreValue: fact("The score"),
	company.ScoreBand: fact("The rating band"), company.ScoreLimit: fact("The credit limit"),
	company.LEI: fact("The LEI"), company.LEIStatus: fact("The LEI's status"), company.VAT: entry("A VAT number"),
	company.RegNo: fact("The register number"), company.Jurisdiction: fact("The law that it is under"),
	company.YearEnd: fact("The end of the financial year"), company.Signing: fact("Who may sign for it"),
}

// itemWords name the items of a field that has several.
var itemWords = map[company.Field]map[string]words{
	company.OtherName: {
		string(company.Former): entry("A former name"), string(company.Trading): entry("A trading name"),
		string(company.Alternative): entry("A name in another language or script"),
		string(company.ASCII):       entry("A name in Latin letters"), string(company.Short): entry("A short name"),
	},
	company.FieldAddress: {
		string(company.Registered): fact("The registered address"), string(company.HeadOffice): fact("The head office's address"),
		string(company.Postal): fact("The postal address"),
		string(company.Branch): entry("A branch"), string(company.TradingPlace): entry("A trading place"),
	},
	company.Group: {
		string(company.Parent): fact("The parent company"), string(company.UltimateParent): fact("The ultimate parent company"),
		string(company.HeadOf): fact("The head office that it is a branch of"), string(company.Manager): fact("The fund's manager"),
		string(company.Umbrella): fact("The umbrella fund"), string(company.Master): fact("The master fund"),
		string(company.Successor): fact("The successor"),
	},
}

func wordsOf(c *company.Change) words {
	if w, ok := itemWords[c.Field][c.Item]; ok {
		return w
	}
	w, ok := fieldWords[c.Field]
	if !ok {
		w = fact(string(c.Field))
	}
	if c.Field == company.NewNotice && c.Item != "" {
		w.thing = "A notice (" + c.Item + ")"
	}
	return w
}
