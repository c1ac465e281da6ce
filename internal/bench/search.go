package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"bureau/internal/match"
)

// The rows about finding companies through the API.

const (
	// findMany is how many companies a large register has here: as many as the
	// real one whose names it is made of.
	findMany = 1_200_000
	findFew  = findMany / 10
	findOwn  = 60 // a user's own machine has one in so many
	// atOnce is how many clients ask.
	atOnce = 8
	// askedEach is how many questions each client of the baseline asks at
	// least. It answers slowly: how fast would be told from one or two.
	askedEach = 6
	// askedOnce is how many are looked at for what was found.
	askedOnce = 300
)

func findRows() []row {
	return []row{
		{
			name: "find-name", what: "GET /companies by mistyped names of 1,200,000 companies, 8 clients, through TLS",
			against: "the same names put to SQLite's full-text index of trigrams, 8 at once, in its own process", unit: perSecond,
			goal: atLeast(5), both: true, offline: true,
			baseline: findBare, ours: findOurs,
			also: []also{
				{"find-name: found among the first ten", asShare, atLeast(0.9)},
				{"find-name: found with a tenth of the companies", asShare, goal{}},
				{"find-name: found by the baseline with a tenth", asShare, goal{}},
				{"find-name: found with a tenth, against the baseline", asTimes, atLeast(1.01)},
				{"find-name: p99", inMillis, goal{}},
			},
		},
		{
			name: "find-ten", what: "GET /companies by a mistyped name of 1,200,000 companies, one after the other",
			against: "the same with a tenth of the companies", unit: inMillis, goal: atMost(2), both: true, offline: true,
			baseline: findMedian(findFew), ours: findMedian(findMany),
		},
		{
			name: "find-number", what: "GET /companies by country and number",
			against: "reads the company's row by its key and writes its columns", unit: perSecond,
			goal: atLeast(0.4), both: true, accounts: 1, companies: 20_000,
			baseline: rate(theBaseline, (*site).reports, nil),
			ours:     rate(theBureau, (*site).byNumber, nil),
		},
		{
			name: "find-id", what: "GET /companies by id",
			against: "reads the company's row by its key and writes its columns", unit: perSecond,
			goal: atLeast(0.4), both: true, accounts: 1, companies: 20_000,
			baseline: rate(theBaseline, (*site).reports, nil),
			ours:     rate(theBureau, (*site).byID, nil),
		},
	}
}

func (t *site) searches(query func(id string) string) []string {
	var out []string
	for _, id := range t.companies {
		out = append(out, head("GET /v1/companies?"+query(id))+"Authorization: Bearer "+t.token+"\r\n\r\n")
	}
	return out
}

func (t *site) byNumber() []string {
	return t.searches(func(id string) string { return "countries=GB&regNo=" + strings.TrimPrefix(id, "GB-0-") })
}

func (t *site) byID() []string { return t.searches(func(id string) string { return "id=" + id }) }

// A named is a server whose register has the names of real companies, and what
// to ask it.
type named struct {
	*site
	names   []string
	queries []query
}

// namedPlace makes such a server, once for each engine and size.
func (t *site) namedPlace(ctx context.Context, n int) (*named, error) {
	n = t.s.part(n, n/100, n/findOwn)
	key := fmt.Sprint(t.engine, n)
	if at := t.w.named[key]; at != nil {
		return at, nil
	}
	began := time.Now()
	p, err := t.w.newPlace(ctx, "named", t.engine)
	if err != nil {
		return nil, err
	}
	at := &named{site: &site{w: t.w, s: t.s, engine: t.engine, book: t.w.openBook(p)}}
	if at.accounts, err = p.fill(ctx, 1, false); err != nil {
		return nil, err
	}
	at.names, _ = t.s.data().companyNames(n)
	at.queries = findQueries(at.names)
	file := filepath.Join(p.data, "names.jsonl")
	if err := writeNames(file, at.names); err != nil {
		return nil, err
	}
	if err := p.run(ctx, "", nil, "import", "companies", file); err != nil {
		return nil, err
	}
	if at.bureau, err = p.serve(ctx); err != nil {
		return nil, err
	}
	t.w.stops = append(t.w.stops, at.bureau.stop)
	if _, err := at.signIn(); err != nil {
		return nil, err
	}
	if err := at.awaitNames(ctx); err != nil {
		return nil, err
	}
	if err := at.bureau.awaitRest(ctx, t.s.Own); err != nil {
		return nil, err
	}
	if t.w.named == nil {
		t.w.named = map[string]*named{}
	}
	t.w.named[key] = at
	t.w.say("%s: %d names imported and searched in after %v", t.engine, n, time.Since(began).Round(time.Second))
	return at, nil
}

// findQueries are the questions of both sides. A search takes up to 200
// characters; the few names that are longer are not asked for.
func findQueries(names []string) []query {
	return slices.DeleteFunc(mistyped(names, 2000, 2), func(q query) bool {
		n := len([]rune(strings.TrimSpace(q.text)))
		return n < 2 || n > 200
	})
}

// writeNames writes companies as our own lines.
func writeNames(path string, names []string) error {
	f, err := create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	lines := json.NewEncoder(w)
	for i, name := range names {
		if err := lines.Encode(map[string]string{"country": "DE", "number": fmt.Sprintf("HRB%07d", i), "name": name}); err != nil {
			return errors.Join(err, f.Close())
		}
	}
	return errors.Join(w.Flush(), f.Close())
}

// awaitNames waits until the server has made its index.
func (at *named) awaitNames(ctx context.Context) error {
	c, err := at.dialBureau()
	if err != nil {
		return err
	}
	defer c.close()
	for {
		status, _, err := c.call([]byte(head("GET /readyz")+"\r\n"), true)
		if err != nil || status == 200 {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}

func (at *named) requests() []string {
	var out []string
	for _, q := range at.queries {
		out = append(out, head("GET /v1/companies?countries=DE&pageSize=10&name="+url.QueryEscape(q.text))+
			"Authorization: Bearer "+at.token+"\r\n\r\n")
	}
	return out
}

// plainWords are the words of a name as they are compared: a register has many
// companies of one name, and any of them is the right answer.
func plainWords(name string) string {
	return strings.Join(match.Read(match.Company, name).Words(), " ")
}

// recall asks some of the questions and looks whether the right name is among
// the first ten.
func (at *named) recall() (float64, error) {
	c, err := at.dialBureau()
	if err != nil {
		return 0, err
	}
	defer c.close()
	found := 0.0
	for i, request := range at.requests()[:askedOnce] {
		status, body, err := c.call([]byte(request), true)
		if err == nil && status != 200 {
			err = fmt.Errorf("answered with %d: %s", status, body)
		}
		if err != nil {
			return 0, err
		}
		var page struct{ Companies []struct{ Name string } }
		if err := json.Unmarshal(body, &page); err != nil {
			return 0, err
		}
		want := plainWords(at.names[at.queries[i].want])
		if slices.ContainsFunc(page.Companies, func(c struct{ Name string }) bool { return plainWords(c.Name) == want }) {
			found++
		}
	}
	return found / askedOnce, nil
}

func findOurs(ctx context.Context, t *site, bare sample) (sample, error) {
	at, err := t.namedPlace(ctx, findMany)
	if err != nil {
		return sample{}, err
	}
	m, err := at.load(ctx, at.bureau, load{Requests: at.requests(), Conns: atOnce, Expect: []int{200}, For: 2 * t.s.window()})
	if err != nil {
		return sample{}, err
	}
	found, err := at.recall()
	if err != nil {
		return sample{}, err
	}
	few, err := t.namedPlace(ctx, findFew)
	if err != nil {
		return sample{}, err
	}
	inFew, err := few.recall()
	n := float64(m.Answers[200])
	return sample{value: n / m.Seconds, cpu: m.CPU / n * 1e6, also: []float64{
		found, inFew, bare.also[0], inFew / bare.also[0], m.Millis[200].P99,
	}}, err
}

// findMedian is how long a question takes when nobody else asks.
func findMedian(n int) measurement {
	return func(ctx context.Context, t *site, _ sample) (sample, error) {
		at, err := t.namedPlace(ctx, n)
		if err != nil {
			return sample{}, err
		}
		m, err := at.load(ctx, at.bureau, load{Requests: at.requests(), Conns: 1, Expect: []int{200}, For: 2 * t.s.window()})
		if err != nil {
			return sample{}, err
		}
		return sample{value: m.Millis[200].P50, cpu: m.CPU / float64(m.Answers[200]) * 1e6}, nil
	}
}

// A finding is the order for the baseline of find-name: how fast it is with so many names,
// and what it finds among few, where it can be asked often enough to tell.
type finding struct {
	Names, Few int
	Data       corpus
	For        time.Duration
	Dir        string
}

// findBare asks the baseline once in a run: it is the same for every engine, and takes
// minutes for a few questions.
func findBare(ctx context.Context, t *site, _ sample) (sample, error) {
	if t.w.bare == nil {
		few := t.s.part(findFew, findFew/100, findFew/findOwn)
		many := t.s.part(findMany, findMany/100, findMany/findOwn)
		got, err := ask[searchedNames](ctx, "find", finding{many, few, t.s.data(), 2 * t.s.window(), t.w.dir})
		if err != nil {
			return sample{}, err
		}
		t.w.bare = &sample{value: got.Rate, cpu: got.CPU, also: []float64{got.Found}}
	}
	return *t.w.bare, nil
}

// runFind is the baseline in a process of its own. Filling the index, which
// happens once, is not on its clock.
func runFind(in io.Reader, out io.Writer) error {
	var o finding
	if err := takeOrder(in, &o); err != nil {
		return err
	}
	fast, err := o.ask(o.Names, askedEach*atOnce, o.For)
	if err != nil {
		return err
	}
	found, err := o.ask(o.Few, askedOnce, 0)
	fast.Found = found.Found
	return errors.Join(err, json.NewEncoder(out).Encode(fast))
}

// ask puts at least so many questions about so many names, for at least so long.
func (o finding) ask(size, least int, window time.Duration) (searchedNames, error) {
	names, _ := o.Data.companyNames(size)
	queries := findQueries(names)
	search, done, err := trigrams(names, filepath.Join(o.Dir, fmt.Sprintf("find-%d.db", size)))
	if err != nil {
		return searchedNames{}, err
	}
	defer done()
	var mu sync.Mutex
	var failed error
	asked, found := 0, 0
	before, _ := cpuOf(os.Getpid())
	begin := time.Now()
	var wg sync.WaitGroup
	for c := range atOnce {
		wg.Go(func() {
			for i := c; i < least || time.Since(begin) < window; i += atOnce {
				q := queries[i%len(queries)]
				hits, err := search(q.text)
				want := plainWords(names[q.want])
				right := slices.ContainsFunc(hits, func(id int) bool { return plainWords(names[id]) == want })
				mu.Lock()
				asked++
				if failed = errors.Join(failed, err); right {
					found++
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	took := time.Since(begin).Seconds()
	after, _ := cpuOf(os.Getpid())
	return searchedNames{
		Rate: float64(asked) / took, Found: float64(found) / float64(asked), CPU: (after - before).Seconds() / float64(asked) * 1e6,
	}, failed
}
