package api

import (
	"context"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/identity"
	"bureau/internal/national"
)

type swedishDataIn struct {
	caller
	SwedishIn
	Number string `query:"searchnumber" doc:"The number of an organisation or a person, in 10 or 12 digits." example:"5599900000"`
	Block  string `query:"blockname" maxLength:"100" doc:"BASIC, BOARD, ACCOUNTS, RATING, REMARKS, INCOME or FULL; several with commas." example:"BASIC"`
}

// swedishDataJSON is what a block tells, of a company or a person. What does not
// belong to the block is left out.
type swedishDataJSON struct {
	Number   string `json:"organizationNumber,omitempty"`
	SafeNo   string `json:"safeNumber,omitempty"`
	Name     string `json:"companyName,omitempty"`
	Previous string `json:"previousCompanyName,omitempty"`
	Formed   string `json:"formedDate,omitempty"`
	Status   *struct {
		Date   string `json:"date,omitempty"`
		Status string `json:"status"`
	} `json:"companyStatus,omitempty"`
	Type *struct {
		Code string `json:"code"`
		Text string `json:"description"`
	} `json:"companyType,omitempty"`
	Industry *struct {
		Main  industryCodeJSON   `json:"mainIndustry"`
		Other []industryCodeJSON `json:"secondaryActivities"`
	} `json:"industry,omitempty"`
	Tax     *taxJSON            `json:"taxInformation,omitempty"`
	Contact *swedishContactJSON `json:"contactInformation,omitempty"`
	Board   []signerJSON        `json:"board,omitempty"`
	Years   []swedishYearJSON   `json:"accounts,omitempty"`
	Rating  *swedishRatingJSON  `json:"rating,omitempty"`
	Remarks []swedishRemarkJSON `json:"paymentRemarks,omitempty"`
	Person  *swedishPersonJSON  `json:"person,omitempty"`
	Incomes []swedishIncomeJSON `json:"incomes,omitempty"`
	Words   []ownWordJSON       `json:"notices,omitempty" doc:"The person's own statements."`
}

type taxJSON struct {
	VAT struct {
		Registered bool   `json:"registered"`
		Number     string `json:"vatNumber,omitempty"`
	} `json:"vat"`
}

type swedishContactJSON struct {
	Address  *swedishAddressJSON `json:"registeredAddress,omitempty"`
	Phones   []string            `json:"telephone"`
	Emails   []string            `json:"email"`
	Websites []string            `json:"website"`
}

type swedishYearJSON struct {
	End      string           `json:"yearEnd"`
	Currency string           `json:"currency"`
	Items    map[string]int64 `json:"items" doc:"In minor units."`
}

type swedishRatingJSON struct {
	Score int    `json:"score"`
	Band  string `json:"band,omitempty"`
	Limit int64  `json:"limit,omitempty" doc:"In whole units of the currency."`
}

type swedishRemarkJSON struct {
	Date   string `json:"date"`
	Type   string `json:"type"`
	Amount int64  `json:"amount,omitempty"`
	Text   string `json:"text,omitempty"`
}

type swedishIncomeJSON struct {
	Year   int   `json:"year"`
	Amount int64 `json:"amount"`
}

type swedishPersonJSON struct {
	Number       string                `json:"personalNumber"`
	Coordination bool                  `json:"coordinationNumber"`
	First        string                `json:"firstName"`
	Middle       string                `json:"middleName,omitempty"`
	Last         string                `json:"lastName"`
	Birth        string                `json:"dateOfBirth,omitempty"`
	Gender       string                `json:"gender,omitempty"`
	Address      *swedishAddressJSON   `json:"registeredAddress,omitempty"`
	Former       []swedishAddressJSON  `json:"formerAddresses,omitempty"`
	Names        []string              `json:"formerNames,omitempty"`
	Civil        string                `json:"civilStatus,omitempty"`
	Relations    []swedishRelationJSON `json:"relations,omitempty"`
}

type swedishRelationJSON struct {
	Kind   string `json:"type"`
	Number string `json:"personalNumber,omitempty"`
}

func toHomeAddress(c *identity.Consumer, r identity.Residence) swedishAddressJSON {
	out := swedishAddressJSON{Date: string(r.From), Full: r.Line(), WithoutCO: r.LineWithoutCareOf(), CareOf: r.CareOf, Zip: r.PostCode, Town: r.City}
	if r.Present() {
		out.Municipal, out.County = c.Municipality, c.County
	}
	return out
}

func (s *Server) toSwedishPerson(c *identity.Consumer) *swedishPersonJSON {
	out := &swedishPersonJSON{
		Number: c.Number, First: c.Name.First, Middle: c.Name.Middle, Last: c.Name.Surname, Birth: string(c.Birth), Gender: string(c.Gender), Civil: c.CivilStatus,
	}
	if n, err := identity.ParseSwedishNumber(c.Number, s.Gate.Now()); err == nil {
		out.Coordination = n.Coordination
	}
	for _, r := range c.Addresses {
		a := toHomeAddress(c, r)
		if r.Present() && out.Address == nil {
			out.Address = &a
		} else {
			out.Former = append(out.Former, a)
		}
	}
	for _, n := range c.Names {
		out.Names = append(out.Names, n.Full())
	}
	return out
}

func (s *Server) swedishData(ctx context.Context, in *swedishDataIn) (*reply[swedishJSON[swedishDataJSON]], error) {
	letter := false
	out, err := swedish(ctx, s, in.caller, in.SwedishIn, func() (swedishDataJSON, error) {
		r, err := s.Sweden.Data(ctx, in.Number, in.Block)
		if err != nil {
			return swedishDataJSON{}, err
		}
		if r.Consumer == nil {
			return toCompanyData(&r, in.Language), s.Gate.Count(context.WithoutCancel(ctx), in.by, auth.Sweden, "SE")
		}
		told := s.toConsumerData(&r)
		if err := s.letter(ctx, in.by, r.ID(), "getdata", told); err != nil {
			return told, err
		}
		letter = true
		return told, s.countPeople(ctx, in.by, "getdata="+in.Block, r.ID())
	})
	if out != nil {
		out.Body.Meta.Letter = &letter
	}
	return out, err
}

func (s *Server) toConsumerData(r *national.Report) (out swedishDataJSON) {
	c := r.Consumer
	if r.Has(national.BasicBlock) {
		out.Person = s.toSwedishPerson(c)
	}
	if r.Has(national.RatingBlock) && c.Score != nil {
		out.Rating = &swedishRatingJSON{Score: c.Score.Value}
	}
	if r.Has(national.RemarksBlock) {
		for _, j := range c.Judgments {
			out.Remarks = append(out.Remarks, swedishRemarkJSON{string(j.Date), "judgment", whole(j.Amount), j.Case})
		}
		for _, i := range c.Insolvencies {
			out.Remarks = append(out.Remarks, swedishRemarkJSON{string(i.Date), i.Kind, whole(i.Amount), i.Case})
		}
	}
	if r.Has(national.IncomesBlock) {
		for _, i := range c.Incomes {
			out.Incomes = append(out.Incomes, swedishIncomeJSON{i.Year, whole(i.Amount)})
		}
	}
	for _, n := range r.Notices {
		out.Words = append(out.Words, ownWordJSON{Text: n.Note, Raised: naive(n.At)})
	}
	return out
}

func toCompanyData(r *national.Report, language string) (out swedishDataJSON) {
	c := r.Company
	out.Number = c.ID.Number()
	if r.Has(national.BasicBlock) {
		out.basic(c)
	}
	if r.Has(national.BoardBlock) {
		for _, p := range r.Board {
			p.Number = "" // who runs a company is public, their number is not
			out.Board = append(out.Board, toSigner(p, language))
		}
	}
	if r.Has(national.FiguresBlock) {
		for _, a := range c.Accounts {
			out.Years = append(out.Years, swedishYearJSON{string(a.End), a.Currency, a.Items})
		}
	}
	if r.Has(national.RatingBlock) && c.Score != nil {
		out.Rating = &swedishRatingJSON{c.Score.Value, c.Score.Band, c.Score.Limit.Minor / 100}
	}
	if r.Has(national.RemarksBlock) {
		for _, n := range c.Notices {
			out.Remarks = append(out.Remarks, swedishRemarkJSON{Date: string(n.Date), Type: n.Kind, Text: n.Text})
		}
	}
	return out
}

// basic fills in who a company is.
func (out *swedishDataJSON) basic(c *company.Company) {
	out.SafeNo, out.Name, out.Formed = c.ID.SafeNo(), c.Name, string(c.Founded)
	for _, n := range c.Names {
		if n.Kind == company.Former && out.Previous == "" {
			out.Previous = n.Text
		}
	}
	out.Status = &struct {
		Date   string `json:"date,omitempty"`
		Status string `json:"status"`
	}{string(c.StatusSince), string(c.Status)}
	out.Type = &struct {
		Code string `json:"code"`
		Text string `json:"description"`
	}{national.FormCode(c), c.Form.Text}
	out.Industry = &struct {
		Main  industryCodeJSON   `json:"mainIndustry"`
		Other []industryCodeJSON `json:"secondaryActivities"`
	}{Other: []industryCodeJSON{}}
	for i, a := range c.Activities {
		if i == 0 {
			out.Industry.Main = industryCodeJSON{a.Code, a.Text}
		} else {
			out.Industry.Other = append(out.Industry.Other, industryCodeJSON{a.Code, a.Text})
		}
	}
	out.Tax = &taxJSON{}
	if out.Tax.VAT.Registered = len(c.VAT) > 0; out.Tax.VAT.Registered {
		out.Tax.VAT.Number = c.VAT[0]
	}
	out.Contact = &swedishContactJSON{Phones: append([]string{}, c.Phones...), Emails: append([]string{}, c.Emails...), Websites: append([]string{}, c.Websites...)}
	for _, a := range c.Addresses {
		if a.Kind == company.Registered && a.Until == "" && !c.Withheld {
			at := toSwedishAddress(a)
			out.Contact.Address = &at
		}
	}
}

type populationIn struct {
	caller
	SwedishIn
	Number   string `query:"searchnumber" doc:"A personal or coordination number." example:"198001010001"`
	Relation bool   `query:"relation" doc:"Tell the family as well. It needs the identity product in SE."`
	Test     bool   `query:"usespartest" doc:"Ask the register's test data, which is about nobody."`
}

func (s *Server) population(ctx context.Context, in *populationIn) (*reply[swedishJSON[swedishPersonJSON]], error) {
	return swedish(ctx, s, in.caller, in.SwedishIn, func() (swedishPersonJSON, error) {
		if in.Relation {
			if err := s.Gate.Allow(ctx, in.by, auth.Identity, "SE"); err != nil {
				return swedishPersonJSON{}, err
			}
		}
		_, c, err := s.Sweden.Register(ctx, in.Number, in.Test)
		if err != nil {
			return swedishPersonJSON{}, err
		}
		out := s.toSwedishPerson(&c)
		if in.Relation {
			for _, r := range c.Relations {
				out.Relations = append(out.Relations, swedishRelationJSON{r.Kind, r.Number})
			}
		}
		return *out, s.countPeople(ctx, in.by, "spar", c.ID())
	})
}
