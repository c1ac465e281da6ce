package main

import (
	"errors"
	"fmt"
	"strings"

	"bureau/client"
)

// screenFile screens the subjects of a CSV. What q says holds for every line.
func (t *terminal) screenFile(api *client.Client, kind client.SubjectKind, q client.ScreeningQuestion, path string) error {
	w := lineWork{
		api: api, adds: []string{"hits", "best", "searchId", "warnings"},
		needs: func(has func(string) bool) error {
			if has("name") || has("lastName") {
				return nil
			}
			return errors.New("its first line names neither the column name nor lastName")
		},
		ask: func(get func(string) string) ([]string, error) {
			q := q
			q.Name = get("name")
			if kind == client.Individuals {
				q.FirstName, q.MiddleName, q.LastName = get("firstName"), get("middleName"), get("lastName")
				q.DateOfBirth, q.Gender = get("dateOfBirth"), get("gender")
			}
			if c := get("country"); c != "" {
				q.CountryCodes = []string{c}
			}
			search, err := api.Screen(t.ctx, kind, q, client.NewKey())
			if err != nil {
				return nil, err
			}
			best, err := t.bestHit(api, kind, search)
			return []string{fmt.Sprint(search.TotalHitCount), best, search.ID, strings.Join(search.Coverage.Warnings, "; ")}, err
		},
		tally: func(done int, by map[string]int) string {
			return fmt.Sprintf("screened %d: %d with hits, %d refused", done, done-by["0"]-by[refusedLine], by[refusedLine])
		},
	}
	return w.run(t, path)
}

// bestHit is the likeliest hit of a search, in words.
func (t *terminal) bestHit(api *client.Client, kind client.SubjectKind, of client.Screening) (string, error) {
	if of.TotalHitCount == 0 {
		return "", nil
	}
	for h, err := range api.ScreeningHits(t.ctx, kind, of.ID) {
		return fmt.Sprintf("%s (%d)", h.Name, h.HitScore), err
	}
	return "", nil
}
