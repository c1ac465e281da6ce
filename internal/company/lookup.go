package company

import (
	"context"
	"fmt"
	"strings"
)

// Companies returns companies as all sources together know them. Unknown ones
// are left out.
func (r *Register) Companies(ctx context.Context, ids []ID) (map[ID]Company, error) {
	held, err := r.Store.Held(ctx, ids)
	if err != nil {
		return nil, err
	}
	out := make(map[ID]Company, len(held))
	for id, h := range held {
		out[id] = Merge(h)
	}
	return out, nil
}

// LookupAll is Lookup for many texts, and returns only who it is that each
// means. Texts that mean nobody are left out.
func (r *Register) LookupAll(ctx context.Context, texts []string) (map[string]ID, error) {
	meant := make(map[string]ID, len(texts))
	var ids []ID
	for _, text := range texts {
		if id, ok := directID(text); ok && isPlain(text) {
			ids = append(ids, id)
		}
	}
	known, err := r.Store.Known(ctx, ids)
	if err != nil {
		return nil, fmt.Errorf("look companies up: %w", err)
	}
	var idents []Ident
	for _, text := range texts {
		if !isPlain(text) {
			continue
		}
		if id, ok := directID(text); ok && known[id] && isConnectID(text) {
			continue // whatever else goes by it
		}
		ident := identOf(text)
		if idents = append(idents, ident); ident.upper() != ident {
			idents = append(idents, ident.upper())
		}
	}
	found, err := r.Store.FindMany(ctx, idents)
	if err != nil {
		return nil, fmt.Errorf("look companies up: %w", err)
	}
	for _, text := range texts {
		direct, isID := directID(text)
		ident, goesBy := found[identOf(text)]
		if !goesBy {
			ident, goesBy = found[identOf(text).upper()]
		}
		switch {
		case !isPlain(text):
		case isConnectID(text) && known[direct]:
			meant[text] = direct
		case goesBy:
			meant[text] = ident
		case isID && known[direct]:
			meant[text] = direct
		}
	}
	return meant, nil
}

func isConnectID(text string) bool {
	_, err := ParseID(text)
	return err == nil
}

// directID is the ID that a text spells: a connectId, or the safe number that
// ID.SafeNo makes of one.
func directID(text string) (ID, bool) {
	if id, err := ParseID(text); err == nil {
		return id, true
	}
	return fromSafeNo(text)
}

// fromSafeNo undoes ID.SafeNo. A word without a digit is none of those.
func fromSafeNo(text string) (ID, bool) {
	if len(text) <= 2 || !isLetters(text[:2]) || !strings.ContainsAny(text[2:], "0123456789") {
		return "", false
	}
	return NewID(text[:2], text[2:]), true
}

// identOf is the number that a text may be, if it does not spell an ID that is
// known.
func identOf(text string) Ident {
	if id, err := ParseID(text); err == nil {
		return Ident{ByRegNo, id.Country() + " " + id.Number()}
	}
	return Ident{BySafeNo, text}
}

// upper is a number as its maker writes it: callers write the letters of a safe
// number in any case, as they do those of a connectId.
func (i Ident) upper() Ident { return Ident{i.Kind, strings.ToUpper(i.Value)} }
