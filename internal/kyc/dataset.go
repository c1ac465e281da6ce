package kyc

import (
	"slices"
	"strings"

	"bureau/internal/fault"
)

// A Dataset is what somebody is listed for.
type Dataset string

// The datasets. A name with a part behind the dash is a part of the one before
// it: who asks for SAN asks for both of its parts.
const (
	PEP        Dataset = "PEP"
	PEPCurrent Dataset = "PEP-CURRENT"
	PEPFormer  Dataset = "PEP-FORMER"
	PEPLinked  Dataset = "PEP-LINKED"
	SAN        Dataset = "SAN"
	SANCurrent Dataset = "SAN-CURRENT"
	SANFormer  Dataset = "SAN-FORMER"
	INS        Dataset = "INS"
	AM         Dataset = "AM"
	POI        Dataset = "POI"
	ENF        Dataset = "ENF"
	DD         Dataset = "DD"
	SOE        Dataset = "SOE"
	SOECurrent Dataset = "SOE-CURRENT"
	SOEFormer  Dataset = "SOE-FORMER"
)

// datasets are all of them; a dataset's place is its bit in a set.
var datasets = []Dataset{
	PEP, PEPCurrent, PEPFormer, PEPLinked, SAN, SANCurrent, SANFormer, INS, AM, POI, ENF, DD, SOE, SOECurrent, SOEFormer,
}

// The datasets that can be asked for of people and of businesses.
var (
	PersonDatasets   = []Dataset{PEP, PEPCurrent, PEPFormer, PEPLinked, SAN, SANCurrent, SANFormer, INS, AM, POI, ENF, DD}
	BusinessDatasets = []Dataset{PEP, PEPLinked, SAN, SANCurrent, SANFormer, INS, AM, POI, ENF, SOE, SOECurrent, SOEFormer}
)

// types are what the datasets hold, in the words of the evidence of a hit.
var types = map[Dataset]string{
	PEP: "pep", PEPCurrent: "pep", PEPFormer: "pep", PEPLinked: "pepLinked",
	SAN: "sanction", SANCurrent: "sanction", SANFormer: "sanction",
	INS: "insolvencyRegister", AM: "adverseMedia", POI: "profileOfInterest", ENF: "enforcement",
	DD: "disqualifiedDirector", SOE: "stateOwnedEnterprise", SOECurrent: "stateOwnedEnterprise", SOEFormer: "stateOwnedEnterprise",
}

// Type is what a dataset holds: sanction, pep …
func (d Dataset) Type() string { return types[d] }

// ParseDataset reads a dataset in any case.
func ParseDataset(s string) (Dataset, error) {
	d := Dataset(strings.ToUpper(strings.TrimSpace(s)))
	if !slices.Contains(datasets, d) {
		return "", fault.Invalid.Errorf("there is no dataset %q; the datasets are %s", s, join(datasets))
	}
	return d, nil
}

// holds says whether d is o, or o a part of it.
func (d Dataset) holds(o Dataset) bool {
	return d == o || strings.HasPrefix(string(o), string(d)+"-")
}

// A Body is who imposes sanctions.
type Body string

// The bodies whose lists we read.
const (
	UN          Body = "UN"
	OFAC        Body = "OFAC"
	EU          Body = "EU"
	UK          Body = "UK"
	SECO        Body = "SECO"
	Canada      Body = "CANADA"
	BIS         Body = "BIS"
	OtherBody   Body = "OTHER" // a body that a collection names and we have no list of
	SandboxBody Body = "SANDBOX"
)

var bodies = []Body{UN, OFAC, EU, UK, SECO, Canada, BIS, OtherBody, SandboxBody}

// ParseBody reads a body in any case.
func ParseBody(s string) (Body, error) {
	b := Body(strings.ToUpper(strings.TrimSpace(s)))
	if !slices.Contains(bodies, b) {
		return "", fault.Invalid.Errorf("there is no sanction body %q; the bodies are %s", s, join(bodies))
	}
	return b, nil
}

func join[T ~string](list []T) string {
	var b strings.Builder
	for i, s := range list {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(string(s))
	}
	return b.String()
}

// A set is some of a short table, a bit each.
type set uint32

func setOf[T comparable](all, some []T) (s set) {
	for i, one := range all {
		if slices.Contains(some, one) {
			s |= 1 << i
		}
	}
	return s
}

// wanted is the set of the datasets that are asked for and all of their parts.
// Who asks for none asks for all.
func wanted(asked []Dataset) set {
	if len(asked) == 0 {
		return ^set(0)
	}
	var s set
	for i, d := range datasets {
		if slices.ContainsFunc(asked, func(a Dataset) bool { return a.holds(d) }) {
			s |= 1 << i
		}
	}
	return s
}
