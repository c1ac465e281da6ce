package app

import (
	"context"
	"slices"
	"time"

	"bureau/internal/fault"
	"bureau/internal/kyc"
)

// A ListView is a list as commands show it.
type ListView struct {
	Name     string   `json:"name"`
	Title    string   `json:"title"`
	Loaded   bool     `json:"loaded"`
	Version  int64    `json:"version,omitempty"`
	Entries  int64    `json:"entries"`
	LoadedAt string   `json:"loadedAt,omitempty"`
	AsOf     string   `json:"asOf,omitempty"`
	AgeDays  int      `json:"ageDays"`
	MaxDays  int      `json:"maxDays,omitempty"` // 0: it does not age
	Old      bool     `json:"old"`
	Datasets []string `json:"datasets"`
}

// Lists tells of every list that can be loaded, and whether it is.
func (a *App) Lists(ctx context.Context) ([]ListView, error) {
	loaded, err := a.DB.LoadedLists(ctx)
	if err != nil {
		return nil, err
	}
	now := time.Now()
	var out []ListView
	for _, l := range kyc.Lists {
		v := ListView{Name: l.Name, Title: l.Title, MaxDays: int(l.Limit.Hours() / 24)}
		for _, d := range l.Datasets {
			v.Datasets = append(v.Datasets, string(d))
		}
		i := slices.IndexFunc(loaded, func(have kyc.Loaded) bool { return have.List == l.Name })
		if i < 0 && l.Name == kyc.Sandbox {
			continue // nobody misses it
		}
		if i >= 0 {
			have := loaded[i]
			v.Loaded, v.Version, v.Entries, v.Old = true, have.Version, have.Entries, have.Old(now)
			v.LoadedAt, v.AsOf = have.LoadedAt.Format(time.RFC3339), have.AsOf.Format(time.DateOnly)
			v.AgeDays = int(have.Age(now).Hours() / 24)
		}
		out = append(out, v)
	}
	return out, nil
}

// knownList fails for a list that there is not.
func knownList(name string) error {
	if slices.ContainsFunc(kyc.Lists, func(l kyc.List) bool { return l.Name == name }) {
		return nil
	}
	return fault.Missing.Errorf("there is no list %q; 'bureau list status' names them", name)
}

// A VersionView is a version of a list as commands show it.
type VersionView struct {
	Version int64  `json:"version"`
	At      string `json:"at"`
	AsOf    string `json:"asOf,omitempty"`
	File    string `json:"file"`
	Entries int64  `json:"entries"`
	Added   int64  `json:"added"`
	Changed int64  `json:"changed"`
	Removed int64  `json:"removed"`
}

// ListVersions tells of the newest versions of a list.
func (a *App) ListVersions(ctx context.Context, list string, limit int) ([]VersionView, error) {
	if err := knownList(list); err != nil {
		return nil, err
	}
	versions, err := a.DB.ListVersions(ctx, list, limit)
	var out []VersionView
	for _, v := range versions {
		out = append(out, VersionView{v.Number, v.At.Format(time.RFC3339), string(v.AsOf), v.File, v.Entries, v.Added, v.Changed, v.Removed})
	}
	return out, err
}

// An EntryView is an entry as commands show it.
type EntryView struct {
	List        string       `json:"list"`
	Number      string       `json:"number"`
	Version     int64        `json:"version"` // of the list, with which the entry came or last changed
	FirstAdded  string       `json:"firstAdded"`
	Kind        string       `json:"kind"`
	Names       []NameView   `json:"names"`
	Born        []string     `json:"born,omitempty"`
	BirthPlaces []string     `json:"birthPlaces,omitempty"`
	Gender      string       `json:"gender,omitempty"`
	Countries   []string     `json:"countries,omitempty"`
	Positions   []string     `json:"positions,omitempty"`
	Numbers     []string     `json:"identifiers,omitempty"`
	Datasets    []string     `json:"datasets"`
	Bodies      []string     `json:"bodies,omitempty"`
	Programmes  []string     `json:"programmes,omitempty"`
	Reasons     []string     `json:"reasons,omitempty"`
	Remarks     []string     `json:"remarks,omitempty"`
	Listed      string       `json:"listed,omitempty"`
	Sources     []SourceLink `json:"sources,omitempty"`
}

// A NameView is a name as commands show it.
type NameView struct {
	Text string `json:"text"`
	Type string `json:"type"`
	Weak bool   `json:"weak,omitempty"`
}

// A SourceLink is where the publisher's word can be read.
type SourceLink struct {
	Title string `json:"title"`
	Link  string `json:"link"`
}

// ListEntry reads what a list says, or said at the end of a day, about one
// entry. Without a day it is what it says now.
func (a *App) ListEntry(ctx context.Context, list, number string, on time.Time) (EntryView, error) {
	if err := knownList(list); err != nil {
		return EntryView{}, err
	}
	at := time.Now()
	if !on.IsZero() {
		at = on.AddDate(0, 0, 1).Add(-time.Millisecond)
	}
	v, err := a.DB.VersionOn(ctx, list, at)
	if err != nil {
		return EntryView{}, err
	}
	held, err := a.DB.Entry(ctx, list, number, v.Number)
	if err != nil {
		return EntryView{}, err
	}
	e, err := held.Entry()
	return viewOf(held, e), err
}

func viewOf(h kyc.Held, e kyc.Entry) EntryView {
	v := EntryView{
		List: h.List, Number: h.Number, Version: h.Since, FirstAdded: h.FirstAdded.Format(time.RFC3339), Kind: string(e.Kind),
		BirthPlaces: e.BirthPlaces, Gender: string(e.Gender), Countries: slices.Concat(e.Nationalities, e.Countries), Positions: e.Positions,
		Programmes: e.Programmes, Reasons: e.Reasons, Remarks: e.Remarks, Listed: string(e.Listed),
	}
	for _, n := range e.Names {
		is := string(n.Type)
		if n.Type == kyc.Primary {
			is = "primary"
		}
		v.Names = append(v.Names, NameView{n.Text, is, n.Weak})
	}
	for _, d := range e.Born {
		v.Born = append(v.Born, d.String())
	}
	for _, i := range e.Identifiers {
		v.Numbers = append(v.Numbers, i.Type+" "+i.Value)
	}
	for _, d := range e.Datasets {
		v.Datasets = append(v.Datasets, string(d))
	}
	for _, b := range e.Bodies {
		v.Bodies = append(v.Bodies, string(b))
	}
	for _, s := range e.Sources {
		v.Sources = append(v.Sources, SourceLink{s.Title, s.Link})
	}
	return v
}
