package app

import (
	"context"
	"fmt"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/kyc"
)

// ScreeningView is what a customer wants of every screening.
type ScreeningView struct {
	Customer    int64    `json:"customer"`
	DOBRequired bool     `json:"isDobRequired"`
	Bodies      []string `json:"sanctionBodies"`
}

// ScreeningWish is what is to be changed of it.
type ScreeningWish struct {
	DOBRequired *bool    // nil: it stays
	Bodies      []string // none: they stay
	AllBodies   bool
}

// SetScreening changes what a customer wants of every screening, if there is a
// wish, and returns how it stands.
func (a *App) SetScreening(ctx context.Context, customer int64, w ScreeningWish) (ScreeningView, error) {
	id := auth.CustomerID(customer)
	if _, ok := a.Directory.Customer(id); !ok {
		return ScreeningView{}, fault.Missing.Errorf("there is no customer %d", customer)
	}
	set, err := a.DB.KYCSettings(ctx, id)
	if err != nil {
		return ScreeningView{}, err
	}
	if w.DOBRequired != nil {
		set.DOBRequired = *w.DOBRequired
	}
	if len(w.Bodies) > 0 || w.AllBodies {
		set.Bodies = nil
	}
	for _, text := range w.Bodies {
		b, err := kyc.ParseBody(text)
		if err != nil {
			return ScreeningView{}, err
		}
		set.Bodies = append(set.Bodies, b)
	}
	out := ScreeningView{Customer: customer, DOBRequired: set.DOBRequired, Bodies: []string{}}
	for _, b := range set.Bodies {
		out.Bodies = append(out.Bodies, string(b))
	}
	if w.DOBRequired == nil && len(w.Bodies) == 0 && !w.AllBodies {
		return out, nil
	}
	if err := a.DB.SetKYCSettings(ctx, id, set); err != nil {
		return ScreeningView{}, err
	}
	return out, a.Journal.Write(ctx, auth.Entry{
		Action: auth.CustomerSet, Customer: id, Detail: fmt.Sprintf("dobRequired=%t sanctionBodies=%v", set.DOBRequired, set.Bodies),
	})
}
