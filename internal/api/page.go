package api

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// pagingJSON says where a page stands among the others. Monitoring counts its
// pages from 0.
type pagingJSON struct {
	Size int  `json:"size" doc:"Entries on a page."`
	Prev *int `json:"prev" doc:"The page before; null on the first."`
	Next *int `json:"next" doc:"The page behind; null on the last."`
	Last int  `json:"last" doc:"The last page; -1 if there is none."`
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
	return time.Time{}, fmt.Errorf("%s is not a time such as 2026-01-31T00:00:00", strconv.Quote(clip(text)))
}

// clip cuts what somebody sent to a length that fits an answer.
func clip(s string) string {
	if len(s) > 60 {
		return strings.ToValidUTF8(s[:60], "") + "…"
	}
	return s
}
