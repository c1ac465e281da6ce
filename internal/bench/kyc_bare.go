package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"time"

	"bureau/internal/kyc"
	"bureau/internal/store"
)

// A bareScreening is what the baseline server of screening is told. It reads the same
// request, asks the same engine with the same options, and writes an answer of the
// same fields. It knows no accounts, keeps nothing, counts nothing and limits nobody.
type bareScreening struct {
	Address           string
	CertFile, KeyFile string
	Database          string
	Person            personBody // what Bureau answered to one of each kind
	Business          searchBody
}

// searchBody is Bureau's answer to a search.
type searchBody struct {
	ID           string        `json:"id"`
	Name         string        `json:"name"`
	Countries    []string      `json:"countryCodes"`
	Threshold    int           `json:"threshold"`
	Type         string        `json:"type"`
	Datasets     []kyc.Dataset `json:"datasets"`
	Bodies       []kyc.Body    `json:"sanctionBodies"`
	Status       string        `json:"status"`
	Risk         string        `json:"riskRating"`
	AssignedTo   *int64        `json:"assignedToUserId"`
	Assigned     *string       `json:"assignedUser"`
	CreatedByID  int64         `json:"createdById"`
	CreatedBy    string        `json:"createdBy"`
	CreatedAt    string        `json:"createdAt"`
	ModifiedByID int64         `json:"modifiedById"`
	ModifiedBy   string        `json:"modifiedBy"`
	ModifiedAt   string        `json:"modifiedAt"`
	Note         *string       `json:"note"`
	Schedule     *string       `json:"scheduleId"`
	Total        int64         `json:"totalHitCount"`
	True         int64         `json:"truePositiveHitsCount"`
	False        int64         `json:"falsePositiveHitsCount"`
	Undecided    int64         `json:"undecidedHitsCount"`
	Coverage     struct {
		Complete bool     `json:"isComplete"`
		Warnings []string `json:"warnings"`
		Lists    []struct {
			Name    string `json:"name"`
			Title   string `json:"title"`
			Version int64  `json:"version"`
			AsOf    string `json:"asOf"`
			Old     bool   `json:"isOld"`
		} `json:"lists"`
		Missing []string `json:"datasetsWithoutList"`
		Bodies  []string `json:"sanctionBodiesWithoutList"`
		Engine  string   `json:"engineVersion"`
	} `json:"coverage"`
	CorrelationID string `json:"correlationId"`
}

// personBody is what it is about a person.
type personBody struct {
	searchBody
	ofPerson
}

type ofPerson struct {
	First       *string  `json:"firstName"`
	Middle      *string  `json:"middleName"`
	Last        *string  `json:"lastName"`
	Gender      *string  `json:"gender"`
	Born        *string  `json:"dateOfBirth"`
	Tiers       []string `json:"pepTiers"`
	DOBRequired bool     `json:"isDobRequired"`
}

// mostHits is how many a search keeps.
const mostHits = 500

// runScreeningServer is the baseline server's process.
func runScreeningServer(in io.Reader, _ io.Writer) error {
	var b bareScreening
	if err := takeOrder(in, &b); err != nil {
		return err
	}
	ctx := context.Background()
	db, err := store.Open(ctx, b.Database)
	if err != nil {
		return err
	}
	defer db.Close()
	s := &kyc.Screener{Index: &kyc.Index{Store: db}, Store: db, Now: time.Now}
	if err := s.Index.Refresh(ctx); err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST "+screenPath+"individuals", answerBare(s, true, b.Person.searchBody, func(body searchBody) any {
		return personBody{body, b.Person.ofPerson}
	}))
	mux.HandleFunc("POST "+screenPath+"businesses", answerBare(s, false, b.Business, func(body searchBody) any { return body }))
	server := &http.Server{
		Addr: b.Address, Handler: mux, ReadHeaderTimeout: time.Minute,
		ErrorLog: log.New(io.Discard, "", 0), // whoever only looks whether it listens
	}
	return server.ListenAndServeTLS(b.CertFile, b.KeyFile)
}

// answerBare screens, and answers as Bureau did, with another name and count.
func answerBare(s *kyc.Screener, person bool, like searchBody, whole func(searchBody) any) http.HandlerFunc {
	o := kyc.Options{Threshold: like.Threshold, Datasets: like.Datasets, Bodies: like.Bodies, Limit: mostHits}
	return func(w http.ResponseWriter, r *http.Request) {
		var asked struct {
			Name string `json:"name"`
		}
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
			http.Error(w, "unreadable", http.StatusBadRequest)
			return
		}
		hits, _, err := s.Screen(r.Context(), kyc.Subject{Person: person, Name: asked.Name}, o)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		body := like
		body.Name, body.Total, body.Undecided = asked.Name, int64(len(hits)), int64(len(hits))
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusCreated)
		_ = json.NewEncoder(w).Encode(whole(body))
	}
}

// startScreeningServer starts the baseline server, once Bureau has shown what an
// answer looks like.
func (at *screened) startScreeningServer(ctx context.Context) (*server, error) {
	b := bareScreening{CertFile: at.site.w.certFile, KeyFile: at.site.w.keyFile, Database: at.address()}
	err := at.askOnce(true, &b.Person)
	if err == nil {
		err = at.askOnce(false, &b.Business)
	}
	if err == nil {
		b.Address, err = freeAddress()
	}
	if err != nil {
		return nil, err
	}
	c, in, err := start(ctx, "screening server", b, nil)
	if err != nil {
		return nil, err
	}
	ended := wait(c)
	if err := await(ctx, b.Address, ended); err != nil {
		return nil, err
	}
	return &server{b.Address, c.Process.Pid, func() { in.Close(); <-ended }}, nil
}

// askOnce sends the first search for a person, or for a business, to Bureau.
func (at *screened) askOnce(person bool, into any) error {
	config, err := clientTLS(at.site.w.certFile)
	if err != nil {
		return err
	}
	c, err := dial(at.bureau.address, config)
	if err != nil {
		return err
	}
	defer c.close()
	for i, request := range at.requests() {
		if at.queries[i].Person != person {
			continue
		}
		status, body, err := c.call([]byte(request), true)
		if err == nil && status != http.StatusCreated {
			err = fmt.Errorf("answered with %d: %s", status, body)
		}
		if err != nil {
			return err
		}
		at.book.add(leftScreening, 1)
		return readWhole(body, into)
	}
	return fmt.Errorf("no search is for a person: %t", person)
}

// readWhole reads an answer, and makes sure that nothing of it is left out: the
// baseline must write as much.
func readWhole(body []byte, into any) error {
	if err := json.Unmarshal(body, into); err != nil {
		return err
	}
	again, err := json.Marshal(into)
	if err == nil && len(again) != len(bytes.TrimSpace(body)) {
		err = fmt.Errorf("the baseline would answer with %d bytes in the place of %d", len(again), len(bytes.TrimSpace(body)))
	}
	return err
}
