package identity

import (
	"context"
	"strings"

	"bureau/internal/company"
)

// Publishers name people on the boards of companies. Who may not be shown is not
// shown there either: every consumer who is hidden leaves a key by which the
// other services find out, and nothing else.

// byVeil is the key of somebody on boards who may not be shown.
const byVeil = "veil"

func veilKey(id string) string { return byVeil + " " + id }

// veils are the keys of somebody who may not be shown, as boards may know them:
// by the id that the operator put beside them, or by the number that they are
// held under. Of a Swedish number both lengths are in use.
func veils(id ID, on company.PersonID) []string {
	country, number, _ := strings.Cut(string(id), "-")
	number = strings.Map(func(r rune) rune {
		if strings.ContainsRune("- ", r) {
			return -1
		}
		return r
	}, number)
	out := []string{veilKey(country + "-" + number)}
	if country == "SE" && len(number) == 12 {
		out = append(out, veilKey(country+"-"+number[2:]))
	}
	if k := veilKey(string(on)); on != "" && k != out[0] {
		out = append(out, k)
	}
	return out
}

// Veiled returns those of some people on boards who may not be shown.
func (d *Desk) Veiled(ctx context.Context, people []company.PersonID) (map[company.PersonID]bool, error) {
	if len(people) == 0 {
		return nil, nil
	}
	keys := make([]string, len(people))
	for i, p := range people {
		keys[i] = veilKey(string(p))
	}
	held, err := d.Store.ConsumersByKey(ctx, keys)
	if err != nil {
		return nil, err
	}
	out := make(map[company.PersonID]bool, len(held))
	for i, p := range people {
		if len(held[keys[i]]) > 0 {
			out[p] = true
		}
	}
	return out, nil
}

// OnBoards returns the consumers of a country that some people on boards are, as
// far as the operator has put it beside them and they may be shown.
func (d *Desk) OnBoards(ctx context.Context, country string, people []company.PersonID) (map[company.PersonID]ID, error) {
	keys := make([]string, len(people))
	for i, p := range people {
		keys[i] = key(country, byPerson, string(p))
	}
	held, err := d.Store.ConsumersByKey(ctx, keys)
	if err != nil {
		return nil, err
	}
	out := make(map[company.PersonID]ID, len(held))
	for i, p := range people {
		if ids := held[keys[i]]; len(ids) == 1 { // of several none is the one
			out[p] = ids[0]
		}
	}
	return out, nil
}
