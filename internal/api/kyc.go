package api

import (
	"context"
	"net/http"
	"strings"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/kyc"
)

const kycPath = "/kyc-protect/searches/"

// kycRows are searches of people and businesses on lists, and what was found.
func (s *Server) kycRows() []route {
	rows := []route{
		post(kycPath+"individuals", auth.KYC, "searchIndividual", "Is this person on a list?", s.searchIndividual, countsItself, creates, created,
			about("Screens a person and keeps question and answer. The answer counts the hits, which are read at /hits. "+
				"It names every dataset that no loaded list holds, and every list that is too old: an answer without hits means no more than what was looked at. "+
				"isDobRequired says whether your company's settings refuse a search without a date of birth.")),
		post(kycPath+"businesses", auth.KYC, "searchBusiness", "Is this business on a list?", s.searchBusiness, countsItself, creates, created,
			about("Screens a business or a ship and keeps question and answer. The answer counts the hits, which are read at /hits, and says what could not be looked at.")),
	}
	rows = append(rows, kycKindRows(s, individuals)...)
	rows = append(rows, kycKindRows(s, businesses)...)
	const eachByItself = "Each item by itself: what cannot be decided is told under failed, and does not hold up the others."
	rows = append(rows,
		put(individuals.path+"/{searchId}/hits", auth.KYC, "decideIndividualHits", "Decide about several hits", individuals.decideAll(s), free, about(eachByItself)),
		put(businesses.path+"/{searchId}/hits", auth.KYC, "decideBusinessHits", "Decide about several hits", inItems(businesses.decideAll(s)), free, about(eachByItself)))
	rows = append(rows, kycDownloadRows(s, individuals)...)
	rows = append(rows, kycDownloadRows(s, businesses)...)
	rows = append(rows, s.kycScheduleRows()...)
	return append(rows, open(http.MethodGet, signedKYC, "signedKYCPaper", s.signedKYCPaper))
}

// A kycKind is one of the two kinds of subjects: S is the form of its searches,
// H that of its hits and D that of a hit in full.
type kycKind[S, H, D any] struct {
	person  bool
	path    string
	id      string // how the ids of operations begin
	subject string // in words
	search  func(kycShown, names) S
	hit     func(kyc.SavedHit, names) H
	detail  func(kyc.SavedHit, []kyc.Ruling, names) D
}

var individuals = kycKind[individualSearchJSON, IndividualHitJSON, individualDetailJSON]{
	person: true, path: kycPath + "individuals", id: "individual", subject: "a person",
	search: toIndividualSearchJSON, hit: toIndividualHitJSON, detail: toIndividualDetailJSON,
}

var businesses = kycKind[businessSearchJSON, businessHitJSON, businessDetailJSON]{
	path: kycPath + "businesses", id: "business", subject: "a business",
	search: toBusinessSearchJSON, hit: toBusinessHitJSON, detail: toBusinessDetailJSON,
}

func kycKindRows[S, H, D any](s *Server, k kycKind[S, H, D]) []route {
	one, hits := k.path+"/{searchId}", k.path+"/{searchId}/hits"
	return []route{
		get(k.path, auth.KYC, k.id+"Searches", "Your searches for "+k.subject, k.list(s), free,
			about("The newest first, of your whole company.")),
		put(k.path, auth.KYC, "update"+title(k.id)+"Searches", "Change several searches for "+k.subject, k.updateAll(s), free,
			about("Each item by itself: what cannot be changed is told under failed, and does not hold up the others.")),
		get(one, auth.KYC, k.id+"Search", "One search for "+k.subject, k.read(s), free,
			about("The question, how it was answered, how many hits there are by decision, and which lists were looked at.")),
		put(one, auth.KYC, "update"+title(k.id)+"Search", "Change a search for "+k.subject, k.update(s), free,
			about("What is left out stays as it is.")),
		get(hits, auth.KYC, k.id+"Hits", "What was found for "+k.subject, k.hits(s), free,
			about("The likeliest first. supersededHit is an earlier hit for the same subject and entry; changes say what is otherwise now.")),
		get(hits+"/{hitId}", auth.KYC, k.id+"Hit", "A hit in full", k.readHit(s), free,
			about("All that the list says of whom was found, in the version in which it was found, with its sources and every decision about it.")),
		put(hits+"/{hitId}", auth.KYC, "decide"+title(k.id)+"Hit", "Decide about a hit", k.decide(s), free,
			about("A later decision takes the place of an earlier one, which stays in the history. Who was judged a false positive stays quiet for the same subject "+
				"until the entry or the subject changes in a way that matters.")),
		put(hits+"/{hitId}/note", auth.KYC, "note"+title(k.id)+"Hit", "Write a note on a hit", k.note(s), free, about("The decision stays as it is.")),
	}
}

func title(word string) string { return strings.ToUpper(word[:1]) + word[1:] }

// names are what a customer's accounts are called.
type names map[auth.AccountID]string

func (s *Server) namesOf(by auth.Caller) names {
	out := names{}
	for _, a := range s.Directory.Accounts(by.Customer) {
		name := strings.TrimSpace(a.First + " " + a.Surname)
		if name == "" {
			name = a.UserKey
		}
		out[a.ID] = name
	}
	return out
}

// noteKYC keeps in the audit log that somebody was looked at, or what was done.
// It happened, whether or not the caller still waits for the answer.
func (s *Server) noteKYC(ctx context.Context, by auth.Caller, did auth.Action, person, what string) error {
	return s.Gate.Journal.Write(context.WithoutCancel(ctx), auth.Entry{
		Action: did, Customer: by.Customer, Account: by.Account, Person: person, Detail: what,
	})
}

// KYCPage is what lists of screening take. They count their pages from 1.
type KYCPage struct {
	Page  int    `query:"page" minimum:"1" maximum:"1000000" default:"1" doc:"Which page, from 1. It is left out with after."`
	Size  int    `query:"pageSize" minimum:"1" maximum:"1000" default:"10" doc:"Entries on a page."`
	After string `query:"after" doc:"Only what comes behind: the cursor of the answer before, with the same filters. It neither skips nor repeats an entry."`
}

// place is how many entries lie before the page; into gets the place of a
// cursor, if there is one.
func (p *KYCPage) place(s *Server, by auth.Caller, of string, into any) (skip int, err error) {
	switch {
	case p.After == "":
		return (p.Page - 1) * p.Size, nil
	case p.Page > 1:
		return 0, fault.Invalid.Details("Bad request", "page: after says where to go on; leave one of the two out")
	}
	return 0, s.openCursor(by, of, p.After, into)
}

// kycListJSON is a page of a list.
type kycListJSON[T any] struct {
	Items         []T     `json:"items"`
	TotalSize     int64   `json:"totalSize" doc:"How many there are in all."`
	Cursor        *string `json:"cursor" doc:"For after; null at the end."`
	CorrelationID string  `json:"correlationId"`
}

// kycBulkJSON says what became of several things at once.
type kycBulkJSON[I, O any] struct {
	Failed        []kycFailedJSON[I] `json:"failed"`
	Successful    []O                `json:"successful"`
	CorrelationID string             `json:"correlationId"`
}

// kycItemsJSON are the things that were done. Two operations have them in a list within
// the list, for no reason that we know; clients read them there.
type kycItemsJSON[O any] struct {
	Items []O `json:"items"`
}

// inItems is a handler of several things that answers so.
func inItems[In, I, O any](h func(context.Context, *In) (*reply[kycBulkJSON[I, O]], error)) func(context.Context, *In) (*reply[kycBulkJSON[I, kycItemsJSON[O]]], error) {
	return func(ctx context.Context, in *In) (*reply[kycBulkJSON[I, kycItemsJSON[O]]], error) {
		got, err := h(ctx, in)
		if err != nil {
			return nil, err
		}
		out := kycBulkJSON[I, kycItemsJSON[O]]{Failed: got.Body.Failed, Successful: []kycItemsJSON[O]{}, CorrelationID: got.Body.CorrelationID}
		if done := got.Body.Successful; len(done) > 0 {
			out.Successful = append(out.Successful, kycItemsJSON[O]{done})
		}
		return ok(out), nil
	}
}

type kycFailedJSON[I any] struct {
	Item  I              `json:"failedItem" doc:"As it was sent."`
	Error kycProblemJSON `json:"error"`
}

type kycProblemJSON struct {
	Type     string `json:"type" example:"about:blank"`
	Title    string `json:"title"`
	Status   int    `json:"status"`
	Detail   string `json:"detail"`
	Instance string `json:"instance" doc:"The correlationId of the call."`
}

// eachKYC does something with every item. A failure of ours ends it; what a caller
// did wrong is told with its item.
func eachKYC[I, O any](in caller, items []I, do func(I) (O, error)) (kycBulkJSON[I, O], error) {
	out := kycBulkJSON[I, O]{Failed: []kycFailedJSON[I]{}, Successful: []O{}, CorrelationID: in.correlation}
	for _, item := range items {
		done, err := do(item)
		if err == nil {
			out.Successful = append(out.Successful, done)
			continue
		}
		p, theirs := problem(in.correlation, err)
		if !theirs {
			return out, err
		}
		out.Failed = append(out.Failed, kycFailedJSON[I]{item, kycProblemJSON{"about:blank", p.Message, p.status, p.Details, in.correlation}})
	}
	return out, nil
}
