package api

import (
	"context"
	"strconv"
	"strings"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/monitor"
)

// portfolioRows are portfolios themselves and who sees them; the companies and
// the rules in them have their own.
func (s *Server) portfolioRows() []route {
	const one = "/monitoring/portfolios/{portfolioId}"
	return []route{
		get("/monitoring/user/details", auth.Monitoring, "monitoringUser", "Your account as monitoring knows it", s.monitoringUser, free,
			about("One entry: the account that the token belongs to.")),
		get("/monitoring/portfolios", auth.Monitoring, "portfolios", "Your portfolios", s.portfolios, free,
			about("Your own portfolios and those that are shared with you, in the order of their numbers. Those that are shared are listed once more, by name.")),
		post("/monitoring/portfolios", auth.Monitoring, "createPortfolio", "Make a portfolio", s.createPortfolio, creates,
			about("No company is in it and no rule is on. A new default takes the place of the last one. A name that you have given already is a 409.")),
		get(one, auth.Monitoring, "portfolio", "A portfolio", s.portfolio, free,
			about("Its name and its mail.")),
		patch(one, auth.Monitoring, "editPortfolio", "Change a portfolio", s.editPortfolio, free, clashes,
			about("What is left out stays as it is. Which portfolio is the default is for its owner to say.")),
		del(one, auth.Monitoring, "deletePortfolio", "Delete a portfolio", s.deletePortfolio, free,
			about("It goes with its companies, rules and events. Its owner alone may delete it.")),
		get(one+"/sharingPermissions", auth.Monitoring, "portfolioShares", "Who sees a portfolio", s.portfolioShares, free,
			about("The accounts of your company that the portfolio is shared with, and what each may do.")),
		patch(one+"/sharingPermissions", auth.Monitoring, "sharePortfolio", "Share a portfolio", s.sharePortfolio, free,
			about("Sets what other accounts of your company may do with it: any of view, add, edit, remove, with commas between them; all; or none, which takes the share away. "+
				"Every right includes view. Accounts that are not named keep what they have, unless revokeAll is set. Its owner alone may share it.")),
	}
}

// onPage cuts a list, of which one entry too many was asked for, to its page.
func onPage[T any](list []T, size int) (page []T, more bool) {
	if len(list) > size {
		return list[:size], true
	}
	return list, false
}

// PortfolioIn names a portfolio.
type PortfolioIn struct {
	caller
	Portfolio int64 `path:"portfolioId" minimum:"1" doc:"The portfolio's number." example:"100001"`
}

func (in *PortfolioIn) id() monitor.PortfolioID { return monitor.PortfolioID(in.Portfolio) }

// missingAs is an error with the words that this operation's clients know for a
// portfolio that is not there.
func missingAs(err error, words string) error {
	if v, ok := fault.Of(err); ok && v.Kind == fault.Missing && v.Text == monitor.NoPortfolio {
		return fault.Missing.Errorf("%s", words)
	}
	return err
}

const noPortfolioResource = "Portfolio resource not found"

// emailJSON has the address twice: lists and single portfolios spell it in two
// ways.
type emailJSON struct {
	FirstName    string `json:"firstName,omitempty"`
	LastName     string `json:"lastName,omitempty"`
	EmailAddress string `json:"emailAddress,omitempty" example:"ada@example.com"`
	Email        string `json:"email,omitempty" doc:"The same as emailAddress."`
}

func toEmailsJSON(list []monitor.Recipient) []emailJSON {
	out := make([]emailJSON, 0, len(list))
	for _, r := range list {
		out = append(out, emailJSON{FirstName: r.First, LastName: r.Last, EmailAddress: r.Address, Email: r.Address})
	}
	return out
}

func recipients(list []emailJSON) []monitor.Recipient {
	var out []monitor.Recipient
	for _, e := range list {
		address := e.EmailAddress
		if address == "" {
			address = e.Email
		}
		out = append(out, monitor.Recipient{First: e.FirstName, Last: e.LastName, Address: strings.TrimSpace(address)})
	}
	return out
}

type portfoliosIn struct {
	caller
	PageFilter
	Search string `query:"searchQuery" maxLength:"200" doc:"Part of the portfolio's name."`
}

type portfoliosJSON struct {
	CorrelationID string        `json:"correlationId"`
	Total         int64         `json:"totalCount" doc:"How many there are on all pages."`
	Paging        pagingJSON    `json:"paging"`
	Cursor        *string       `json:"cursor" doc:"Hand it back as after to read on; null at the end."`
	Data          portfolioData `json:"data"`
}

type portfolioData struct {
	Portfolios []portfolioEntry       `json:"portfolios" doc:"All that are on this page."`
	Shared     []sharedPortfolioEntry `json:"sharedPortfolios" doc:"Those of them that belong to another account."`
}

type portfolioEntry struct {
	PortfolioID int64       `json:"portfolioId"`
	Name        string      `json:"name"`
	IsDefault   bool        `json:"isDefault"`
	Emails      []emailJSON `json:"emails"`
	IsShared    int         `json:"isSharedPortfolio" enum:"0,1" doc:"1: it belongs to another account and is shared with you."`
	Permissions string      `json:"permissions" doc:"What you may do with it." example:"view,add"`
}

type sharedPortfolioEntry struct {
	PortfolioID int64  `json:"portfolioId"`
	Name        string `json:"name"`
}

// portfolioPlace is where a list of portfolios broke off.
type portfolioPlace struct {
	ID monitor.PortfolioID `json:"p"`
}

func (s *Server) portfolios(ctx context.Context, in *portfoliosIn) (*reply[portfoliosJSON], error) {
	of := "portfolios\x00" + in.Search
	var at portfolioPlace
	skip, err := in.place(s, in.by, of, &at)
	if err != nil {
		return nil, err
	}
	q := monitor.PortfolioQuery{Search: in.Search, After: at.ID, Skip: skip, Limit: in.Size + 1}
	list, total, err := s.Portfolios.List(ctx, in.by, q)
	if err != nil {
		return nil, err
	}
	page, more := onPage(list, in.Size)
	out := portfoliosJSON{CorrelationID: in.correlation, Total: total, Paging: in.paging(total)}
	out.Data = portfolioData{Portfolios: []portfolioEntry{}, Shared: []sharedPortfolioEntry{}}
	for _, p := range page {
		e := portfolioEntry{
			PortfolioID: int64(p.ID), Name: p.Name, IsDefault: p.Default,
			Emails: toEmailsJSON(p.Digest.To), Permissions: p.Rights.String(),
		}
		if p.Owner != in.by.Account {
			e.IsShared = 1
			out.Data.Shared = append(out.Data.Shared, sharedPortfolioEntry{e.PortfolioID, e.Name})
		}
		out.Data.Portfolios = append(out.Data.Portfolios, e)
	}
	if more {
		out.Cursor = textOrNull(s.sealCursor(in.by, of, portfolioPlace{page[len(page)-1].ID}))
	}
	return ok(out), nil
}

// portfolioBody is what can be said of a portfolio. What is nil was not said.
type portfolioBody struct {
	Name      *string      `json:"name,omitempty" doc:"At most 200 characters. You give each name once."`
	IsDefault *looseBool   `json:"isDefault,omitempty"`
	Emails    *[]emailJSON `json:"emails,omitempty" doc:"Who gets its mail."`
	Subject   *string      `json:"emailSubject,omitempty"`
	Language  *string      `json:"emailLanguage,omitempty" example:"en"`
	Frequency *looseText   `json:"frequency,omitempty" doc:"How many days go between two mails, from 1 to 31; 0 sends none."`
}

// into writes what was said into a portfolio.
func (b *portfolioBody) into(p *monitor.Portfolio) error {
	set(&p.Name, b.Name)
	set(&p.Digest.Subject, b.Subject)
	set(&p.Digest.Language, b.Language)
	if b.IsDefault != nil {
		p.Default = bool(*b.IsDefault)
	}
	if b.Emails != nil {
		p.Digest.To = recipients(*b.Emails)
	}
	if b.Frequency != nil {
		n, err := strconv.Atoi(strings.TrimSpace(string(*b.Frequency)))
		if *b.Frequency != "" && err != nil {
			return fault.Invalid.Details("Bad request", "frequency: "+strconv.Quote(fault.Clip(string(*b.Frequency)))+" is not a number of days")
		}
		p.Digest.Frequency = monitor.Frequency(n)
	}
	return nil
}

func set(into, from *string) {
	if from != nil {
		*into = *from
	}
}

type createPortfolioIn struct {
	caller
	Body portfolioBody
}

type createdPortfolioJSON struct {
	CorrelationID string `json:"correlationId"`
	PortfolioID   int64  `json:"portfolioId"`
	Name          string `json:"name"`
	IsDefault     bool   `json:"isDefault"`
}

func (s *Server) createPortfolio(ctx context.Context, in *createPortfolioIn) (*reply[createdPortfolioJSON], error) {
	p := monitor.Portfolio{Digest: monitor.Digest{Language: "en"}}
	if err := in.Body.into(&p); err != nil {
		return nil, err
	}
	p, err := s.Portfolios.Create(ctx, in.by, p)
	if err != nil {
		return nil, err
	}
	return ok(createdPortfolioJSON{in.correlation, int64(p.ID), p.Name, p.Default}), nil
}

type portfolioJSON struct {
	CorrelationID string      `json:"correlationId"`
	PortfolioID   int64       `json:"portfolioId"`
	Name          string      `json:"name"`
	IsDefault     bool        `json:"isDefault"`
	Subject       string      `json:"emailSubject"`
	Language      string      `json:"emailLanguage"`
	Frequency     string      `json:"frequency" doc:"How many days go between two mails; 0 sends none." example:"1"`
	Emails        []emailJSON `json:"emails"`
	Permissions   string      `json:"permissions" doc:"What you may do with it." example:"view,add,edit,remove"`
}

func (s *Server) portfolio(ctx context.Context, in *PortfolioIn) (*reply[portfolioJSON], error) {
	p, err := s.Portfolios.Portfolio(ctx, in.by, in.id())
	if err != nil {
		return nil, missingAs(err, noPortfolioResource)
	}
	return ok(portfolioJSON{
		CorrelationID: in.correlation, PortfolioID: int64(p.ID), Name: p.Name, IsDefault: p.Default,
		Subject: p.Digest.Subject, Language: p.Digest.Language, Frequency: strconv.Itoa(int(p.Digest.Frequency)),
		Emails: toEmailsJSON(p.Digest.To), Permissions: p.Rights.String(),
	}), nil
}

type editPortfolioIn struct {
	PortfolioIn
	Body portfolioBody
}

func (s *Server) editPortfolio(ctx context.Context, in *editPortfolioIn) (*none, error) {
	err := s.Portfolios.Edit(ctx, in.by, in.id(), in.Body.into)
	return nil, missingAs(err, noPortfolioResource)
}

// doneJSON says that something was done.
type doneJSON struct {
	CorrelationID string `json:"correlationId"`
	Message       string `json:"message"`
}

func (s *Server) deletePortfolio(ctx context.Context, in *PortfolioIn) (*reply[doneJSON], error) {
	if err := s.Portfolios.Delete(ctx, in.by, in.id()); err != nil {
		return nil, missingAs(err, noPortfolioResource)
	}
	return ok(doneJSON{in.correlation, "The portfolio was deleted with its companies, rules and events"}), nil
}
