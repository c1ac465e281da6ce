package bench

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"bureau/internal/match"
)

// A searching is the order for either side of the row "search": how many names,
// how long, and where there is room for a file.
type searching struct {
	Names int
	For   time.Duration
	Dir   string
	Bare  bool
}

// searchedNames says what a side did.
type searchedNames struct {
	Rate  float64 // queries a second
	CPU   float64 // µs a query
	P95   float64 // ms
	Busy  float64 // queries a second to eight at once; ours only
	Found float64 // of those asked for, among the first ten
	MB    float64 // of memory
}

// searchSize is how many names the row "search" has.
const searchSize = 100_000

// matchRows are the rows of the table about names.
func matchRows() []row {
	return []row{
		{
			name: "search", what: "mistyped names of companies searched for among 100,000, one at a time",
			against: "SQLite's full-text index of trigrams, all of the query's, the best ten", unit: perSecond,
			goal: atLeast(10), offline: true,
			baseline: searchBare,
			ours:     searchOurs,
			also: []also{
				{"search: found among the first ten", asShare, atLeast(0.99)},
				{"search: found by the baseline", asShare, goal{}},
				{"search: p95", inMillis, atMost(10)},
				{"search: memory", inMegabytes, atMost(150)},
				{"search: eight at once", perSecond, atLeast(1500)},
			},
		},
	}
}

func searchBare(ctx context.Context, t *site, _ sample) (sample, error) {
	got, err := ask[searchedNames](ctx, "search", searching{searchSize, t.s.window(), t.w.dir, true})
	return sample{value: got.Rate, cpu: got.CPU, also: []float64{got.Found}}, err
}

func searchOurs(ctx context.Context, t *site, bare sample) (sample, error) {
	got, err := ask[searchedNames](ctx, "search", searching{searchSize, t.s.window(), t.w.dir, false})
	if err != nil {
		return sample{}, err
	}
	return sample{value: got.Rate, cpu: got.CPU, also: []float64{got.Found, bare.also[0], got.P95, got.MB, got.Busy}}, nil
}

// runSearch is one side in a process of its own.
func runSearch(in io.Reader, out io.Writer) error {
	var o searching
	if err := json.NewDecoder(in).Decode(&o); err != nil {
		return err
	}
	names, _ := sharedData.companyNames(o.Names)
	queries := mistyped(names, 2000, 2)
	before := heap()
	var search func(string) ([]int, error)
	var index *match.Index
	if o.Bare {
		bare, done, err := trigrams(names, filepath.Join(o.Dir, "names.db"))
		if err != nil {
			return err
		}
		defer done()
		search = bare
	} else {
		index = indexOf(match.Company, names)
		search = func(q string) ([]int, error) { return ours(index, q), nil }
	}
	words := func(name string) string { return strings.Join(match.Read(match.Company, name).Words(), " ") }
	r := searchedNames{MB: (heap() - before) / 1e6}
	var took []float64
	var answers [][]int
	begin, cpu := time.Now(), ownCPU()
	for i := 0; time.Since(begin) < o.For || i < 20; i++ {
		start := time.Now()
		hits, err := search(queries[i%len(queries)].text)
		if err != nil {
			return err
		}
		took = append(took, float64(time.Since(start).Microseconds())/1e3)
		answers = append(answers, hits)
	}
	spent := time.Since(begin)
	r.CPU = 1e6 * (ownCPU() - cpu).Seconds() / float64(len(took))
	for i, hits := range answers {
		want := words(names[queries[i%len(queries)].want])
		if slices.ContainsFunc(hits, func(id int) bool { return words(names[id]) == want }) {
			r.Found++
		}
	}
	if index != nil {
		r.Busy = together(index, queries, 8)
	}
	slices.Sort(took)
	r.Rate, r.P95 = float64(len(took))/spent.Seconds(), percentile(took, 95)
	r.Found /= float64(len(took))
	return json.NewEncoder(out).Encode(r)
}

func ours(x *match.Index, q string) (out []int) {
	for _, c := range x.Search(match.NewSubject(match.Company, q), 10, match.Filter{}) {
		out = append(out, int(c.ID))
	}
	return out
}

// trigrams is what SQLite offers: a full-text index of trigrams, the best ten of
// all names that share one with the query.
func trigrams(names []string, path string) (func(string) ([]int, error), func(), error) {
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=journal_mode(off)&_pragma=synchronous(off)&_pragma=cache_size(-64000)")
	if err != nil {
		return nil, nil, err
	}
	fill := func() error {
		var n int
		if db.QueryRow(`SELECT COUNT(*) FROM name`).Scan(&n) == nil && n == len(names) {
			return nil // by a round before this one
		}
		if _, err := db.Exec(`DROP TABLE IF EXISTS name`); err != nil {
			return err
		}
		if _, err := db.Exec(`CREATE VIRTUAL TABLE name USING fts5(text, tokenize = 'trigram')`); err != nil {
			return err
		}
		tx, err := db.Begin()
		if err != nil {
			return err
		}
		defer tx.Rollback()
		add, err := tx.Prepare(`INSERT INTO name (rowid, text) VALUES ($1, $2)`)
		if err != nil {
			return err
		}
		for i, n := range names {
			if _, err := add.Exec(i, n); err != nil {
				return err
			}
		}
		return tx.Commit()
	}
	if err := fill(); err != nil {
		db.Close()
		return nil, nil, fmt.Errorf("fill the full-text index: %w", err)
	}
	return func(q string) (out []int, err error) {
		rows, err := db.Query(`SELECT rowid FROM name WHERE name MATCH $1 ORDER BY rank LIMIT 10`, trigramQuery(q))
		if err != nil {
			return nil, err
		}
		defer rows.Close()
		for rows.Next() {
			var id int
			if err := rows.Scan(&id); err != nil {
				return nil, err
			}
			out = append(out, id)
		}
		return out, rows.Err()
	}, func() { db.Close() }, nil
}

func trigramQuery(q string) string {
	r := []rune(strings.ToLower(strings.ReplaceAll(q, `"`, " ")))
	var grams []string
	for i := 0; i+3 <= len(r); i++ {
		grams = append(grams, `"`+string(r[i:i+3])+`"`)
	}
	return strings.Join(grams, " OR ")
}
