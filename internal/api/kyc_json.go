package api

import (
	"fmt"
	"strings"

	"bureau/internal/kyc"
)

// kycShown is a search that is shown, with what is not its own.
type kycShown struct {
	kyc.Search
	set         kyc.Settings
	correlation string // empty in a list
}

// KYCSearchJSON is what searches of both kinds have in common.
type KYCSearchJSON struct {
	ID            string          `json:"id"`
	Name          string          `json:"name"`
	Countries     []string        `json:"countryCodes"`
	Threshold     int             `json:"threshold"`
	Type          string          `json:"type" enum:"individual,business"`
	Datasets      []string        `json:"datasets" doc:"What was looked for."`
	Bodies        []string        `json:"sanctionBodies" doc:"Whose sanctions were looked at; empty: all."`
	Status        string          `json:"status" enum:"new,approved,declined,pending,cancelled,referred,closed"`
	Risk          string          `json:"riskRating" enum:"notApplicable,veryLow,low,medium,high,veryHigh"`
	AssignedTo    *int64          `json:"assignedToUserId"`
	Assigned      *string         `json:"assignedUser"`
	CreatedByID   int64           `json:"createdById"`
	CreatedBy     string          `json:"createdBy"`
	CreatedAt     string          `json:"createdAt"`
	ModifiedByID  int64           `json:"modifiedById"`
	ModifiedBy    string          `json:"modifiedBy"`
	ModifiedAt    string          `json:"modifiedAt"`
	Note          *string         `json:"note"`
	Schedule      *string         `json:"scheduleId" doc:"null if the search is not repeated."`
	Total         int64           `json:"totalHitCount"`
	True          int64           `json:"truePositiveHitsCount"`
	False         int64           `json:"falsePositiveHitsCount"`
	Undecided     int64           `json:"undecidedHitsCount"`
	Coverage      kycCoverageJSON `json:"coverage" doc:"What was looked at, and what could not be."`
	CorrelationID string          `json:"correlationId,omitempty"`
}

type individualSearchJSON struct {
	KYCSearchJSON
	First       *string  `json:"firstName"`
	Middle      *string  `json:"middleName"`
	Last        *string  `json:"lastName"`
	Gender      *string  `json:"gender" doc:"female or male."`
	Born        *string  `json:"dateOfBirth" doc:"A day or a year."`
	Tiers       []string `json:"pepTiers"`
	DOBRequired bool     `json:"isDobRequired" doc:"Your company's settings refuse a search for a person without a date of birth."`
}

type businessSearchJSON struct{ KYCSearchJSON }

type kycCoverageJSON struct {
	Complete bool          `json:"isComplete" doc:"All that was asked for was looked at, in lists that are not too old."`
	Warnings []string      `json:"warnings" doc:"What is not as it should be, in words."`
	Lists    []kycListedIn `json:"lists" doc:"The lists that were searched."`
	Missing  []string      `json:"datasetsWithoutList" doc:"Asked for, and no loaded list holds any."`
	Bodies   []string      `json:"sanctionBodiesWithoutList" doc:"Asked for, and no loaded list holds any."`
	Engine   string        `json:"engineVersion" doc:"How names were compared."`
}

type kycListedIn struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	Version int64  `json:"version" doc:"Grows with every change of a list."`
	AsOf    string `json:"asOf" doc:"What day it speaks of."`
	Old     bool   `json:"isOld" doc:"It is older than it may grow."`
}

func toCoverageJSON(l kyc.Looked) kycCoverageJSON {
	out := kycCoverageJSON{
		Complete: l.Complete(), Warnings: []string{}, Lists: []kycListedIn{}, Missing: plainTexts(l.Missing), Bodies: plainTexts(l.Coverage.Bodies), Engine: l.Engine,
	}
	old := map[string]bool{}
	for _, o := range l.Old {
		old[o.List] = true
		out.Warnings = append(out.Warnings, fmt.Sprintf("%s is of %s, which is too old", kyc.FindList(o.List).Title, o.AsOf.UTC().Format("2006-01-02")))
	}
	for _, one := range l.Lists {
		out.Lists = append(out.Lists, kycListedIn{one.List, kyc.FindList(one.List).Title, one.Version, naive(one.AsOf), old[one.List]})
	}
	if len(l.Lists) == 0 {
		out.Warnings = append(out.Warnings, "no list that was asked for is loaded: nothing was looked at")
	}
	if len(out.Missing) > 0 {
		out.Warnings = append(out.Warnings, "no list is loaded for the datasets "+strings.Join(out.Missing, ", "))
	}
	if len(out.Bodies) > 0 {
		out.Warnings = append(out.Warnings, "no list is loaded of the sanction bodies "+strings.Join(out.Bodies, ", "))
	}
	if l.Cut {
		out.Warnings = append(out.Warnings, "there are more hits than are kept: raise the threshold, or say more of the subject")
	}
	return out
}

// plainTexts are words of ours as the wire has them: a list, never null.
func plainTexts[T ~string](list []T) []string {
	out := make([]string, 0, len(list))
	for _, s := range list {
		out = append(out, string(s))
	}
	return out
}

func toKYCSearchJSON(s kycShown, who names) KYCSearchJSON {
	out := KYCSearchJSON{
		ID: string(s.ID), Name: s.Subject.FullName(), Countries: plainTexts(s.Subject.Countries), Threshold: s.Options.Threshold, Type: "business",
		Datasets: plainTexts(s.Options.Datasets), Bodies: plainTexts(s.Options.Bodies), Status: string(s.Status), Risk: string(s.Risk),
		CreatedByID: int64(s.CreatedBy), CreatedBy: who[s.CreatedBy], CreatedAt: naive(s.CreatedAt),
		ModifiedByID: int64(s.ModifiedBy), ModifiedBy: who[s.ModifiedBy], ModifiedAt: naive(s.ModifiedAt),
		Note: textOrNull(s.Note), Schedule: textOrNull(string(s.Schedule)),
		Total: s.Tally.Total, True: s.Tally.True, False: s.Tally.False, Undecided: s.Tally.Undecided,
		Coverage: toCoverageJSON(s.Looked), CorrelationID: s.correlation,
	}
	if s.AssignedTo != 0 {
		id := int64(s.AssignedTo)
		out.AssignedTo, out.Assigned = &id, textOrNull(who[s.AssignedTo])
	}
	return out
}

func toBusinessSearchJSON(s kycShown, who names) businessSearchJSON {
	return businessSearchJSON{toKYCSearchJSON(s, who)}
}

func toIndividualSearchJSON(s kycShown, who names) individualSearchJSON {
	out := individualSearchJSON{
		KYCSearchJSON: toKYCSearchJSON(s, who), First: textOrNull(s.Subject.First), Middle: textOrNull(s.Subject.Middle), Last: textOrNull(s.Subject.Last),
		Gender: textOrNull(string(s.Subject.Gender)), Born: textOrNull(string(s.Subject.Born)), Tiers: []string{}, DOBRequired: s.set.DOBRequired,
	}
	out.Type = "individual"
	for _, t := range s.Options.Tiers {
		out.Tiers = append(out.Tiers, kyc.TierName(t))
	}
	return out
}

// KYCHitJSON is what hits of both kinds have in common.
type KYCHitJSON struct {
	ID           string   `json:"id"`
	Score        int      `json:"hitScore" doc:"0 to 100."`
	Name         string   `json:"name" doc:"The entry's main name."`
	Match        string   `json:"match" doc:"The name of the entry that is nearest to the one that was searched for."`
	Countries    []string `json:"countries"`
	Datasets     []string `json:"datasets"`
	Decision     string   `json:"decision" enum:"undecided,trueMatch,falsePositive,discarded"`
	Note         *string  `json:"note"`
	ModifiedByID *int64   `json:"modifiedById" doc:"Who decided; null if nobody has."`
	ModifiedBy   *string  `json:"modifiedBy"`
	ModifiedAt   string   `json:"modifiedAt"`
	CreatedAt    string   `json:"createdAt"`
	Why          []string `json:"reasons" doc:"How the two compare, in words."`
	Changes      []string `json:"changes" doc:"What changed since the superseded hit was decided."`
	DelistedAt   *string  `json:"delistedAt" doc:"When the entry left its list, if a schedule told of it; null while it is listed."`
}

type businessHitJSON struct {
	KYCHitJSON
	Superseded *businessHitJSON `json:"supersededHit,omitempty"`
}

// IndividualHitJSON is a hit of a person, and what an alert is too.
type IndividualHitJSON struct {
	KYCHitJSON
	First      *string            `json:"firstName"`
	Middle     *string            `json:"middleName"`
	Last       *string            `json:"lastName"`
	Gender     *string            `json:"gender" doc:"female or male."`
	Born       []string           `json:"datesOfBirth" doc:"Days, months or years, as the publisher knows them."`
	Tier       *string            `json:"pepTier" doc:"pepTier1, pepTier2 or pepTier3."`
	Images     []string           `json:"profileImages"`
	Superseded *IndividualHitJSON `json:"supersededHit,omitempty"`
}

func toKYCHitJSON(h kyc.SavedHit, who names) KYCHitJSON {
	out := KYCHitJSON{
		ID: string(h.ID), Score: h.Score, Name: h.Listed.Main(), Match: h.Verdict.Match, Countries: plainTexts(h.Listed.TiedTo()),
		Datasets: plainTexts(h.Listed.Datasets), Decision: string(h.Decision), Note: textOrNull(h.Note),
		ModifiedAt: naive(h.CreatedAt), CreatedAt: naive(h.CreatedAt), Why: plainTexts(h.Verdict.Why), Changes: plainTexts(h.Verdict.Changes), DelistedAt: naiveOrNull(h.Verdict.Left),
	}
	if !h.DecidedAt.IsZero() {
		by := int64(h.DecidedBy)
		out.ModifiedAt, out.ModifiedByID, out.ModifiedBy = naive(h.DecidedAt), &by, textOrNull(who[h.DecidedBy])
	}
	return out
}

func toBusinessHitJSON(h kyc.SavedHit, who names) businessHitJSON {
	out := businessHitJSON{KYCHitJSON: toKYCHitJSON(h, who)}
	if h.Earlier != nil {
		earlier := toBusinessHitJSON(*h.Earlier, who)
		out.Superseded = &earlier
	}
	return out
}

func toIndividualHitJSON(h kyc.SavedHit, who names) IndividualHitJSON {
	out := IndividualHitJSON{KYCHitJSON: toKYCHitJSON(h, who), Gender: textOrNull(string(h.Listed.Gender)), Born: datesOf(h.Listed.Born), Images: []string{}}
	if len(h.Listed.Names) > 0 {
		n := h.Listed.Names[0]
		out.First, out.Middle, out.Last = textOrNull(n.First), textOrNull(n.Middle), textOrNull(n.Last)
	}
	out.Tier = textOrNull(kyc.TierName(h.Listed.PEPTier))
	if h.Earlier != nil {
		earlier := toIndividualHitJSON(*h.Earlier, who)
		out.Superseded = &earlier
	}
	return out
}

func datesOf(list []kyc.Date) []string {
	out := make([]string, 0, len(list))
	for _, d := range list {
		out = append(out, d.String())
	}
	return out
}
