//go:build unix

package main

import (
	"os/exec"
	"syscall"
	"testing"
	"time"

	"bureau/internal/store/storetest"
)

// B9: of two servers one stands still for longer than its leases last, with
// messages in the air, and then goes on as if nothing had happened. The other
// takes over, and sends again only what was in the air; so does the first when
// it gets its share back.
func TestPausedServerSendsNothingMore(t *testing.T) {
	t.Parallel()
	pauses := 2
	if prove() {
		pauses = 12
	}
	m := newMailing(t, newKilling(t, newHome(t, storetest.Postgres(t))))
	servers := []*exec.Cmd{m.start(t), m.start(t)}
	stop := m.change(t)
	m.next(t)
	for i := range pauses {
		m.pause(t, servers[i%2])
		m.next(t)
	}
	stop()
	for _, c := range servers {
		if err := c.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if err := c.Wait(); err != nil {
			t.Errorf("a server ended with %v", err)
		}
	}
	m.deliverAll(t)
	total, twice := m.checkTaken(t)
	t.Logf("%d pauses, %d deliveries, %d refused by the endpoint, %d came twice of %d in the air", pauses, total, m.failed, twice, m.repeat)
}

// pause lets a server stand still. What it has in the air is counted when the
// endpoint has taken it and the leases still hold.
func (m *mailing) pause(t *testing.T, c *exec.Cmd) {
	t.Helper()
	signal := func(s syscall.Signal) {
		t.Helper()
		if err := c.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
	}
	signal(syscall.SIGSTOP)
	began := time.Now()
	time.Sleep(4 * time.Second) // the leases last nine
	// When it comes back, the other gives it its share again, with what that
	// has in the air: at most 32 to each of the two webhooks.
	m.repeat += m.takenUnkept(t, 0) + 64
	if took := time.Since(began); took > 8*time.Second {
		t.Logf("it took %v to count what was in the air: the leases may be over", took)
	}
	time.Sleep(8 * time.Second) // now they are
	signal(syscall.SIGCONT)
}
