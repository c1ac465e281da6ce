package monitor_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"bureau/internal/company"
	"bureau/internal/job"
	"bureau/internal/monitor"
)

func (o *office) engine(owner string) *monitor.Engine {
	return &monitor.Engine{
		Store: o.db, Jobs: o.db, Log: o.db.Changes, Past: o.db.ChangesOf, Owner: owner, Wake: &job.Signal{}, Now: o.clock,
	}
}

// happens lets something happen to a company.
func (o *office) happens() {
	o.t.Helper()
	noError(o.t, o.db.Write(o.t.Context(), func(company.View) (company.Update, error) {
		return company.Update{Changes: []company.Change{{Company: "GB-0-1", Field: company.FieldName, Old: "A", New: "B", At: o.clock()}}}, nil
	}))
}

func (o *office) health(e *monitor.Engine) monitor.Health {
	o.t.Helper()
	last, err := o.db.LastChange(o.t.Context())
	noError(o.t, err)
	h, err := e.Health(o.t.Context(), last)
	noError(o.t, err)
	return h
}

// alarm asks for the health every five seconds, as a server does, and returns
// after how long it was told that evaluation stands still; 0 if it was not.
func (o *office) alarm(e *monitor.Engine, meanwhile func()) time.Duration {
	for past := time.Duration(0); past < 2*time.Minute; past += 5 * time.Second {
		if h := o.health(e); h.Standing {
			return past
		}
		o.pass(5 * time.Second)
		meanwhile()
	}
	return 0
}

// deafStore loses its database when it is told something.
type deafStore struct{ monitor.EngineStore }

func (deafStore) Tell(context.Context, []monitor.Event, []job.Place) (int, error) {
	return 0, errors.New("the disk is full")
}

func TestStandstillIsTold(t *testing.T) {
	const soon = monitor.StandsAfter + 10*time.Second
	onBoth(t, 1, func(t *testing.T, o *office) {
		e := o.engine("a")
		step := func() {
			if _, err := e.Step(t.Context()); err != nil {
				t.Error(err)
			}
		}
		step()
		if after := o.alarm(e, step); after != 0 {
			t.Errorf("there is nothing to do, and after %v it is said to stand still", after)
		}
		o.pass(time.Hour)
		o.happens() // after a quiet hour
		if h := o.health(e); h.Standing || h.Behind == 0 {
			t.Errorf("a change has just come: %+v", h)
		}
		step()
		if after := o.alarm(e, func() { o.happens(); step() }); after != 0 {
			t.Errorf("it works, and after %v it is said to stand still", after)
		}
		o.happens()
		if after := o.alarm(e, func() {}); after == 0 || after > soon {
			t.Errorf("it was stopped, and that was told after %v", after)
		}
		if h := o.health(e); h.Since < monitor.StandsAfter || h.Stood < monitor.StandsAfter || h.Behind != 1 {
			t.Errorf("stopped: %+v", h)
		}
		step()
		if h := o.health(e); h.Standing || h.Behind != 0 || h.Since != 0 {
			t.Errorf("it works again: %+v", h)
		}
	})
}

// Whoever never began, or tries in vain, or waits for a node that tries in vain,
// stands still too.
func TestStandstillOfEveryKindIsTold(t *testing.T) {
	const soon = monitor.StandsAfter + 10*time.Second
	for name, test := range map[string]func(o *office) (asked *monitor.Engine, meanwhile func()){
		"never begun": func(o *office) (*monitor.Engine, func()) { return o.engine("a"), func() {} },
		"in vain": func(o *office) (*monitor.Engine, func()) {
			e := o.engine("a")
			e.Store = deafStore{o.db}
			return e, func() { _, _ = e.Step(o.t.Context()) }
		},
		"on another node": func(o *office) (*monitor.Engine, func()) {
			bad, good := o.engine("a"), o.engine("b")
			bad.Store = deafStore{o.db}
			_, _ = bad.Step(o.t.Context()) // and has some of the leases for good
			return good, func() {
				_, _ = bad.Step(o.t.Context())
				_, err := good.Step(o.t.Context())
				noError(o.t, err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			onBoth(t, 1, func(t *testing.T, o *office) {
				o.happens()
				asked, meanwhile := test(o)
				meanwhile()
				if after := o.alarm(asked, meanwhile); after == 0 || after > soon {
					t.Errorf("told after %v", after)
				}
			})
		})
	}
}
