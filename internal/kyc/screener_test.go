package kyc_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/kyc"
	"bureau/internal/store"
)

// world is three lists: sanctions of the UN, an old list of OFAC's, and the
// operator's own.
func world(t *testing.T, db kyc.Store) *kyc.Screener {
	t.Helper()
	un := []kyc.Record{
		person(kyc.UNSanctions, "1", "Aleksandr Brimwick"), person(kyc.UNSanctions, "2", "Yusuf Calderhill"),
		{Entry: kyc.Entry{
			List: kyc.UNSanctions, Number: "3", Kind: kyc.Company, Names: []kyc.Name{{Text: "Ostrova Shipping LLC"}, {Text: "Nordhavn Lines", Type: kyc.Former}},
			Datasets: []kyc.Dataset{kyc.SANCurrent}, Bodies: []kyc.Body{kyc.UN}, Listed: "2020-02-29",
		}},
	}
	un[0].Born, un[0].Names = []kyc.Date{{On: "1961-04-07"}}, append(un[0].Names, kyc.Name{Text: "The Brim", Type: kyc.Alias, Weak: true})
	mustTake(t, db, kyc.Intake{Whole: true}, un...)
	ofac := []kyc.Record{
		person(kyc.OFACSDN, "1", "Aleksander Brimwick"),
		{Entry: kyc.Entry{
			List: kyc.OFACSDN, Number: "9", Kind: kyc.Vessel, Names: []kyc.Name{{Text: "OSTROVA SHIPPING"}},
			Datasets: []kyc.Dataset{kyc.SANCurrent}, Bodies: []kyc.Body{kyc.OFAC},
		}},
	}
	ofac[0].Bodies = []kyc.Body{kyc.OFAC}
	ofac[0].AsOf, ofac[1].AsOf = "2025-01-31", "2025-01-31"
	mustTake(t, db, kyc.Intake{Whole: true}, ofac...)
	own := person(kyc.Watchlist, "7", "Alexander Brimwick", kyc.PEP, kyc.POI)
	own.Bodies = nil
	denied := person(kyc.Watchlist, "8", "Zephyr Quillon", kyc.POI)
	denied.Kind = kyc.Other
	mustTake(t, db, kyc.Intake{Whole: true}, own, denied)
	s := &kyc.Screener{Index: &kyc.Index{Store: db}, Store: db, Now: func() time.Time { return noon.Add(24 * time.Hour) }}
	if err := s.Index.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

func found(hits []kyc.Hit) (out []string) {
	for _, h := range hits {
		out = append(out, h.Entry.List+" "+h.Entry.Number)
	}
	slices.Sort(out)
	return out
}

func TestSearchesLookWhereTheyAreToldTo(t *testing.T) {
	onBoth(t, func(t *testing.T, db *store.DB) {
		s := world(t, db)
		brim := kyc.Subject{Person: true, First: "Aleksandr", Last: "Brimwick"}
		ship := kyc.Subject{Name: "Ostrova Shipping"}
		for _, c := range []struct {
			says string
			who  kyc.Subject
			o    kyc.Options
			want []string
		}{
			{"everywhere", brim, kyc.Options{}, []string{"ofac-sdn 1", "un-sanctions 1", "watchlist 7"}},
			{"sanctions only", brim, kyc.Options{Datasets: []kyc.Dataset{kyc.SAN}}, []string{"ofac-sdn 1", "un-sanctions 1"}},
			{"a part of a dataset", brim, kyc.Options{Datasets: []kyc.Dataset{kyc.PEP}}, []string{"watchlist 7"}},
			{"one body's sanctions, and what is no sanction", brim, kyc.Options{Bodies: []kyc.Body{kyc.OFAC}}, []string{"ofac-sdn 1", "watchlist 7"}},
			{"one body's sanctions only", brim, kyc.Options{Bodies: []kyc.Body{kyc.OFAC}, Datasets: []kyc.Dataset{kyc.SANCurrent}}, []string{"ofac-sdn 1"}},
			{"a person is no business", kyc.Subject{Name: "Aleksandr Brimwick"}, kyc.Options{}, nil},
			{"a business, and a ship of its name", ship, kyc.Options{}, []string{"ofac-sdn 9", "un-sanctions 3"}},
			{"ships only", ship, kyc.Options{Kinds: []kyc.Kind{kyc.Vessel}}, []string{"ofac-sdn 9"}},
			{"by a former name", kyc.Subject{Name: "Nordhavn Lines"}, kyc.Options{}, []string{"un-sanctions 3"}},
			{"who may be either is found as a person", kyc.Subject{Person: true, Name: "Zephyr Quillon"}, kyc.Options{}, []string{"watchlist 8"}},
			{"and as a business", kyc.Subject{Name: "Zephyr Quillon"}, kyc.Options{}, []string{"watchlist 8"}},
			{"a stranger", kyc.Subject{Person: true, Name: "Margaret Fennimore"}, kyc.Options{}, nil},
			{"only the likeliest", brim, kyc.Options{Limit: 1}, []string{"un-sanctions 1"}},
			{"only the same words", brim, kyc.Options{Threshold: 100}, []string{"un-sanctions 1"}},
		} {
			hits, _, err := s.Screen(t.Context(), c.who, c.o)
			if err != nil {
				t.Errorf("%s: %v", c.says, err)
			}
			if diff := cmp.Diff(c.want, found(hits)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.says, diff)
			}
			for _, h := range hits {
				if len(h.Entry.Sources) == 0 || h.Entry.Sources[0].Title == "" || h.Entry.Sources[0].Added == "" || len(h.Entry.Sources[0].Datasets) == 0 || len(h.Why) == 0 {
					t.Errorf("%s: a hit that does not say where it comes from: %+v", c.says, h)
				}
			}
		}
	})
}

func TestAnAnswerSaysWhatItDidNotLookAt(t *testing.T) {
	s := world(t, open(t, t.TempDir()+"/test.db"))
	stranger := kyc.Subject{Person: true, Name: "Margaret Fennimore"}
	names := func(list []kyc.Loaded) (out []string) {
		for _, l := range list {
			out = append(out, fmt.Sprintf("%s %d", l.List, l.Version))
		}
		return out
	}
	_, c, err := s.Screen(t.Context(), stranger, kyc.Options{Datasets: []kyc.Dataset{kyc.SAN, kyc.AM, kyc.PEPFormer, kyc.SANFormer}, Bodies: []kyc.Body{kyc.UN, kyc.EU}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]kyc.Dataset{kyc.AM, kyc.PEPFormer, kyc.SANFormer}, c.Missing); diff != "" {
		t.Errorf("missing (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]kyc.Body{kyc.EU}, c.Bodies); diff != "" {
		t.Errorf("bodies (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"ofac-sdn 2", "un-sanctions 1"}, names(c.Lists)); diff != "" {
		t.Errorf("lists (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"ofac-sdn 2"}, names(c.Old)); diff != "" {
		t.Errorf("old (-want +got):\n%s", diff)
	}
	if c.Complete() {
		t.Error("it says that it looked at everything")
	}
	if _, c, _ = s.Screen(t.Context(), stranger, kyc.Options{Datasets: []kyc.Dataset{kyc.POI}}); !c.Complete() {
		t.Errorf("the watchlist does not age, and is all that was asked for: %+v", c)
	}
	empty := &kyc.Screener{Index: &kyc.Index{Store: open(t, t.TempDir()+"/empty.db")}, Now: time.Now}
	if _, _, err := empty.Screen(t.Context(), stranger, kyc.Options{}); !errors.Is(err, fault.Busy) {
		t.Errorf("before the lists are loaded: %v", err)
	}
	if err := empty.Index.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if hits, c, err := empty.Screen(t.Context(), stranger, kyc.Options{}); err != nil || len(hits) > 0 || c.Complete() {
		t.Errorf("without any list: %v, %+v (%v)", hits, c, err)
	}
}

func TestFactsConfirmOrWeaken(t *testing.T) {
	s := world(t, open(t, t.TempDir()+"/test.db"))
	score := func(born string) int {
		hits, _, err := s.Screen(t.Context(), kyc.Subject{Person: true, Name: "Aleksander Brimwik", Born: company.Date(born)}, kyc.Options{Bodies: []kyc.Body{kyc.UN}, Datasets: []kyc.Dataset{kyc.SAN}, Threshold: 50})
		if err != nil {
			t.Fatal(err)
		}
		if len(hits) == 0 {
			return 0
		}
		return hits[0].Score
	}
	without, same, other := score(""), score("1961-04-07"), score("1990-01-01")
	if !(same >= without && other < without && other < kyc.DefaultThreshold) {
		t.Errorf("without a date of birth %d, with the same %d, with another %d", without, same, other)
	}
}

func TestSearchesThatMakeNoSense(t *testing.T) {
	s := world(t, open(t, t.TempDir()+"/test.db"))
	ok := kyc.Subject{Person: true, Name: "Somebody"}
	for says, c := range map[string]struct {
		who kyc.Subject
		o   kyc.Options
	}{
		"threshold":      {ok, kyc.Options{Threshold: -1}},
		"threshold: 101": {ok, kyc.Options{Threshold: 101}},
		"name":           {kyc.Subject{Person: true}, kyc.Options{}},
		"name: there":    {kyc.Subject{Person: true, Name: " .-' "}, kyc.Options{}},
		"longer than":    {kyc.Subject{Name: strings.Repeat("long name ", 30)}, kyc.Options{}},
		"dateOfBirth":    {kyc.Subject{Person: true, Name: "Somebody", Born: "1.1.1970"}, kyc.Options{}},
		"datasets":       {ok, kyc.Options{Datasets: []kyc.Dataset{"NONE"}}},
		"sanctionBodies": {ok, kyc.Options{Bodies: []kyc.Body{"NOBODY"}}},
	} {
		if _, _, err := s.Screen(t.Context(), c.who, c.o); !errors.Is(err, fault.Invalid) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: got %v", says, err)
		}
	}
}

// An index that followed the log finds what one finds that was built anew.
func TestTheIndexFollowsTheLists(t *testing.T) {
	onBoth(t, func(t *testing.T, db *store.DB) {
		s := world(t, db)
		follow := func() {
			t.Helper()
			if err := s.Index.Refresh(t.Context()); err != nil {
				t.Fatal(err)
			}
			anew := &kyc.Screener{Index: &kyc.Index{Store: db}, Store: db, Now: s.Now}
			if err := anew.Index.Refresh(t.Context()); err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"Aleksandr Brimwick", "Yusuf Calderhill", "Totally Renamed", "Newcomer Vandersloot"} {
				for _, isPerson := range []bool{true, false} {
					a, ca, err1 := s.Screen(t.Context(), kyc.Subject{Person: isPerson, Name: name}, kyc.Options{})
					b, cb, err2 := anew.Screen(t.Context(), kyc.Subject{Person: isPerson, Name: name}, kyc.Options{})
					if err := errors.Join(err1, err2); err != nil {
						t.Fatal(err)
					}
					if diff := cmp.Diff(b, a); diff != "" {
						t.Errorf("%s (-anew +followed):\n%s", name, diff)
					}
					if diff := cmp.Diff(cb, ca); diff != "" {
						t.Errorf("coverage (-anew +followed):\n%s", diff)
					}
				}
			}
		}
		mustTake(t, db, kyc.Intake{AcceptShrink: true},
			person(kyc.UNSanctions, "2", "Totally Renamed"), person(kyc.UNSanctions, "4", "Newcomer Vandersloot", kyc.PEPFormer),
			kyc.Record{Entry: kyc.Entry{List: kyc.Watchlist, Number: "8"}, Gone: true})
		follow()
		// Somebody whom the publisher took for a person is a company.
		turned := person(kyc.UNSanctions, "4", "Newcomer Vandersloot")
		turned.Kind = kyc.Company
		mustTake(t, db, kyc.Intake{}, turned)
		follow()
		mustTake(t, db, kyc.Intake{Whole: true}, people("big", 2500)...) // more than it follows one by one
		follow()
	})
}
