package console

import (
	"errors"

	"bureau/internal/auth"
	"bureau/internal/bank"
	"bureau/internal/fault"
)

type checksData struct {
	Question bank.Question
	Finding  *bank.Finding
	Wrong    string
	Details  []string
}

// checks is the form for bank accounts.
func (s *Server) checks(v *visit) error {
	if err := s.needs(v, auth.BankVerification, ""); err != nil {
		return err
	}
	return s.show(v, page{name: "checks", title: "Checks", here: "Checks", data: checksData{}})
}

// checkBank answers it. The numbers travel in the form and are kept nowhere.
func (s *Server) checkBank(v *visit) error {
	if err := s.needs(v, auth.BankVerification, ""); err != nil {
		return err
	}
	d := checksData{Question: bank.Question{
		IBAN: v.text("iban"), BIC: v.text("bic"), SortCode: v.text("sortCode"), Number: v.text("number"), Name: v.text("name"), Type: v.text("type"),
	}}
	p := page{name: "checks", title: "Checks", here: "Checks"}
	if d.Question.IBAN+d.Question.SortCode+d.Question.Number == "" {
		d.Wrong, d.Details = "There is nothing to check.", []string{"Give an IBAN, or a sort code and an account number."}
		p.data, p.status = d, 400
		return s.show(v, p)
	}
	f, err := s.Bank.Check(v.ctx(), d.Question)
	if errors.Is(err, fault.Invalid) {
		d.Wrong, d.Details = "That cannot be checked.", wrongWords(err)
		p.data, p.status = d, 400
		return s.show(v, p)
	}
	if err != nil {
		return err
	}
	if err := s.needs(v, auth.BankVerification, f.Country); err != nil {
		return err
	}
	if f.Asked { // whose account it is was told
		err = s.Gate.CountRead(v.ctx(), v.by, auth.BankVerification, f.Country, "bankCheck")
	} else {
		err = s.Gate.Count(v.ctx(), v.by, auth.BankVerification, f.Country)
	}
	if err != nil {
		return err
	}
	d.Finding = &f
	p.data = d
	return s.show(v, p)
}
