package api

import (
	"context"
	"strings"

	"bureau/internal/auth"
	"bureau/internal/bank"
)

type matchGBIn struct {
	caller
	Type     string `query:"checkType" required:"true" enum:"Both,Validate,Verify" doc:"Validate: are the numbers right? Verify: is it the company's account?"`
	Company  string `query:"companyId" required:"true" doc:"The company's connectId, or its safe number." example:"GB-0-99000001"`
	SortCode string `query:"sortCode" doc:"Six digits; with accountNumber."`
	Number   string `query:"accountNumber" doc:"Eight digits; with sortCode."`
	IBAN     string `query:"iban" doc:"Instead of, or beside, sort code and account number."`
	VAT      string `query:"vatNumber" maxLength:"50" doc:"Compared with those of the company."`
}

type matchesGBJSON struct {
	Total   int           `json:"totalSize"`
	Results []matchGBJSON `json:"bankMatchResults"`
}

// matchGBJSON has null for what was not asked.
type matchGBJSON struct {
	CompanyNumber *string `json:"companyNumber"`
	Number        *string `json:"accountNumber"`
	IBAN          *string `json:"iban"`
	IBANResult    *string `json:"ibanResult" doc:"passes, fails or cannot be checked."`
	IBANText      *string `json:"ibanText"`
	At            *string `json:"logDate"`
	SafeNo        *string `json:"safeNumber"`
	ScanResult    *string `json:"scanResult" doc:"Of sort code and account number."`
	ScanText      *string `json:"scanText"`
	SortCode      *string `json:"sortCode"`
	StatusResult  *string `json:"statusResult" doc:"Whether it is the company's account."`
	StatusText    *string `json:"statusText"`
	VATResult     *string `json:"vatResult"`
	VATText       *string `json:"vatText"`
}

// matchGB answers GET /localSolutions/GB/bankmatch.
func (s *Server) matchGB(ctx context.Context, in *matchGBIn) (*reply[matchesGBJSON], error) {
	m, err := s.Bank.MatchGB(ctx, bank.MatchGBRequest{
		Type: bank.MatchType(in.Type), Company: in.Company, SortCode: in.SortCode, Number: in.Number, IBAN: in.IBAN, VAT: in.VAT,
	})
	if err != nil {
		return nil, err
	}
	at := naive(m.At)
	out := matchGBJSON{
		CompanyNumber: textOrNull(m.Company.Number), SafeNo: textOrNull(m.Company.SafeNo), At: &at,
		Number: textOrNull(m.Number), SortCode: textOrNull(m.SortCode), IBAN: textOrNull(m.IBAN),
	}
	for _, a := range []struct {
		bank.Answer
		state, why **string
	}{
		{m.International, &out.IBANResult, &out.IBANText},
		{m.Scan, &out.ScanResult, &out.ScanText},
		{m.Status, &out.StatusResult, &out.StatusText},
		{m.VAT, &out.VATResult, &out.VATText},
	} {
		if a.Why != "" {
			*a.state, *a.why = textOrNull(a.State.String()), textOrNull(a.Why)
		}
	}
	return ok(matchesGBJSON{1, []matchGBJSON{out}}), nil
}

type matchFRIn struct {
	caller
	RegistrationID string `query:"registrationId" required:"true" doc:"The company's number in its register: in France its SIREN or SIRET." example:"999999998"`
	Country        string `query:"countryCode" required:"true" doc:"Of the register, two letters." example:"FR"`
	IBAN           string `query:"iban" doc:"The account; not for countries that have none."`
	BBAN           string `query:"bban" doc:"The account's national number, with bankCountry."`
	BIC            string `query:"bic" doc:"The bank's BIC."`
	Routing        string `query:"routingCode" doc:"The bank's code, with bban, where the country has no IBANs."`
	BankCountry    string `query:"bankCountry" doc:"Of the account, two letters." example:"FR"`
}

type matchFRJSON struct {
	Domain         string            `json:"@domain"`
	CreatedBy      string            `json:"createdBy"`
	CreatedAt      string            `json:"createdDate"`
	ChangedBy      string            `json:"lastModifiedBy"`
	ChangedAt      string            `json:"lastModifiedDate"`
	ID             string            `json:"id" doc:"Read it again with audition."`
	Score          int               `json:"score" minimum:"0" maximum:"100" doc:"How well the holder fits the company."`
	Classification string            `json:"classification" enum:"passes,fails,cannot be checked"`
	Status         string            `json:"status" enum:"COMPLETED"`
	Entity         matchEntityJSON   `json:"entity" doc:"The account, and the company as the register knows it."`
	Issuer         matchIssuerJSON   `json:"issuerCompany" doc:"Who asked."`
	Input          matchInputJSON    `json:"input"`
	Deferred       bool              `json:"withDeferredResult"`
	ByAPI          bool              `json:"byAPI"`
	ByFTP          bool              `json:"byFTP"`
	Workflow       string            `json:"workflow"`
	Reasons        []string          `json:"reasons" doc:"Codes."`
	Labels         map[string]string `json:"reasonLabels" doc:"The same in words, by code."`
}

type paymentIdentityJSON struct {
	IBAN string `json:"iban,omitempty"`
	BBAN string `json:"bban,omitempty"`
	Type string `json:"type" enum:"IBAN,BBAN"`
}

type matchEntityJSON struct {
	CreatedAt string              `json:"createdDate"`
	ChangedAt string              `json:"lastModifiedDate"`
	Payment   paymentIdentityJSON `json:"paymentIdentity"`
	Company   matchCompanyJSON    `json:"company"`
	More      matchEntityMoreJSON `json:"additionalProperties"`
}

type matchCompanyJSON struct {
	CreatedAt      string `json:"createdDate"`
	ChangedAt      string `json:"lastModifiedDate"`
	RegistrationID string `json:"registrationId"`
	Name           string `json:"name"`
	Legal          bool   `json:"legalPerson"`
	VAT            string `json:"codeTva"`
	Form           string `json:"typeId"`
	Country        string `json:"countryCode"`
	Status         string `json:"status"`
}

type matchEntityMoreJSON struct {
	VAT matchVATJSON `json:"vatRequestInfo" doc:"Whether the register knows a VAT number of the company."`
}

type matchVATJSON struct {
	Valid bool   `json:"valid"`
	ID    string `json:"requestIdentifier"`
	Date  string `json:"date"`
}

type matchIssuerJSON struct {
	CreatedBy      string `json:"createdBy"`
	CreatedAt      string `json:"createdDate"`
	ChangedBy      string `json:"lastModifiedBy"`
	ChangedAt      string `json:"lastModifiedDate"`
	ID             string `json:"id"`
	RegistrationID string `json:"registrationId"`
	Name           string `json:"name"`
	Type           string `json:"typeId"`
	Country        string `json:"countryCode"`
}

type matchInputJSON struct {
	Kind    string              `json:"@input"`
	Payment paymentIdentityJSON `json:"paymentIdentity"`
	Company struct {
		RegistrationID string `json:"registrationId"`
		Country        string `json:"countryCode"`
	} `json:"company"`
}

func (s *Server) toMatchFRJSON(by auth.Caller, m bank.Match) matchFRJSON {
	at, who := naive(m.At), s.userKey(m.Account)
	number := m.Number
	if number == "" {
		number = m.Masked // it was not kept
	}
	pay := paymentIdentityJSON{Type: "BBAN", BBAN: number}
	if m.International {
		pay = paymentIdentityJSON{Type: "IBAN", IBAN: number}
	}
	out := matchFRJSON{
		Domain: "bankMatch", CreatedBy: who, CreatedAt: at, ChangedBy: who, ChangedAt: at, ID: m.ID,
		Score: m.Score, Classification: m.State.String(), Status: "COMPLETED", ByAPI: true, Workflow: "bankMatch",
		Reasons: []string{}, Labels: map[string]string{},
		Entity: matchEntityJSON{
			CreatedAt: at, ChangedAt: at, Payment: pay,
			Company: matchCompanyJSON{
				CreatedAt: at, ChangedAt: at, RegistrationID: m.RegistrationID, Name: m.Company.Name, Legal: m.Company.Legal,
				VAT: m.Company.VAT, Form: m.Company.Form, Country: m.Country, Status: string(m.Company.Status),
			},
			More: matchEntityMoreJSON{matchVATJSON{Valid: m.Company.VAT != "", ID: m.ID, Date: at[:10]}},
		},
		Issuer: matchIssuerJSON{
			CreatedBy: who, CreatedAt: at, ChangedBy: who, ChangedAt: at, ID: decimal(int64(by.Customer)), Name: s.customerName(by.Customer),
		},
		Input: matchInputJSON{Kind: strings.ToLower(pay.Type), Payment: pay},
	}
	out.Input.Company.RegistrationID, out.Input.Company.Country = m.RegistrationID, m.Country
	for _, r := range m.Reasons {
		if _, there := out.Labels[r.Code]; !there {
			out.Reasons = append(out.Reasons, r.Code)
			out.Labels[r.Code] = r.Text
		} else {
			out.Labels[r.Code] += "; " + r.Text
		}
	}
	return out
}

func (s *Server) customerName(id auth.CustomerID) string {
	c, _ := s.Directory.Customer(id)
	return c.Name
}

func (s *Server) userKey(id auth.AccountID) string {
	a, _ := s.Directory.Account(id)
	return a.UserKey
}

// matchFR answers GET /localSolutions/FR/bankMatch.
func (s *Server) matchFR(ctx context.Context, in *matchFRIn) (*reply[matchFRJSON], error) {
	m, err := s.Bank.Match(ctx, in.by, bank.MatchRequest{
		RegistrationID: in.RegistrationID, Country: in.Country, IBAN: in.IBAN, BBAN: in.BBAN, BIC: in.BIC,
		Routing: in.Routing, BankCountry: in.BankCountry,
	})
	if err != nil {
		return nil, err
	}
	return ok(s.toMatchFRJSON(in.by, m)), s.countBank(ctx, in.by, auth.BankMatch, "FR", "bankMatch="+m.ID)
}

type matchAgainIn struct {
	caller
	ID string `query:"audition_id" required:"true" doc:"The id of a bank match."`
}

func (s *Server) matchAgain(ctx context.Context, in *matchAgainIn) (*reply[matchFRJSON], error) {
	m, err := s.Bank.MatchByID(ctx, in.by, in.ID)
	if err != nil {
		return nil, err
	}
	return ok(s.toMatchFRJSON(in.by, m)), s.noteBank(ctx, in.by, "bankMatch="+m.ID)
}
