package api

import (
	"context"
	"fmt"

	"bureau/internal/auth"
	"bureau/internal/kyc"
)

type searchIndividualIn struct {
	caller
	Body struct {
		Name      looseText  `json:"name,omitempty" doc:"The whole name, in any order and script; or firstName and lastName." example:"\"Ada Hollbrook\""`
		First     looseText  `json:"firstName,omitempty"`
		Middle    looseText  `json:"middleName,omitempty"`
		Last      looseText  `json:"lastName,omitempty"`
		Born      looseText  `json:"dateOfBirth,omitempty" doc:"A day or a year."`
		Gender    looseText  `json:"gender,omitempty" doc:"male or female."`
		Countries looseList  `json:"countryCodes,omitempty" doc:"Two letters each."`
		Threshold *looseInt  `json:"threshold,omitempty" doc:"50 to 100: how near a name must be. 75 if it is left out." example:"75"`
		Datasets  looseList  `json:"datasets,omitempty" doc:"PEP, PEP-CURRENT, PEP-FORMER, PEP-LINKED, SAN, SAN-CURRENT, SAN-FORMER, INS, AM, POI, ENF, DD. None: all."`
		Bodies    *looseList `json:"sanctionBodies,omitempty" doc:"Whose sanctions are looked at. Left out: those of your company's settings; empty: all."`
		Tiers     looseList  `json:"pepTiers,omitempty" doc:"pepTier1, pepTier2, pepTier3. None: all."`
	}
}

type searchBusinessIn struct {
	caller
	Body struct {
		Name      string     `json:"name" doc:"In any script." example:"Example Shipping Ltd"`
		Countries looseList  `json:"countryCodes,omitempty" doc:"Two letters each."`
		Threshold *looseInt  `json:"threshold,omitempty" doc:"50 to 100: how near a name must be. 75 if it is left out." example:"75"`
		Datasets  looseList  `json:"datasets,omitempty" doc:"PEP, PEP-LINKED, SAN, SAN-CURRENT, SAN-FORMER, INS, AM, POI, ENF, SOE, SOE-CURRENT, SOE-FORMER. None: all."`
		Bodies    *looseList `json:"sanctionBodies,omitempty" doc:"Whose sanctions are looked at. Left out: those of your company's settings; empty: all."`
	}
}

func or[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

// atLeastOne is a threshold as it was sent; one of 0 must not be taken for the
// default.
func atLeastOne(threshold *looseInt) int {
	if threshold != nil && *threshold == 0 {
		return -1
	}
	return int(or(threshold))
}

func (s *Server) searchIndividual(ctx context.Context, in *searchIndividualIn) (*reply[individualSearchJSON], error) {
	b := in.Body
	made, err := s.screen(ctx, in.by, kyc.Request{
		Person: true, Name: string(b.Name), First: string(b.First), Middle: string(b.Middle), Last: string(b.Last), Born: string(b.Born), Gender: string(b.Gender),
		Countries: b.Countries, Threshold: atLeastOne(b.Threshold), Datasets: b.Datasets, Bodies: or(b.Bodies), Preferred: b.Bodies == nil, Tiers: b.Tiers,
	})
	if err != nil {
		return nil, err
	}
	return ok(individuals.shown(s, in.caller, made.Search, made.Settings)), nil
}

func (s *Server) searchBusiness(ctx context.Context, in *searchBusinessIn) (*reply[businessSearchJSON], error) {
	b := in.Body
	made, err := s.screen(ctx, in.by, kyc.Request{
		Name: b.Name, Countries: b.Countries, Threshold: atLeastOne(b.Threshold), Datasets: b.Datasets, Bodies: or(b.Bodies), Preferred: b.Bodies == nil,
	})
	if err != nil {
		return nil, err
	}
	return ok(businesses.shown(s, in.caller, made.Search, made.Settings)), nil
}

// screen makes a search. It is kept, counted and in the audit log, or none of it.
func (s *Server) screen(ctx context.Context, by auth.Caller, r kyc.Request) (*kyc.Saving, error) {
	made, err := s.KYC.Screen(ctx, by, r)
	if err != nil {
		return nil, err
	}
	// It happened, whether or not the caller still waits for the answer.
	return made, s.Gate.CountParcel(context.WithoutCancel(ctx), by, auth.KYC, made)
}

// answerSearch is a search as it is answered, once it was noted.
func answerSearch[S, H, D any](ctx context.Context, s *Server, k kycKind[S, H, D], in caller, search kyc.Search, noted error) (*reply[S], error) {
	if noted != nil {
		return nil, noted
	}
	set, err := s.KYC.Settings(ctx, in.by.Customer)
	if err != nil {
		return nil, err
	}
	return ok(k.shown(s, in, search, set)), nil
}

// shown is a search by itself, with the id of the call.
func (k kycKind[S, H, D]) shown(s *Server, in caller, search kyc.Search, set kyc.Settings) S {
	return k.search(kycShown{search, set, in.correlation}, s.namesOf(in.by))
}

type kycSearchesIn struct {
	caller
	KYCPage
	Scheduled string `query:"isScheduled" enum:"true,false," doc:"Only those that are on a schedule, or only those that are not."`
}

func (k kycKind[S, H, D]) list(s *Server) func(context.Context, *kycSearchesIn) (*reply[kycListJSON[S]], error) {
	return func(ctx context.Context, in *kycSearchesIn) (*reply[kycListJSON[S]], error) {
		of := fmt.Sprint(k.id, "Searches ", in.Scheduled)
		var after kyc.SearchPlace
		skip, err := in.place(s, in.by, of, &after)
		if err != nil {
			return nil, err
		}
		q := kyc.SearchQuery{Person: k.person, Skip: skip, Limit: in.Size}
		if in.After != "" {
			q.After = &after
		}
		if in.Scheduled != "" {
			is := in.Scheduled == "true"
			q.Scheduled = &is
		}
		page, err := s.KYC.List(ctx, in.by, q)
		if err != nil {
			return nil, err
		}
		set, err := s.KYC.Settings(ctx, in.by.Customer)
		if err != nil {
			return nil, err
		}
		out := kycListJSON[S]{Items: []S{}, TotalSize: page.Total, CorrelationID: in.correlation}
		who := s.namesOf(in.by)
		for _, search := range page.List {
			out.Items = append(out.Items, k.search(kycShown{Search: search, set: set}, who))
		}
		if page.More {
			last := page.List[len(page.List)-1]
			out.Cursor = textOrNull(s.sealCursor(in.by, of, kyc.SearchPlace{At: last.CreatedAt, ID: last.ID}))
		}
		return ok(out), s.noteKYC(ctx, in.by, auth.PersonRead, "", "kycSearches")
	}
}

// KYCSearchIn names a search.
type KYCSearchIn struct {
	caller
	ID string `path:"searchId" maxLength:"64" doc:"The id of a search."`
}

func (k kycKind[S, H, D]) read(s *Server) func(context.Context, *KYCSearchIn) (*reply[S], error) {
	return func(ctx context.Context, in *KYCSearchIn) (*reply[S], error) {
		search, err := s.KYC.Search(ctx, in.by, k.person, kyc.SearchID(in.ID))
		if err != nil {
			return nil, err
		}
		return answerSearch(ctx, s, k, in.caller, search, s.noteKYC(ctx, in.by, auth.PersonRead, s.KYC.Mark(search), "kycSearch="+string(search.ID)))
	}
}

// KYCEdit is what can be changed of a search.
type KYCEdit struct {
	AssignedTo *looseInt  `json:"assignedToUserId,omitempty" doc:"An account of your company; 0 for nobody."`
	Status     *looseText `json:"status,omitempty" doc:"new, approved, declined, pending, cancelled, referred or closed."`
	Risk       *looseText `json:"riskRating,omitempty" doc:"notApplicable, veryLow, low, medium, high or veryHigh."`
	Note       *looseText `json:"note,omitempty"`
}

func (e KYCEdit) edit() kyc.Edit {
	return kyc.Edit{Status: (*string)(e.Status), Risk: (*string)(e.Risk), AssignedTo: (*auth.AccountID)(e.AssignedTo), Note: (*string)(e.Note)}
}

type kycUpdateIn struct {
	KYCSearchIn
	Body KYCEdit
}

func (k kycKind[S, H, D]) update(s *Server) func(context.Context, *kycUpdateIn) (*reply[S], error) {
	return func(ctx context.Context, in *kycUpdateIn) (*reply[S], error) {
		search, err := s.changeSearch(ctx, in.by, k.person, in.ID, in.Body)
		if err != nil {
			return nil, err
		}
		return answerSearch(ctx, s, k, in.caller, search, nil)
	}
}

// changeSearch changes a search, and keeps in the audit log that it was.
func (s *Server) changeSearch(ctx context.Context, by auth.Caller, person bool, id string, e KYCEdit) (kyc.Search, error) {
	search, err := s.KYC.Update(ctx, by, person, kyc.SearchID(id), e.edit())
	if err != nil {
		return search, err
	}
	return search, s.noteKYC(ctx, by, auth.SearchChanged, s.KYC.Mark(search),
		kyc.Deed{Category: kyc.OfSearch, Action: kyc.Updated, Search: string(search.ID), Field: "status", To: string(search.Status)}.Detail())
}

type kycSearchEdit struct {
	KYCEdit
	ID string `json:"searchId" maxLength:"64"`
}

type kycUpdateAllIn struct {
	caller
	Body struct {
		Items []kycSearchEdit `json:"items" maxItems:"1000"`
	}
}

func (k kycKind[S, H, D]) updateAll(s *Server) func(context.Context, *kycUpdateAllIn) (*reply[kycBulkJSON[kycSearchEdit, S]], error) {
	return func(ctx context.Context, in *kycUpdateAllIn) (*reply[kycBulkJSON[kycSearchEdit, S]], error) {
		set, err := s.KYC.Settings(ctx, in.by.Customer)
		if err != nil {
			return nil, err
		}
		who := s.namesOf(in.by)
		out, err := eachKYC(in.caller, in.Body.Items, func(item kycSearchEdit) (S, error) {
			search, err := s.changeSearch(ctx, in.by, k.person, item.ID, item.KYCEdit)
			return k.search(kycShown{Search: search, set: set}, who), err
		})
		return ok(out), err
	}
}
