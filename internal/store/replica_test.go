package store

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/store/storetest"
)

const testLag = time.Second

// followed is a database with a replica, whose clock stands until it is moved.
type followed struct {
	*DB
	primary, replica *storetest.Server
	now              time.Time
	ctx              context.Context // of a customer's call
}

func newFollowed(t *testing.T) *followed {
	t.Helper()
	primary := storetest.PostgresServer(t)
	f := &followed{
		DB: open(t, primary.URL("postgres")), primary: primary, now: time.Now(), ctx: auth.Within(t.Context(), 1),
	}
	f.replica = primary.Follower()
	if err := f.UseReplicas([]string{f.replica.URL("postgres")}, testLag); err != nil {
		t.Fatal(err)
	}
	f.engine.(*pgEngine).replicas.now = func() time.Time { return f.now }
	return f
}

func (f *followed) step(t *testing.T) ReplicaState {
	t.Helper()
	if _, err := f.StepReplicas(t.Context()); err != nil {
		t.Fatal(err)
	}
	return f.Replicas()[0]
}

// await steps until the replica is used, or not.
func (f *followed) await(t *testing.T, used bool) {
	t.Helper()
	began := time.Now()
	for s := f.step(t); s.Used != used; s = f.step(t) {
		time.Sleep(2 * time.Millisecond) // between two looks
		if time.Since(began) > time.Minute {
			t.Fatalf("the replica: %+v, want used: %t", s, used)
		}
	}
}

// name has a company called something, as this node or another writes it.
func name(t *testing.T, db *DB, id company.ID, name string) {
	t.Helper()
	_, err := db.Company(t.Context(), id)
	err = db.Write(t.Context(), func(company.View) (company.Update, error) {
		return company.Update{Companies: []company.Saved{{
			Held: company.Held{ID: id, Said: []company.Said{{Source: "src", Facts: company.Facts{Name: name, Status: company.Active}}}},
			New:  fault.Missing == kindOf(err), Name: name, Country: id.Country(), Status: company.Active,
		}}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func kindOf(err error) fault.Kind {
	view, _ := fault.Of(err)
	return view.Kind
}

// read returns what a customer reads, both ways that there are, and how many of
// them the replica answered.
func (f *followed) read(t *testing.T, id company.ID) (name string, answered int64) {
	t.Helper()
	before := f.Replicas()[0].Reads
	h, err := f.Company(f.ctx, id)
	if err != nil {
		t.Fatalf("read %s: %v", id, err)
	}
	many, err := f.Held(f.ctx, []company.ID{id})
	if err != nil {
		t.Fatalf("read %s among many: %v", id, err)
	}
	name = company.Merge(h).Name
	if other := company.Merge(many[id]).Name; other != name {
		name = fmt.Sprintf("%s and %s", name, other)
	}
	return name, f.Replicas()[0].Reads - before
}

func (f *followed) want(t *testing.T, when string, id company.ID, name string, answered int64) {
	t.Helper()
	if got, by := f.read(t, id); got != name || by != answered {
		t.Errorf("%s: read %q, of which the replica answered %d; want %q and %d", when, got, by, name, answered)
	}
}

const acme = company.ID("GB-0-1")

// What a customer reads of the register comes from the replica, and never is older
// than was promised.
func TestReplicaAnswers(t *testing.T) {
	t.Parallel()
	f := newFollowed(t)
	name(t, f.DB, acme, "First")
	f.want(t, "nobody has looked at the replica", acme, "First", 0)
	f.await(t, true)
	f.want(t, "a replica that has it all", acme, "First", 2)
	if _, err := f.Company(t.Context(), acme); err != nil || f.Replicas()[0].Reads != 2 {
		t.Errorf("work for nobody in particular was answered by the replica (%v)", err)
	}

	f.replica.Pause()
	f.want(t, "a replica that stands", acme, "First", 2)
	name(t, f.DB, acme, "Second")
	f.want(t, "written here a moment ago", acme, "Second", 0)
	if s := f.step(t); s.Used || s.Age < 0 {
		t.Errorf("a replica that stands: %+v, want it known how old it is", s)
	}
	f.want(t, "written here, and looked at the replica", acme, "Second", 0)
	f.replica.Resume()
	f.await(t, true)
	f.want(t, "the replica has it too", acme, "Second", 2)

	// Another node writes, and no word of it comes.
	f.replica.Pause()
	f.step(t)
	other := open(t, f.primary.URL("postgres"))
	name(t, other, acme, "Third")
	f.want(t, "written by another node just now", acme, "Second", 2) // else this test shows nothing
	f.now = f.now.Add(testLag)
	f.step(t)
	f.want(t, "written by another node as long ago as the replica may lag", acme, "Second", 2)
	f.now = f.now.Add(time.Millisecond)
	f.want(t, "written by another node longer ago", acme, "Third", 0)
	f.step(t)
	f.want(t, "the same, and looked at the replica", acme, "Third", 0)
	f.replica.Resume()
	f.await(t, true)
	f.want(t, "the replica has that too", acme, "Third", 2)

	// What is not there at all is looked for where it is written.
	f.replica.Pause()
	f.step(t)
	name(t, other, "GB-0-2", "Fresh")
	f.want(t, "a company that the replica does not know", "GB-0-2", "Fresh", 0)
	if _, err := f.Company(f.ctx, "GB-0-3"); kindOf(err) != fault.Missing {
		t.Errorf("a company that nobody knows: %v", err)
	}
	f.replica.Resume()
}

// Word of a write by another node ends the use of what a replica has shown before.
func TestWordOfAWriteReachesReplicas(t *testing.T) {
	t.Parallel()
	f := newFollowed(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	heard := make(chan error, 1)
	woken := f.Signals.Changes.Wait()
	go func() { heard <- f.Listen(ctx) }()
	<-woken // it listens
	name(t, f.DB, acme, "First")
	f.await(t, true)
	f.replica.Pause()
	f.await(t, true)
	woken = f.Signals.Changes.Wait()
	other := open(t, f.primary.URL("postgres"))
	name(t, other, acme, "Second")
	aChangeOf(t, other)
	<-woken
	f.want(t, "another node sent word", acme, "Second", 0)
	f.replica.Resume()
	cancel()
	if err := <-heard; err != nil {
		t.Error(err)
	}
}

// A replica that dies costs no call, and is asked again when it is back.
func TestReplicaIsKilled(t *testing.T) {
	t.Parallel()
	f := newFollowed(t)
	name(t, f.DB, acme, "First")
	f.await(t, true)
	f.want(t, "at first", acme, "First", 2)
	f.replica.Kill()
	f.want(t, "a killed replica", acme, "First", 0)
	if s := f.Replicas()[0]; s.Failed != 1 || s.Used {
		t.Errorf("a killed replica: %+v, want one failure and no more questions", s)
	}
	if s := f.step(t); !strings.Contains(s.Why, "does not answer") {
		t.Errorf("a killed replica: %+v", s)
	}
	f.replica.Start()
	f.step(t)
	f.want(t, "it is back, and was away a moment ago", acme, "First", 0)
	f.now = f.now.Add(leaveOut)
	f.await(t, true)
	f.want(t, "it is back", acme, "First", 2)

	f.primary.Kill()
	f.now = f.now.Add(testLag + 1)
	if s := f.Replicas()[0]; s.Used {
		t.Error("a replica is asked although nobody knows what it lacks")
	}
}

// A server that follows another than ours has nothing to say.
func TestReplicaOfAnotherServer(t *testing.T) {
	t.Parallel()
	f := newFollowed(t)
	stranger := open(t, storetest.PostgresServer(t).URL("postgres"))
	if err := stranger.UseReplicas([]string{f.replica.URL("postgres")}, testLag); err != nil {
		t.Fatal(err)
	}
	if _, err := stranger.StepReplicas(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s := stranger.Replicas()[0]; s.Used || !strings.Contains(s.Why, "another server") {
		t.Errorf("a replica of another server: %+v", s)
	}
	// Nor one that went another way than the server that we write to.
	aside := f.primary.Follower()
	name(t, f.DB, acme, "First")
	f.await(t, true)
	f.replica.Promote()
	if s := f.step(t); s.Used || !strings.Contains(s.Why, "follows nobody") {
		t.Errorf("a promoted replica: %+v", s)
	}
	f.want(t, "a promoted replica", acme, "First", 0)
	left := open(t, f.replica.URL("postgres"))
	if err := left.UseReplicas([]string{aside.URL("postgres")}, testLag); err != nil {
		t.Fatal(err)
	}
	if _, err := left.StepReplicas(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s := left.Replicas()[0]; s.Used || !strings.Contains(s.Why, "has not come to") {
		t.Errorf("a replica that went another way: %+v", s)
	}
}

func TestFilesHaveNoReplicas(t *testing.T) {
	db := open(t, engines["sqlite"](t))
	if err := db.UseReplicas([]string{"postgres:///x"}, testLag); err == nil {
		t.Error("an SQLite file takes replicas")
	}
	if behind, err := db.StepReplicas(t.Context()); behind || err != nil || db.Replicas() != nil {
		t.Errorf("an SQLite file has replicas: %t (%v)", behind, err)
	}
}
