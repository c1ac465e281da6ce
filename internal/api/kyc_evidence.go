package api

import (
	"slices"

	"bureau/internal/kyc"
)

// kycEvidenceJSON is what somebody is listed for, by dataset.
type kycEvidenceJSON struct {
	AM  []kycFindingJSON[kycCategory]     `json:"AM"`
	ENF []kycFindingJSON[kycCategory]     `json:"ENF"`
	INS []kycFindingJSON[kycCategory]     `json:"INS"`
	POI []kycFindingJSON[kycOfInterest]   `json:"POI"`
	DD  []kycFindingJSON[kycDisqualified] `json:"DD"`
	SAN kycSanctionsJSON                  `json:"SAN"`
	PEP kycExposedJSON                    `json:"PEP"`
	SOE *kycFindingJSON[kycCategory]      `json:"SOE,omitempty"`
}

type kycSanctionsJSON struct {
	Current []kycFindingJSON[kycSanction] `json:"CURRENT"`
	Former  []kycFindingJSON[kycSanction] `json:"FORMER"`
}

type kycExposedJSON struct {
	Current []kycFindingJSON[kycPosition] `json:"CURRENT"`
	Former  []kycFindingJSON[kycPosition] `json:"FORMER"`
	Linked  []kycFindingJSON[kycLinked]   `json:"LINKED"`
}

// kycFindingJSON is one thing that somebody is listed for.
type kycFindingJSON[V any] struct {
	Type    string          `json:"type"`
	Value   V               `json:"value"`
	Events  []kycEventJSON  `json:"events"`
	Sources []kycSourceJSON `json:"sources"`
}

type kycEventJSON struct {
	Type string  `json:"type"`
	Date *string `json:"date"`
}

type kycSanction struct {
	ID       *string  `json:"sanctionId" doc:"The publisher's number of the entry."`
	Body     *string  `json:"issuingBody"`
	Origin   *string  `json:"origin"`
	Types    []string `json:"sanctionTypes"`
	Measures []string `json:"measures"`
	Regime   *string  `json:"regime"`
}

type kycPosition struct {
	Country  string  `json:"country"`
	Position string  `json:"position"`
	From     *string `json:"fromDate"`
	To       *string `json:"toDate"`
	Segment  string  `json:"segment"`
}

type kycLinked struct {
	First    *string  `json:"firstName"`
	Middle   *string  `json:"middleName"`
	Last     string   `json:"lastName"`
	Relation string   `json:"relationship"`
	Share    *int     `json:"ownershipPercentage"`
	Datasets []string `json:"datasets"`
}

type kycCategory struct {
	Category    string `json:"category"`
	Subcategory string `json:"subCategory"`
}

type kycOfInterest struct {
	Category  string           `json:"category"`
	Positions []kycNamedOffice `json:"positions"`
}

type kycNamedOffice struct {
	Name    string  `json:"name"`
	Segment string  `json:"segment"`
	Country string  `json:"country"`
	From    *string `json:"fromDate"`
	To      *string `json:"toDate"`
}

type kycDisqualified struct {
	Number        *string  `json:"referenceNumber"`
	From          *string  `json:"fromDate"`
	To            *string  `json:"toDate"`
	Organisations []string `json:"organisations"`
	Reason        string   `json:"reason"`
}

func toEvidenceJSON(e *kyc.Entry) kycEvidenceJSON {
	is := func(list ...kyc.Dataset) (d kyc.Dataset, listed bool) {
		for _, d := range list {
			if slices.Contains(e.Datasets, d) {
				return d, true
			}
		}
		return "", false
	}
	out := kycEvidenceJSON{
		AM: []kycFindingJSON[kycCategory]{}, ENF: []kycFindingJSON[kycCategory]{}, INS: []kycFindingJSON[kycCategory]{},
		POI: []kycFindingJSON[kycOfInterest]{}, DD: []kycFindingJSON[kycDisqualified]{},
		SAN: kycSanctionsJSON{[]kycFindingJSON[kycSanction]{}, []kycFindingJSON[kycSanction]{}},
		PEP: kycExposedJSON{[]kycFindingJSON[kycPosition]{}, []kycFindingJSON[kycPosition]{}, []kycFindingJSON[kycLinked]{}},
	}
	if d, listed := is(kyc.SANCurrent, kyc.SAN); listed {
		out.SAN.Current = sanctionsOf(e, d)
	}
	if d, listed := is(kyc.SANFormer); listed {
		out.SAN.Former = sanctionsOf(e, d)
	}
	if d, listed := is(kyc.PEPCurrent, kyc.PEP); listed {
		out.PEP.Current = positionsOf(e, d)
	}
	if d, listed := is(kyc.PEPFormer); listed {
		out.PEP.Former = positionsOf(e, d)
	}
	if d, listed := is(kyc.PEPLinked); listed {
		for _, l := range e.Links {
			out.PEP.Linked = append(out.PEP.Linked, finding(e, d, kycLinked{Last: l.Name, Relation: l.Relation, Datasets: []string{}}))
		}
	}
	category := kycCategory{Category: firstOf(e.Programmes), Subcategory: firstOf(e.Reasons)}
	for d, into := range map[kyc.Dataset]*[]kycFindingJSON[kycCategory]{kyc.AM: &out.AM, kyc.ENF: &out.ENF, kyc.INS: &out.INS} {
		if d, listed := is(d); listed {
			*into = append(*into, finding(e, d, category))
		}
	}
	if d, listed := is(kyc.POI); listed {
		v := kycOfInterest{Category: category.Category, Positions: []kycNamedOffice{}}
		for _, p := range e.Positions {
			v.Positions = append(v.Positions, kycNamedOffice{Name: p, Country: firstOf(e.TiedTo())})
		}
		out.POI = append(out.POI, finding(e, d, v))
	}
	if d, listed := is(kyc.DD); listed {
		out.DD = append(out.DD, finding(e, d, kycDisqualified{
			Number: textOrNull(e.Number), From: dayOrNull(e.Listed), To: dayOrNull(e.Until), Organisations: []string{}, Reason: firstOf(e.Reasons),
		}))
	}
	if d, listed := is(kyc.SOECurrent, kyc.SOE, kyc.SOEFormer); listed {
		f := finding(e, d, category)
		out.SOE = &f
	}
	return out
}

func finding[V any](e *kyc.Entry, d kyc.Dataset, v V) kycFindingJSON[V] {
	out := kycFindingJSON[V]{Type: d.Type(), Value: v, Events: []kycEventJSON{}, Sources: toSourcesJSON(e.Sources)}
	if e.Listed != "" {
		out.Events = append(out.Events, kycEventJSON{"listed", dayOrNull(e.Listed)})
	}
	if e.Until != "" {
		out.Events = append(out.Events, kycEventJSON{"ends", dayOrNull(e.Until)})
	}
	return out
}

// sanctionsOf are those of an entry, one for each programme.
func sanctionsOf(e *kyc.Entry, d kyc.Dataset) (out []kycFindingJSON[kycSanction]) {
	programmes := e.Programmes
	if len(programmes) == 0 {
		programmes = []string{""}
	}
	body := firstOf(e.Bodies)
	for _, p := range programmes {
		out = append(out, finding(e, d, kycSanction{
			ID: textOrNull(e.Number), Body: textOrNull(body), Origin: textOrNull(kyc.FindList(e.List).Title), Types: plainTexts(e.Measures),
			Measures: plainTexts(e.Measures), Regime: textOrNull(p),
		}))
	}
	return out
}

// positionsOf are the offices of somebody politically exposed; one without a
// name if the publisher tells none.
func positionsOf(e *kyc.Entry, d kyc.Dataset) (out []kycFindingJSON[kycPosition]) {
	positions := e.Positions
	if len(positions) == 0 {
		positions = []string{""}
	}
	for _, p := range positions {
		out = append(out, finding(e, d, kycPosition{Country: firstOf(e.TiedTo()), Position: p}))
	}
	return out
}

func firstOf[T ~string](list []T) string {
	if len(list) == 0 {
		return ""
	}
	return string(list[0])
}
