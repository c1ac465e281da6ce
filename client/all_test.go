package client_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"
	"testing"

	"bureau/client"
)

// ids are those of a list, read to its end.
func ids[T any](list iter.Seq2[T, error], id func(T) string) (out []string, err error) {
	for v, err := range list {
		if err != nil {
			return out, err
		}
		out = append(out, id(v))
	}
	return out, nil
}

// A list with page numbers is read to its end. What was pushed onto the next page
// by something new is given once.
func TestNumberedListsAreReadToTheirEnd(t *testing.T) {
	s, c := newService()
	s.answer = append(s.answer,
		refuse(200, nil, `{"totalSize":4,"items":[{"id":"4"},{"id":"3"}]}`),
		refuse(200, nil, `{"totalSize":5,"items":[{"id":"3"},{"id":"2"}]}`),
		refuse(200, nil, `{"totalSize":5,"items":[{"id":"1"}]}`))
	got, err := ids(c.AllProfiles(t.Context(), client.ProfileFilter{SearchTerm: "a b", Page: 7, PageSize: 2}), func(p client.KYCProfile) string { return p.ID })
	if want := []string{"4", "3", "2", "1"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("read %v (%v), want %v", got, err, want)
	}
	for i, r := range s.calls {
		if want := fmt.Sprintf("page=%d&pageSize=2&searchTerm=a+b", i+1); r.URL.RawQuery != want {
			t.Errorf("call %d: ?%s, want ?%s", i, r.URL.RawQuery, want)
		}
	}
	if len(s.calls) != 3 {
		t.Errorf("%d pages were fetched, want 3", len(s.calls))
	}
}

// The history of verifications goes on after the last that was read.
func TestBankVerificationsAreReadToTheirEnd(t *testing.T) {
	s, c := newService()
	s.answer = append(s.answer,
		refuse(200, nil, `[{"requestId":"9"},{"requestId":"8"}]`),
		refuse(200, nil, `[]`))
	got, err := ids(c.AllBankVerifications(t.Context(), client.BankVerificationFilter{Limit: 2}), func(r client.BankVerificationRow) string { return r.RequestID })
	if want := []string{"9", "8"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("read %v (%v), want %v", got, err, want)
	}
	if q := s.calls[1].URL.Query(); q.Get("after") != "8" || q.Get("pageSize") != "2" {
		t.Errorf("the second page is asked for with %v", q)
	}
}

// Every method that reads a whole list asks for the next page until there is
// none, and ends with what went wrong.
func TestWholeLists(t *testing.T) {
	ours := reflect.TypeFor[*client.Client]()
	tried := 0
	for i := range ours.NumMethod() {
		m := ours.Method(i)
		if !strings.HasPrefix(m.Name, "All") {
			continue
		}
		tried++
		t.Run(m.Name, func(t *testing.T) {
			s, c := newService()
			s.answer = append(s.answer, refuse(404, nil, `{"message":"gone"}`))
			in := []reflect.Value{reflect.ValueOf(c), reflect.ValueOf(context.Context(t.Context()))}
			for k := 2; k < m.Type.NumIn(); k++ {
				if m.Type.IsVariadic() && k == m.Type.NumIn()-1 {
					continue
				}
				in = append(in, reflect.Zero(m.Type.In(k)))
			}
			n := 0
			for _, err := range m.Func.Call(in)[0].Seq2() {
				n++
				if failed, ok := err.Interface().(error); !ok || !errors.Is(failed, client.ErrNotFound) {
					t.Errorf("got %v, want the refusal", err)
				}
			}
			if n != 1 || len(s.calls) != 1 {
				t.Fatalf("%d entries after %d calls, want one refusal", n, len(s.calls))
			}
			if q := s.calls[0].URL.Query(); q.Get("pageSize") == "" {
				t.Errorf("no page size is asked for: %v", q)
			}
		})
	}
	if tried < 15 {
		t.Errorf("only %d methods were tried", tried)
	}
}
