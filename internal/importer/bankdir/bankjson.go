package bankdir

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"strings"

	"bureau/internal/bank"
	"bureau/internal/importer/jsonfile"
)

// jsonBank is an entry of a list: one bank code, or all that share a name.
type jsonBank struct {
	Country string   `json:"country_code"`
	Code    string   `json:"bank_code"`
	Codes   []string `json:"bank_codes"`
	BIC     string   `json:"bic"`
	Name    string   `json:"name"`
	Short   string   `json:"short_name"`
	Primary bool     `json:"primary"`
}

// readJSON reads a list of banks, or an object whose entries are one. Of several
// entries with one code the primary one should come first; lists do not care, so
// the others wait for the end.
func readJSON(r io.Reader) iter.Seq2[bank.Bank, error] {
	return func(yield func(bank.Bank, error) bool) {
		var later []bank.Bank
		for v, err := range jsonfile.Values(r) {
			if err != nil {
				if !yield(bank.Bank{}, err) {
					return
				}
				continue
			}
			var list struct {
				Entries []json.RawMessage `json:"entries"`
			}
			raws := []json.RawMessage{v.Raw}
			if bytes.Contains(v.Raw[:min(len(v.Raw), 200)], []byte(`"entries"`)) && json.Unmarshal(v.Raw, &list) == nil {
				raws = list.Entries
			}
			for _, raw := range raws {
				var one jsonBank
				if err := json.Unmarshal(raw, &one); err != nil {
					if !yield(bank.Bank{}, jsonfile.Value{Line: v.Line, Raw: raw}.Bad(jsonfile.Explain(err))) {
						return
					}
					continue
				}
				banks, err := one.banks()
				if err != nil && !yield(bank.Bank{}, jsonfile.Value{Line: v.Line, Raw: raw}.Bad(err)) {
					return
				}
				if !one.Primary {
					later = append(later, banks...)
					continue
				}
				for _, b := range banks {
					if !yield(b, nil) {
						return
					}
				}
			}
		}
		for _, b := range later {
			if !yield(b, nil) {
				return
			}
		}
	}
}

func (j jsonBank) banks() ([]bank.Bank, error) {
	codes := j.Codes
	if j.Code != "" {
		codes = append(codes, j.Code)
	}
	if len(codes) == 0 {
		return nil, errors.New("the entry has no bank_code")
	}
	var bics []string
	if j.BIC != "" {
		bic, err := bank.ParseBIC(j.BIC)
		if err != nil {
			return nil, errors.New("bic: " + err.Error())
		}
		bics = []string{string(bic)}
	}
	var out []bank.Bank
	for _, code := range codes {
		b := bank.Bank{
			Country: strings.ToUpper(strings.TrimSpace(j.Country)), Code: strings.ToUpper(strings.TrimSpace(code)),
			Name: strings.TrimSpace(j.Name), Short: strings.TrimSpace(j.Short), BICs: bics,
		}
		if err := b.Check(); err != nil {
			return nil, err
		}
		out = append(out, b)
	}
	return out, nil
}
