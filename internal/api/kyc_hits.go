package api

import (
	"context"
	"fmt"
	"strings"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/kyc"
)

type kycHitsIn struct {
	KYCSearchIn
	KYCPage
	Decisions []string `query:"hitDecisions,explode" doc:"Any of undecided, trueMatch, falsePositive, discarded. None: all."`
}

// decisionsOf reads a filter: texts, or one text with commas.
func decisionsOf(list []string) (out []kyc.Decision, err error) {
	for _, text := range wordsOf(list) {
		d, err := kyc.ParseDecision(text)
		if err != nil {
			return nil, fault.Invalid.Details("Bad request", "hitDecisions: "+err.Error())
		}
		out = append(out, d)
	}
	return out, nil
}

func (k kycKind[S, H, D]) hits(s *Server) func(context.Context, *kycHitsIn) (*reply[kycListJSON[H]], error) {
	return func(ctx context.Context, in *kycHitsIn) (*reply[kycListJSON[H]], error) {
		decisions, err := decisionsOf(in.Decisions)
		if err != nil {
			return nil, err
		}
		of := fmt.Sprint(k.id, "Hits ", strings.ToLower(in.ID), decisions)
		var after kyc.HitPlace
		skip, err := in.place(s, in.by, of, &after)
		if err != nil {
			return nil, err
		}
		q := kyc.HitQuery{Search: kyc.SearchID(in.ID), Decisions: decisions, Skip: skip, Limit: in.Size}
		if in.After != "" {
			q.After = &after
		}
		search, page, err := s.KYC.Hits(ctx, in.by, k.person, q)
		if err != nil {
			return nil, err
		}
		out := kycListJSON[H]{Items: []H{}, TotalSize: page.Total, CorrelationID: in.correlation}
		who := s.namesOf(in.by)
		for _, h := range page.List {
			out.Items = append(out.Items, k.hit(h, who))
		}
		if page.More {
			last := page.List[len(page.List)-1]
			out.Cursor = textOrNull(s.sealCursor(in.by, of, kyc.HitPlace{Score: last.Score, ID: last.ID}))
		}
		return ok(out), s.noteKYC(ctx, in.by, auth.PersonRead, s.KYC.Mark(search), "kycHits="+string(search.ID))
	}
}

// KYCHitIn names a hit.
type KYCHitIn struct {
	KYCSearchIn
	Hit string `path:"hitId" maxLength:"64" doc:"The id of a hit of the search."`
}

func (k kycKind[S, H, D]) readHit(s *Server) func(context.Context, *KYCHitIn) (*reply[D], error) {
	return func(ctx context.Context, in *KYCHitIn) (*reply[D], error) {
		search, hit, past, err := s.KYC.Hit(ctx, in.by, k.person, kyc.SearchID(in.ID), kyc.HitID(in.Hit))
		if err != nil {
			return nil, err
		}
		return ok(k.detail(hit, past, s.namesOf(in.by))), s.noteKYC(ctx, in.by, auth.PersonRead, s.KYC.Mark(search), "kycHit="+string(hit.ID))
	}
}

// KYCRuling is what somebody thinks of a hit.
type KYCRuling struct {
	Decision *looseText `json:"decision,omitempty" doc:"undecided, trueMatch, falsePositive or discarded. Left out, only the note is new."`
	Note     *looseText `json:"note,omitempty"`
}

type kycDecideIn struct {
	KYCHitIn
	Body KYCRuling
}

func (k kycKind[S, H, D]) decide(s *Server) func(context.Context, *kycDecideIn) (*reply[H], error) {
	return func(ctx context.Context, in *kycDecideIn) (*reply[H], error) {
		hit, err := s.decideHit(ctx, in.by, k.person, in.ID, in.Hit, in.Body)
		if err != nil {
			return nil, err
		}
		return ok(k.hit(hit, s.namesOf(in.by))), nil
	}
}

// decideHit decides about a hit, and keeps in the audit log that somebody did.
func (s *Server) decideHit(ctx context.Context, by auth.Caller, person bool, search, id string, r KYCRuling) (kyc.SavedHit, error) {
	of, hit, err := s.KYC.Decide(ctx, by, person, kyc.SearchID(search), kyc.HitID(id), (*string)(r.Decision), (*string)(r.Note))
	if err != nil {
		return hit, err
	}
	return hit, s.noteKYC(ctx, by, auth.HitDecided, s.KYC.Mark(of),
		kyc.Deed{Category: kyc.OfSearch, Action: kyc.Updated, Search: string(hit.Search), Hit: string(hit.ID), Field: "decision", To: string(hit.Decision)}.Detail())
}

type kycHitRuling struct {
	KYCRuling
	ID string `json:"hitId" maxLength:"64"`
}

type kycDecideAllIn struct {
	KYCSearchIn
	Body struct {
		Items []kycHitRuling `json:"items" maxItems:"1000"`
	}
}

func (k kycKind[S, H, D]) decideAll(s *Server) func(context.Context, *kycDecideAllIn) (*reply[kycBulkJSON[kycHitRuling, H]], error) {
	return func(ctx context.Context, in *kycDecideAllIn) (*reply[kycBulkJSON[kycHitRuling, H]], error) {
		// A search that is not there is told once, not with every hit.
		if _, err := s.KYC.Search(ctx, in.by, k.person, kyc.SearchID(in.ID)); err != nil {
			return nil, err
		}
		who := s.namesOf(in.by)
		out, err := eachKYC(in.caller, in.Body.Items, func(item kycHitRuling) (H, error) {
			hit, err := s.decideHit(ctx, in.by, k.person, in.ID, item.ID, item.KYCRuling)
			return k.hit(hit, who), err
		})
		return ok(out), err
	}
}

type kycNoteIn struct {
	KYCHitIn
	Body struct {
		Note looseText `json:"note" doc:"In the place of the one before; empty takes it away." example:"\"Another date of birth.\""`
	}
}

func (k kycKind[S, H, D]) note(s *Server) func(context.Context, *kycNoteIn) (*reply[H], error) {
	return func(ctx context.Context, in *kycNoteIn) (*reply[H], error) {
		hit, err := s.decideHit(ctx, in.by, k.person, in.ID, in.Hit, KYCRuling{Note: &in.Body.Note})
		if err != nil {
			return nil, err
		}
		return ok(k.hit(hit, s.namesOf(in.by))), nil
	}
}
