package client_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"bureau/client"
)

func TestListsAreReadToTheirEnd(t *testing.T) {
	s, c := newService()
	for i, cursor := range []string{`"one"`, `"two+/="`, `null`} {
		s.answer = append(s.answer, refuse(200, nil, fmt.Sprintf(`{"cursor":%s,"data":[{"id":"%da"},{"id":"%db"}]}`, cursor, i, i)))
	}
	var got []string
	for w, err := range c.PortfolioCompanies(t.Context(), 7, client.CompanyFilter{Search: "a b", WithEvents: true}) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, w.ID)
	}
	if want := []string{"0a", "0b", "1a", "1b", "2a", "2b"}; !slices.Equal(got, want) {
		t.Errorf("read %v, want %v", got, want)
	}
	for i, want := range []string{
		"events=true&pageSize=1000&searchQuery=a+b", "after=one&events=true&pageSize=1000&searchQuery=a+b",
		"after=two%2B%2F%3D&events=true&pageSize=1000&searchQuery=a+b",
	} {
		if u := s.calls[i].URL; u.Path != "/v1/monitoring/portfolios/7/companies" || u.RawQuery != want {
			t.Errorf("call %d: got %s?%s, want ?%s", i, u.Path, u.RawQuery, want)
		}
	}
}

func TestListsStop(t *testing.T) {
	s, c := newService()
	s.answer = append(s.answer,
		refuse(200, nil, `{"cursor":"one","data":{"portfolios":[{"portfolioId":1},{"portfolioId":2}]}}`),
		refuse(404, nil, `{"message":"gone"}`))
	for range c.Portfolios(t.Context(), "") {
		break // whoever has enough asks for no more
	}
	if len(s.calls) != 1 {
		t.Errorf("%d pages were fetched for one entry", len(s.calls))
	}
	var failed error
	n := 0
	for _, err := range c.Portfolios(t.Context(), "") {
		n++
		failed = err
	}
	if n != 1 || !errors.Is(failed, client.ErrNotFound) {
		t.Errorf("after %d entries: %v, want the error and the end", n, failed)
	}
}

// None named is none, never all.
func TestThose(t *testing.T) {
	s, c := newService()
	ctx := t.Context()
	_ = c.ClearCompanies(ctx, 1, client.Those{})
	_ = c.ClearCompanies(ctx, 1, client.Those{All: true})
	_, _ = c.CopyCompanies(ctx, 1, []int64{2}, client.Those{IDs: []string{"a/b"}})
	_, _ = c.MoveCompanies(ctx, 1, nil, client.Those{All: true})
	for i, want := range []struct{ query, body string }{
		{"", `{"companies":[]}`},
		{"clearAll=true", `{"companies":[]}`},
		{"", `{"portfolios":[2],"companies":[{"id":"a/b"}]}`},
		{"removeAll=true", `{"portfolios":[],"companies":[]}`},
	} {
		if s.calls[i].URL.RawQuery != want.query || s.bodies[i] != want.body {
			t.Errorf("call %d: got ?%s %s, want ?%s %s", i, s.calls[i].URL.RawQuery, s.bodies[i], want.query, want.body)
		}
	}
	if a, b := s.calls[2].Header.Get("Idempotency-Key"), s.calls[3].Header.Get("Idempotency-Key"); a == "" || a == b {
		t.Errorf("the keys are %q and %q", a, b)
	}
}
