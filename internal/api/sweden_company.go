package api

import (
	"context"
	"strconv"

	"bureau/internal/company"
	"bureau/internal/identity"
	"bureau/internal/national"
)

type dataUnitIn struct {
	caller
	SwedishIn
	Number  string `query:"searchnumber" doc:"An organisation's number." example:"5599900000"`
	Name    string `query:"name" maxLength:"255" doc:"A company's name, if you have no number."`
	Address string `query:"address" maxLength:"255" doc:"Only places whose address holds this."`
	Post    string `query:"postnr" maxLength:"10" doc:"Only places with this post code; without a number it finds companies by itself."`
}

type unitJSON struct {
	Number    string               `json:"organizationNumber"`
	Company   string               `json:"companyName"`
	CFAR      string               `json:"cfarNumber,omitempty" doc:"The unit's number at the statistics office, if it was loaded."`
	Office    string               `json:"officeType"`
	Status    string               `json:"status"`
	Employees string               `json:"employeeRange,omitempty"`
	Industry  *industryCodeJSON    `json:"industry,omitempty"`
	Address   swedishAddressJSON   `json:"address"`
	Contacts  *swedishContactsJSON `json:"contacts,omitempty"`
}

type industryCodeJSON struct {
	Code string `json:"code"`
	Text string `json:"description"`
}

type swedishAddressJSON struct {
	Date      string `json:"date,omitempty"`
	Full      string `json:"fullAddress"`
	WithoutCO string `json:"fullAddressWithoutCareOf"`
	CareOf    string `json:"careOf,omitempty"`
	Zip       string `json:"zipCode,omitempty"`
	Town      string `json:"town,omitempty"`
	Municipal string `json:"municipality,omitempty"`
	County    string `json:"county,omitempty"`
}

type swedishContactsJSON struct {
	Phones   []string `json:"telephone"`
	Emails   []string `json:"email"`
	Websites []string `json:"website"`
}

func toSwedishAddress(a company.Address) swedishAddressJSON {
	co := a
	co.CareOf = ""
	return swedishAddressJSON{Full: a.Line(), WithoutCO: co.Line(), CareOf: a.CareOf, Zip: a.Post, Town: a.City, County: a.Region}
}

func toIndustry(c *company.Company) *industryCodeJSON {
	if len(c.Activities) == 0 {
		return nil
	}
	return &industryCodeJSON{c.Activities[0].Code, c.Activities[0].Text}
}

// employeeRange is how many work there, in the steps of the statistics office.
func employeeRange(c *company.Company) string {
	if len(c.Employees) == 0 {
		return ""
	}
	if r := c.Employees[0].Range; r != "" {
		return r
	}
	steps := []int64{0, 4, 9, 19, 49, 99, 199, 499}
	n := c.Employees[0].Count
	for i, most := range steps {
		if n <= most {
			if i == 0 {
				return "0"
			}
			return strconv.FormatInt(steps[i-1]+1, 10) + "-" + strconv.FormatInt(most, 10)
		}
	}
	return "500-"
}

// otherID is a company's number of some scheme.
func otherID(c *company.Company, scheme string) string {
	for _, o := range c.OtherIDs {
		if o.Scheme == scheme {
			return o.ID
		}
	}
	return ""
}

func (s *Server) dataUnits(ctx context.Context, in *dataUnitIn) (*reply[swedishJSON[[]unitJSON]], error) {
	return swedish(ctx, s, in.caller, in.SwedishIn, func() ([]unitJSON, error) {
		list, err := s.Sweden.Units(ctx, in.Number, in.Name, in.Address, in.Post)
		if err != nil {
			return nil, err
		}
		out := []unitJSON{}
		for _, u := range list {
			c := &u.Company
			one := unitJSON{
				Number: c.ID.Number(), Company: c.Name, CFAR: otherID(c, "CFAR"), Office: u.Kind, Status: string(c.Status),
				Employees: employeeRange(c), Industry: toIndustry(c), Address: toSwedishAddress(u.Address),
			}
			if len(c.Phones)+len(c.Emails)+len(c.Websites) > 0 {
				one.Contacts = &swedishContactsJSON{append([]string{}, c.Phones...), append([]string{}, c.Emails...), append([]string{}, c.Websites...)}
			}
			out = append(out, one)
		}
		return out, nil
	})
}

type dateCheckIn struct {
	caller
	SwedishIn
	Number string `query:"searchnumber" doc:"The number of the organisation or the person." example:"5599900000"`
	Since  string `query:"referencedate" doc:"YYMMDD, YYYYMMDD or YYYY-MM-DD." example:"2026-01-31"`
}

type dateCheckJSON struct {
	Number     string             `json:"searchNumber"`
	Since      string             `json:"referenceDate"`
	Changed    bool               `json:"changed" doc:"Anything changed since."`
	Categories []dateCategoryJSON `json:"categories" doc:"Those in which something changed."`
}

type dateCategoryJSON struct {
	Category string `json:"category"`
	Date     string `json:"lastChanged"`
}

func toDateCheck(in *dateCheckIn, list []national.Checked) dateCheckJSON {
	out := dateCheckJSON{Number: in.Number, Since: in.Since, Changed: len(list) > 0, Categories: []dateCategoryJSON{}}
	for _, c := range list {
		out.Categories = append(out.Categories, dateCategoryJSON{c.Category, c.On.UTC().Format("2006-01-02")})
	}
	return out
}

func (s *Server) companyDates(ctx context.Context, in *dateCheckIn) (*reply[swedishJSON[dateCheckJSON]], error) {
	return swedish(ctx, s, in.caller, in.SwedishIn, func() (dateCheckJSON, error) {
		list, err := s.Sweden.CompanyDates(ctx, in.Number, in.Since)
		return toDateCheck(in, list), err
	})
}

func (s *Server) consumerDates(ctx context.Context, in *dateCheckIn) (*reply[swedishJSON[dateCheckJSON]], error) {
	return swedish(ctx, s, in.caller, in.SwedishIn, func() (dateCheckJSON, error) {
		id, list, err := s.Sweden.ConsumerDates(ctx, in.Number, in.Since)
		if err != nil {
			return dateCheckJSON{}, err
		}
		return toDateCheck(in, list), s.countPeople(ctx, in.by, "datecheck", id)
	})
}

type signatoryIn struct {
	caller
	SwedishIn
	Number string `query:"searchnumber" doc:"An organisation's number." example:"5599900000"`
}

type signatoryJSON struct {
	Company      string         `json:"companyId"`
	Coverage     string         `json:"coverage" enum:"complete,partial,none" doc:"How much of the signing rule was understood."`
	DayToDay     [][]signerJSON `json:"adminSign" doc:"Who may sign for the daily running."`
	Combinations [][]signerJSON `json:"combinations" doc:"Who may sign together. No combination has another within it."`
}

type signerJSON struct {
	Name      string     `json:"name"`
	Positions []seatJSON `json:"positions"`
	Number    string     `json:"personalNumber,omitempty"`
}

type seatJSON struct {
	Code int    `json:"roleCode"`
	Name string `json:"roleName"`
}

var roleNames = map[national.Role][2]string{
	national.OtherRole: {"Other", "Övrig"}, national.Chair: {"Chair", "Ordförande"}, national.Member: {"Board member", "Ledamot"},
	national.CEO: {"Managing director", "Verkställande direktör"}, national.DeputyMember: {"Deputy board member", "Suppleant"},
	national.DeputyCEO: {"Deputy managing director", "Vice verkställande direktör"}, national.SpecialSignatory: {"Signatory", "Firmatecknare"},
}

func toSigner(p national.Signer, language string) signerJSON {
	out := signerJSON{Name: p.Name, Number: p.Number, Positions: []seatJSON{}}
	for _, r := range p.Roles {
		name := roleNames[r][0]
		if language == "sv" {
			name = roleNames[r][1]
		}
		out.Positions = append(out.Positions, seatJSON{int(r), name})
	}
	return out
}

func (s *Server) signatories(ctx context.Context, in *signatoryIn) (*reply[swedishJSON[[]signatoryJSON]], error) {
	return swedish(ctx, s, in.caller, in.SwedishIn, func() ([]signatoryJSON, error) {
		got, err := s.Sweden.Signatories(ctx, in.Number)
		if err != nil {
			return nil, err
		}
		spell := func(list [][]int) [][]signerJSON {
			out := [][]signerJSON{}
			for _, places := range list {
				var one []signerJSON
				for _, i := range places {
					one = append(one, toSigner(got.Signers[i], in.Language))
				}
				out = append(out, one)
			}
			return out
		}
		out := signatoryJSON{got.Company.ID.Number(), string(got.Coverage), spell(got.DayToDay), spell(got.Combinations)}
		return []signatoryJSON{out}, s.countPeople(ctx, in.by, "getsignatory", got.Shown...)
	})
}

type swedishSearchIn struct {
	caller
	SwedishIn
	Text    string `query:"namesearchnumber" maxLength:"255" doc:"A name or a number."`
	Form    string `query:"companytype" maxLength:"20" doc:"A legal form, such as AB."`
	Address string `query:"address" maxLength:"255" doc:"Part of the address."`
}

type swedishFoundJSON struct {
	Number  string              `json:"searchNumber"`
	Name    string              `json:"name"`
	Type    string              `json:"companyType,omitempty"`
	Status  string              `json:"status,omitempty"`
	Address *swedishAddressJSON `json:"address,omitempty"`
}

func (s *Server) findSwedishCompanies(ctx context.Context, in *swedishSearchIn) (*reply[swedishJSON[[]swedishFoundJSON]], error) {
	return swedish(ctx, s, in.caller, in.SwedishIn, func() ([]swedishFoundJSON, error) {
		list, err := s.Sweden.FindCompanies(ctx, in.Text, in.Form, in.Address)
		if err != nil {
			return nil, err
		}
		out := []swedishFoundJSON{}
		for i := range list {
			c := &list[i]
			one := swedishFoundJSON{Number: c.ID.Number(), Name: c.Name, Type: national.FormCode(c), Status: string(c.Status)}
			if len(c.Addresses) > 0 && !c.Withheld {
				a := toSwedishAddress(c.Addresses[0])
				one.Address = &a
			}
			out = append(out, one)
		}
		return out, nil
	})
}

func (s *Server) findSwedishPeople(ctx context.Context, in *swedishSearchIn) (*reply[swedishJSON[[]swedishFoundJSON]], error) {
	return swedish(ctx, s, in.caller, in.SwedishIn, func() ([]swedishFoundJSON, error) {
		list, err := s.Sweden.FindPeople(ctx, in.Text, in.Address)
		if err != nil {
			return nil, err
		}
		out := []swedishFoundJSON{}
		var shown []identity.ID
		for i := range list {
			c := &list[i]
			one := swedishFoundJSON{Number: c.Number, Name: c.Name.Full()}
			if a, ok := c.Current(); ok {
				at := toHomeAddress(c, a)
				one.Address = &at
			}
			out, shown = append(out, one), append(shown, c.ID())
		}
		return out, s.countPeople(ctx, in.by, "search consumer", shown...)
	})
}
