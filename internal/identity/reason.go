package identity

import (
	"slices"
	"strings"

	"bureau/internal/fault"
)

// A Reason is why somebody's data is read. It is kept with the reading.
type Reason string

// searchReasons are those of an identity search. Some leave a trace that other
// searchers see, and some do not.
var searchReasons = []Reason{
	"AddressVerification", "BusinessSearch", "CreditApplication", "DebtCollection", "DirectorsSearch", "QuotationSearch",
	"EmployeeCheck", "TenantVet", "GeneralInsurance",
}

// SearchReasons are the reasons for which a consumer can be searched.
func SearchReasons() []Reason { return slices.Clone(searchReasons) }

// verifyReasons are the codes of Verify.
var verifyReasons = []Reason{"AM", "AV", "BS", "CA", "DC", "DS", "EC", "GI", "QS", "TV", "GC", "SA", "IA"}

// VerifyReasons are the reasons for which an individual can be verified.
func VerifyReasons() []Reason { return slices.Clone(verifyReasons) }

// amlReason is why identities are searched without one being named.
const amlReason Reason = "AML"

// parseReason reads one of a list, in any case.
func parseReason(text string, list []Reason) (Reason, error) {
	text = strings.TrimSpace(text)
	for _, r := range list {
		if strings.EqualFold(string(r), text) {
			return r, nil
		}
	}
	var names []string
	for _, r := range list {
		names = append(names, string(r))
	}
	if text == "" {
		return "", fault.Invalid.Errorf("it is missing: say why you look, with one of %s", strings.Join(names, ", "))
	}
	return "", fault.Invalid.Errorf("it is none of %s", strings.Join(names, ", "))
}

// ParseVerifyReason reads a reason of Verify.
func ParseVerifyReason(text string) (Reason, error) { return parseReason(text, verifyReasons) }
