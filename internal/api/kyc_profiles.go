package api

import (
	"context"
	"strconv"
	"strings"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/kyc"
)

// profileRows are the calls about profiles. Keeping one is no use of the
// product; searching for its subject is.
func (s *Server) profileRows() []route {
	const profiles, one = "/kyc-protect/profiles", "/kyc-protect/profiles/{profileId}"
	return []route{
		post(profiles, auth.KYC, "createProfile", "Create a profile", s.createProfile, free, created, creates, clashes,
			about("A file on somebody that you do business with, or mean to: who they are, how far their examination has come, and who looks after it. An internalId names one profile of your company.")),
		get(profiles, auth.KYC, "profiles", "Your company's profiles", s.listProfiles, free,
			about("The newest first, unless sortBy says otherwise. What a profile does not have sorts behind what others have.")),
		del(profiles, auth.KYC, "deleteProfiles", "Delete several profiles", s.deleteProfiles, free, mayMiss,
			about("All of them, with their notes and addresses, or none if one is not there.")),
		get(one, auth.KYC, "profile", "A profile", s.readProfile, free, mayMiss,
			about("One profile with its status, its risk, who looks after it and when it is due for review.")),
		put(one, auth.KYC, "updateProfile", "Change a profile", s.updateProfile, free, mayMiss, clashes,
			about("What is left out is emptied. Details, addresses and notes have calls of their own.")),
		del(one, auth.KYC, "deleteProfile", "Delete a profile", s.deleteProfile, free, mayMiss,
			about("With its notes and addresses. The audit log still says that there was one.")),
		get(profiles+"/types", auth.KYC, "profileTypes", "What profiles can be", s.profileTypes, free,
			about("The values that type takes when a profile is made.")),
		put(profiles+"/assign", auth.KYC, "assignProfile", "Give a profile to a colleague", s.assignProfile, free, mayMiss,
			about("Without a userId nobody looks after it any more.")),
		put(profiles+"/assign/bulk", auth.KYC, "assignProfiles", "Give several profiles to a colleague", s.assignProfiles, free, mayMiss,
			about("All of them, or none if one is not there.")),
		get(one+"/details", auth.KYC, "profileDetails", "What is known of a profile's subject", s.profileDetails, free, mayMiss,
			about("The names, numbers, contacts and figures that are noted of the subject.")),
		put(one+"/details", auth.KYC, "updateProfileDetails", "Change what is known of a profile's subject", s.updateProfileDetails, free, mayMiss,
			about("What is left out is emptied.")),
		post(one+"/details/addresses", auth.KYC, "createProfileAddress", "Add an address", s.createProfileAddress, free, created, creates, mayMiss, clashes,
			about("A subject may have several addresses: the registered one, those where it trades, and others.")),
		get(one+"/details/addresses", auth.KYC, "profileAddresses", "The addresses of a profile's subject", s.profileAddresses, free, mayMiss,
			about("Every address that is noted of the subject.")),
		get(one+"/details/addresses/{addressId}", auth.KYC, "profileAddress", "An address", s.profileAddress, free, mayMiss,
			about("One address of the subject.")),
		put(one+"/details/addresses/{addressId}", auth.KYC, "updateProfileAddress", "Change an address", s.updateProfileAddress, free, mayMiss,
			about("What is left out is emptied.")),
		del(one+"/details/addresses/{addressId}", auth.KYC, "deleteProfileAddress", "Delete an address", s.deleteProfileAddress, free, mayMiss,
			about("The audit trail keeps that there was one, and not what it said.")),
		post(one+"/notes", auth.KYC, "createProfileNote", "Write a note", s.createProfileNote, free, created, creates, mayMiss,
			about("A note has a writer and a time, and can be changed or archived later.")),
		get(one+"/notes", auth.KYC, "profileNotes", "The notes on a profile", s.profileNotes, free, mayMiss, about("The newest first, archived ones too unless isArchived says otherwise.")),
		get(one+"/notes/{noteId}", auth.KYC, "profileNote", "A note", s.profileNote, free, mayMiss,
			about("One note, with who wrote it and who changed it last.")),
		put(one+"/notes/{noteId}", auth.KYC, "updateProfileNote", "Change or archive a note", s.updateProfileNote, free, mayMiss,
			about("What is left out stays as it is.")),
		del(one+"/notes/{noteId}", auth.KYC, "deleteProfileNote", "Delete a note", s.deleteProfileNote, free, mayMiss,
			about("To keep a note out of sight without losing it, archive it instead.")),
		get("/kyc-protect/lookup/currencyCodes", auth.KYC, "kycCurrencies", "The currencies that profiles take", s.kycCurrencies, free,
			about("The ISO 4217 codes that amounts in profiles take.")),
		get("/kyc-protect/lookup/countryCodes", auth.KYC, "kycCountries", "The countries that profiles and searches take", s.kycCountries, free,
			about("The ISO 3166 codes that profiles and searches take.")),
	}
}

// ProfilePage is which page of a list is wanted. Pages count from 1.
type ProfilePage struct {
	Page int `query:"page" minimum:"1" maximum:"1000000" default:"1" doc:"Which page, from 1."`
	Size int `query:"pageSize" minimum:"1" maximum:"1000" default:"10" doc:"Entries on a page."`
}

func (p *ProfilePage) skip() int { return (p.Page - 1) * p.Size }

// ProfileOf is the id of a profile in a path.
type ProfileOf struct {
	Profile string `path:"profileId" format:"uuid" doc:"The profile's id." example:"9a7ae0c8-f473-4ab6-8dbb-03fc061630cc"`
}

func (p *ProfileOf) profile() kyc.ProfileID { return kyc.ProfileID(strings.ToLower(p.Profile)) }

// ProfileJSON is a profile. What is null is not known, or did not happen. It is
// exported, as is what else is part of several answers: huma passes over parts
// that are not.
type ProfileJSON struct {
	ID         string  `json:"id" format:"uuid"`
	Name       string  `json:"name"`
	Risk       string  `json:"riskRating" enum:"notApplicable,veryLow,low,medium,high,veryHigh"`
	Status     string  `json:"status" enum:"new,approved,declined,pending,cancelled,referred,closed,approvedReviewDue"`
	Type       string  `json:"type" enum:"trust,individual,soleTrader,company,plc,partnership,otherEntity"`
	InternalID *string `json:"internalId" doc:"Your own number of it."`
	AssignedID *int64  `json:"assignedToId" doc:"Who looks after it."`
	Assigned   *string `json:"assignedTo" doc:"Their name."`
	SafeNumber *string `json:"safeNumber" doc:"Of a company that was taken from the register; null for what was entered by hand."`
	CompanyID  *string `json:"companyId" doc:"The same company's connectId."`
	Formed     *string `json:"formationDate" doc:"When the company was formed."`
	CreatedAt  string  `json:"createdAt"`
	CreatedID  int64   `json:"createdById"`
	CreatedBy  string  `json:"createdBy"`
	ModifiedAt *string `json:"modifiedAt"`
	ModifiedID *int64  `json:"modifiedById"`
	ModifiedBy *string `json:"modifiedBy"`
	ApprovedAt *string `json:"kycApprovedAt" doc:"When its status last became approved."`
	ReviewOn   *string `json:"kycReviewOn" doc:"The day on which it is to be looked at again."`
	JudgedAt   *string `json:"kycStatusUpdatedOn" doc:"When its status last changed."`
	Comments   *string `json:"kycComments"`
	Notes      int     `json:"noteCount"`
	Attached   int     `json:"attachmentCount" doc:"Profiles take no attachments yet."`
	Parties    int     `json:"keyPartyCount" doc:"Profiles take no key parties yet."`
	Owners     int     `json:"uboCount" doc:"Profiles take no key parties yet."`
	Alerts     int     `json:"openAlertCount" doc:"Undecided hits of ongoing screening on its searches."`
	Made       string  `json:"modeOfCreation" enum:"manual,batch" doc:"By hand or call, or from an uploaded file."`
	Import     *string `json:"importStatus" doc:"Of a profile that is being taken from the register."`
	Locked     bool    `json:"isLocked" doc:"true while it is being taken from the register."`
}

func (s *Server) toProfileJSON(p *kyc.Profile) ProfileJSON {
	out := ProfileJSON{
		ID: string(p.ID), Name: p.Name, Risk: string(p.Risk), Status: string(p.Status), Type: string(p.Type),
		InternalID: textOrNull(p.InternalID), CreatedAt: naive(p.Created.At), CreatedID: int64(p.Created.By), CreatedBy: s.userName(p.Created.By),
		ApprovedAt: naiveOrNull(p.Approved), ReviewOn: textOrNull(string(p.ReviewOn)), JudgedAt: naiveOrNull(p.Judged),
		Comments: textOrNull(p.Comments), Notes: p.Notes, Made: p.Made,
	}
	out.AssignedID, out.Assigned = s.userOrNull(p.Assigned)
	out.ModifiedAt, out.ModifiedID, out.ModifiedBy = s.actOrNull(p.Modified)
	return out
}

// userName is what a colleague is called; the user key, where nobody gave a
// name.
func (s *Server) userName(id auth.AccountID) string {
	a, _ := s.Directory.Account(id)
	if name := strings.TrimSpace(a.First + " " + a.Surname); name != "" {
		return name
	}
	return a.UserKey
}

func (s *Server) userOrNull(id auth.AccountID) (number *int64, name *string) {
	if id == 0 {
		return nil, nil
	}
	n, text := int64(id), s.userName(id)
	return &n, &text
}

func (s *Server) actOrNull(a kyc.Act) (at *string, id *int64, name *string) {
	if a.At.IsZero() {
		return nil, nil, nil
	}
	id, name = s.userOrNull(a.By)
	return naiveOrNull(a.At), id, name
}

// numberOf is 0 for what is not there.
func numberOf(n *int64) auth.AccountID {
	if n == nil {
		return 0
	}
	return auth.AccountID(*n)
}

type createProfileIn struct {
	caller
	Body struct {
		Name       string      `json:"name" doc:"What you call it." example:"Example Bakeries"`
		Type       string      `json:"type" enum:"trust,individual,soleTrader,company,plc,partnership,otherEntity" example:"company"`
		InternalID *string     `json:"internalId,omitempty" doc:"Your own number of it; no two profiles share one."`
		Assigned   *int64      `json:"assignedToId,omitempty" doc:"The userId of the colleague who looks after it."`
		ReviewOn   *string     `json:"kycReviewOn,omitempty" doc:"The day on which it is to be looked at again." example:"2027-01-31"`
		Status     *string     `json:"status,omitempty" doc:"new, if it is left out." example:"new"`
		Risk       *string     `json:"riskRating,omitempty" doc:"notApplicable, if it is left out." example:"low"`
		Comments   *string     `json:"kycComments,omitempty"`
		Details    detailsBody `json:"details"`
	}
}

// newProfileJSON is a profile with its details.
type newProfileJSON struct {
	ProfileJSON
	Details       profileDetailsJSON `json:"details"`
	CorrelationID string             `json:"correlationId"`
}

func (s *Server) createProfile(ctx context.Context, in *createProfileIn) (*reply[newProfileJSON], error) {
	b := in.Body
	p, err := s.Profiles.Create(ctx, in.by, kyc.Profile{
		Name: b.Name, Type: kyc.ProfileType(b.Type), InternalID: textOf(b.InternalID), Assigned: numberOf(b.Assigned),
		ReviewOn: company.Date(textOf(b.ReviewOn)), Status: kyc.ProfileStatus(textOf(b.Status)), Risk: kyc.RiskRating(textOf(b.Risk)),
		Comments: textOf(b.Comments), Details: b.Details.details(),
	})
	if err != nil {
		return nil, err
	}
	return ok(newProfileJSON{s.toProfileJSON(&p), s.toProfileDetailsJSON(&p), in.correlation}), nil
}

type listProfilesIn struct {
	caller
	ProfilePage
	Term         string   `query:"searchTerm" maxLength:"200" doc:"Part of a name or of an internalId."`
	Assignees    []string `query:"assignees,explode" doc:"Only profiles that these colleagues look after."`
	ReviewAfter  string   `query:"kycReviewAfter" doc:"Only profiles to be looked at again on this day or later." example:"2026-01-31"`
	ReviewBefore string   `query:"kycReviewBefore" doc:"Only profiles to be looked at again on this day or earlier."`
	Risks        []string `query:"riskRatings,explode" doc:"Only these: notApplicable, veryLow, low, medium, high, veryHigh."`
	SortOrder    string   `query:"sortOrder" doc:"asc or desc." example:"asc"`
	SortBy       string   `query:"sortBy" doc:"createdAt, name, status, type, riskRating, kycReviewOn, modifiedAt or internalId." example:"name"`
}

// oneOf finds a word among those there are, in any case.
func oneOf[T ~string](wrong *wrongs, field, word string, of []T) T {
	for _, w := range of {
		if strings.EqualFold(string(w), word) {
			return w
		}
	}
	var all []string
	for _, w := range of {
		all = append(all, string(w))
	}
	wrong.say(field, "%q is none of %s", fault.Clip(word), strings.Join(all, ", "))
	return ""
}

// dayOf reads a day, with or without a time behind it.
func dayOf(wrong *wrongs, field, text string) company.Date {
	t, err := timeOf(text)
	if err != nil {
		wrong.say(field, "%q is not a day such as 2026-01-31", fault.Clip(text))
	}
	if err != nil || t.IsZero() {
		return ""
	}
	return company.Date(t.Format("2006-01-02"))
}

// accountsOf reads userIds.
func accountsOf(wrong *wrongs, field string, params []string) (out []auth.AccountID) {
	for _, text := range wordsOf(params) {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			wrong.say(field, "%q is not a userId", fault.Clip(text))
		}
		out = append(out, auth.AccountID(n))
	}
	return out
}

func (in *listProfilesIn) query() (kyc.ProfileQuery, error) {
	var wrong wrongs
	q := kyc.ProfileQuery{
		Term: in.Term, Skip: in.skip(), Limit: in.Size, Assigned: accountsOf(&wrong, "assignees", in.Assignees),
		ReviewAfter: dayOf(&wrong, "kycReviewAfter", in.ReviewAfter), ReviewBefore: dayOf(&wrong, "kycReviewBefore", in.ReviewBefore),
	}
	for _, r := range wordsOf(in.Risks) {
		q.Risks = append(q.Risks, oneOf(&wrong, "riskRatings", r, kyc.RiskRatings))
	}
	if in.SortBy != "" {
		q.Sort = oneOf(&wrong, "sortBy", in.SortBy, kyc.ProfileSorts)
	}
	if in.SortOrder != "" {
		q.Down = oneOf(&wrong, "sortOrder", in.SortOrder, []string{"asc", "desc"}) == "desc"
		if q.Sort == "" {
			q.Sort = kyc.ByCreated
		}
	}
	return q, wrong.fault()
}

type profilesJSON struct {
	Items         []ProfileJSON `json:"items"`
	Total         int64         `json:"totalSize" doc:"How many there are on all pages."`
	CorrelationID string        `json:"correlationId"`
}

func (s *Server) listProfiles(ctx context.Context, in *listProfilesIn) (*reply[profilesJSON], error) {
	q, err := in.query()
	if err != nil {
		return nil, err
	}
	list, total, err := s.Profiles.Store.Profiles(ctx, in.by, q)
	if err != nil {
		return nil, err
	}
	return ok(profilesJSON{s.toProfilesJSON(list), total, in.correlation}), nil
}

func (s *Server) toProfilesJSON(list []kyc.Profile) []ProfileJSON {
	out := make([]ProfileJSON, 0, len(list))
	for i := range list {
		out = append(out, s.toProfileJSON(&list[i]))
	}
	return out
}

type profileIn struct {
	caller
	ProfileOf
}

type oneProfileJSON struct {
	ProfileJSON
	CorrelationID string `json:"correlationId"`
}

func (s *Server) readProfile(ctx context.Context, in *profileIn) (*reply[oneProfileJSON], error) {
	p, err := s.Profiles.Store.Profile(ctx, in.by, in.profile())
	if err != nil {
		return nil, err
	}
	return ok(oneProfileJSON{s.toProfileJSON(&p), in.correlation}), nil
}

type updateProfileIn struct {
	caller
	ProfileOf
	Body struct {
		Name       string  `json:"name" example:"Example Bakeries"`
		Risk       string  `json:"riskRating" enum:"notApplicable,veryLow,low,medium,high,veryHigh"`
		Status     string  `json:"status" enum:"new,approved,declined,pending,cancelled,referred,closed,approvedReviewDue"`
		InternalID *string `json:"internalId,omitempty"`
		Assigned   *int64  `json:"assignedToId,omitempty"`
		ReviewOn   *string `json:"kycReviewOn,omitempty" example:"2027-01-31"`
		Comments   *string `json:"kycComments,omitempty"`
	}
}

func (s *Server) updateProfile(ctx context.Context, in *updateProfileIn) (*reply[oneProfileJSON], error) {
	b := in.Body
	p, err := s.Profiles.Change(ctx, in.by, in.profile(), func(p *kyc.Profile) {
		p.Name, p.Risk, p.Status = b.Name, kyc.RiskRating(b.Risk), kyc.ProfileStatus(b.Status)
		p.InternalID, p.Assigned = textOf(b.InternalID), numberOf(b.Assigned)
		p.ReviewOn, p.Comments = company.Date(textOf(b.ReviewOn)), textOf(b.Comments)
	})
	if err != nil {
		return nil, err
	}
	return ok(oneProfileJSON{s.toProfileJSON(&p), in.correlation}), nil
}

func (s *Server) deleteProfile(ctx context.Context, in *profileIn) (*none, error) {
	return nil, s.Profiles.Delete(ctx, in.by, in.profile())
}

type deleteProfilesIn struct {
	caller
	Body []string `doc:"The ids of the profiles." example:"[\"9a7ae0c8-f473-4ab6-8dbb-03fc061630cc\"]"`
}

func profileIDs(list []string) (out []kyc.ProfileID) {
	for _, id := range list {
		out = append(out, kyc.ProfileID(strings.ToLower(id)))
	}
	return out
}

func (s *Server) deleteProfiles(ctx context.Context, in *deleteProfilesIn) (*none, error) {
	return nil, s.Profiles.Delete(ctx, in.by, profileIDs(in.Body)...)
}

func (s *Server) profileTypes(context.Context, *noInput) (*reply[[]string], error) {
	out := make([]string, 0, len(kyc.ProfileTypes))
	for _, t := range kyc.ProfileTypes {
		out = append(out, string(t))
	}
	return ok(out), nil
}

type assignProfileIn struct {
	caller
	Profile string `query:"profileId" required:"true" doc:"The profile's id." example:"9a7ae0c8-f473-4ab6-8dbb-03fc061630cc"`
	User    string `query:"userId" doc:"The colleague's userId; nobody, if it is left out."`
}

func (s *Server) assignProfile(ctx context.Context, in *assignProfileIn) (*reply[oneProfileJSON], error) {
	var to auth.AccountID
	if in.User != "" {
		n, err := strconv.ParseInt(in.User, 10, 64)
		if err != nil {
			return nil, fault.Invalid.Details("Bad request", "userId: a number is wanted")
		}
		to = auth.AccountID(n)
	}
	list, err := s.Profiles.Assign(ctx, in.by, profileIDs([]string{in.Profile}), to)
	if err != nil {
		return nil, err
	}
	return ok(oneProfileJSON{s.toProfileJSON(&list[0]), in.correlation}), nil
}

type assignProfilesIn struct {
	caller
	Body struct {
		User     *int64   `json:"userId,omitempty" doc:"The colleague's userId; nobody, if it is left out."`
		Profiles []string `json:"profileIds" doc:"The ids of the profiles."`
	}
}

func (s *Server) assignProfiles(ctx context.Context, in *assignProfilesIn) (*reply[[]ProfileJSON], error) {
	list, err := s.Profiles.Assign(ctx, in.by, profileIDs(in.Body.Profiles), numberOf(in.Body.User))
	if err != nil {
		return nil, err
	}
	return ok(s.toProfilesJSON(list)), nil
}

func (s *Server) kycCurrencies(context.Context, *noInput) (*reply[[]string], error) {
	return ok(kyc.Currencies), nil
}

func (s *Server) kycCountries(context.Context, *noInput) (*reply[[]string], error) {
	return ok(kyc.CountryCodes()), nil
}
