package proof

import (
	"fmt"
	"hash"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/monitor"
	"bureau/internal/store"
)

// A world is a database that some nodes work on, a publisher whose changes it
// keeps, endpoints that hear of them, and all the bad luck that a seed holds.
//
// Everybody lives on the clock of a synctest bubble. Each call of a node takes
// some time that is drawn for it, so that no two things happen at once and the
// order of all things is the order of the draws. Whoever runs beside others
// draws from a source of their own.
type world struct {
	t    *testing.T
	seed uint64
	plan plan
	path string
	bug  bug

	mu     sync.Mutex
	odds   odds
	nodes  []*node
	made   int           // nodes so far: none has the name of another
	skew   time.Duration // how far the database's clock is ahead
	jumped time.Time     // when that last grew: leases may be over before their time
	out    time.Time     // the database cannot be reached before
	over   bool          // nothing goes wrong any more
	wrong  []string      // promises that were broken
	story  []string
	trace  hash.Hash64 // of the whole story
	counts map[string]int

	hooks     []*endpoint
	folders   []folder
	companies []company.ID
	publisher publisher
	kept      map[sending]bool // deliveries that the database knows are done
	places    map[string]int64
	lives     sync.WaitGroup
}

// A plan says how much happens.
type plan struct {
	rounds  int
	batches int // of changes, in each
	most    int // changes in one
	firms   int
	pause   time.Duration // between two batches, at most
	slots   int           // of a courier
	crash   float64       // how likely a node is to die of a call
}

var small = plan{rounds: 4, batches: 12, most: 6, firms: 6, pause: 4 * time.Second, slots: 12, crash: 0.003}

// million is one long history. Its batches are large, since a million events
// would take days in small ones, on the world's clock and on ours.
var (
	million = plan{rounds: 20, batches: 96, most: 700, firms: 400, pause: 10 * time.Second, slots: 256, crash: 0.009}
	long    = plan{rounds: 1, batches: 10, most: 700, firms: 400, pause: 10 * time.Second, slots: 256, crash: 0.009}
)

// odds are how likely things are, for each call.
type odds struct {
	fail  float64 // the database does not hear of it
	cut   float64 // the connection is cut while it works
	lost  float64 // it is done, and the answer is lost
	stall float64 // it takes very long
	crash float64 // the node dies of it, before or after
	deaf  float64 // a wake-up is lost
}

var rough = odds{fail: 0.01, cut: 0.01, lost: 0.01, stall: 0.004, deaf: 0.5}

// A folder is a portfolio, and what it wants to hear.
type folder struct {
	id       monitor.PortfolioID
	customer auth.CustomerID
	rules    map[company.Field][]int
	holds    map[company.ID]bool
}

func caller(c auth.CustomerID) auth.Caller {
	return auth.Caller{Customer: c, Account: auth.AccountID(10 * c)}
}

// customers is how many there are.
const customers = 3

// newWorld fills a new database. It is a copy of one that was made before: to
// make the tables takes longer than what happens in them.
func newWorld(t *testing.T, seed uint64, p plan, b bug) *world {
	w := &world{
		t: t, seed: seed, plan: p, bug: b, odds: rough, counts: map[string]int{},
		path: filepath.Join(quickDir(t), "world.db"), trace: fnv.New64a(), kept: map[sending]bool{}, places: map[string]int64{},
	}
	empty, err := os.ReadFile(emptyDB(t))
	w.must(err)
	w.must(os.WriteFile(w.path, empty, 0o600))
	db := w.connect()
	defer db.Close()
	for i := range p.firms {
		w.companies = append(w.companies, company.NewID("GB", fmt.Sprintf("%08d", i)))
	}
	w.must(db.Write(t.Context(), func(company.View) (u company.Update, _ error) {
		for _, id := range w.companies {
			u.Companies = append(u.Companies, company.Saved{
				Held: company.Held{ID: id}, New: true, Name: "Example " + string(id), Country: "GB", Status: company.Active,
			})
		}
		return u, nil
	}))
	asked := [][]int{{5001}, {104, 5001}, {5055, 5008}, {5008}, {104}, {5001, 5008}}
	r := w.source("customers")
	for c := auth.CustomerID(1); c <= customers; c++ {
		for i := range 2 {
			w.addFolder(db, c, asked[(2*int(c)+i)%len(asked)], r)
		}
		for i := range 2 {
			w.addHook(db, c, fmt.Sprintf("c%d-%d.example.com", c, i))
		}
	}
	w.publisher = publisher{w: w, r: w.source("publisher")}
	return w
}

func (w *world) addFolder(db *store.DB, c auth.CustomerID, codes []int, r *rand.Rand) {
	p, err := db.CreatePortfolio(w.t.Context(), caller(c), monitor.Portfolio{Name: fmt.Sprint("list ", len(w.folders))})
	w.must(err)
	f := folder{id: p.ID, customer: c, rules: map[company.Field][]int{}, holds: map[company.ID]bool{}}
	var members []monitor.Member
	for _, id := range w.companies {
		if r.IntN(3) > 0 {
			f.holds[id] = true
			members = append(members, monitor.Member{Company: id})
		}
	}
	_, err = db.AddMembers(w.t.Context(), caller(c), p.ID, members)
	w.must(err)
	for _, rule := range monitor.Rules(monitor.Everywhere) {
		if !slices.Contains(codes, rule.Code) {
			continue
		}
		w.must(db.SwitchRules(w.t.Context(), caller(c), p.ID, monitor.Everywhere, []monitor.Switch{{Code: rule.Code, On: true}}))
		for _, field := range rule.Fields {
			f.rules[field] = append(f.rules[field], rule.Code)
		}
	}
	w.folders = append(w.folders, f)
}

func (w *world) addHook(db *store.DB, c auth.CustomerID, host string) {
	h, err := db.CreateWebhook(w.t.Context(), caller(c), monitor.Webhook{URL: "https://" + host + "/"}, 10)
	w.must(err)
	w.hooks = append(w.hooks, &endpoint{
		id: h.ID, customer: c, bad: map[company.ID]float64{}, lanes: map[company.ID]*heard{}, r: w.source(host),
	})
}

// source is where one part of the world draws from.
func (w *world) source(name string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(name))
	return rand.New(rand.NewPCG(w.seed, h.Sum64()))
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatalf("seed %d: %v", w.seed, err)
	}
}

// connect opens a handle of its own, as another process has one.
func (w *world) connect() *store.DB {
	db, err := store.Connect(w.t.Context(), w.path)
	w.must(err)
	db.Now = func() time.Time {
		w.mu.Lock()
		defer w.mu.Unlock()
		return time.Now().Add(w.skew)
	}
	return db
}

// storyMost is how much of the story of a failure is told.
const storyMost = 80

// tell notes what happens.
func (w *world) tell(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	says := time.Now().UTC().Format("15:04:05.000000000 ") + fmt.Sprintf(format, args...)
	w.trace.Write([]byte(says))
	w.story = append(w.story, says)
	if len(w.story) > 2*storyMost {
		w.story = append(w.story[:0], w.story[storyMost:]...)
	}
}

// broken notes that a promise was not kept.
func (w *world) broken(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.wrong = append(w.wrong, fmt.Sprintf(format, args...)); len(w.wrong) == 1 {
		w.story = append(w.story, ">>> "+w.wrong[0])
	}
}

func (w *world) isBroken() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.wrong) > 0
}

func (w *world) count(what string, n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.counts[what] += n
}

// verdict is what is wrong with the world; nothing if all is well.
func (w *world) verdict() string {
	if len(w.wrong) == 0 {
		return ""
	}
	return fmt.Sprintf("seed %d: %d promises are broken:\n  %s\nthe end of the story:\n  %s", w.seed, len(w.wrong),
		strings.Join(w.wrong[:min(len(w.wrong), 5)], "\n  "), strings.Join(w.story, "\n  "))
}

// quickDir is a folder in memory, where there is one: a world waits for the disk
// thousands of times, and what the disk does is not its subject.
func quickDir(t *testing.T) string {
	dir, err := os.MkdirTemp("/dev/shm", "bureau-proof")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// emptyDB is a database with its tables and nothing in them.
func emptyDB(t *testing.T) string {
	t.Helper()
	madeOnce.Do(func() {
		dir, err := os.MkdirTemp("", "bureau-proof")
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, "empty.db")
		db, err := store.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		db.Close()
		madeAt = path
	})
	return madeAt
}

var (
	madeOnce sync.Once
	madeAt   string
)

func TestMain(m *testing.M) {
	code := m.Run()
	if madeAt != "" {
		os.RemoveAll(filepath.Dir(madeAt))
	}
	os.Exit(code)
}
