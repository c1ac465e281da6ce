package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"bureau/internal/store/storetest"
)

// Three nodes are replaced by newer ones, one after the other, while customers write
// and read, and one goes back and forth again. The first new node adds to the schema,
// and old and new ones serve side by side. Some node answers at any time, and nothing
// that was acknowledged is lost or there twice.
func TestRollingUpgrade(t *testing.T) {
	t.Parallel()
	n := newNodes(t, storetest.Postgres(t))
	older, newer, adds := n.program, n.program, int64(0)
	if prove() { // to build one takes a while; else the same program takes over from itself
		newer, adds = buildNewer(t), 1
	}
	before, err := n.db.Schema(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	acknowledged := n.write(t)
	stop := n.serveUnderLoad(t, n.guess, n.probe)
	n.awaitCreated(t, 5)
	for _, it := range []struct {
		node    int
		program string
	}{{0, newer}, {1, newer}, {1, older}, {2, newer}, {1, newer}} {
		n.stop(t, it.node)
		n.program = it.program
		n.start(t, it.node)
		n.awaitCreated(t, n.countCreated()+5)
	}
	stop()
	last := acknowledged()
	n.verifyAll(t, last)
	if got, err := n.db.Schema(t.Context()); err != nil || got != before+adds {
		t.Errorf("the schema is %d (%v), want %d", got, err, before+adds)
	}
	t.Logf("%d answers, the longest after %v; %d portfolios, %d guesses", n.answers, n.longest, n.created, n.guesses)
}

// stop ends a node as an operator does, who waits until it has finished.
func (n *nodes) stop(t *testing.T, i int) {
	t.Helper()
	c := n.away(i)
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); err != nil {
		t.Errorf("node %d: %v", i, err)
	}
}

// buildNewer builds the program with one more migration on each engine, as the next
// release may have it.
func buildNewer(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	text := filepath.Join(dir, "next.sql")
	err = os.WriteFile(text, []byte(`
		ALTER TABLE portfolio ADD COLUMN colour TEXT NOT NULL DEFAULT 'grey';
		CREATE TABLE paint (id BIGINT PRIMARY KEY);`), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	replace := map[string]string{}
	for _, engine := range []string{"sqlite", "postgres"} {
		known := filepath.Join(root, "internal/store/migrations", engine)
		files, err := os.ReadDir(known)
		if err != nil {
			t.Fatal(err)
		}
		replace[filepath.Join(known, fmt.Sprintf("%04d_next.sql", len(files)+1))] = text
	}
	b, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	overlay, program := filepath.Join(dir, "overlay.json"), filepath.Join(dir, "bureau-next")
	if err := os.WriteFile(overlay, b, 0o600); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("go", "build", "-overlay", overlay, "-ldflags", "-X main.version=next", "-o", program, ".")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}
