package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"bureau/client"
)

// portfolioFiles are the commands of 'bureau portfolio' that send files.
type portfolioFiles struct {
	Import portfolioImportCmd `cmd:"" help:"Add the companies of a CSV file."`
	Sync   portfolioSyncCmd   `cmd:"" help:"Make a CSV file the portfolio's whole content."`
}

// portfolioFile is what both take.
type portfolioFile struct {
	remote    `embed:""`
	Portfolio int64  `arg:"" help:"The portfolio's number."`
	File      string `arg:"" help:"The file; - is standard input."`
	Email     string `help:"Who wants to hear of the result." placeholder:"ADDRESS"`
	Wait      bool   `help:"Wait until it is taken in, and list the lines that could not be."`
}

const aboutPortfolioFiles = `The first line names the columns: id (a connectId or safe number), or
countryCode and regNo; and if you like reference, personalLimit, notes. A file
without such a line has one id a line. UTF-8, with commas, semicolons or tabs.
`

type portfolioImportCmd struct {
	portfolioFile `embed:""`
}

func (portfolioImportCmd) Help() string {
	return aboutPortfolioFiles + `
Example:
  bureau portfolio import 100001 companies.csv --wait`
}

func (c portfolioImportCmd) Run(t *terminal) error { return c.run(t, (*client.Client).ImportPortfolio) }

type portfolioSyncCmd struct {
	portfolioFile `embed:""`
}

func (portfolioSyncCmd) Help() string {
	return aboutPortfolioFiles + `Companies that the file does not name are removed; while a line cannot be read,
none is. It happens at once or not at all; a file that names no company is
refused.

Example:
  bureau portfolio sync 100001 companies.csv --wait`
}

func (c portfolioSyncCmd) Run(t *terminal) error { return c.run(t, (*client.Client).SyncPortfolio) }

type sendPortfolioFile func(c *client.Client, ctx context.Context, portfolio int64, f client.PortfolioFile) (int64, error)

func (c portfolioFile) run(t *terminal, send sendPortfolioFile) error {
	api, err := c.client()
	if err != nil {
		return err
	}
	file, name, err := c.open(t)
	if err != nil {
		return err
	}
	if f, ok := file.(io.Closer); ok {
		defer f.Close()
	}
	id, err := send(api, t.ctx, c.Portfolio, client.PortfolioFile{Name: name, File: file, Email: c.Email, Key: client.NewKey()})
	if err != nil {
		return err
	}
	if !c.Wait {
		return t.print(map[string]int64{"importId": id, "portfolioId": c.Portfolio}, func(w io.Writer) {
			fmt.Fprintf(w, "import %d was accepted\n", id)
		})
	}
	res, err := c.await(t, api, id)
	if err != nil {
		return err
	}
	if err := t.print(res, func(w io.Writer) { printPortfolioImport(w, res) }); err != nil {
		return err
	}
	if res.Error != nil {
		return errors.New(*res.Error)
	}
	return nil
}

func (c portfolioFile) open(t *terminal) (file io.ReadSeeker, name string, err error) {
	if c.File == "-" {
		// The service takes no more than 50 MB.
		b, err := io.ReadAll(io.LimitReader(t.in, 64<<20))
		return bytes.NewReader(b), "standard-input.csv", err
	}
	f, err := os.Open(c.File)
	return f, filepath.Base(c.File), err
}

// await asks for the result until it is there, more rarely as time goes by.
func (c portfolioFile) await(t *terminal, api *client.Client, id int64) (client.PortfolioImport, error) {
	line := &overwritten{w: t.err}
	defer line.end()
	for pause := 100 * time.Millisecond; ; pause = min(2*pause, 2*time.Second) {
		res, err := api.PortfolioImport(t.ctx, c.Portfolio, id)
		if err != nil || res.Over() {
			return res, err
		}
		line.write(fmt.Sprintf("%s: %d %%, %d rows", res.State, res.Percent, res.Rows))
		select {
		case <-t.ctx.Done():
			return res, t.ctx.Err()
		case <-time.After(pause):
		}
	}
}

func printPortfolioImport(w io.Writer, r client.PortfolioImport) {
	for _, p := range r.Problems {
		fmt.Fprintf(w, "line %d: %q: %s\n", p.Line, p.Value, p.Reason)
	}
	if r.Truncated {
		fmt.Fprintf(w, "… and %d more\n", r.Unknown+r.Refused-int64(len(r.Problems)))
	}
	fmt.Fprintf(w, "%s %d %s: %d rows: %d added, %d already there, %d removed, %d unknown, %d refused\n",
		r.Type, r.ImportID, r.State, r.Rows, r.Added, r.AlreadyThere, r.Removed, r.Unknown, r.Refused)
	if r.Note != nil {
		fmt.Fprintln(w, *r.Note)
	} else if r.Kept > 0 {
		fmt.Fprintf(w, "%d stay, since a line that could not be taken names them\n", r.Kept)
	}
}

// An overwritten is one line that is written over and over.
type overwritten struct {
	w    io.Writer
	wide int
}

func (o *overwritten) write(text string) {
	fmt.Fprintf(o.w, "\r%-*s", o.wide, text)
	o.wide = max(o.wide, len(text))
}

func (o *overwritten) end() {
	if o.wide > 0 {
		fmt.Fprintln(o.w)
	}
}
