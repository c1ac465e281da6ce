package app

import (
	"context"
	"fmt"
	"time"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/job"
	"bureau/internal/kyc"
	"bureau/internal/monitor"
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

// mayScreen says whether a caller's customer has screening: whoever lost it
// hears of no more alerts.
func (a *App) mayScreen(by auth.Caller) bool {
	c, known := a.Directory.Customer(by.Customer)
	return known && c.MayUse(auth.KYC, "", auth.DateOf(time.Now()))
}

// screen keeps the index of the screening lists current until ctx is done, in
// goroutines that s waits for. It is restored or built at once: nobody can be
// screened before.
func (s *Serving) screen(ctx context.Context) {
	const name = "screening lists"
	index, failed := s.app.Screener.Index, s.failing(ctx, name)
	s.work.Go(func() {
		kept := false
		job.Follow(ctx, &s.app.DB.Signals.Lists, time.Second, failed, func(ctx context.Context) (more bool, err error) {
			if err := index.Refresh(ctx); err != nil {
				return false, err
			}
			s.metrics.stepped(name, nil, time.Now())
			if kept {
				return false, nil
			}
			kept = true // what took long to make is kept at once
			return false, index.Save(ctx)
		})
		if err := index.Save(context.WithoutCancel(ctx)); err != nil {
			failed(err)
		}
	})
	s.work.Go(func() { s.app.run(ctx, work{"screening lists kept", saveNames, index.Save}, s.metrics) })
}

// rescreen follows the lists and the register for the searches that are on a
// schedule, and the lists for the register.
func (s *Serving) rescreen(ctx context.Context) {
	alerts, firms := s.app.alertReader(), s.app.firmReader()
	entries, companies := s.app.listingReaders()
	s.work.Go(func() { alerts.Run(ctx, s.failing(ctx, alerts.Name)) })
	s.work.Go(func() { firms.Run(ctx, s.failing(ctx, firms.Name)) })
	s.work.Go(func() { entries.Run(ctx, s.failing(ctx, entries.Name)) })
	s.work.Go(func() { companies.Run(ctx, s.failing(ctx, companies.Name)) })
}

// alertReader screens again those whom a change of a list can touch.
func (a *App) alertReader() *job.Reader[kyc.Change] {
	var reader *job.Reader[kyc.Change]
	reader = a.listReader(kyc.WatchReader, func(ctx context.Context, batch []kyc.Change, to job.Place) error {
		stage, err := a.DB.KYCStage(ctx)
		if err != nil {
			return err
		}
		batch, after := stage.Resume(batch)
		to.Number = batch[len(batch)-1].Number
		rest, err := a.KYC.Rescreen(ctx, batch, after, func(found []kyc.Alert, at int64) error {
			if err := reader.Renew(ctx, to); err != nil {
				return err
			}
			return a.DB.SaveKYCStage(ctx, found, a.alertMails, kyc.Stage{Change: to.Number, Number: at}, to)
		})
		if err != nil {
			return err
		}
		return a.DB.SaveKYCAlerts(ctx, kyc.News{Alerts: rest}, a.alertMails, to)
	})
	return reader
}

// alertMails write to whoever wants to hear of alerts by mail.
func (a *App) alertMails(list []kyc.Alert) ([]monitor.Mail, error) { return a.writer().Alerts(list) }

// firmReader screens again those who are about a company that changed.
func (a *App) firmReader() *job.Reader[company.Change] {
	return a.registerReader(kyc.FirmReader, func(ctx context.Context, batch []company.Change, to job.Place) error {
		news, err := a.KYC.RescreenFirms(ctx, batch, a.DB.Held)
		if err != nil {
			return err
		}
		return a.DB.SaveKYCAlerts(ctx, news, a.alertMails, to)
	})
}

// listingReaders tell the register who of it is on a sanctions list.
func (a *App) listingReaders() (*job.Reader[kyc.Change], *job.Reader[company.Change]) {
	l := &kyc.Listing{Index: a.Screener.Index, Lists: a.DB, Register: a.DB, Now: time.Now}
	return a.listReader(kyc.ListedEntryReader, l.TakeEntries), a.registerReader(kyc.ListedFirmReader, l.TakeCompanies)
}

func (a *App) listReader(name string, handle func(context.Context, []kyc.Change, job.Place) error) *job.Reader[kyc.Change] {
	return &job.Reader[kyc.Change]{
		Name: name, Owner: a.Calls.Node, Store: a.DB, Log: a.DB.EntryChanges, Number: func(c kyc.Change) int64 { return c.Number },
		Handle: handle, Batch: 5000, Life: 30 * time.Second, Every: time.Second, Wake: &a.DB.Signals.Lists, Now: time.Now,
	}
}

func (a *App) registerReader(name string, handle func(context.Context, []company.Change, job.Place) error) *job.Reader[company.Change] {
	return &job.Reader[company.Change]{
		Name: name, Owner: a.Calls.Node, Store: a.DB, Log: a.DB.Changes, Number: func(c company.Change) int64 { return c.Number },
		Handle: handle, Batch: 5000, Life: 30 * time.Second, Every: time.Second, Rest: unhurried, Wake: &a.DB.Signals.Changes, Now: time.Now,
	}
}
