package api

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/monitor"
)

// portfolioCompanyRows are the companies in a portfolio.
func (s *Server) portfolioCompanyRows() []route {
	const (
		one       = "/monitoring/portfolios/{portfolioId}"
		companies = one + "/companies"
		pairs     = "The answer counts pairs of portfolio and company. A pair fails where the company is in the other portfolio already, or is not in this one."
	)
	return []route{
		get(one+"/countries", auth.Monitoring, "portfolioCountries", "The countries of a portfolio", s.portfolioCountries, free,
			about("Where the companies in it are registered.")),
		get(one+"/riskSummary", auth.Monitoring, "portfolioRisk", "A portfolio by rating band", s.portfolioRisk, free,
			about("How many of its companies are in each band, and the share among those that have one.")),
		get(companies, auth.Monitoring, "portfolioCompanies", "The companies in a portfolio", s.portfolioCompanies, free,
			about("In the order of their connectIds, with what you noted and what the register knows.")),
		post(companies, auth.Monitoring, "addCompany", "Add a company to a portfolio", s.addCompany, creates, inCountryOf,
			about("From now on it is watched by the rules that are on. One that is in already is a 409, and stays as it is.")),
		post(companies+"/copy", auth.Monitoring, "copyCompanies", "Copy companies to other portfolios", s.copyCompanies, creates,
			about("They are put into the other portfolios with what you noted. "+pairs)),
		post(companies+"/remove", auth.Monitoring, "moveCompanies", "Move companies to other portfolios", s.moveCompanies, creates,
			about("They are put into the other portfolios with what you noted, and taken out of this one. "+pairs+" What was put nowhere stays.")),
		patch(companies+"/clear", auth.Monitoring, "clearCompanies", "Take several companies out of a portfolio", s.clearCompanies, free,
			about("Those that are not in it are passed over.")),
		get(companies+"/{companyId}", auth.Monitoring, "portfolioCompany", "A company in a portfolio", s.portfolioCompany, free,
			about("What you noted and what the register knows.")),
		patch(companies+"/{companyId}", auth.Monitoring, "editCompany", "Change what is noted on a company", s.editCompany, free,
			about("What is left out stays as it is.")),
		del(companies+"/{companyId}", auth.Monitoring, "removeCompany", "Take a company out of a portfolio", s.removeCompany, free,
			about("What happened before is still told; what was told stays.")),
	}
}

// inCountryOf counts the call for the country of the company that it adds.
func inCountryOf(r *route) {
	r.countryOf = func(in any) string {
		id, err := company.ParseID(string(in.(*addCompanyIn).Body.ID))
		if err != nil {
			return "" // a safe number: whose it is comes out later
		}
		return id.Country()
	}
}

func (s *Server) portfolioCountries(ctx context.Context, in *PortfolioIn) (*reply[[]string], error) {
	list, err := s.Portfolios.Countries(ctx, in.by, in.id())
	if err != nil {
		return nil, err
	}
	return ok(orEmpty(list)), nil
}

type riskJSON struct {
	CorrelationID string  `json:"correlationId"`
	Total         int64   `json:"totalCompanies"`
	CountA        int64   `json:"bandACount"`
	ShareA        float64 `json:"bandApc" doc:"Per cent of the companies that have a band."`
	CountB        int64   `json:"bandBCount"`
	ShareB        float64 `json:"bandBpc"`
	CountC        int64   `json:"bandCCount"`
	ShareC        float64 `json:"bandCpc"`
	CountD        int64   `json:"bandDCount"`
	ShareD        float64 `json:"bandDpc"`
	CountE        int64   `json:"bandECount"`
	ShareE        float64 `json:"bandEpc"`
}

func (s *Server) portfolioRisk(ctx context.Context, in *PortfolioIn) (*reply[riskJSON], error) {
	b, err := s.Portfolios.Bands(ctx, in.by, in.id())
	if err != nil {
		return nil, err
	}
	out := riskJSON{CorrelationID: in.correlation, Total: b.Total}
	var rated int64
	for _, n := range b.Of {
		rated += n
	}
	for _, x := range []struct {
		band  string
		count *int64
		share *float64
	}{
		{"A", &out.CountA, &out.ShareA},
		{"B", &out.CountB, &out.ShareB},
		{"C", &out.CountC, &out.ShareC},
		{"D", &out.CountD, &out.ShareD},
		{"E", &out.CountE, &out.ShareE},
	} {
		if *x.count = b.Of[x.band]; rated > 0 {
			*x.share = float64(*x.count) / float64(rated) * 100
		}
	}
	return ok(out), nil
}

type portfolioCompaniesIn struct {
	PortfolioIn
	PageFilter
	Search  string `query:"searchQuery" maxLength:"200" doc:"Part of the name, the connectId, the safe number, your reference or your notes."`
	Country string `query:"countryCode" doc:"Only companies of this country." example:"GB"`
	Events  bool   `query:"events" doc:"Only companies with events."`
}

type portfolioCompaniesJSON struct {
	CorrelationID string        `json:"correlationId"`
	Total         int64         `json:"totalCount" doc:"How many there are on all pages."`
	Paging        pagingJSON    `json:"paging"`
	Cursor        *string       `json:"cursor" doc:"Hand it back as after to read on; null at the end."`
	Data          []WatchedJSON `json:"data"`
}

// WatchedJSON is a company in a portfolio.
type WatchedJSON struct {
	ID                string   `json:"id" example:"GB-0-99000001"`
	ConnectID         string   `json:"connectId" doc:"The same as id."`
	SafeNumber        string   `json:"safeNumber"`
	Name              string   `json:"name"`
	Address           string   `json:"address"`
	CountryCode       string   `json:"countryCode"`
	PortfolioID       int64    `json:"portfolioId"`
	CreditLimit       *float64 `json:"creditLimit" doc:"The register's."`
	DateLastEvent     *string  `json:"dateLastEvent"`
	FreeText          *string  `json:"freeText" doc:"Your notes."`
	PersonalLimit     *string  `json:"personalLimit" doc:"Your own credit limit for it."`
	PersonalReference *string  `json:"personalReference" doc:"Your own number for it."`
	RatingCommon      *string  `json:"ratingCommon" doc:"The rating band, A to E."`
	RatingLocal       *string  `json:"ratingLocal" doc:"The score, 0 to 100."`
	CompanyStatus     *string  `json:"companyStatus" example:"Active"`
	DateAdded         string   `json:"dateAdded" example:"2026-02-28T05:33:02"`
	DateModified      string   `json:"dateModified"`
}

func toWatchedJSON(id monitor.PortfolioID, w *monitor.Watched) WatchedJSON {
	f := &w.Facts
	address, _ := mainAddress(f.Facts)
	out := WatchedJSON{
		ID: string(w.Company), ConnectID: string(w.Company), SafeNumber: cmp.Or(f.SafeNo, w.Company.SafeNo()),
		Name: f.Name, Address: address.Line(), CountryCode: w.Company.Country(), PortfolioID: int64(id),
		DateLastEvent: naiveOrNull(w.LastEventAt), FreeText: textOrNull(w.Notes), PersonalLimit: textOrNull(w.Limit),
		PersonalReference: textOrNull(w.Reference), CompanyStatus: textOrNull(string(f.Status)),
		DateAdded: naive(w.AddedAt), DateModified: naive(w.ChangedAt),
	}
	if f.Score != nil {
		out.RatingCommon, out.RatingLocal = textOrNull(f.Score.Band), textOrNull(strconv.Itoa(f.Score.Value))
		if f.Score.Limit != (company.Money{}) {
			limit := major(f.Score.Limit.Minor)
			out.CreditLimit = &limit
		}
	}
	return out
}

// companyPlace is where a list of companies broke off.
type companyPlace struct {
	ID company.ID `json:"c"`
}

func (s *Server) portfolioCompanies(ctx context.Context, in *portfolioCompaniesIn) (*reply[portfolioCompaniesJSON], error) {
	q := monitor.MemberQuery{Search: in.Search, Told: in.Events, Limit: in.Size + 1}
	var err error
	if in.Country != "" {
		if q.Country, err = knownCountry("countryCode", in.Country); err != nil {
			return nil, err
		}
	}
	of := strings.Join([]string{"companies of", decimal(in.Portfolio), in.Search, q.Country, boolWord(in.Events)}, "\x00")
	var at companyPlace
	if q.Skip, err = in.place(s, in.by, of, &at); err != nil {
		return nil, err
	}
	q.After = at.ID
	list, total, err := s.Portfolios.Members(ctx, in.by, in.id(), q)
	if err != nil {
		return nil, err
	}
	page, more := onPage(list, in.Size)
	out := portfolioCompaniesJSON{CorrelationID: in.correlation, Total: total, Paging: in.paging(total), Data: []WatchedJSON{}}
	for i := range page {
		out.Data = append(out.Data, toWatchedJSON(in.id(), &page[i]))
	}
	if more {
		out.Cursor = textOrNull(s.sealCursor(in.by, of, companyPlace{page[len(page)-1].Company}))
	}
	return ok(out), nil
}

type addCompanyIn struct {
	PortfolioIn
	Body struct {
		ID        looseText `json:"id" doc:"A connectId or safe number."`
		Reference looseText `json:"personalReference,omitempty" doc:"Your own number for it, at most 200 characters."`
		Notes     looseText `json:"freeText,omitempty" doc:"Your notes, at most 4000 characters."`
		Limit     looseText `json:"personalLimit,omitempty" doc:"Your own credit limit for it, at most 50 characters."`
	}
}

func (s *Server) addCompany(ctx context.Context, in *addCompanyIn) (*reply[doneJSON], error) {
	m := monitor.Member{Reference: string(in.Body.Reference), Notes: string(in.Body.Notes), Limit: string(in.Body.Limit)}
	if err := s.Portfolios.Add(ctx, in.by, in.id(), string(in.Body.ID), m); err != nil {
		return nil, err
	}
	return ok(doneJSON{in.correlation, "Company Added"}), nil
}

// moveBody says what goes where.
type moveBody struct {
	Portfolios []int64 `json:"portfolios" doc:"The numbers of the other portfolios."`
	Companies  []struct {
		ID string `json:"id" doc:"A connectId or safe number."`
	} `json:"companies,omitempty"`
}

func (b *moveBody) read() (to []monitor.PortfolioID, names []string) {
	for _, id := range b.Portfolios {
		to = append(to, monitor.PortfolioID(id))
	}
	for _, c := range b.Companies {
		names = append(names, c.ID)
	}
	return to, names
}

type movedJSON struct {
	CorrelationID string    `json:"correlationId"`
	Data          movedData `json:"data"`
}

type movedData struct {
	Total  int    `json:"totalPortfoliosCompanies"`
	Done   int    `json:"successfulPortfoliosCompanies"`
	Failed int    `json:"failedPortfoliosCompanies"`
	Reason string `json:"reason" doc:"Why some failed; empty if none did."`
}

func moved(correlation string, done, all int) *reply[movedJSON] {
	d := movedData{Total: all, Done: done, Failed: all - done}
	if d.Failed > 0 {
		d.Reason = "Companies that are in the other portfolio already, or are not in this one"
	}
	return ok(movedJSON{correlation, d})
}

type copyCompaniesIn struct {
	PortfolioIn
	All  bool `query:"copyAll" doc:"Every company; then companies must be empty."`
	Body moveBody
}

func (s *Server) copyCompanies(ctx context.Context, in *copyCompaniesIn) (*reply[movedJSON], error) {
	to, names := in.Body.read()
	done, all, err := s.Portfolios.Copy(ctx, in.by, in.id(), to, names, in.All)
	if err != nil {
		return nil, err
	}
	return moved(in.correlation, done, all), nil
}

type moveCompaniesIn struct {
	PortfolioIn
	All  bool `query:"removeAll" doc:"Every company; then companies must be empty."`
	Body moveBody
}

func (s *Server) moveCompanies(ctx context.Context, in *moveCompaniesIn) (*reply[movedJSON], error) {
	to, names := in.Body.read()
	done, all, err := s.Portfolios.Move(ctx, in.by, in.id(), to, names, in.All)
	if err != nil {
		return nil, err
	}
	return moved(in.correlation, done, all), nil
}

type clearCompaniesIn struct {
	PortfolioIn
	All  bool `query:"clearAll" doc:"Every company; then companies must be empty."`
	Body struct {
		Companies []string `json:"companies,omitempty" doc:"Their connectIds or safe numbers."`
	}
}

func (s *Server) clearCompanies(ctx context.Context, in *clearCompaniesIn) (*reply[doneJSON], error) {
	n, err := s.Portfolios.Clear(ctx, in.by, in.id(), in.Body.Companies, in.All)
	if err != nil {
		return nil, missingAs(err, "Portfolios not found")
	}
	return ok(doneJSON{in.correlation, fmt.Sprintf("Companies removed: %d", n)}), nil
}

type PortfolioCompanyIn struct {
	PortfolioIn
	Company string `path:"companyId" doc:"A connectId or safe number." example:"GB-0-99000001"`
}

type portfolioCompanyJSON struct {
	CorrelationID string `json:"correlationId"`
	WatchedJSON
}

func (s *Server) portfolioCompany(ctx context.Context, in *PortfolioCompanyIn) (*reply[portfolioCompanyJSON], error) {
	w, err := s.Portfolios.Member(ctx, in.by, in.id(), in.Company)
	if err != nil {
		return nil, err
	}
	return ok(portfolioCompanyJSON{in.correlation, toWatchedJSON(in.id(), &w)}), nil
}

type editCompanyIn struct {
	PortfolioCompanyIn
	Body struct {
		Reference *looseText `json:"personalReference,omitempty" doc:"Your own number for it, at most 200 characters."`
		Notes     *looseText `json:"freeText,omitempty" doc:"Your notes, at most 4000 characters."`
		Limit     *looseText `json:"personalLimit,omitempty" doc:"Your own credit limit for it, at most 50 characters."`
	}
}

func (s *Server) editCompany(ctx context.Context, in *editCompanyIn) (*reply[doneJSON], error) {
	err := s.Portfolios.EditMember(ctx, in.by, in.id(), in.Company, func(m *monitor.Member) {
		set(&m.Reference, (*string)(in.Body.Reference))
		set(&m.Notes, (*string)(in.Body.Notes))
		set(&m.Limit, (*string)(in.Body.Limit))
	})
	if err != nil {
		return nil, err
	}
	return ok(doneJSON{in.correlation, "Company updated"}), nil
}

func (s *Server) removeCompany(ctx context.Context, in *PortfolioCompanyIn) (*reply[doneJSON], error) {
	if err := s.Portfolios.Remove(ctx, in.by, in.id(), in.Company); err != nil {
		return nil, err
	}
	return ok(doneJSON{in.correlation, "Company removed"}), nil
}
