package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"time"

	"github.com/alecthomas/kong"

	"bureau/internal/app"
	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/monitor"
)

// tenCustomers are those whose waiting is measured; there is one more.
const tenCustomers = 10

// firmsEach is how many companies a customer watches.
const firmsEach = 200

func benchCompany(n int) company.ID { return company.NewID("GB", fmt.Sprintf("%08d", n)) }

// A changing is what a house is told that serves and changes at once: the
// embedded database wakes only those of its own process.
type changing struct {
	Data, DB string
	Folders  map[auth.CustomerID]monitor.PortfolioID
	Windows  []window // one after the other
	Sink     string   // the endpoint that is told
	Stall    time.Duration
}

// A window is a while in which companies change.
type window struct {
	Each  int // changes of the ten together, in each hundredth of a second
	Noisy int // and of the eleventh
	For   time.Duration
}

// changed is what was committed, by the new value of the change.
type changed struct{ Commits map[string]commit }

// A commit is when it was, in nanoseconds, and in which window.
type commit struct {
	At     int64
	Window int
}

// runChange is the process of such a house.
func runChange(in io.Reader, out io.Writer) error {
	var o changing
	if err := takeOrder(in, &o); err != nil {
		return err
	}
	defer runtime.KeepAlive(app.PrepareProcess()) // as a node that serves
	commits, err := o.live(context.Background())
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(changed{commits})
}

// live serves and changes, until all was told or nothing more comes.
func (o *changing) live(ctx context.Context) (map[string]commit, error) {
	var c app.Config
	parser, err := kong.New(&c)
	if err != nil {
		return nil, err
	}
	if _, err := parser.Parse(nil); err != nil {
		return nil, err
	}
	c.Data, c.DB, c.HTTP, c.Listen, c.WebhookAllow = o.Data, app.Secret(o.DB), true, "127.0.0.1:0", []string{"127.0.0.0/8"}
	a, err := app.Open(ctx, c, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	defer a.Close()
	if err := o.watch(ctx, a); err != nil {
		return nil, err
	}
	s, err := a.Serve(ctx, "bench")
	if err != nil {
		return nil, err
	}
	time.Sleep(time.Second) // until it has found its work
	all := changer{of: o, commits: map[string]commit{}}
	for i := range o.Windows {
		if err := all.change(ctx, a, i); err != nil {
			return nil, err
		}
		if err := awaitMessages(ctx, o.Sink, len(all.commits), o.Stall); err != nil {
			return nil, err
		}
	}
	return all.commits, s.Stop(ctx)
}

// watch lets every customer watch its own companies, the first time.
func (o *changing) watch(ctx context.Context, a *app.App) error {
	last, err := a.DB.LastChange(ctx)
	if err != nil || last > 0 {
		return err
	}
	var u company.Update
	for n := range (tenCustomers + 1) * firmsEach {
		u.Companies = append(u.Companies, company.Saved{
			Held: company.Held{ID: benchCompany(n)}, New: true, Name: fmt.Sprint("Example ", n), Country: "GB", Status: company.Active,
		})
	}
	if err := a.DB.Write(ctx, func(company.View) (company.Update, error) { return u, nil }); err != nil {
		return err
	}
	for c, p := range o.Folders {
		by := auth.Caller{Customer: c, Account: auth.AccountID(c)}
		var list []monitor.Member
		for n := range firmsEach {
			list = append(list, monitor.Member{Company: benchCompany((int(c)-1)*firmsEach + n)})
		}
		if _, err := a.DB.AddMembers(ctx, by, p, list); err != nil {
			return err
		}
		if err := a.DB.SwitchRules(ctx, by, p, monitor.Everywhere, []monitor.Switch{{Code: 5001, On: true}}); err != nil {
			return err
		}
	}
	return nil
}

// A changer lets companies change.
type changer struct {
	of         *changing
	commits    map[string]commit
	ten, noisy int // how many did
}

// change writes a transaction every ten milliseconds, with changes of the ten in
// turn and of the eleventh.
func (c *changer) change(ctx context.Context, a *app.App, number int) error {
	const every = 10 * time.Millisecond
	w := c.of.Windows[number]
	pace := time.NewTicker(every)
	defer pace.Stop()
	for range int(w.For / every) {
		<-pace.C
		var u company.Update
		add := func(of int, value string) {
			u.Changes = append(u.Changes, company.Change{
				Company: benchCompany(of), Field: company.FieldName, Old: "Former Name Ltd", New: value, Source: "bench", At: time.Now(),
			})
		}
		for range w.Each {
			c.ten++
			add((c.ten%tenCustomers)*firmsEach+c.ten%firmsEach, changeValue("ten", c.ten))
		}
		for range w.Noisy {
			c.noisy++
			add(tenCustomers*firmsEach+c.noisy%firmsEach, changeValue("noisy", c.noisy))
		}
		if err := a.DB.Write(ctx, func(company.View) (company.Update, error) { return u, nil }); err != nil {
			return err
		}
		now := time.Now().UnixNano()
		for i := range u.Changes {
			c.commits[u.Changes[i].New] = commit{now, number}
		}
	}
	return nil
}
