package api

import (
	"strconv"
	"strings"

	"bureau/internal/identity"
)

// identityJSON is what an identity search answers, now and when it is read
// again.
type identityJSON struct {
	CorrelationID string `json:"correlationId"`
	UniqueID      string `json:"uniqueId" doc:"The search, for its history."`

	Input  inputJSON `json:"input"`
	Common struct {
		CustomerID int64  `json:"customerId"`
		UserID     int64  `json:"userId"`
		UniqueID   string `json:"uniqueId"`
		SearchText string `json:"searchText"`
		Reference  string `json:"reference"`
		SearchTime string `json:"searchTime"`
	} `json:"common"`

	ConsumerResult *consumerResultJSON `json:"consumerResult,omitempty"`
	AMLResult      *amlResultJSON      `json:"amlResult,omitempty"`
	Consumer       *partJSON           `json:"consumer,omitempty"`
	ID             *partJSON           `json:"id,omitempty"`
	BankMatch      *partJSON           `json:"bankMatch,omitempty" doc:"success: the account is one of the person's."`

	Picklist []picklistJSON      `json:"picklist" doc:"Who may be meant, where several people fit alike."`
	Message  *string             `json:"message"`
	Errors   map[string][]string `json:"errors"`
}

// partJSON says whether a part of a search found what it looked for.
type partJSON struct {
	Success    bool   `json:"success"`
	SupplierID string `json:"supplierId"`
	Credits    int    `json:"creditsIncurred"`
}

type picklistJSON struct {
	Type      string `json:"type" enum:"Person" doc:"What there is to choose."`
	Applicant int    `json:"applicantId"`
	Address   string `json:"address"`
	Name      string `json:"name"`
	Inputs    struct {
		Name    string `json:"name"`
		Address string `json:"address"`
	} `json:"inputs"`
	Options []optionJSON `json:"options"`
}

type optionJSON struct {
	Option string `json:"option" doc:"Who, in words."`
	Value  string `json:"value" doc:"Send it back as resolved."`
}

func toIdentityJSON(c caller, s identity.Search) identityJSON {
	q := &s.Question
	out := identityJSON{CorrelationID: c.correlation, UniqueID: s.ID, Input: toInputJSON(c, s), Picklist: []picklistJSON{}, Errors: map[string][]string{}}
	out.Common.CustomerID, out.Common.UserID, out.Common.UniqueID = int64(c.by.Customer), int64(s.Account), s.ID
	out.Common.SearchText, out.Common.Reference, out.Common.SearchTime = searchText(s), q.Reference, naive(s.At)
	if s.Withheld {
		text := "This person may not be shown any more."
		out.Message = &text
		return out
	}
	if len(s.Options) > 0 {
		out.Picklist = []picklistJSON{toPicklist(s)}
		return out
	}
	a := &s.Answer
	for _, p := range q.Products {
		part := &partJSON{Success: s.Consumer != "", SupplierID: s.ID, Credits: 1}
		switch p {
		case identity.ConsumerSearch:
			if a.Result != "" {
				out.Consumer, out.ConsumerResult = part, toConsumerResult(s)
			}
		case identity.IDSearch:
			out.ID = part
		}
	}
	if a.AML != nil {
		out.AMLResult = toAMLResult(s)
	}
	if a.Bank != nil {
		out.BankMatch = &partJSON{Success: *a.Bank, SupplierID: s.ID, Credits: 1}
	}
	return out
}

func searchText(s identity.Search) string {
	return strings.Trim(s.Question.Name.Full()+", "+s.Question.Addresses[0].Line(), ", ")
}

func toPicklist(s identity.Search) (out picklistJSON) {
	out.Type, out.Applicant = "Person", 1
	out.Name, out.Address = s.Question.Name.Full(), s.Question.Addresses[0].Line()
	out.Inputs.Name, out.Inputs.Address = out.Name, out.Address
	for i, o := range s.Options {
		out.Options = append(out.Options, optionJSON{o.Label, strconv.Itoa(i + 1)})
	}
	return out
}

// amlResultJSON is what the databases say together.
type amlResultJSON struct {
	Band       string                 `json:"band" enum:"Pass,Refer,Fail"`
	BandText   string                 `json:"bandText" enum:"Pass,Refer,Fail" doc:"Pass: two databases confirm the person and nothing speaks against them. Refer: look at it yourself. Fail: the person is not found, or has died."`
	BirthIndex bool                   `json:"birthIndexMatch" doc:"The date of birth is the one that is held."`
	NoRetry    bool                   `json:"noRetry"`
	Codes      map[string]amlCodeJSON `json:"resultCodes" doc:"What each database says."`
	Score      int                    `json:"score" doc:"How many databases confirm the person."`
	SearchText string                 `json:"searchText"`
	LegacyID   string                 `json:"legacyUniqueID"`
	Validation string                 `json:"validationID"`
	HasAlerts  bool                   `json:"hasAlerts"`
	Success    bool                   `json:"success"`
	SupplierID string                 `json:"supplierId"`
	Credits    int                    `json:"creditsIncurred"`
}

type amlCodeJSON struct {
	ID          int         `json:"id"`
	Name        string      `json:"name"`
	Description string      `json:"description"`
	Address     string      `json:"address" enum:"NotChecked,Mismatch,Partial,Match"`
	Alert       string      `json:"alert" enum:"Alert,None"`
	Birth       string      `json:"dateOfBirth" enum:"NotChecked,Mismatch,Partial,Match"`
	Forename    string      `json:"forename" enum:"NotChecked,Mismatch,Partial,Match"`
	Surname     string      `json:"surname" enum:"NotChecked,Mismatch,Partial,Match"`
	Pass        string      `json:"pass" enum:"NotChecked,Mismatch,Partial,Match"`
	Comments    []codedJSON `json:"comments"`
	Match       []codedJSON `json:"match"`
	Mismatch    []codedJSON `json:"misMatch"`
	Warning     []codedJSON `json:"warning"`

	Sanctions []listedJSON `json:"sanctions,omitempty"`
	PEPs      []listedJSON `json:"peps,omitempty"`
}

type codedJSON struct {
	Code int    `json:"code"`
	Text string `json:"description"`
}

type listedJSON struct {
	Detail struct {
		Aliases  []string         `json:"aliases"`
		FullName string           `json:"fullName"`
		Bodies   []string         `json:"sanctionBodies"`
		Dates    []listedDateJSON `json:"dates"`
		Position string           `json:"position,omitempty"`
	} `json:"detail"`
	Score int `json:"score"`
}

type listedDateJSON struct {
	Date string `json:"date"`
	Type string `json:"dateType"`
}

// databases are what each database is, in the order of their numbers.
var databases = []struct {
	is   identity.Database
	text string
}{
	{identity.Combined, "All databases together"},
	{identity.Voters, "The electoral roll"},
	{identity.Residents, "Where people live"},
	{identity.Deceased, "People who have died"},
	{identity.Moves, "People who have moved away"},
	{identity.Landlines, "Telephone numbers"},
	{identity.Papers, "Identity documents"},
	{identity.Ages, "Whether somebody of that age can be a customer"},
	{identity.Sanctions, "Sanctions lists"},
	{identity.PEPs, "Politically exposed persons"},
}

var gradeOut = map[identity.Grade]string{
	identity.Unknown: "NotChecked", identity.Differs: "Mismatch", identity.Close: "Partial", identity.Same: "Match",
}

func toAMLResult(s identity.Search) *amlResultJSON {
	a := s.Answer.AML
	out := &amlResultJSON{
		Band: string(a.Band), BandText: string(a.Band), Score: a.Score, SearchText: searchText(s), LegacyID: s.ID, Validation: s.ID,
		HasAlerts: a.Alerts, Success: s.Consumer != "", SupplierID: s.ID, Credits: 1, Codes: map[string]amlCodeJSON{},
	}
	for _, c := range a.Checks {
		out.Codes[string(c.Database)] = toAMLCode(c)
		out.BirthIndex = out.BirthIndex || c.Database == identity.Residents && c.Birth == identity.Same
	}
	return out
}

func toAMLCode(c identity.Check) amlCodeJSON {
	out := amlCodeJSON{
		Name: string(c.Database), Address: gradeOut[c.Address], Alert: "None", Birth: gradeOut[c.Birth], Forename: gradeOut[c.Forename],
		Surname: gradeOut[c.Surname], Pass: gradeOut[c.Result],
		Comments: coded(c.Comment), Match: coded(c.Match), Mismatch: coded(c.Mismatch), Warning: coded(c.Warning),
	}
	for i, d := range databases {
		if d.is == c.Database {
			out.ID, out.Description = i+1, d.text
		}
	}
	if c.Alert {
		out.Alert = "Alert"
	}
	for _, l := range c.Listed {
		one := listedJSON{Score: l.Score}
		one.Detail.FullName, one.Detail.Aliases, one.Detail.Bodies = l.Name, append([]string{}, l.Aliases...), append([]string{}, l.Bodies...)
		one.Detail.Position, one.Detail.Dates = l.Position, []listedDateJSON{}
		for _, b := range l.Births {
			one.Detail.Dates = append(one.Detail.Dates, listedDateJSON{string(b), "born"})
		}
		if c.Database == identity.PEPs {
			out.PEPs = append(out.PEPs, one)
		} else {
			out.Sanctions = append(out.Sanctions, one)
		}
	}
	return out
}

// coded gives texts numbers, for clients that read codes.
func coded(list []string) []codedJSON {
	out := []codedJSON{}
	for i, text := range list {
		out = append(out, codedJSON{i + 1, text})
	}
	return out
}
