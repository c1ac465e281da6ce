package api

import (
	"context"
	"strconv"
	"strings"

	"bureau/internal/auth"
	"bureau/internal/kyc"
)

// kycJobRows are the calls about searches of a profile that are made in the
// background.
func (s *Server) kycJobRows() []route {
	const jobs = "/kyc-protect/asyncAmlJobs"
	return []route{
		post("/kyc-protect/profiles/{profileId}/searches/bulk", auth.KYC, "searchForProfile", "Screen many for a profile", s.searchForProfile, free, accepted, creates, mayMiss, clashes,
			about("The searches are made while you go about other things, and linked to the profile. How far they have come is told at /kyc-protect/asyncAmlJobs. "+
				"If something is wrong with one item, nothing is screened.")),
		get(jobs, auth.KYC, "amlJobs", "Your company's jobs", s.amlJobs, free, about("The newest first. Jobs are remembered for 30 days; their searches stay.")),
		get(jobs+"/{jobId}", auth.KYC, "amlJob", "A job", s.amlJob, free, mayMiss, about("Who asked for it, when, and how far it has come.")),
		get(jobs+"/{jobId}/criteria", auth.KYC, "amlJobCriteria", "What a job searches for", s.amlJobCriteria, free, mayMiss,
			about("Each item with what has become of it. The id of one that is completed is that of its search.")),
	}
}

type searchForProfileIn struct {
	caller
	ProfileOf
	Body struct {
		Items []struct {
			Type      looseText `json:"type" doc:"individual or business." example:"\"individual\""`
			Name      looseText `json:"name,omitempty"`
			First     looseText `json:"firstName,omitempty"`
			Middle    looseText `json:"middleName,omitempty"`
			Last      looseText `json:"lastName,omitempty"`
			Born      looseText `json:"dateOfBirth,omitempty" doc:"A day or a year."`
			Gender    looseText `json:"gender,omitempty" doc:"male or female."`
			Tiers     looseList `json:"pepTiers,omitempty"`
			Datasets  looseList `json:"datasets,omitempty"`
			Countries looseList `json:"countryCodes,omitempty" doc:"Two letters each."`
			Threshold *looseInt `json:"threshold,omitempty" doc:"50 to 100; 75 if it is left out." example:"75"`
		} `json:"items" doc:"1 to 1000 subjects."`
	}
}

// AMLJobJSON is a job. It is exported since it is a part of answers.
type AMLJobJSON struct {
	ID         string  `json:"id" format:"uuid"`
	Status     string  `json:"status" enum:"created,processing,completed"`
	CreatedAt  string  `json:"createdAt"`
	CreatedID  int64   `json:"createdById"`
	CreatedBy  string  `json:"createdBy"`
	StartedAt  *string `json:"startedAt"`
	FinishedAt *string `json:"finishedAt"`
	Criteria   int64   `json:"criteriaCount" doc:"How many items it has."`
}

type oneAMLJobJSON struct {
	AMLJobJSON
	CorrelationID string `json:"correlationId"`
}

func (s *Server) toAMLJobJSON(b *kyc.Batch) AMLJobJSON {
	return AMLJobJSON{
		ID: string(b.ID), Status: b.Status(), CreatedAt: naive(b.Created.At), CreatedID: int64(b.Created.By), CreatedBy: s.userName(b.Created.By),
		StartedAt: naiveOrNull(b.StartedAt), FinishedAt: naiveOrNull(b.FinishedAt), Criteria: b.Rows,
	}
}

func (s *Server) searchForProfile(ctx context.Context, in *searchForProfileIn) (*reply[oneAMLJobJSON], error) {
	lines := make([]kyc.BatchLine, 0, len(in.Body.Items))
	for _, i := range in.Body.Items {
		l := kyc.BatchLine{
			Type: string(i.Type), Name: string(i.Name), First: string(i.First), Middle: string(i.Middle), Last: string(i.Last), Born: string(i.Born),
			Gender: string(i.Gender), Countries: strings.Join(i.Countries, ";"), Datasets: strings.Join(i.Datasets, ";"), Tiers: strings.Join(i.Tiers, ";"),
		}
		if i.Threshold != nil {
			l.Threshold = strconv.Itoa(int(*i.Threshold))
		}
		lines = append(lines, l)
	}
	b, err := s.Batches.Ask(ctx, in.by, in.profile(), lines)
	if err != nil {
		return nil, err
	}
	return ok(oneAMLJobJSON{s.toAMLJobJSON(&b), in.correlation}), nil
}

type amlJobsIn struct {
	caller
	ProfilePage
	Statuses []string `query:"statuses,explode" doc:"created, processing or completed."`
	Target   string   `query:"targetType" doc:"profile or keyParty: whom the searches are for. There are no jobs of key parties."`
}

func (s *Server) amlJobs(ctx context.Context, in *amlJobsIn) (*reply[kycListJSON[AMLJobJSON]], error) {
	q := kyc.BatchQuery{Kind: kyc.Job, Skip: in.skip(), Limit: in.Size}
	var wrong wrongs
	for _, word := range wordsOf(in.Statuses) {
		q.Statuses = append(q.Statuses, oneOf(&wrong, "statuses", word, kyc.JobStatuses))
	}
	target := ""
	if in.Target != "" {
		target = oneOf(&wrong, "targetType", in.Target, []string{"profile", "keyParty"})
	}
	if err := wrong.fault(); err != nil {
		return nil, err
	}
	out := kycListJSON[AMLJobJSON]{Items: []AMLJobJSON{}, CorrelationID: in.correlation}
	if target == "keyParty" {
		return ok(out), nil
	}
	list, total, err := s.Batches.Store.Batches(ctx, in.by, q)
	if err != nil {
		return nil, err
	}
	out.TotalSize = total
	for i := range list {
		out.Items = append(out.Items, s.toAMLJobJSON(&list[i]))
	}
	return ok(out), nil
}

// AMLJobIn names a job.
type AMLJobIn struct {
	caller
	ID string `path:"jobId" maxLength:"64" doc:"The job's id."`
}

func (s *Server) amlJob(ctx context.Context, in *AMLJobIn) (*reply[oneAMLJobJSON], error) {
	b, err := s.Batches.Get(ctx, in.by, kyc.Job, in.ID)
	if err != nil {
		return nil, err
	}
	return ok(oneAMLJobJSON{s.toAMLJobJSON(&b), in.correlation}), nil
}

type amlCriteriaIn struct {
	AMLJobIn
	ProfilePage
	Statuses []string `query:"statuses,explode" doc:"submitted, processing, completed or failed."`
}

type amlCriterionJSON struct {
	ID         string   `json:"id" format:"uuid" doc:"When it is completed, also that of its search."`
	Job        string   `json:"jobId" format:"uuid"`
	Status     string   `json:"status" enum:"submitted,processing,completed,failed"`
	Error      *string  `json:"errorMessage"`
	TargetType string   `json:"targetType" enum:"profile,keyParty"`
	Target     string   `json:"targetId" format:"uuid"`
	Type       string   `json:"type" enum:"individual,business"`
	StartedAt  *string  `json:"startedAt"`
	FinishedAt *string  `json:"finishedAt"`
	Countries  []string `json:"countryCodes"`
	Threshold  int      `json:"threshold"`
	Name       *string  `json:"name"`
	First      *string  `json:"firstName"`
	Middle     *string  `json:"middleName"`
	Last       *string  `json:"lastName"`
	Born       *string  `json:"dateOfBirth"`
	Gender     *string  `json:"gender"`
	Tiers      []string `json:"pepTiers"`
	Datasets   []string `json:"datasets"`
}

func (s *Server) amlJobCriteria(ctx context.Context, in *amlCriteriaIn) (*reply[kycListJSON[amlCriterionJSON]], error) {
	b, err := s.Batches.Get(ctx, in.by, kyc.Job, in.ID)
	if err != nil {
		return nil, err
	}
	q := kyc.RowQuery{Batch: b.ID, Skip: in.skip(), Limit: in.Size}
	var wrong wrongs
	for _, word := range wordsOf(in.Statuses) {
		q.States = append(q.States, oneOf(&wrong, "statuses", word, kyc.RowStatuses))
	}
	if err := wrong.fault(); err != nil {
		return nil, err
	}
	list, total, err := s.Batches.Store.BatchRows(ctx, in.by, q)
	if err != nil {
		return nil, err
	}
	out := kycListJSON[amlCriterionJSON]{Items: []amlCriterionJSON{}, TotalSize: total, CorrelationID: in.correlation}
	for _, row := range list {
		out.Items = append(out.Items, toAMLCriterionJSON(&b, row))
	}
	return ok(out), s.noteTaken(ctx, in.by, "kycJobCriteria="+string(b.ID))
}

func toAMLCriterionJSON(b *kyc.Batch, row kyc.BatchRow) amlCriterionJSON {
	l := row.Asked
	threshold, err := strconv.Atoi(l.Threshold)
	if err != nil {
		threshold = kyc.DefaultThreshold
	}
	out := amlCriterionJSON{
		ID: row.ID, Job: string(b.ID), Status: string(row.State), Error: textOrNull(row.Error), TargetType: "profile", Target: string(b.Profile),
		Type: strings.ToLower(l.Type), FinishedAt: naiveOrNull(row.EndedAt), Threshold: threshold, Name: textOrNull(l.Name), First: textOrNull(l.First),
		Middle: textOrNull(l.Middle), Last: textOrNull(l.Last), Born: textOrNull(l.Born), Gender: textOrNull(l.Gender),
		Countries: listOf(l.CountryList()), Tiers: listOf(l.TierList()), Datasets: listOf(l.DatasetList()),
	}
	if row.State != kyc.RowSubmitted {
		out.StartedAt = naiveOrNull(b.StartedAt)
	}
	return out
}

// listOf is a list that is never null.
func listOf(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}
