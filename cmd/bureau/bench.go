package main

import (
	"errors"
	"fmt"
	"io"
	"runtime"

	"bureau/internal/app"
	"bureau/internal/bench"
)

type benchCmd struct {
	Only    string     `help:"Only the rows whose name begins so." placeholder:"ROW"`
	Rounds  int        `help:"How often each row is measured." default:"3"`
	Seconds float64    `help:"How long one measurement takes." default:"1"`
	DB      app.Secret `name:"db" help:"A postgres:// URL: databases are made on that server, and dropped again. Without it, files in a temporary folder." placeholder:"URL"`
}

func (benchCmd) Help() string {
	return `Measures this program on this machine, on invented data that it makes and takes
away again: each row beside a bare program that does only the core of the same,
under the same load. The ratio of the two tells more than either figure, since
everything shares the cores of one machine.

It ends with a statement of what was lost, counted from both ends, and with 1
if anything was. Your own data is not touched: --db counts only on the command
line, and tells where databases of its own are made.

The rows are ` + bench.RowNames() + `.

Example:
  bureau bench
  bureau bench --only tokens --rounds 5 --seconds 2
  bureau bench --db postgres://bureau@db/postgres --json`
}

// A benchView is the report as JSON.
type benchView struct {
	Cores   int              `json:"cores"`
	System  string           `json:"system"`
	Rounds  int              `json:"rounds"`
	Seconds float64          `json:"seconds"`
	Rows    []bench.Figure   `json:"rows"`
	Books   *bench.Statement `json:"books"`
	Text    string           `json:"statement"`
	OK      bool             `json:"ok"` // nothing was lost
}

func (c benchCmd) Run(t *terminal) error {
	s := bench.Settings{Own: true, Only: c.Only, Rounds: c.Rounds, Seconds: c.Seconds}
	if t.origins["db"] == "flag" { // a server that a variable names is somebody's service, and at work
		s.DB = string(c.DB)
	}
	line := &statusLine{w: t.err, live: isTerminal(t.err)}
	s.Say = line.tell
	r, err := bench.Run(t.ctx, s)
	line.end()
	if wrong, ok := errors.AsType[bench.Misuse](err); ok {
		return misuse{wrong}
	}
	if err != nil && t.ctx.Err() != nil {
		// Whichever of its processes noticed first has nothing to say that matters.
		return errors.New("the bench was broken off, and what it made is gone again")
	}
	if err != nil {
		return err
	}
	view := benchView{
		Cores: runtime.NumCPU(), System: runtime.GOOS + "/" + runtime.GOARCH, Rounds: c.Rounds, Seconds: c.Seconds,
		Rows: r.Figures, Books: r.Statement, Text: r.Statement.Text(), OK: len(r.Statement.Lost) == 0,
	}
	if err := t.print(view, func(w io.Writer) { fmt.Fprint(w, r.OwnText()) }); err != nil {
		return err
	}
	if !view.OK {
		return errors.New("something was lost")
	}
	return nil
}
