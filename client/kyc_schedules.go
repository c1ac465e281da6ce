package client

import (
	"context"
	"iter"
	"net/http"
	"net/url"
	"strings"
)

// A ScheduleWish is what a schedule is to be. What is nil stays as it is, or as
// the search has it.
type ScheduleWish struct {
	SearchID        string    `json:"searchId,omitempty"`   // of a new one
	ScheduleID      string    `json:"scheduleId,omitempty"` // of several at once
	Threshold       *int      `json:"threshold,omitempty"`
	Datasets        *[]string `json:"datasets,omitempty"`
	IsEmailRequired *bool     `json:"isEmailRequired,omitempty"`
	EmailRecipients *[]string `json:"emailRecipients,omitempty"`
}

// A ScreeningSchedule repeats a search whenever a list changes.
type ScreeningSchedule struct {
	ID              string   `json:"id"`
	SearchID        string   `json:"searchId"`
	Type            string   `json:"type"`
	Name            string   `json:"name"`
	Threshold       int      `json:"threshold"`
	Datasets        []string `json:"datasets"`
	IsEmailRequired bool     `json:"isEmailRequired"`
	EmailRecipients []string `json:"emailRecipients"`
	CreatedAt       string   `json:"createdAt"`
	CreatedBy       string   `json:"createdBy"`
}

// A ScreeningAlert is a hit that a schedule found.
type ScreeningAlert struct {
	ScreeningHit
	SearchID   string `json:"searchId"`
	ScheduleID string `json:"scheduleId"`
	SearchType string `json:"searchType"`
}

const schedulesPath = "/kyc-protect/schedules"

// Schedule repeats searches whenever a list changes.
func (c *Client) Schedule(ctx context.Context, list []ScheduleWish) (Bulk[ScreeningSchedule], error) {
	var got bulkInItems[ScreeningSchedule]
	err := c.create(ctx, schedulesPath, nil, map[string]any{"items": list}, &got)
	return got.bulk(), err
}

// Schedules lists searches that are repeated, the newest first.
func (c *Client) Schedules(ctx context.Context) iter.Seq2[ScreeningSchedule, error] {
	return kycPages[ScreeningSchedule](ctx, c, schedulesPath, nil)
}

// ScheduleByID is one schedule.
func (c *Client) ScheduleByID(ctx context.Context, id string) (out ScreeningSchedule, err error) {
	return out, c.call(ctx, http.MethodGet, schedulesPath+"/"+url.PathEscape(id), nil, &out)
}

// EditSchedule changes a schedule.
func (c *Client) EditSchedule(ctx context.Context, id string, w ScheduleWish) (out ScreeningSchedule, err error) {
	return out, c.call(ctx, http.MethodPut, schedulesPath+"/"+url.PathEscape(id), w, &out)
}

// EditSchedules changes several schedules.
func (c *Client) EditSchedules(ctx context.Context, list []ScheduleWish) (out Bulk[ScreeningSchedule], err error) {
	return out, c.call(ctx, http.MethodPut, schedulesPath, map[string]any{"items": list}, &out)
}

// EndSchedule takes a search off its schedule.
func (c *Client) EndSchedule(ctx context.Context, id string) error {
	return c.call(ctx, http.MethodDelete, schedulesPath+"/"+url.PathEscape(id), nil, nil)
}

// EndSchedules takes several searches off their schedules.
func (c *Client) EndSchedules(ctx context.Context, ids []string) (out Bulk[string], err error) {
	return out, c.call(ctx, http.MethodDelete, schedulesPath, map[string]any{"items": ids}, &out)
}

// ScreeningAlerts lists what schedules found, the newest first: those of some
// decisions, or all.
func (c *Client) ScreeningAlerts(ctx context.Context, decisions ...string) iter.Seq2[ScreeningAlert, error] {
	return kycPages[ScreeningAlert](ctx, c, schedulesPath+"/amlAlerts", url.Values{"hitDecisions": {strings.Join(decisions, ",")}})
}
