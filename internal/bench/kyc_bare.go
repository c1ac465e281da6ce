package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"time"

	"bureau/internal/kyc"
	"bureau/internal/store"
)

// A bareScreening is what the baseline server of screening is told. It reads the same
// request, asks the same engine with the same options, and writes as many bytes as
// Bureau did. It knows no accounts, keeps nothing, counts nothing and limits nobody.
type bareScreening struct {
	Address           string
	CertFile, KeyFile string
	Database          string
	Person, Business  json.RawMessage // what Bureau answered to one of each kind
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
	mux.HandleFunc("POST "+screenPath+"individuals", answerBare(s, true, b.Person))
	mux.HandleFunc("POST "+screenPath+"businesses", answerBare(s, false, b.Business))
	server := &http.Server{
		Addr: b.Address, Handler: mux, ReadHeaderTimeout: time.Minute,
		ErrorLog: log.New(io.Discard, "", 0), // whoever only looks whether it listens
	}
	return server.ListenAndServeTLS(b.CertFile, b.KeyFile)
}

// answerBare screens, and answers with what Bureau answered once.
func answerBare(s *kyc.Screener, person bool, answer []byte) http.HandlerFunc {
	var like struct {
		Threshold int           `json:"threshold"`
		Datasets  []kyc.Dataset `json:"datasets"`
		Bodies    []kyc.Body    `json:"sanctionBodies"`
	}
	unread := json.Unmarshal(answer, &like)
	o := kyc.Options{Threshold: like.Threshold, Datasets: like.Datasets, Bodies: like.Bodies, Limit: mostHits}
	return func(w http.ResponseWriter, r *http.Request) {
		var asked struct {
			Name string `json:"name"`
		}
		err := errors.Join(unread, json.NewDecoder(r.Body).Decode(&asked))
		if err == nil {
			_, _, err = s.Screen(r.Context(), kyc.Subject{Person: person, Name: asked.Name}, o)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusCreated)
		_, _ = w.Write(answer)
	}
}

// startScreeningServer starts the baseline server, once Bureau has shown what an
// answer looks like.
func (at *screened) startScreeningServer(ctx context.Context) (*server, error) {
	b := bareScreening{CertFile: at.site.w.certFile, KeyFile: at.site.w.keyFile, Database: at.address()}
	var err error
	if b.Person, err = at.askOnce(true); err == nil {
		b.Business, err = at.askOnce(false)
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
func (at *screened) askOnce(person bool) ([]byte, error) {
	c, err := at.site.dialBureau()
	if err != nil {
		return nil, err
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
			return nil, err
		}
		at.book.add(leftScreening, 1)
		return body, nil
	}
	return nil, fmt.Errorf("no search is for a person: %t", person)
}
