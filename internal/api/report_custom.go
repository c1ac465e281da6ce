package api

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"bureau/internal/fault"
)

// A customDatum is something that a country's law wants to know before a report
// is given.
type customDatum struct {
	Key           string   `json:"key"`
	Optional      bool     `json:"optional"`
	AllowedValues []string `json:"allowedValues"`
	Description   []string `json:"description"`
}

var customData = map[string][]customDatum{
	"DE": {{
		Key:           "de_reason_code",
		AllowedValues: []string{"1", "2", "3", "4", "5", "6", "7", "8"},
		Description: []string{
			"1: a decision on credit", "2: a planned business that carries a risk", "3: an existing business that carries a risk",
			"4: collecting a debt", "5: checking a customer's standing", "6: an insurance contract", "7: a lease or rental contract",
			"8: another legitimate interest",
		},
	}},
}

// checkCustomData says what is wrong with customData for a country.
func checkCustomData(country, given string) []string {
	have := map[string]string{}
	for _, pair := range splitList(given) {
		key, value, ok := strings.Cut(pair, "::")
		if !ok {
			return []string{fmt.Sprintf("customData: %q is not a pair: write key::value", fault.Clip(pair))}
		}
		have[key] = value
	}
	var wrong []string
	for _, want := range customData[country] {
		value, ok := have[want.Key]
		switch {
		case !ok && !want.Optional:
			wrong = append(wrong, fmt.Sprintf("customData: %s needs %s::N, with N one of %s", country, want.Key, strings.Join(want.AllowedValues, ", ")))
		case ok && !slices.Contains(want.AllowedValues, value):
			wrong = append(wrong, fmt.Sprintf("customData: %s cannot be %q: it is one of %s", want.Key, fault.Clip(value), strings.Join(want.AllowedValues, ", ")))
		}
	}
	return wrong
}

type countryIn struct {
	caller
	Country string `path:"country" doc:"Two letters." example:"DE"`
}

type customDataJSON struct {
	CorrelationID string        `json:"correlationId"`
	Country       string        `json:"country"`
	CustomData    []customDatum `json:"customData"`
}

// reportCustomData says what a country wants to know.
func (s *Server) reportCustomData(_ context.Context, in *countryIn) (*reply[customDataJSON], error) {
	country, err := knownCountry("country", in.Country)
	if err != nil {
		return nil, err
	}
	return ok(customDataJSON{CorrelationID: in.correlation, Country: country, CustomData: orEmpty(customData[country])}), nil
}
