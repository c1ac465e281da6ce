package sec

import (
	"cmp"
	"errors"
	"slices"

	"bureau/internal/company"
	"bureau/internal/importer/jsonfile"
)

// tickers are the list of them: one for each class of shares, so that a company
// may be in it several times.
type tickers struct {
	order []string // of CIKs
	by    map[string]*company.Statement
	bad   []badTicker
}

type badTicker struct {
	raw []byte
	err error
}

func (t *tickers) add(raw []byte) {
	var cik, ticker, title string
	r := jsonfile.NewReader(raw)
	r.Object(func(key []byte) {
		switch string(key) {
		case "cik_str":
			cik = number(r)
		case "ticker":
			ticker = text(r)
		case "title":
			title = text(r)
		}
	})
	full, err := padded(cik)
	if err == nil && title == "" {
		err = errors.New("the company has no title")
	}
	if err := cmp.Or(r.Err(), err); err != nil {
		t.bad = append(t.bad, badTicker{raw, err})
		return
	}
	s := t.by[full]
	if s == nil {
		s = &company.Statement{Country: "US", Number: "CIK" + full}
		s.Facts.Name, s.Facts.RegNo, s.Facts.Register = title, full, register
		s.Facts.OtherIDs = []company.OtherID{{Scheme: "CIK", ID: full}}
		if t.by == nil {
			t.by = map[string]*company.Statement{}
		}
		t.by[full] = s
		t.order = append(t.order, full)
	}
	if id := (company.OtherID{Scheme: "ticker", ID: ticker}); ticker != "" && !slices.Contains(s.Facts.OtherIDs, id) {
		s.Facts.OtherIDs = append(s.Facts.OtherIDs, id)
	}
}

func (t *tickers) statements() []company.Statement {
	out := make([]company.Statement, len(t.order))
	for i, cik := range t.order {
		out[i] = *t.by[cik]
	}
	return out
}
