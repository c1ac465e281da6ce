package api

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/identity"
)

const identityPath = "/localSolutions/GB/identitysearch"

// identityRows are what can be asked about British identities.
func (s *Server) identityRows() []route {
	gb := inCountry("GB")
	return []route{
		post(identityPath, auth.Identity, "identitySearch", "Who is this person?", s.searchIdentities, gb, countsItself, creates,
			about("Looks for a person by name, date of birth and address. A consumer search needs a reason and tells what is held against the person; "+
				"an AML search says which databases confirm them. Where several people fit alike the answer is a pick-list. Question and answer are kept in your history; "+
				"a question that makes no sense is refused and not kept.")),
		put(identityPath, auth.Identity, "resolveIdentity", "Choose from a pick-list", s.resolveIdentity, gb, countsItself, mayMiss,
			about("Answers a search that had a pick-list with the option that you chose.")),
		get(identityPath+"/searchreasons", auth.Identity, "identityReasons", "Reasons for a search", s.identityReasons, gb, free,
			about("The reasons that a consumer search takes.")),
		get(identityPath+"/history", auth.Identity, "identityHistory", "What you asked before", s.identityHistory, gb, free,
			about("The newest first. Parameters are read in any casing.")),
		get(identityPath+"/history/{uniqueId}", auth.Identity, "identityById", "One earlier search", s.identityByID, gb, free,
			about("What you asked and were told. Of a person who may not be shown any more only the question is left.")),
		get(identityPath+"/history/{uniqueId}/input", auth.Identity, "identityInput", "What an earlier search asked", s.identityInput, gb, free,
			about("The question of an earlier search as it was understood, without its answer.")),
		put(identityPath+"/history/{uniqueId}/reference", auth.Identity, "identityReference", "Give a search another reference", s.referIdentity, gb, free,
			about("The body is the reference, as a JSON string.")),
		put(identityPath+"/revalidation/{uniqueId}", auth.Identity, "revalidateIdentity", "Look at documents as well", s.revalidateIdentity, gb, countsItself,
			about("Compares the numbers of documents with those that are held of the person, and decides anew. The numbers are not kept.")),
	}
}

// marks name people in the audit log.
func (s *Server) marks(ids ...identity.ID) (out []string) {
	for _, id := range ids {
		if id != "" {
			out = append(out, s.Vault.Person(string(id)))
		}
	}
	return out
}

// countSearch counts a search, and keeps who was shown and why. It happened,
// whether or not the caller still waits for the answer.
func (s *Server) countSearch(ctx context.Context, by auth.Caller, found identity.Search) error {
	people := s.marks(found.Consumer)
	for _, o := range found.Options {
		people = append(people, s.marks(o.Consumer)...)
	}
	return s.Gate.CountPeople(context.WithoutCancel(ctx), by, auth.Identity, "GB", people, lookedUp(found))
}

// lookedUp is what the audit log says of a search.
func lookedUp(found identity.Search) string {
	return "identitySearch=" + found.ID + " reason=" + string(found.Question.Reason)
}

type identitySearchIn struct {
	caller
	Body identityAskJSON
}

func (s *Server) searchIdentities(ctx context.Context, in *identitySearchIn) (*reply[identityJSON], error) {
	q, err := in.Body.question()
	if err != nil {
		return nil, err
	}
	found, err := s.Identity.Search(ctx, in.by, q)
	if err != nil {
		return nil, err
	}
	return ok(toIdentityJSON(in.caller, found)), s.countSearch(ctx, in.by, found)
}

type resolveIdentityIn struct {
	caller
	ID       string   `query:"uniqueId" maxLength:"64" doc:"The search. It may be in the body too."`
	Resolved []string `query:"resolved" doc:"The value of the option that you choose."`
	Body     *struct {
		ID       string   `json:"uniqueId,omitempty" maxLength:"64"`
		Resolved []string `json:"resolved,omitempty"`
	} `required:"false"`
}

func (s *Server) resolveIdentity(ctx context.Context, in *resolveIdentityIn) (*reply[identityJSON], error) {
	if in.Body != nil {
		if in.ID == "" {
			in.ID = in.Body.ID
		}
		in.Resolved = append(in.Resolved, in.Body.Resolved...)
	}
	if in.ID == "" {
		return nil, fault.Invalid.Details("Bad request", "uniqueId: it is missing")
	}
	if err := knownForm(in.ID); err != nil {
		return nil, err
	}
	found, err := s.Identity.Resolve(ctx, in.by, in.ID, in.Resolved)
	if err != nil {
		return nil, err
	}
	return ok(toIdentityJSON(in.caller, found)), s.countSearch(ctx, in.by, found)
}

// knownForm refuses what cannot be the id of a search before a database sees it.
func knownForm(id string) error {
	if id == "" || len(id) > 64 || strings.Trim(id, "0123456789abcdefABCDEF-") != "" {
		return fault.Missing.Errorf("Identity search not found")
	}
	return nil
}

type reasonsIn struct{ caller }

type reasonsJSON struct {
	Data    map[string]bool     `json:"data" doc:"Each reason, and whether you may use it."`
	Message *string             `json:"message"`
	Errors  map[string][]string `json:"errors"`
}

func (s *Server) identityReasons(context.Context, *reasonsIn) (*reply[reasonsJSON], error) {
	out := reasonsJSON{Data: map[string]bool{}, Errors: map[string][]string{}}
	for _, r := range identity.SearchReasons() {
		out.Data[string(r)] = true
	}
	return ok(out), nil
}

type identityIDIn struct {
	caller
	ID string `path:"uniqueId" maxLength:"64" doc:"The uniqueId of a search."`
}

func (s *Server) identityByID(ctx context.Context, in *identityIDIn) (*reply[identityJSON], error) {
	found, err := s.earlier(ctx, in)
	if err != nil {
		return nil, err
	}
	return ok(toIdentityJSON(in.caller, found)), nil
}

// earlier reads a search again, which is kept in the audit log and costs
// nothing.
func (s *Server) earlier(ctx context.Context, in *identityIDIn) (identity.Search, error) {
	if err := knownForm(in.ID); err != nil {
		return identity.Search{}, err
	}
	found, err := s.Identity.Found(ctx, in.by, in.ID)
	if err != nil {
		return found, err
	}
	if found.Service != identity.IdentitySearchService {
		return found, fault.Missing.Errorf("Identity search not found")
	}
	return found, s.Gate.NotePeople(context.WithoutCancel(ctx), in.by, s.marks(found.Consumer), lookedUp(found))
}

func (s *Server) identityInput(ctx context.Context, in *identityIDIn) (*reply[identityJSON], error) {
	found, err := s.earlier(ctx, in)
	if err != nil {
		return nil, err
	}
	found.Answer, found.Options = identity.Answer{}, nil
	return ok(toIdentityJSON(in.caller, found)), nil
}

type referIdentityIn struct {
	caller
	ID   string `path:"uniqueId" maxLength:"64" doc:"The uniqueId of a search."`
	Body looseText
}

func (s *Server) referIdentity(ctx context.Context, in *referIdentityIn) (*reply[string], error) {
	if err := knownForm(in.ID); err != nil {
		return nil, err
	}
	return ok(string(in.Body)), s.Identity.SetReference(ctx, in.by, in.ID, string(in.Body))
}

type revalidateIdentityIn struct {
	caller
	ID   string `path:"uniqueId" maxLength:"64" doc:"The uniqueId of an AML search."`
	Body struct {
		ID          *string  `json:"uniqueId,omitempty"`
		Passport    *paperIn `json:"passport,omitempty"`
		Licence     *paperIn `json:"driversLicense,omitempty"`
		Electricity *paperIn `json:"electricitySupplier,omitempty"`
		Card        *paperIn `json:"europeanIDCard,omitempty"`
		Insurance   *paperIn `json:"niNumber,omitempty"`
		Account     *paperIn `json:"bankAccountDetails,omitempty"`
	}
}

// paperIn is a document. Clients write its number as a text, or as an object
// with the number under one of several names.
type paperIn struct {
	Number, SortCode string
}

func (p *paperIn) UnmarshalJSON(text []byte) error {
	var plain looseText
	if err := plain.UnmarshalJSON(text); err == nil {
		p.Number = string(plain)
		return nil
	}
	var object map[string]looseText
	if err := json.Unmarshal(text, &object); err != nil {
		return err
	}
	for name, value := range object {
		switch name = strings.ToLower(name); {
		case strings.Contains(name, "sortcode"):
			p.SortCode = string(value)
		case strings.Contains(name, "number") || name == "mrz" || name == "mpan":
			p.Number = string(value)
		}
	}
	return nil
}

// Schema tells huma what is allowed.
func (paperIn) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Description: "The number of the document, alone or in an object under number; an account also has a sortCode.",
		AnyOf: []*huma.Schema{
			{Type: huma.TypeString, Nullable: true},
			{Type: huma.TypeNumber},
			{Type: huma.TypeObject, AdditionalProperties: true, Properties: map[string]*huma.Schema{
				"number": {Type: huma.TypeString}, "sortCode": {Type: huma.TypeString},
			}},
		},
		Examples: []any{map[string]any{"number": "123456789"}},
	}
}

func (s *Server) revalidateIdentity(ctx context.Context, in *revalidateIdentityIn) (*reply[identityJSON], error) {
	if err := knownForm(in.ID); err != nil {
		return nil, err
	}
	var papers []identity.Paper
	for _, p := range []struct {
		kind identity.DocumentKind
		in   *paperIn
	}{
		{identity.Passport, in.Body.Passport},
		{identity.DrivingLicence, in.Body.Licence},
		{identity.ElectricityMeter, in.Body.Electricity},
		{identity.IDCard, in.Body.Card},
		{identity.NationalInsurance, in.Body.Insurance},
	} {
		if p.in != nil && p.in.Number != "" {
			papers = append(papers, identity.Paper{Kind: p.kind, Number: p.in.Number})
		}
	}
	var account identity.BankAccount
	if a := in.Body.Account; a != nil {
		account = identity.BankAccount{SortCode: a.SortCode, Number: a.Number}
	}
	found, err := s.Identity.Revalidate(ctx, in.by, in.ID, papers, account)
	if err != nil {
		return nil, err
	}
	return ok(toIdentityJSON(in.caller, found)), s.countSearch(ctx, in.by, found)
}
