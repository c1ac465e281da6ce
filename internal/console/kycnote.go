package console

import (
	"context"
	"strings"

	"bureau/internal/auth"
	"bureau/internal/kyc"
)

// Who looked at whom, and what was done, is in the audit log in the words that
// calls have there. It happened, whether or not the visitor still waits.

// noteScreened counts a search and keeps who was looked for.
func (s *Server) noteScreened(v *visit, search kyc.Search) error {
	return s.Gate.CountEntry(context.WithoutCancel(v.ctx()), v.by, auth.KYC, auth.Entry{
		Action: auth.Screened, Person: s.KYC.Mark(search),
		Detail: kyc.Deed{Category: kyc.OfSearch, Action: kyc.Created, Search: string(search.ID)}.Detail(),
	})
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
