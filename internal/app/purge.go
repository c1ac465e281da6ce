package app

import (
	"context"
	"fmt"
	"strings"
	"time"

	"bureau/internal/auth"
	"bureau/internal/kyc"
)

// A ReplayView is what became of asking a search again.
type ReplayView struct {
	Search   string   `json:"searchId"`
	Customer int64    `json:"customer"`
	Engine   string   `json:"engine"`
	Lists    []string `json:"lists"` // with the versions that it was answered from
	Hits     int      `json:"hits"`
	Same     bool     `json:"same"`
	Differs  []string `json:"differs"`
}

// ReplaySearch asks a search again, on the lists as they were.
func (a *App) ReplaySearch(ctx context.Context, id string) (ReplayView, error) {
	r, err := a.Screener.Replay(ctx, a.DB, kyc.SearchID(strings.ToLower(id)))
	if err != nil {
		return ReplayView{}, err
	}
	v := ReplayView{
		Search: string(r.Search.ID), Customer: int64(r.Customer), Engine: r.Search.Looked.Engine, Lists: []string{}, Hits: r.Kept,
		Same: len(r.Differs) == 0, Differs: append([]string{}, r.Differs...),
	}
	for _, l := range r.Search.Looked.Lists {
		v.Lists = append(v.Lists, fmt.Sprintf("%s@%d", l.List, l.Version))
	}
	return v, nil
}

// A PurgeView is what was removed of somebody, and what is left.
type PurgeView struct {
	Customer int64            `json:"customer"`
	Searches int              `json:"searches"`
	Removed  map[string]int64 `json:"removed"`
	Left     map[string]int64 `json:"left"`
	Audited  int64            `json:"auditEntries"` // about whom, nobody can tell any more
	Profiles int64            `json:"profiles"`     // that were linked, and stay
	Chain    int64            `json:"auditVerified"`
	Broken   string           `json:"auditBroken,omitempty"`
}

// PurgeSubject removes whom a search is about, with every search for them, and
// reads what is left, and the whole audit log.
func (a *App) PurgeSubject(ctx context.Context, id string) (PurgeView, error) {
	p, err := a.KYC.Purge(ctx, a.DB, kyc.SearchID(strings.ToLower(id)))
	if err != nil {
		return PurgeView{}, err
	}
	if err := a.notePurge(ctx, p); err != nil {
		return PurgeView{}, err
	}
	v := PurgeView{
		Customer: int64(p.Of.Customer), Searches: len(p.Searches), Removed: p.Removed, Left: p.Left, Audited: p.Named, Profiles: p.Profiles,
	}
	found, err := a.VerifyAudit(ctx)
	v.Chain, v.Broken = found.Entries, found.Problem
	return v, err
}

// notePurge keeps in the audit log which searches are gone; by their numbers,
// which lead nowhere.
func (a *App) notePurge(ctx context.Context, p kyc.Purge) error {
	for _, id := range p.Searches {
		err := a.Journal.Write(ctx, auth.Entry{
			Action: auth.KYCDone, Customer: p.Of.Customer, Detail: kyc.Deed{Category: kyc.OfSearch, Action: kyc.Deleted, Search: string(id)}.Detail(),
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// purgeOld removes subjects that are older than the operator keeps them.
func (a *App) purgeOld(ctx context.Context) error {
	n, err := a.KYC.PurgeOld(ctx, a.DB, time.Now().AddDate(0, 0, -a.Config.KeepSearches))
	if n > 0 {
		a.Log.InfoContext(ctx, "old searches were purged", "subjects", n)
	}
	return err
}
