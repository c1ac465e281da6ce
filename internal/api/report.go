package api

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/fault"
)

// maxReport is the largest report that is sent as it is; a larger one is
// fetched from an address of its own.
const maxReport = 10 << 20

// signedFor is how long that address lives.
const signedFor = 5 * time.Minute

type reportIn struct {
	caller
	ConnectID  string `path:"connectId" doc:"The company's connectId, or its safe number." example:"GB-0-03836192"`
	Language   string `query:"language" default:"en" doc:"Two letters. Words that we do not speak come in English."`
	Template   string `query:"template" default:"full" doc:"Which report: full, summary, financial or people. Names of other subscriptions are an error that lists ours."`
	Sections   string `query:"reportSections" doc:"Only these sections, separated by commas."`
	Fallback   bool   `query:"languageFallback" default:"true" doc:"With false, a language that we do not speak is an error."`
	CustomData string `query:"customData" doc:"key::value pairs that a country asks for, such as de_reason_code::1."`
	CallRef    string `query:"callRef" doc:"Your own reference for the call."`
	Accept     string `header:"Accept" doc:"application/json+pdf asks for the report as a PDF, in Base64 inside JSON." example:"application/json"`
}

// reportOut is a whole report, or where to fetch it.
type reportOut struct {
	Status   int
	Location string `header:"Location"`
	Type     string `header:"Content-Type"`
	Body     []byte
}

var twoLetters = regexp.MustCompile(`^[a-zA-Z]{2}$`)

// check finds every value that is wrong, not only the first.
func (in *reportIn) check(country string) (vocabulary, []string, error) {
	var wrong []string
	words, ok := speak(strings.ToLower(in.Language))
	switch {
	case !twoLetters.MatchString(in.Language):
		wrong = append(wrong, fmt.Sprintf("language: %q is not a language: use two letters such as en", fault.Clip(in.Language)))
	case !ok && !in.Fallback:
		wrong = append(wrong, fmt.Sprintf("language: we do not speak %q; we speak %s", in.Language, strings.Join(Languages(), ", ")))
	case !ok:
		words, _ = speak("en")
	}
	want := in.wanted()
	if _, ok := templates[strings.ToLower(in.Template)]; !ok {
		wrong = append(wrong, fmt.Sprintf("template: there is no template %q; there are %s", fault.Clip(in.Template), strings.Join(templateNames(), ", ")))
	}
	for _, name := range want {
		if !isSection(name) {
			wrong = append(wrong, fmt.Sprintf("reportSections: there is no section %q; there are %s", fault.Clip(name), strings.Join(sectionNames(), ", ")))
		}
	}
	wrong = append(wrong, checkCustomData(country, in.CustomData)...)
	if len(wrong) > 0 {
		return words, nil, fault.Invalid.Details("Bad request", wrong...)
	}
	return words, want, nil
}

// wanted are the sections that are asked for; none is all.
func (in *reportIn) wanted() []string {
	if in.Sections != "" {
		return splitList(in.Sections)
	}
	return templates[strings.ToLower(in.Template)]
}

// templates are sets of sections with a name. The full one is all of them.
var templates = map[string][]string{
	"full":      nil,
	"summary":   {"CompanySummary", "CompanyIdentification", "CreditScore", "ContactInformation"},
	"financial": {"CompanySummary", "CreditScore", "ShareCapitalStructure", "GlobalFinancialStatements", "OtherInformation"},
	"people":    {"CompanySummary", "ShareCapitalStructure", "Directors", "GroupStructure", "ExtendedGroupStructure"},
}

func templateNames() []string { return slices.Sorted(maps.Keys(templates)) }

// partsFor says what must be looked up for some sections.
func partsFor(want []string) company.ReportParts {
	any := func(names ...string) bool {
		return len(want) == 0 || slices.ContainsFunc(want, func(w string) bool {
			return slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, w) })
		})
	}
	return company.ReportParts{
		Group:   any("GroupStructure", "ExtendedGroupStructure"),
		History: any("CreditScore", "CompanyIdentification", "ContactInformation", "AdditionalInformation"),
	}
}

func sectionNames() []string {
	var out []string
	for _, s := range sections {
		out = append(out, s.name)
	}
	return out
}

func isSection(name string) bool {
	return slices.ContainsFunc(sectionNames(), func(n string) bool { return strings.EqualFold(n, name) })
}

// companyReport answers GET /companies/{connectId}.
func (s *Server) companyReport(ctx context.Context, in *reportIn) (*reportOut, error) {
	asPDF := wantsPDF(in.Accept)
	parts := partsFor(in.wanted())
	if asPDF {
		parts = company.ReportParts{Group: true, History: true}
	}
	// It is read in one go before it is known whether the caller may have it: nearly all may.
	r, err := s.Companies.Report(ctx, in.ConnectID, parts)
	if err != nil {
		return nil, err
	}
	country := r.ID.Country()
	if err := s.Gate.Allow(ctx, in.by, auth.Companies, country); err != nil {
		return nil, err
	}
	words, want, err := in.check(country)
	if err != nil {
		return nil, err
	}
	if err := s.veil(ctx, &r); err != nil {
		return nil, err
	}
	out := &reportOut{Status: http.StatusOK, Type: "application/json"}
	order := reportOrder{words: words, want: want, account: in.by.Account, correlation: in.correlation}
	if asPDF {
		out.Type = pdfType
		out.Body, err = s.pdfReport(r, order)
	} else {
		out.Body, err = s.reportBytes(r, order)
	}
	if err != nil {
		return nil, err
	}
	if err := s.Gate.CountRead(ctx, in.by, auth.Companies, country, "company="+string(r.ID)); err != nil {
		return nil, err
	}
	if len(out.Body) > maxReport && !asPDF {
		return &reportOut{Status: http.StatusFound, Location: s.signedReport(in, r.ID, words.code, want)}, nil
	}
	return out, nil
}

// pdfType is what clients ask for who want a PDF.
const pdfType = "application/json+pdf"

func wantsPDF(accept string) bool {
	for kind := range strings.SplitSeq(accept, ",") {
		kind, _, _ = strings.Cut(kind, ";")
		if strings.EqualFold(strings.TrimSpace(kind), pdfType) {
			return true
		}
	}
	return false
}

// A reportOrder is how a report is wanted, and by whom.
type reportOrder struct {
	words       vocabulary
	want        []string // sections; none is all
	account     auth.AccountID
	correlation string
}

func (s *Server) reportBytes(r company.Report, o reportOrder) ([]byte, error) {
	out := reportReplyJSON{
		CorrelationID: o.correlation, FailedSections: []string{}, CompanyID: string(r.ID), Language: o.words.code,
		DateOfOrder: s.orderedAt(), UserID: int64(o.account), OrderID: "N/A",
		Report: reportWriter{o.words}.write(r, o.want),
	}
	b, err := json.Marshal(out)
	if err != nil {
		return nil, fmt.Errorf("write the report of %s: %w", r.ID, err)
	}
	return append(b, '\n'), nil
}

func (s *Server) orderedAt() string { return s.Gate.Now().UTC().Format("2006-01-02T15:04:05Z") }

// signedReport is an address that needs no token, for a few minutes and this
// one report.
func (s *Server) signedReport(in *reportIn, id company.ID, language string, want []string) string {
	q := url.Values{
		"expires":  {strconv.FormatInt(s.Gate.Now().Add(signedFor).Unix(), 10)},
		"account":  {strconv.FormatInt(int64(in.by.Account), 10)},
		"language": {language}, "reportSections": {strings.Join(want, ",")},
	}
	path := "/v1/signed/companies/" + url.PathEscape(string(id))
	q.Set("signature", s.Vault.Sign(path+"?"+q.Encode()))
	return s.PublicURL + path + "?" + q.Encode()
}

// signedCompanyReport serves what signedReport leads to.
func (s *Server) signedCompanyReport(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	signature := q.Get("signature")
	q.Del("signature")
	id := r.PathValue("connectId")
	expires, err := strconv.ParseInt(q.Get("expires"), 10, 64)
	signed := "/v1/signed/companies/" + url.PathEscape(id) + "?" + q.Encode()
	if err != nil || !s.Vault.Signed(signed, signature) || s.Gate.Now().Unix() >= expires {
		s.fail(w, r, fault.Denied.Errorf("this address is not valid, or not any more: ask for the report again"))
		return
	}
	want := splitList(q.Get("reportSections"))
	rep, err := s.Companies.Report(r.Context(), id, partsFor(want))
	if err == nil {
		err = s.veil(r.Context(), &rep)
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	words, _ := speak(q.Get("language"))
	account, _ := strconv.ParseInt(q.Get("account"), 10, 64)
	b, err := s.reportBytes(rep, reportOrder{
		words: words, want: want, account: auth.AccountID(account), correlation: w.Header().Get(CorrelationHeader),
	})
	if err != nil {
		s.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(b)
}
