package kyc

import (
	"encoding/json"
	"fmt"
)

// A Notice is what goes out of the house of an alert: the numbers by which a
// customer finds it, and nobody's name or date of birth. Webhooks pass through
// many hands.
type Notice struct {
	Alert    int64       `json:"alertId"`
	Cause    NoticeCause `json:"cause"`
	Search   SearchID    `json:"searchId"`
	Type     string      `json:"searchType"` // individual or business
	Schedule ScheduleID  `json:"scheduleId"`
	Hit      HitID       `json:"hitId"`
	Earlier  HitID       `json:"supersededHitId,omitempty"`
	List     string      `json:"list"`
}

// A NoticeCause is why an alert goes out.
type NoticeCause string

// The causes, as the wire has them.
const (
	NewHit    NoticeCause = "hit"     // a subject was found, or found anew
	EntryLeft NoticeCause = "removed" // an entry that was found left its list
)

// Notice is what goes out of an alert.
func (a *Alert) Notice() Notice {
	n := Notice{
		Alert: a.Number, Cause: a.Cause, Search: a.Search, Type: "business", Schedule: a.Schedule, Hit: a.ID,
		Earlier: a.Supersedes, List: a.List,
	}
	if a.Person {
		n.Type = "individual"
	}
	return n
}

// Encode writes a notice down, as it is kept and as it goes out.
func (n Notice) Encode() string {
	b, err := json.Marshal(n)
	if err != nil {
		panic(fmt.Sprintf("write a notice: %v", err)) // our own type
	}
	return string(b)
}

// ReadNotice reads a notice as it was kept.
func ReadNotice(text string) (n Notice) {
	_ = json.Unmarshal([]byte(text), &n) // what cannot be read, no version of ours wrote
	return n
}
