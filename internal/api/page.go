package api

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"bureau/internal/auth"
	"bureau/internal/fault"
)

// pagingJSON says where a page stands among the others. Monitoring counts its
// pages from 0.
type pagingJSON struct {
	Size int  `json:"size" doc:"Entries on a page."`
	Prev *int `json:"prev" doc:"The page before; null on the first, and with after."`
	Next *int `json:"next" doc:"The page behind; null on the last, and with after."`
	Last int  `json:"last" doc:"The last page; -1 if there is none."`
}

// PageFilter is what lists of monitoring take. It is exported, as is whatever
// else is part of several inputs: huma passes over parts that are not.
type PageFilter struct {
	Page  int    `query:"page" minimum:"0" maximum:"1000000" default:"0" doc:"Which page, from 0. Behind the last one there is nothing. It is left out with after."`
	Size  int    `query:"pageSize" minimum:"1" maximum:"1000" default:"50" doc:"Entries on a page."`
	After string `query:"after" doc:"Only what comes behind: the cursor of the answer before, with the same filters. It neither skips nor repeats an entry, whatever happens meanwhile. paging then has no prev and no next."`
}

// place is how many entries lie before the page; into, where there is a cursor,
// gets the place behind which it begins.
func (f *PageFilter) place(s *Server, by auth.Caller, of string, into any) (skip int, err error) {
	switch {
	case f.After == "":
		return f.Page * f.Size, nil
	case f.Page > 0:
		return 0, fault.Invalid.Details("Bad request", "page: after says where to go on; leave one of the two out")
	}
	return 0, s.openCursor(by, of, f.After, into)
}

// paging says where the page stands. Behind a cursor pages have no numbers.
func (f *PageFilter) paging(total int64) pagingJSON {
	p := paging(f.Page, f.Size, total)
	if f.After != "" {
		p.Prev, p.Next = nil, nil
	}
	return p
}

func paging(page, size int, total int64) pagingJSON {
	p := pagingJSON{Size: size, Last: int((total+int64(size)-1)/int64(size)) - 1}
	if prev := min(page-1, p.Last); prev >= 0 {
		p.Prev = &prev
	}
	if next := page + 1; next <= p.Last {
		p.Next = &next
	}
	return p
}

// naive is a time as clients of this wire expect it: in UTC, without a zone.
func naive(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05") }

func naiveOrNull(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	s := naive(t)
	return &s
}

func textOrNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func decimal(n int64) string { return strconv.FormatInt(n, 10) }

// timeOf reads a time in the forms that clients send: with or without a zone,
// a fraction, a time at all. Without a zone it is UTC; empty is no time.
func timeOf(text string) (time.Time, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{
		time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02",
		"2006-01-02T15:04:05Z0700",
	} {
		if t, err := time.Parse(layout, text); err == nil && t.Year() >= 1 {
			return t.UTC(), nil
		}
	}
	return time.Time{}, fmt.Errorf("%s is not a time such as 2026-01-31T00:00:00", strconv.Quote(fault.Clip(text)))
}

// endOf reads the end of a span of time: as timeOf does, but a day alone is
// meant to its end.
func endOf(text string) (time.Time, error) {
	t, err := timeOf(text)
	switch {
	case err != nil || strings.TrimSpace(text) == "":
	case len(strings.TrimSpace(text)) == len(time.DateOnly):
		t = t.AddDate(0, 0, 1).Add(-time.Millisecond)
	case t.IsZero():
		t = t.Add(time.Millisecond) // the first moment of all is an end too
	}
	return t, err
}
