package bench

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/alecthomas/kong"

	"bureau/client"
	"bureau/internal/app"
	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/monitor"
)

// A hearing is what a house is told that serves and changes at once, and follows
// its own stream: the embedded database wakes only those of its own process.
type hearing struct {
	Data, DB string
	For      time.Duration
}

// runHear is the process of such a house.
func runHear(in io.Reader, out io.Writer) error {
	var o hearing
	if err := takeOrder(in, &o); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var c app.Config
	parser, err := kong.New(&c)
	if err != nil {
		return err
	}
	if _, err := parser.Parse(nil); err != nil {
		return err
	}
	c.Data, c.DB, c.HTTP = o.Data, app.Secret(o.DB), true
	a, err := app.Open(ctx, c, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	defer a.Close()
	reader, err := watchAll(ctx, a)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	reader.BaseURL = "http://" + l.Addr().String() + "/v1"
	s, err := a.ServeOn(ctx, l, "bench")
	if err != nil {
		return err
	}
	heard, err := o.hear(ctx, a, reader)
	if err != nil {
		return err
	}
	cancel()
	if err := s.Stop(context.WithoutCancel(ctx)); err != nil {
		return err
	}
	return writeJSON(out, heard)
}

// watchAll makes companies and a customer that watches them.
func watchAll(ctx context.Context, a *app.App) (*client.Client, error) {
	grants := []auth.Grant{{Product: auth.Monitoring, Country: auth.Everywhere, From: "2020-01-01"}}
	customer, err := a.Office.AddCustomer(ctx, "Example Trading", grants)
	if err != nil {
		return nil, err
	}
	account, password, err := a.Office.AddAccount(ctx, auth.NewAccount{Customer: customer.ID, UserKey: "reader"})
	if err != nil {
		return nil, err
	}
	var u company.Update
	var list []monitor.Member
	for n := range firmsEach {
		id := benchCompany(n)
		u.Companies = append(u.Companies, company.Saved{
			Held: company.Held{ID: id}, New: true, Name: fmt.Sprint("Example ", n), Country: "GB", Status: company.Active,
		})
		list = append(list, monitor.Member{Company: id})
	}
	if err := a.DB.Write(ctx, func(company.View) (company.Update, error) { return u, nil }); err != nil {
		return nil, err
	}
	by := auth.Caller{Customer: customer.ID, Account: account.ID}
	p, err := a.DB.CreatePortfolio(ctx, by, monitor.Portfolio{Name: "list"})
	if err != nil {
		return nil, err
	}
	if _, err := a.DB.AddMembers(ctx, by, p.ID, list); err != nil {
		return nil, err
	}
	err = a.DB.SwitchRules(ctx, by, p.ID, monitor.Everywhere, []monitor.Switch{{Code: 5001, On: true}})
	return &client.Client{Username: account.UserKey, Password: password}, err
}

// hear lets a company change every ten milliseconds while a reader follows.
func (o *hearing) hear(ctx context.Context, a *app.App, reader *client.Client) ([]float64, error) {
	const every = 10 * time.Millisecond
	n := int(o.For / every)
	commits, arrived := make([]time.Time, n), make([]time.Time, n)
	var following sync.WaitGroup
	var failed error
	following.Go(func() {
		left := n
		for e, err := range reader.Follow(ctx, 0) {
			at := time.Now()
			if err != nil {
				failed = err
				return
			}
			var i int
			if _, err := fmt.Sscanf(e.NewValue, "heard #%d", &i); err != nil {
				continue // the one that shows that the stream is there
			}
			arrived[i] = at
			if left--; left == 0 {
				return
			}
		}
	})
	change := func(of int, value string) error {
		return a.DB.Write(ctx, func(company.View) (company.Update, error) {
			return company.Update{Changes: []company.Change{{
				Company: benchCompany(of % firmsEach), Field: company.FieldName, Old: "Former Name Ltd", New: value, Source: "bench", At: time.Now(),
			}}}, nil
		})
	}
	time.Sleep(2 * time.Second) // until it has found its work, and the reader its stream
	pace := time.NewTicker(every)
	defer pace.Stop()
	for i := range n {
		<-pace.C
		if err := change(i, changeValue("heard", i)); err != nil {
			return nil, err
		}
		commits[i] = time.Now()
	}
	following.Wait()
	if failed != nil {
		return nil, failed
	}
	var out []float64
	for i := range n {
		out = append(out, max(0, arrived[i].Sub(commits[i]).Seconds()*1000))
	}
	slices.Sort(out)
	return out, nil
}
