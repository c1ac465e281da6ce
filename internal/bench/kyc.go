package bench

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"bureau/internal/kyc"
	"bureau/internal/match"
	"bureau/internal/match/fit"
	"bureau/internal/store"
)

// kycRows are the rows of screening.
func kycRows() []row {
	return []row{
		{
			name: "kyc-search", what: "POST of a search on sanctions lists, kept, counted and audited, 8 clients, through TLS",
			against: "the same requests to a bare server through TLS: it screens with the same engine and options, answers as many bytes and keeps nothing", unit: perSecond,
			goal: atLeast(0.4), both: true, offline: true,
			baseline: screenBare, ours: screenOurs,
			also: []also{
				{"kyc-search: CPU of a search in the engine", inMillis, atMost(0.5)},
				{"kyc-search: searches alone, through TLS", perSecond, atLeast(1500)},
				{"kyc-search: searches in the engine, in its own process", perSecond, goal{}},
				{"kyc-search: p99", inMillis, goal{}},
			},
		},
		{
			name: "kyc-memory", what: "100,000 entries of lists and their names made ready after a start, from what the run before kept",
			against: "only reads the same entries from the store", unit: inMillis, both: true, whole: true, offline: true,
			baseline: loadBare, ours: loadOurs,
			also: []also{
				{"kyc-memory: ready after a restart", inMillis, atMost(1000)},
				{"kyc-memory: made anew from the store", inMillis, goal{}},
				{"kyc-memory: CPU of that", inSeconds, goal{}},
				{"kyc-memory: index", inMegabytes, atMost(150)},
				{"kyc-memory: entries", figure, goal{}},
			},
		},
		{
			name: "kyc-delta", what: "CPU that 1 million watched subjects take when 1,000 entries change",
			against: "only reads the rows of the watched from the database", unit: inSeconds, both: true, whole: true, offline: true,
			baseline: watchBare, ours: watchOurs,
			also: []also{
				{"kyc-delta: CPU", inSeconds, atMost(10)},
				{"kyc-delta: subjects screened again", figure, goal{}},
				{"kyc-delta: alerts", figure, goal{}},
				{"kyc-delta: memory", inMegabytes, goal{}},
			},
		},
		kycQualityRow(),
	}
}

func inSeconds(v float64) string { return figure(v) + " s" }

// realLists are the publishers' files, if they are at hand, by the source that
// reads them.
var realLists = []struct {
	source string
	files  []string
}{
	{"ofac", []string{"ofac_2021/sdn.csv.gz", "ofac_2021/alt.csv.gz", "ofac_2021/add.csv.gz", "ofac_2021/sdn_comments.csv"}},
	{"un-sanctions", []string{"un_consolidated_2026.xml.gz"}},
	{"uk-sanctions", []string{"uk_ofsi_conlist_2018.csv.gz"}},
}

// A screened is a server with lists on one engine.
type screened struct {
	*site
	place
	queries []sought
}

// A sought is whom a search looks for.
type sought struct {
	Person bool
	Name   string
}

// screenedPlace makes one, once for each engine.
func (t *site) screenedPlace(ctx context.Context) (*screened, error) {
	if at := t.w.screened[t.engine]; at != nil {
		return at, nil
	}
	p, err := t.w.newPlace(ctx, "screened", t.engine)
	if err != nil {
		return nil, err
	}
	at := &screened{site: &site{w: t.w, s: t.s, engine: t.engine, book: t.w.openBook(p)}, place: p}
	if at.accounts, err = p.fill(ctx, 1, false); err != nil {
		return nil, err
	}
	if err := p.importLists(ctx, t.s.data(), t.s.part(0, 0, ownEntries)); err != nil {
		return nil, err
	}
	listed, err := namesOnLists(ctx, p.address())
	if err != nil {
		return nil, err
	}
	at.queries = screenQueries(t.s.data(), listed, 2000)
	if t.w.screened == nil {
		t.w.screened = map[string]*screened{}
	}
	t.w.screened[t.engine] = at
	return at, nil
}

// serveScreened starts both servers of a place with lists, once.
func (at *screened) serveScreened(ctx context.Context) (err error) {
	if at.bureau != nil {
		return nil
	}
	if at.bureau, err = at.serve(ctx); err != nil {
		return err
	}
	at.site.w.stops = append(at.site.w.stops, at.bureau.stop)
	if _, err := at.signIn(); err != nil {
		return err
	}
	if err := (&named{site: at.site}).awaitNames(ctx); err != nil {
		return err
	}
	if err := at.bureau.awaitRest(ctx, at.s.Own); err != nil {
		return err
	}
	if at.baseline, err = at.startScreeningServer(ctx); err != nil {
		return err
	}
	at.site.w.stops = append(at.site.w.stops, at.baseline.stop)
	return nil
}

// importLists takes the real lists in, as far as they are at hand, and as many
// made-up entries as make least of them all.
func (p place) importLists(ctx context.Context, data corpus, least int) error {
	if err := p.run(ctx, "", nil, "migrate"); err != nil {
		return err
	}
	for _, l := range realLists {
		if data == "" {
			break
		}
		args := []string{"import", l.source}
		for _, f := range l.files {
			args = append(args, data.path("sanctions/"+f))
		}
		if _, err := os.Stat(args[2]); err != nil {
			p.w.say("%s is not at hand: made-up entries take its place", l.source)
			least = max(least, 20_000)
			continue
		}
		if err := p.run(ctx, "", nil, args...); err != nil {
			return err
		}
	}
	have, err := namesOnLists(ctx, p.address())
	if err != nil || len(have) >= least {
		return err
	}
	file := filepath.Join(p.data, "watchlist.csv")
	if err := writeWatchlist(file, least-len(have)); err != nil {
		return err
	}
	return p.run(ctx, "", nil, "import", "watchlist", file)
}

// writeWatchlist makes entries up, with as many other names as the real lists have.
func writeWatchlist(path string, n int) error {
	f, err := create(path)
	if err != nil {
		return err
	}
	w, d := csv.NewWriter(f), fit.NewDamager(17)
	rows := [][]string{{"number", "kind", "name", "aliases", "dateOfBirth", "datasets"}}
	for i := range n {
		kind, name, born := "person", d.Person, fmt.Sprint(1940+i%60)
		if i%3 == 0 {
			kind, name, born = "company", d.Company, ""
		}
		one := name()
		var others []string
		for range i % 4 {
			if other, ok := d.Damage("respell", one); ok {
				others = append(others, strings.ReplaceAll(other, "|", " "))
			}
		}
		rows = append(rows, []string{fmt.Sprint("W", i), kind, one, strings.Join(others, "|"), born, "SAN-CURRENT"})
	}
	return errors.Join(w.WriteAll(rows), f.Close())
}

// A listed is an entry's main name.
type listed struct {
	sought
	ID kyc.EntryID
}

// namesOnLists are the main names of all entries, in the order of their IDs.
func namesOnLists(ctx context.Context, address string) (out []listed, err error) {
	db, err := store.Open(ctx, address)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	_, err = db.Standing(ctx, func(h kyc.Held) error {
		e, err := h.Entry()
		if err == nil {
			out = append(out, listed{sought{e.Kind == kyc.Person, e.Main()}, h.ID})
		}
		return err
	})
	return out, err
}

// screenQueries are mistyped names of who is listed, and as many of who is not.
func screenQueries(data corpus, list []listed, n int) (out []sought) {
	d := fit.NewDamager(71)
	innocent := map[bool][]string{true: data.innocentNames(match.Person, n), false: data.innocentNames(match.Company, n)}
	for i := 0; len(out) < n; i++ {
		l := list[i*7919%len(list)]
		if i%2 == 0 {
			l.Name = innocent[l.Person][i%n]
		} else if name, ok := mistype(d, l.Name, 1, i); ok {
			l.Name = name
		}
		if length := len([]rune(l.Name)); length > 2 && length < 150 && !match.Read(match.Person, l.Name).Empty() {
			out = append(out, l.sought)
		}
	}
	return out
}

// onLists is a role that does something on the database that its order names.
func onLists(do func(context.Context, *store.DB, screening) (any, error)) func(io.Reader, io.Writer) error {
	return func(in io.Reader, out io.Writer) error {
		var o screening
		if err := takeOrder(in, &o); err != nil {
			return err
		}
		ctx := context.Background()
		db, err := store.Open(ctx, o.Address)
		if err != nil {
			return err
		}
		defer db.Close()
		got, err := do(ctx, db, o)
		return errors.Join(err, json.NewEncoder(out).Encode(got))
	}
}

// onScreener is one that does it with the engine.
func onScreener(do func(context.Context, *kyc.Searches, *store.DB, screening) (any, error)) func(io.Reader, io.Writer) error {
	return onLists(func(ctx context.Context, db *store.DB, o screening) (any, error) {
		hash := func(s string) string { return s }
		s := &kyc.Searches{
			Screener: &kyc.Screener{Index: &kyc.Index{Store: db}, Store: db, Now: time.Now}, Store: db, Now: time.Now, Fingerprint: hash, Named: hash,
		}
		if err := s.Screener.Index.Refresh(ctx); err != nil {
			return nil, err
		}
		return do(ctx, s, db, o)
	})
}

// A screening is the order for the engine in a process of its own.
type screening struct {
	Address string
	Folder  string // where the index is kept; empty if it is not
	Queries []sought
	For     time.Duration
	Entries int // that change, for the watched
	Bare    bool
}

// screenPath is where searches are sent.
const screenPath = "/v1/compliance/kyc-protect/searches/"

// requests are the searches as they are sent.
func (at *screened) requests() []string {
	var out []string
	for _, q := range at.queries {
		kind := "businesses"
		if q.Person {
			kind = "individuals"
		}
		body, _ := json.Marshal(map[string]string{"name": q.Name}) // a text
		out = append(out, head("POST "+screenPath+kind)+"Authorization: Bearer "+at.token+
			fmt.Sprintf("\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body))
	}
	return slices.Clip(out)
}
