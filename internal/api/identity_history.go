package api

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"bureau/internal/identity"
)

type identityHistoryIn struct {
	caller
	Page     string   `query:"page" doc:"From 1 on." example:"1"`
	Size     string   `query:"pageSize" doc:"How many rows, at most 1000." example:"50"`
	Whole    string   `query:"includeCustomer" doc:"true: of your whole company; otherwise your own."`
	Products []string `query:"products,explode" doc:"Consumer, Id, AML, BankMatch, AMLWithBankMatch, or their numbers 0 to 4."`
	From     string   `query:"dateFrom" doc:"From this time on." example:"2026-01-31T00:00:00"`
	To       string   `query:"dateTo" doc:"Up to this time; a day without a time is meant to its end."`
	Keyword  string   `query:"keyword" maxLength:"200" doc:"Part of the name or the reference."`
	Result   string   `query:"result" doc:"Pass, Refer or Fail; 2, 1 and 0 are taken too."`
}

// Resolve reads the parameters in whatever casing they come: it has changed over
// the years.
func (in *identityHistoryIn) Resolve(ctx huma.Context) []error {
	at := ctx.URL()
	for name, values := range at.Query() {
		one := values[len(values)-1]
		switch strings.ToLower(strings.TrimSuffix(name, "[]")) {
		case "page":
			in.Page = one
		case "pagesize":
			in.Size = one
		case "includecustomer":
			in.Whole = one
		case "products":
			in.Products = values
		case "datefrom":
			in.From = one
		case "dateto":
			in.To = one
		case "keyword":
			in.Keyword = one
		case "result":
			in.Result = one
		}
	}
	return nil
}

func (in *identityHistoryIn) query() (q identity.SearchQuery, err error) {
	var wrong wrongs
	page, size := 1, 50
	for _, n := range []struct {
		name, text string
		into       *int
		most       int
	}{{"page", in.Page, &page, 1 << 20}, {"pageSize", in.Size, &size, 1000}} {
		if n.text == "" {
			continue
		}
		if *n.into, err = strconv.Atoi(n.text); err != nil || *n.into < 1 || *n.into > n.most {
			wrong.say(n.name, "it is a number from 1 to %d", n.most)
		}
	}
	q.Skip, q.Limit, q.Keyword = (page-1)*size, size, in.Keyword
	switch strings.ToLower(in.Whole) {
	case "true", "1":
		q.Whole = true
	case "", "false", "0":
	default:
		wrong.say("includeCustomer", "it is true or false")
	}
	for _, text := range wordsOf(in.Products) {
		for one := range strings.SplitSeq(text, ",") {
			p, err := identity.ParseProduct(one)
			if err != nil {
				wrong.say("products", "%s", err)
			}
			q.Products = append(q.Products, p)
		}
	}
	for _, d := range []struct {
		name, text string
		into       *time.Time
	}{{"dateFrom", in.From, &q.From}, {"dateTo", in.To, &q.Until}} {
		if *d.into, err = timeOf(d.text); err != nil {
			wrong.say(d.name, "%s", err)
		}
	}
	switch {
	case q.Until.IsZero():
	case len(strings.TrimSpace(in.To)) == len(time.DateOnly):
		q.Until = q.Until.AddDate(0, 0, 1)
	default:
		q.Until = q.Until.Add(time.Millisecond)
	}
	if in.Result != "" {
		band, ok := identity.ParseBand(in.Result)
		if q.Result = band; !ok {
			wrong.say("result", "it is Pass, Refer or Fail")
		}
	}
	return q, wrong.fault()
}

type identityHistoryJSON struct {
	Total int64             `json:"totalCount"`
	Data  []identityRowJSON `json:"data"`
}

type identityRowJSON struct {
	UniqueID    string    `json:"uniqueId"`
	CustomerID  int64     `json:"customerId"`
	UserID      int64     `json:"userId"`
	At          string    `json:"searchTime"`
	SearchText  string    `json:"searchText"`
	Reference   string    `json:"reference"`
	HasConsumer bool      `json:"hasConsumer"`
	HasID       bool      `json:"hasId"`
	HasAML      bool      `json:"hasAml"`
	HasBank     bool      `json:"hasBankMatch"`
	HasAMLBank  bool      `json:"hasAmlWithBankMatch"`
	Reason      *string   `json:"consumerReason"`
	Band        *int      `json:"consumerBand1"`
	Score       *int      `json:"consumerScore1"`
	AMLType     string    `json:"amlType"`
	AMLID       string    `json:"amlId"`
	AMLResult   int       `json:"amlResult" enum:"0,1,2" doc:"0 fail, 1 refer, 2 pass."`
	AMLAlerts   bool      `json:"amlHasAlerts"`
	Revalidated bool      `json:"amlHasRevalidated"`
	CanAgain    bool      `json:"amlCanRevalidate"`
	Input       inputJSON `json:"input"`
}

var bandNumbers = map[identity.Band]int{identity.Fail: 0, identity.Refer: 1, identity.Pass: 2}

func (s *Server) identityHistory(ctx context.Context, in *identityHistoryIn) (*reply[identityHistoryJSON], error) {
	q, err := in.query()
	if err != nil {
		return nil, err
	}
	list, total, err := s.Identity.Searches(ctx, in.by, q)
	if err != nil {
		return nil, err
	}
	out := identityHistoryJSON{Total: total, Data: []identityRowJSON{}}
	var shown []identity.ID
	for _, one := range list {
		out.Data = append(out.Data, toIdentityRow(in.caller, one))
		shown = append(shown, one.Consumer)
	}
	slices.Sort(shown)
	return ok(out), s.Gate.NotePeople(context.WithoutCancel(ctx), in.by, s.marks(slices.Compact(shown)...), "identitySearches")
}

func toIdentityRow(c caller, s identity.Search) identityRowJSON {
	has := func(p identity.Product) bool { return slices.Contains(s.Question.Products, p) }
	out := identityRowJSON{
		UniqueID: s.ID, CustomerID: int64(c.by.Customer), UserID: int64(s.Account), At: naive(s.At), SearchText: searchText(s), Reference: s.Question.Reference,
		HasConsumer: has(identity.ConsumerSearch), HasID: has(identity.IDSearch), HasAML: has(identity.AMLSearch), HasBank: has(identity.BankSearch),
		HasAMLBank: has(identity.AMLBankSearch), AMLResult: bandNumbers[s.Answer.Result], Revalidated: !s.Revalidated.IsZero(), Input: toInputJSON(c, s),
	}
	if out.HasConsumer {
		out.Reason = textOrNull(string(s.Question.Reason))
	}
	if r := s.Answer.Report; r != nil && r.Score != nil {
		out.Band, out.Score = &r.Score.Band, &r.Score.Value
	}
	if a := s.Answer.AML; a != nil {
		out.AMLType, out.AMLID, out.AMLAlerts, out.CanAgain = "AML", s.ID, a.Alerts, true
	}
	return out
}
