package console

import (
	"context"
	"strings"

	"bureau/internal/auth"
	"bureau/internal/kyc"
)

// Who looked at whom, and what was done, is in the audit log in the words that
// calls have there. It happened, whether or not the visitor still waits.

// makeSearch makes a search. It is kept, counted and in the audit log, or none of it.
func (s *Server) makeSearch(v *visit, r kyc.Request) (kyc.Search, error) {
	made, err := s.KYC.Screen(v.ctx(), v.by, r)
	if err != nil {
		return kyc.Search{}, err
	}
	err = s.Gate.CountParcel(context.WithoutCancel(v.ctx()), v.by, auth.KYC, made)
	return made.Search, err
}

// noteKYC keeps what was done. person is whom it is about, as the log names
// them; empty for a list.
func (s *Server) noteKYC(v *visit, did auth.Action, person, what string) error {
	return s.Gate.Journal.Write(context.WithoutCancel(v.ctx()), auth.Entry{
		Action: did, Customer: v.by.Customer, Account: v.by.Account, Person: person, Detail: what,
	})
}

// noteSchedule keeps what was done with a schedule.
func (s *Server) noteSchedule(v *visit, c kyc.Schedule, did kyc.DeedAction) error {
	return s.noteKYC(v, auth.ScheduleChanged, s.KYC.Mark(c.Of), kyc.Deed{
		Category: kyc.OfSearch, Subcategory: kyc.OfMonitoring, Action: did, Search: string(c.Search), Schedule: string(c.ID),
	}.Detail())
}

// colleagues are what the accounts of the visitor's customer are called.
func (s *Server) colleagues(v *visit) map[auth.AccountID]string {
	out := map[auth.AccountID]string{}
	for _, a := range s.Directory.Accounts(v.by.Customer) {
		name := strings.TrimSpace(a.First + " " + a.Surname)
		if name == "" {
			name = a.UserKey
		}
		out[a.ID] = clip(name, 60)
	}
	return out
}
