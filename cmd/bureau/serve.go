package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"runtime"
	"strings"

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
	defer runtime.KeepAlive(app.PrepareProcess())

	l, err := c.Bind()
	if err != nil {
		return err
	}
	defer l.Close()
	a, err := app.Open(t.ctx, c.Config, c.NewLog(t.err))
	if err != nil {
		return err
	}
	return errors.Join(c.serve(t, a, l), a.Close())
}

func (c serveCmd) serve(t *terminal, a *app.App, l net.Listener) error {
	s, err := a.ServeOn(t.ctx, l, version)
	if err != nil {
		return err
	}
	a.Log.Info("serving", "address", c.Listen, "version", version, "database", a.DB.Engine())
	if c.Sandbox {
		err = c.welcome(t, a)
	}
	if t.ctx.Err() != nil && errors.Is(err, context.Canceled) {
		err = nil // told to stop before the sandbox was full, which is no failure
	}
	if err == nil {
		select {
		case err = <-s.Failed():
		case <-t.ctx.Done():
		}
	}
	a.Log.Info("stopping")
	ctx, cancel := context.WithTimeout(context.Background(), c.StopWithin)
	defer cancel()
	return errors.Join(err, s.Stop(ctx))
}

// welcome fills the sandbox and says how to get in. Calls are answered by then:
// whoever finds sandbox.json can use what it says.
func (c serveCmd) welcome(t *terminal, a *app.App) error {
	v, err := a.OpenSandbox(t.ctx)
	if err != nil {
		return err
	}
	return t.print(v, func(w io.Writer) { printWelcome(w, v, c.CertificatePath()) })
}

func printWelcome(w io.Writer, v app.Welcome, cert string) {
	trust := ""
	if cert != "" {
		trust = "--cacert " + shellWord(cert) + " "
	}
	note := ""
	if v.Note != "" {
		note = v.Note + "\n"
	}
	fmt.Fprintf(w, `
Bureau is serving %[1]s with its sandbox.
%[9]s
  user key   %[2]s
  password   %[3]s

  console    %[6]s
  e-mail     %[7]s
  password   %[8]s

  (these and more are in %[4]s)

Get a token:

  curl %[5]s%[1]s/v1/authenticate -H 'Content-Type: application/json' -d '{"username":"%[2]s","password":"%[3]s"}'

`, v.BaseURL, v.Username, v.Password, v.File, trust, v.Console, v.Email, v.EmailPassword, note)
}

// shellWord quotes a path for a shell, if it must be.
func shellWord(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+,:@%", r))
	}) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
