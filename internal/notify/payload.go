package notify

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"bureau/internal/kyc"
	"bureau/internal/monitor"
)

// The types of messages.
const (
	typeEvent     = "monitoring.event"
	typeAlert     = string(monitor.AMLAlert)
	typeChallenge = "webhook.challenge"
	typeTest      = "webhook.test"
)

// A message is what is posted. The order of its keys is part of the wire.
type message struct {
	Type      string `json:"type"`
	Timestamp string `json:"timestamp"`
	Challenge string `json:"challenge,omitempty"`
	Data      any    `json:"data,omitempty"`
}

// eventData is an event, as the lists of package api write it, and its place in
// the order of all.
type eventData struct {
	Company             companyData `json:"company"`
	EventID             int64       `json:"eventId"`
	EventDate           string      `json:"eventDate"`
	CreatedDate         string      `json:"createdDate"`
	NewValue            *string     `json:"newValue"`
	OldValue            *string     `json:"oldValue"`
	NotificationEventID int64       `json:"notificationEventId"`
	NotificationID      *int64      `json:"notificationId"`
	ProcessedDate       *string     `json:"processedDate"`
	RuleCode            int         `json:"ruleCode"`
	RuleName            string      `json:"ruleName"`
	Summary             string      `json:"summary"`
	RuleText            string      `json:"ruleText"`
	LocalEventCode      string      `json:"localEventCode"`
	IsProcessed         bool        `json:"isProcessed"`
	Sequence            int64       `json:"sequence"`
}

type companyData struct {
	ID            string `json:"id"`
	SafeNumber    string `json:"safeNumber"`
	Name          string `json:"name"`
	CountryCode   string `json:"countryCode"`
	PortfolioID   int64  `json:"portfolioId"`
	PortfolioName string `json:"portfolioName"`
}

// alertData is an AML alert: what package kyc tells of it, and its place in the
// order of all events.
type alertData struct {
	kyc.Notice
	EventID     int64  `json:"eventId"`
	CreatedDate string `json:"createdDate"`
	Sequence    int64  `json:"sequence"`
}

// testData is what a test says.
type testData struct {
	WebhookID int64  `json:"webhookId"`
	Message   string `json:"message"`
}

// writeEvent writes an event down.
func writeEvent(e *monitor.Event) []byte {
	if e.IsAlert() {
		return write(message{Type: typeAlert, Timestamp: zulu(e.CreatedAt), Data: alertData{
			Notice: kyc.ReadNotice(e.New), EventID: int64(e.ID), CreatedDate: naive(e.CreatedAt), Sequence: int64(e.ID),
		}})
	}
	name, code := string(e.Field), ""
	if r, ok := monitor.FindRule(e.Country, e.Rule); ok {
		name, code = r.Name, r.Local
	}
	text, _, _ := strings.Cut(name, " | ")
	return write(message{Type: typeEvent, Timestamp: zulu(e.CreatedAt), Data: eventData{
		Company: companyData{
			ID: string(e.Company), SafeNumber: e.SafeNumber(), Name: e.Name, CountryCode: e.Company.Country(),
			PortfolioID: int64(e.Portfolio), PortfolioName: e.In,
		},
		EventID: int64(e.ID), NotificationEventID: int64(e.ID), Sequence: int64(e.ID),
		EventDate: naive(e.At), CreatedDate: naive(e.CreatedAt), ProcessedDate: naiveOrNull(e.ProcessedAt),
		NewValue: textOrNull(e.New), OldValue: textOrNull(e.Old),
		RuleCode: e.Rule, RuleName: name, RuleText: text, Summary: e.Why, LocalEventCode: code,
		IsProcessed: e.Processed(),
	}})
}

// write writes a message to the byte as the lists of package api would: a name
// with an & stays readable.
func write(m message) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(m); err != nil {
		panic(fmt.Sprintf("write a message: %v", err)) // our own types
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// zulu is a time as Standard Webhooks wants it; naive is one as clients of the
// lists expect it: in UTC, without a zone.
func zulu(t time.Time) string  { return t.UTC().Format("2006-01-02T15:04:05.000Z") }
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

// messageID is the same for every try of an event at a webhook, so that the
// receiver knows what it has seen.
func messageID(s *monitor.Sending) string {
	return "msg_" + strconv.FormatInt(int64(s.Event.ID), 10) + "_" + strconv.FormatInt(int64(s.Hook.ID), 10)
}
