package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"bureau/internal/app"
)

type serveCmd struct {
	app.Config `embed:""`
}

func (serveCmd) Help() string {
	return `Example:
  bureau serve --sandbox
  bureau serve --db postgres://bureau@db/bureau --listen 0.0.0.0:8443 --public-url https://api.example.com`
}

// Run serves until it is told to stop.
func (c serveCmd) Run(t *terminal) error {
	if err := c.Check(); err != nil {
		return misuse{err}
	}
	// Checking a chosen password takes a core for 40 ms. With more threads than
	// cores it is the system that shares them out, and it lets the short work
	// of other calls in between at once.
	runtime.GOMAXPROCS(2 * runtime.NumCPU())

	log := c.NewLog(t.err)
	a, err := app.Open(t.ctx, c.Config, log)
	if err != nil {
		return err
	}
	return errors.Join(c.serve(t, a), a.Close())
}

func (c serveCmd) serve(t *terminal, a *app.App) error {
	var welcome func()
	if c.Sandbox {
		card, path, err := a.OpenSandbox(t.ctx)
		if err != nil {
			return err
		}
		welcome = func() { printSandbox(t, c.Config, card.BaseURL, card.Username, card.Password, path) }
	}
	s, err := a.Serve(t.ctx, version)
	if err != nil {
		return err
	}
	a.Log.Info("serving", "address", c.Listen, "version", version, "database", a.DB.Engine())
	if welcome != nil {
		welcome()
	}
	select {
	case err = <-s.Failed():
	case <-t.ctx.Done():
	}
	a.Log.Info("stopping")
	ctx, cancel := context.WithTimeout(context.Background(), c.StopWithin)
	defer cancel()
	return errors.Join(err, s.Stop(ctx))
}

func printSandbox(t *terminal, c app.Config, base, user, password, path string) {
	trust := ""
	if cert := c.CertificatePath(); cert != "" {
		trust = "--cacert " + cert + " "
	}
	fmt.Fprintf(t.out, `
Bureau is serving %[1]s with its sandbox.

  user key   %[2]s
  password   %[3]s
  (these and more are in %[4]s)

Get a token:

  curl %[5]s%[1]s/v1/authenticate -H 'Content-Type: application/json' -d '{"username":"%[2]s","password":"%[3]s"}'

`, base, user, password, path, trust)
}
