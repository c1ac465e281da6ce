package client

import (
	"context"
	"net/http"
	"strconv"
)

// A LinkFilter says which searches of a profile to list.
type LinkFilter struct {
	IsScheduled    *bool
	Page, PageSize int
}

// ProfileSearches lists a page of the searches of a profile, the newest first,
// and says how many there are in all.
func (c *Client) ProfileSearches(ctx context.Context, id string, f LinkFilter) (list []Screening, total int64, err error) {
	q := kycPage(f.Page, f.PageSize)
	if f.IsScheduled != nil {
		q.Set("isScheduled", strconv.FormatBool(*f.IsScheduled))
	}
	return kycList[Screening](ctx, c, profilePath(id, "searches"), q)
}

// LinkSearches makes searches those of a profile, each by itself.
func (c *Client) LinkSearches(ctx context.Context, id string, searches []string) (out Bulk[string], err error) {
	err = c.call(ctx, http.MethodPost, profilePath(id, "searches", "link"), map[string][]string{"searchIds": searches}, &out)
	return out, err
}

// UnlinkSearches takes searches from a profile, each by itself. They stay.
func (c *Client) UnlinkSearches(ctx context.Context, id string, searches []string) (out Bulk[string], err error) {
	err = c.call(ctx, http.MethodDelete, profilePath(id, "searches", "link"), map[string][]string{"searchIds": searches}, &out)
	return out, err
}
