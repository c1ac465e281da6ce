package proof

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A mutant is the service with a mistake in it that only its own code can make.
type mutant struct {
	name  string
	edits []replacement
}

// A replacement is a piece of a file, which occurs once, and what stands there
// instead.
type replacement struct{ file, old, new string }

var mutants = []mutant{
	{"a place is saved under any fence", []replacement{
		{"store/work.go", "\t\tfences = append(fences, fenceOf(p))\n", "\t\t_ = fenceOf(p)\n"},
	}},
	{"what became of deliveries is kept under any fence", []replacement{
		{"store/deliveries.go", "append(db.checkFences(fences...), db.holdWebhooks(", "append([]step(nil), db.holdWebhooks("},
	}},
	{"a lease that changes hands keeps its fence", []replacement{
		{"store/shards.go", "\t\t\tl.Fence++\n", ""},
	}},
	{"deliveries are made after their events, not with them", []replacement{
		{"store/tell.go", "\tsteps = append(steps, l.db.addDeliveries(deliveriesOf(events, l.told, made))...)\n", ""},
		{"store/tell.go", "\t\t\tkept = len(list)\n", "\t\t\tkept, events = len(list), list\n"},
		{
			"store/tell.go", "\tif kept > 0 {\n",
			"\tif err := db.write(ctx, func(t tx) error {\n\t\tend := logEnd{db: db}\n" +
				"\t\tif err := t.Together(ctx, end.hold(events)); err != nil {\n\t\t\treturn err\n\t\t}\n" +
				"\t\treturn t.Together(ctx, db.addDeliveries(deliveriesOf(events, end.told, time.Now())))\n" +
				"\t}); err != nil {\n\t\treturn 0, err\n\t}\n\tif kept > 0 {\n",
		},
	}},
	{"what is retried comes newest first", []replacement{
		{
			"store/deliveries.go", "AND company = $3 AND state = 1\n\t\tORDER BY event\n",
			"AND company = $3 AND state = 1\n\t\tORDER BY event DESC\n",
		},
	}},
	{"a courier that starts over does not let go of what came back", []replacement{
		{"monitor/courier_share.go", "\tc.release()\n", ""},
	}},
	{"an answer counts under whichever lease", []replacement{
		{"monitor/courier_land.go", "if c.fence(r.Hook.ID) != r.fence {", "if !c.mine(r.Hook.ID) {"},
	}},
	{"what could not be kept is forgotten", []replacement{
		{"monitor/courier_settle.go", "\t\tc.unsettled = append(s.list, c.unsettled...)\n", ""},
	}},
	{"a courier sends after its leases", []replacement{
		{"monitor/courier_turn.go", "case c.lapsed():", "case c.asked.IsZero():"},
		{"monitor/courier_turn.go", "if !c.Now().Before(s.until) {", "if s.until.IsZero() {"},
	}},
}

// Each mutant is found by the simulation, in a copy of the source. Without
// BUREAU_PROVE=1 it is only looked whether each can still be made: to build them
// takes minutes.
func TestMutantsAreFound(t *testing.T) {
	for _, m := range mutants {
		t.Run(m.name, func(t *testing.T) {
			root := t.TempDir()
			if prove() {
				copySource(t, root)
			}
			for _, e := range m.edits {
				e.make(t, root)
			}
			if !prove() {
				return
			}
			c := exec.Command("go", "test", "-count=1", "-failfast", "-run", "^TestNothingIsLost$", "./internal/proof")
			c.Dir = root
			c.Env = append(os.Environ(), "BUREAU_PROVE=", "BUREAU_SEEDS=60")
			out, err := c.CombinedOutput()
			if err == nil || !strings.Contains(string(out), "promises are broken") {
				t.Fatalf("it was not found: %v\n%.2000s", err, out)
			}
			_, says, _ := strings.Cut(string(out), "seed ")
			t.Logf("found by seed %.300s", says)
		})
	}
}

// make writes a file below root with the replacement made.
func (e replacement) make(t *testing.T, root string) {
	t.Helper()
	to := filepath.Join(root, "internal", e.file)
	text, err := os.ReadFile(to)
	if err != nil { // there is no copy yet
		if text, err = os.ReadFile(filepath.Join("..", e.file)); err != nil {
			t.Fatal(err)
		}
	}
	if n := strings.Count(string(text), e.old); n != 1 {
		t.Fatalf("%s has %q %d times: the mutant is out of date", e.file, e.old, n)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, []byte(strings.Replace(string(text), e.old, e.new, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
}

// copySource copies what the simulation is built from.
func copySource(t *testing.T, root string) {
	t.Helper()
	source := os.DirFS("../..")
	err := fs.WalkDir(source, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			if name != "." && name != "internal" && !strings.HasPrefix(name, "internal/") {
				return fs.SkipDir
			}
			return os.MkdirAll(filepath.Join(root, name), 0o700)
		case !strings.HasPrefix(name, "internal/") && name != "go.mod" && name != "go.sum":
			return nil
		}
		text, err := fs.ReadFile(source, name)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(root, name), text, 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
}
