package api

import (
	"context"

	"bureau/internal/auth"
	"bureau/internal/company"
)

type imageTypesIn struct {
	caller
	Countries string `query:"countries" doc:"Only these countries: two letters each, separated by commas." example:"GB,IE"`
}

type imageTypesJSON struct {
	Country   string              `json:"country"`
	CompanyID criterionJSON       `json:"companyId"`
	Reference criterionJSON       `json:"imageReference"`
	Languages []imageLanguageJSON `json:"availableLanguages"`
}

type criterionJSON struct {
	Required   bool   `json:"required"`
	Expression string `json:"validationRegExp"`
	MinLength  int    `json:"minLength"`
	MaxLength  int    `json:"maxLength"`
}

type imageLanguageJSON struct {
	Language string           `json:"language"`
	Types    []filingTypeJSON `json:"filingTypes"`
	Default  bool             `json:"default"`
}

type filingTypeJSON struct {
	Type        string   `json:"type"`
	Description string   `json:"description"`
	Formats     []string `json:"availableImageFormats"`
}

// imageTypes says what can be asked for. It is the same everywhere: a country
// whose documents nobody loaded has empty lists of them.
func (s *Server) imageTypes(_ context.Context, in *imageTypesIn) (*reply[[]imageTypesJSON], error) {
	countries := splitList(in.Countries)
	for i, c := range countries {
		country, err := knownCountry("countries", c, anyCountry)
		if err != nil {
			return nil, err
		}
		countries[i] = country
	}
	if len(countries) == 0 {
		granted, everywhere := s.Gate.Countries(in.by, auth.Images)
		if countries = granted; everywhere {
			countries = []string{"WW"}
		}
	}
	var types []filingTypeJSON
	for _, k := range company.DocumentKinds() {
		types = append(types, filingTypeJSON{k.Code, k.Text, []string{"PDF", "PNG", "JPEG", "TIFF"}})
	}
	out := []imageTypesJSON{}
	for _, c := range countries {
		prefix := c
		if c == "WW" {
			prefix = "[A-Z]{2}"
		}
		out = append(out, imageTypesJSON{
			Country:   c,
			CompanyID: criterionJSON{Required: true, Expression: "^" + prefix + "[0-9]{0,3}-[0-9A-Z]{1,3}-.+$", MinLength: 6, MaxLength: 100},
			Reference: criterionJSON{Required: false, Expression: "^" + prefix + "-[0-9a-f]{20}$", MinLength: 23, MaxLength: 23},
			Languages: []imageLanguageJSON{{Language: "en", Types: types, Default: true}},
		})
	}
	return ok(out), nil
}
