package storetest

import (
	"fmt"
	"strings"
	"testing"

	"bureau/internal/kyc"
)

func kycWatching(t *testing.T, s nodes) {
	var made []kyc.Schedule
	for i := range 4 {
		by := ann
		if i == 1 {
			by = carol
		}
		search := addSearch(t, s, by, aSearch(i+1, fmt.Sprint("Brook", i)))
		made = append(made, aSchedule(i, search))
		noError(t, s.AddKYCSchedule(t.Context(), by, made[i]))
	}
	var list []kyc.Watching
	read := func(after int64, limit int) (out []string) {
		t.Helper()
		var err error
		list, err = s.other.KYCWatching(t.Context(), after, limit, list[:0])
		noError(t, err)
		for _, w := range list {
			out = append(out, fmt.Sprint(w.Schedule, " ", w.Threshold, " ", strings.Count(w.Subjects, "Brook")))
		}
		return out
	}
	same(t, "first", read(0, 2), []string{"schedule-0 80 1", "schedule-1 80 1"})
	at := list[1].Number
	// While somebody reads on, one that was read and one that was not change, and one ends.
	for _, i := range []int{0, 2} {
		_, err := s.UpdateKYCSchedule(t.Context(), ann, made[i].ID, func(c *kyc.Schedule) error { c.Threshold = 90 + i; return nil })
		noError(t, err)
	}
	noError(t, s.EndKYCSchedule(t.Context(), ann, made[3].ID))
	same(t, "the rest", read(at, 9), []string{"schedule-0 90 1", "schedule-2 92 1"})
	got, err := s.KYCWatchedByID(t.Context(), []kyc.ScheduleID{made[1].ID, made[3].ID, "schedule-9"})
	noError(t, err)
	if len(got) != 1 || got[0].Customer != carol.Customer || got[0].Schedule.ID != made[1].ID {
		t.Errorf("by their IDs: %+v", got)
	}
	read(0, 9)
	was := list[0].Subjects
	got[0].Schedule.Of.Subject.Last = "Other"
	noError(t, s.WriteKYCWatching(t.Context(), got[0]))
	read(0, 9)
	same(t, "what was written is left", list[0].Subjects, was)
}
