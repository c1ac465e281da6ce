package main

import (
	"testing"
	"time"

	"bureau/internal/store/storetest"
)

// The primary of a PostgreSQL with a replica is killed while customers write, and
// the replica takes its place. The service goes on by itself, soon, and all that
// was acknowledged is there.
func TestPrimaryIsKilled(t *testing.T) {
	t.Parallel()
	primary := storetest.PostgresServer(t)
	replica := primary.Replica()
	n := newNodes(t, primary.URLWith(replica, "postgres"))
	acknowledged := n.write(t)
	stop := n.serveUnderLoad(t)
	n.awaitCreated(t, 20)
	primary.Kill()
	killed := time.Now()
	replica.Promote()
	before := n.countCreated()
	n.awaitCreated(t, before+1)
	took := time.Since(killed)
	n.awaitCreated(t, before+50)
	stop()
	last := acknowledged() // its writer does not outlive the primary
	n.verifyAll(t, last)
	t.Logf("%v from the primary's death to the first portfolio; %d portfolios", took.Round(time.Millisecond), n.created)
	if took > 10*time.Second {
		t.Errorf("the service was back after %v", took)
	}
}

func (n *nodes) countCreated() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.created
}

// awaitCreated waits until so many portfolios were acknowledged.
func (n *nodes) awaitCreated(t *testing.T, want int) {
	t.Helper()
	for began := time.Now(); n.countCreated() < want; time.Sleep(2 * time.Millisecond) { // between two looks
		if time.Since(began) > patience {
			t.Fatalf("%d portfolios were made, want %d", n.countCreated(), want)
		}
	}
}
