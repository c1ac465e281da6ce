package opensanctions

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"time"

	"bureau/internal/importer"
	"bureau/internal/importer/jsonfile"
	"bureau/internal/importer/listfile"
	"bureau/internal/kyc"
)

// Source reads entities and deltas.
var Source = importer.Source[kyc.Record]{
	Name:    "opensanctions",
	Title:   "OpenSanctions entities (FollowTheMoney JSON lines) and deltas",
	Every:   24 * time.Hour,
	Whole:   true,
	Covers:  covers,
	Licence: "CC BY-NC 4.0: not for commercial use without a licence of the publisher's",
	Credit:  "OpenSanctions.org",
	Terms:   "OpenSanctions data is free for non-commercial use only (CC BY-NC 4.0). A business needs a licence from opensanctions.org.",
	Sample: `{"id":"NK-example1","caption":"Jane Example","schema":"Person","properties":{"name":["Jane Example"],"alias":["J. Example"],` +
		`"birthDate":["1970-05"],"nationality":["fr"],"topics":["role.pep"],"position":["Minister of Examples"]},` +
		`"referents":["xx-example-1"],"datasets":["example"],"first_seen":"2024-01-01T00:00:00","last_change":"2026-01-01T00:00:00","target":true}` + "\n",
	Read: Read,
}

// covers says that a file of deltas is the list of nothing.
func covers(head []byte) func(string) bool {
	if bytes.HasPrefix(bytes.ReplaceAll(head[:min(len(head), 200)], []byte(" "), nil), []byte(`{"op":`)) {
		return nil
	}
	return func(string) bool { return true }
}

// A line is an entity, or what became of one.
type line struct {
	Op     string  `json:"op"`
	Entity *entity `json:"entity"`
	entity
}

// Read yields the entries of a file.
func Read(r io.Reader, _ string) iter.Seq2[kyc.Record, error] {
	return listfile.Read(func(yield listfile.Reading) error {
		for v, err := range jsonfile.Values(r) {
			var bad *importer.Bad
			switch {
			case errors.Is(err, jsonfile.ErrEmpty):
				return fmt.Errorf("%w: there is nothing in it", importer.ErrCutShort)
			case err != nil && !errors.As(err, &bad):
				return err
			case err != nil:
				if !yield(kyc.Record{}, err) {
					return nil
				}
				continue
			}
			rec, listed, why := parse(v.Raw)
			if why != nil {
				err = v.Bad(why)
			} else if !listed {
				continue
			}
			if !yield(rec, err) {
				return nil
			}
		}
		return nil
	})
}

// parse reads a line. listed says whether it is about somebody who is listed, or
// was.
func parse(raw []byte) (rec kyc.Record, listed bool, err error) {
	var l line
	if err := json.Unmarshal(raw, &l); err != nil {
		return rec, false, jsonfile.Explain(err)
	}
	e := &l.entity
	if l.Op != "" {
		if e = l.Entity; e == nil {
			return rec, false, errors.New("entity: it is missing")
		}
	}
	if e.ID == "" {
		return rec, false, errors.New("id: it is missing")
	}
	rec = kyc.Record{Entry: kyc.Entry{List: kyc.OpenSanctions, Number: e.ID}}
	switch l.Op {
	case "", "ADD":
	case "MOD":
		// Who is not listed for anything any more is as good as gone.
		if rec.Gone = !e.isListed(); rec.Gone {
			return rec, true, nil
		}
	case "DEL":
		rec.Gone = true
		return rec, true, nil
	default:
		return rec, false, fmt.Errorf("op: %q is none of ADD, MOD, DEL", l.Op)
	}
	if !e.isListed() {
		return rec, false, nil
	}
	rec.Entry = e.entry()
	return rec, true, nil
}
