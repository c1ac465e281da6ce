package bods

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"

	"bureau/internal/company"
	"bureau/internal/importer/jsonfile"
)

// A tie is what one party holds in an entity.
type tie struct {
	Subject string        `json:"s"`           // a record
	Party   string        `json:"p,omitempty"` // a record; empty if nobody is named
	Owner   company.Owner `json:"o"`
	Nobody  bool          `json:"n,omitempty"` // the publisher says that there is no owner
}

type wireTie struct {
	Subject   json.RawMessage `json:"subject"`
	Party     json.RawMessage `json:"interestedParty"`
	Interests []interest      `json:"interests"`
}

type interest struct {
	Type       string `json:"type"`
	Directness string `json:"directOrIndirect"`
	Beneficial bool   `json:"beneficialOwnershipOrControl"`
	Share      *share `json:"share"`
	Start      string `json:"startDate"`
	End        string `json:"endDate"`
}

type share struct {
	Exact *float64 `json:"exact"`
	Min   *float64 `json:"minimum"`
	Max   *float64 `json:"maximum"`
	Above *float64 `json:"exclusiveMinimum"`
	Below *float64 `json:"exclusiveMaximum"`
}

func (rec *record) readTie(raw []byte) error {
	var w wireTie
	if err := json.Unmarshal(raw, &w); err != nil {
		return jsonfile.Explain(err)
	}
	if len(w.Party) == 0 || len(w.Subject) == 0 {
		return errors.New("the relationship has no subject or no interestedParty")
	}
	t := &tie{}
	rec.tie = t
	var u *unspecified
	if json.Unmarshal(w.Subject, &t.Subject) != nil {
		t.Subject = "" // an object with a reason: nobody knows what is owned
	}
	if json.Unmarshal(w.Party, &t.Party) != nil || t.Party == "" {
		if err := json.Unmarshal(w.Party, &u); err != nil {
			return jsonfile.Explain(err)
		}
		t.Party = ""
		t.Owner.Protected = true
		rec.Reason = u.words()
		t.Nobody = rec.Reason == nobody
	}
	hold(&t.Owner, w.Interests)
	return nil
}

// kinds are what interests are called here.
var kinds = map[string]string{
	"shareholding": "shares", "votingRights": "votes", "appointmentOfBoard": "appoints directors",
	"otherInfluenceOrControl": "influence or control", "seniorManagingOfficial": "senior managing official",
	"settlor": "settlor", "trustee": "trustee", "protector": "protector",
	"beneficiaryOfLegalArrangement":      "beneficiary",
	"rightsToSurplusAssetsOnDissolution": "surplus assets", "rightsToProfitOrIncome": "profit or income",
	"rightsGrantedByContract": "rights by contract", "conditionalRightsGrantedByContract": "conditional rights by contract",
	"controlViaCompanyRulesOrArticles": "control by articles", "controlByLegalFramework": "control by law",
	"boardMember": "board member", "boardChair": "board chair",
	"unknownInterest": "unknown interest", "unpublishedInterest": "unpublished interest",
	"enjoymentAndUseOfAssets": "use of assets", "rightToProfitOrIncomeFromAssets": "income from assets",
	"nominee": "nominee", "nominator": "nominator",
}

// hold says how an owner holds it. It has ended when every interest has.
func hold(o *company.Owner, interests []interest) {
	add := func(nature string) {
		if !slices.Contains(o.Natures, nature) {
			o.Natures = append(o.Natures, nature)
		}
	}
	direct, ended := false, len(interests) > 0
	var until company.Date
	for _, in := range interests {
		word := kinds[in.Type]
		if word == "" {
			word = "unknown interest"
		}
		low, high, ok := in.Share.percent()
		if ok {
			word += " " + percents(low, high)
		}
		if ok && in.Type == "shareholding" {
			o.ShareMin, o.ShareMax = low, high
		}
		add(word)
		if in.Beneficial {
			add("beneficial owner")
		}
		direct = direct || in.Directness == "direct"
		o.Indirect = o.Indirect || in.Directness == "indirect"
		if d := date(in.Start); d != "" && (o.From == "" || d < o.From) {
			o.From = d
		}
		d := date(in.End)
		ended = ended && d != ""
		until = max(until, d)
	}
	o.Indirect = o.Indirect && !direct
	if ended {
		o.Until = until
	}
}

// percent is how much a share is, from and to.
func (s *share) percent() (low, high float64, ok bool) {
	if s == nil {
		return 0, 0, false
	}
	if s.Exact != nil {
		return *s.Exact, *s.Exact, true
	}
	first := func(or float64, of ...*float64) float64 {
		for _, p := range of {
			if p != nil {
				ok = true
				return *p
			}
		}
		return or
	}
	low, high = first(0, s.Min, s.Above), first(100, s.Max, s.Below)
	return low, high, ok
}

func percents(low, high float64) string {
	text := strconv.FormatFloat(low, 'f', -1, 64)
	if low != high {
		text += "-" + strconv.FormatFloat(high, 'f', -1, 64)
	}
	return text + "%"
}
