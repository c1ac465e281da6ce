package api

import (
	"context"
	"strings"

	"bureau/internal/auth"
	"bureau/internal/kyc"
)

// profileSearchRows are the calls about the searches of a profile.
func (s *Server) profileSearchRows() []route {
	const one = "/kyc-protect/profiles/{profileId}/searches"
	return []route{
		get(one, auth.KYC, "profileSearches", "The searches of a profile", s.profileSearches, free, mayMiss, about("The newest first, of people and businesses alike.")),
		post(one+"/link", auth.KYC, "linkSearches", "Link searches to a profile", s.linkSearches, free, mayMiss,
			about("Each by itself: what cannot be linked is told under failed, and does not hold up the others.")),
		del(one+"/link", auth.KYC, "unlinkSearches", "Unlink searches from a profile", s.unlinkSearches, free, mayMiss,
			about("The searches stay. What is not linked is told under failed.")),
	}
}

type profileSearchesIn struct {
	caller
	ProfileOf
	ProfilePage
	Scheduled string `query:"isScheduled" enum:"true,false," doc:"Only those that are on a schedule, or only those that are not."`
}

func (s *Server) profileSearches(ctx context.Context, in *profileSearchesIn) (*reply[kycListJSON[individualSearchJSON]], error) {
	q := kyc.LinkQuery{Skip: in.skip(), Limit: in.Size}
	if in.Scheduled != "" {
		is := in.Scheduled == "true"
		q.Scheduled = &is
	}
	list, total, err := s.Profiles.Links.LinkedSearches(ctx, in.by, in.profile(), q)
	if err != nil {
		return nil, err
	}
	set, err := s.KYC.Settings(ctx, in.by.Customer)
	if err != nil {
		return nil, err
	}
	who := s.namesOf(in.by)
	out := kycListJSON[individualSearchJSON]{Items: []individualSearchJSON{}, TotalSize: total, CorrelationID: in.correlation}
	for _, search := range list {
		shown := toIndividualSearchJSON(kycShown{Search: search, set: set}, who)
		if !search.Subject.Person {
			shown.Type = "business"
		}
		out.Items = append(out.Items, shown)
	}
	return ok(out), s.noteTaken(ctx, in.by, "kycProfileSearches="+string(in.profile()))
}

type linkSearchesIn struct {
	caller
	ProfileOf
	Body struct {
		Searches []string `json:"searchIds" doc:"The ids of searches."`
	}
}

func (s *Server) linkSearches(ctx context.Context, in *linkSearchesIn) (*reply[kycBulkJSON[string, string]], error) {
	return s.eachLink(ctx, in, s.Profiles.LinkSearch)
}

func (s *Server) unlinkSearches(ctx context.Context, in *linkSearchesIn) (*reply[kycBulkJSON[string, string]], error) {
	return s.eachLink(ctx, in, s.Profiles.UnlinkSearch)
}

func (s *Server) eachLink(ctx context.Context, in *linkSearchesIn, do func(context.Context, auth.Caller, kyc.ProfileID, kyc.SearchID) error) (*reply[kycBulkJSON[string, string]], error) {
	if err := s.Profiles.CanLink(ctx, in.by, in.profile(), len(in.Body.Searches)); err != nil {
		return nil, err
	}
	out, err := eachKYC(in.caller, in.Body.Searches, func(id string) (string, error) {
		id = strings.ToLower(strings.TrimSpace(id))
		return id, do(ctx, in.by, in.profile(), kyc.SearchID(id))
	})
	return ok(out), err
}
