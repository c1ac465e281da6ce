package app

import (
	"context"
	"fmt"
	"time"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/job"
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

// rescreen follows the lists for the searches that are on a schedule.
func (s *Serving) rescreen(ctx context.Context) {
	reader := s.app.alertReader()
	s.work.Go(func() { reader.Run(ctx, s.failing(ctx, reader.Name)) })
}

// alertReader screens again those whom a change of a list can touch.
func (a *App) alertReader() *job.Reader[kyc.Change] {
	return &job.Reader[kyc.Change]{
		Name: kyc.WatchReader, Owner: a.Calls.Node, Store: a.DB,
		Log:    a.DB.EntryChanges,
		Number: func(c kyc.Change) int64 { return c.Number },
		Handle: func(ctx context.Context, batch []kyc.Change, to job.Place) error {
			alerts, err := a.KYC.Rescreen(ctx, batch)
			if err != nil {
				return err
			}
			return a.DB.SaveKYCAlerts(ctx, alerts, to)
		},
		Batch: 5000, Life: 30 * time.Second, Every: time.Second, Wake: &a.DB.Signals.Changes, Now: time.Now,
	}
}
