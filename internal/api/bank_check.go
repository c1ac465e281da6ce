package api

import (
	"context"

	"bureau/internal/auth"
	"bureau/internal/bank"
)

type checkBankIn struct {
	caller
	Body struct {
		IBAN      string `json:"iban,omitempty" maxLength:"60" doc:"The account, as an IBAN." example:"GB67OSTR99010110002009"`
		BIC       string `json:"bic,omitempty" maxLength:"20" doc:"Compared with that of the account's bank."`
		SortCode  string `json:"sortCode,omitempty" maxLength:"20" doc:"Or as a sort code and an account number."`
		Number    string `json:"accountNumber,omitempty" maxLength:"30"`
		Country   string `json:"country,omitempty" maxLength:"2" doc:"Or as a country, two letters, and its national number."`
		BBAN      string `json:"bban,omitempty" maxLength:"60"`
		Routing   string `json:"routingCode,omitempty" maxLength:"30" doc:"The bank's code, where the country has no IBANs."`
		Name      string `json:"name,omitempty" maxLength:"140" doc:"The holder's name, as you know it."`
		Type      string `json:"accountType,omitempty" doc:"Business or Personal."`
		Secondary string `json:"secondaryReference,omitempty" maxLength:"255" doc:"A roll number or the like, where the account needs one."`
	}
}

// country is where the account is, as far as that can be told before it is
// checked.
func (in *checkBankIn) country() string {
	return bank.CountryOf(in.Body.IBAN, in.Body.SortCode, in.Body.Country)
}

type checkBankJSON struct {
	CorrelationID string          `json:"correlationId"`
	Result        string          `json:"result" enum:"passes,fails,cannot be checked" doc:"Of all checks together: one that fails decides, and all must pass."`
	Reasons       []string        `json:"reasons" doc:"Why, in words."`
	Checks        []bankCheckJSON `json:"checks" doc:"What was looked at."`
	Country       string          `json:"country"`
	IBAN          *string         `json:"iban" doc:"The account's IBAN, where it is known."`
	IBANPrint     *string         `json:"ibanPrint" doc:"The same for people."`
	SEPA          bool            `json:"sepa" doc:"The account's country is in SEPA."`
	SortCode      *string         `json:"sortCode"`
	Number        *string         `json:"accountNumber" doc:"In its standard form of eight digits."`
	Bank          *bankJSON       `json:"bank,omitempty" doc:"The bank that the account's number names, where a directory knows it."`
	Payee         *bankPayeeJSON  `json:"payee,omitempty" doc:"Where a name was given."`
}

type bankCheckJSON struct {
	Check  string `json:"check"`
	Field  string `json:"field" doc:"Of your request."`
	Result string `json:"result" enum:"passes,fails,cannot be checked"`
	Reason string `json:"reason"`
}

type bankJSON struct {
	Code   string                 `json:"code"`
	Name   string                 `json:"name"`
	City   string                 `json:"city"`
	BICs   []string               `json:"bics"`
	Branch *sortCodeCheckResponse `json:"sortCodeDetails,omitempty"`
}

type bankPayeeJSON struct {
	Match    string  `json:"nameMatchResult" enum:"Full,Close,No Match,"`
	Code     string  `json:"reasonCode"`
	TypeIs   bool    `json:"accountTypeResult"`
	Returned string  `json:"returnedCustomerName" doc:"The holder's name, where the one that you gave is close to it."`
	Score    float64 `json:"score" doc:"Of the two names, from 0 to 1."`
	Why      string  `json:"why"`
}

// checkBank answers POST /checks/bank.
func (s *Server) checkBank(ctx context.Context, in *checkBankIn) (*reply[checkBankJSON], error) {
	b := in.Body
	f, err := s.Bank.Check(ctx, bank.Question{
		IBAN: b.IBAN, BIC: b.BIC, SortCode: b.SortCode, Number: b.Number, Country: b.Country, BBAN: b.BBAN, Routing: b.Routing,
		Name: b.Name, Type: b.Type, Secondary: b.Secondary,
	})
	if err != nil {
		return nil, err
	}
	out := toCheckBankJSON(f)
	out.CorrelationID = in.correlation
	if f.Asked { // whose account it is was told
		return ok(out), s.countBank(ctx, in.by, auth.BankVerification, f.Country, "bankCheck")
	}
	return ok(out), s.Gate.Count(context.WithoutCancel(ctx), in.by, auth.BankVerification, f.Country)
}

func toCheckBankJSON(f bank.Finding) checkBankJSON {
	out := checkBankJSON{
		Result: f.State.String(), Reasons: orEmpty(f.Reasons()), Checks: []bankCheckJSON{}, Country: f.Country,
		IBAN: textOrNull(string(f.IBAN)), IBANPrint: textOrNull(f.IBAN.Print()),
	}
	for _, c := range f.Checks {
		out.Checks = append(out.Checks, bankCheckJSON{c.What, c.Field, c.State.String(), c.Why})
	}
	if f.IBAN != "" {
		out.SEPA = f.IBAN.SEPA()
	}
	if f.British {
		out.SortCode, out.Number = textOrNull(f.GB.SortCode.String()), textOrNull(f.GB.Number.String())
	}
	switch {
	case f.Branch.Known():
		branch := toSortCodeJSON(f.Branch)
		out.Bank = &bankJSON{Code: f.GB.SortCode.String(), Name: f.Branch.Bank, BICs: []string{}, Branch: &branch}
		if f.Branch.BIC != "" {
			out.Bank.BICs = []string{f.Branch.BIC}
		}
	case f.Bank.Name != "":
		out.Bank = &bankJSON{Code: f.Bank.Code, Name: f.Bank.Name, City: f.Bank.City, BICs: orEmpty(f.Bank.BICs)}
	}
	if f.Asked {
		p := f.Payee
		out.Payee = &bankPayeeJSON{string(p.Match), string(p.Code), p.TypeRight, p.Name, p.Score, p.Why}
	}
	return out
}
