package storetest

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"bureau/internal/auth"
	"bureau/internal/fault"
)

// replies are the promises of auth.Replies.
var replies = []promise{
	{"of many who begin a reply one claims it", oneClaims},
	{"later calls get the first one's reply", replyKept},
	{"a name used for another request is a conflict", otherRequest},
	{"an unfinished call is a conflict", unfinished},
	{"a name belongs to one account", otherAccount},
	{"a dropped claim may be claimed again", dropped},
	{"only a claim can be finished, and once", finishOnce},
	{"replies are forgotten by the time of their claim", forgetReplies},
}

var (
	ann = auth.Caller{Customer: 1, Account: 2}
	bob = auth.Caller{Customer: 1, Account: 3}
)

func begin(t *testing.T, s auth.Replies, by auth.Caller, name string, request byte) (auth.Reply, bool) {
	t.Helper()
	r, claimed, err := s.BeginReply(t.Context(), by, name, [32]byte{request})
	noError(t, err)
	return r, claimed
}

// claim begins a reply that must be ours.
func claim(t *testing.T, s auth.Replies, by auth.Caller, name string, request byte) {
	t.Helper()
	if r, claimed := begin(t, s, by, name, request); !claimed {
		t.Fatalf("%q was answered %v, want a claim", name, r)
	}
}

func oneClaims(t *testing.T, s nodes) {
	for _, name := range []string{"a", "b", "c"} {
		var claims, conflicts atomic.Int64
		var wg sync.WaitGroup
		for _, node := range []Store{s.Store, s.other} {
			for range 4 {
				wg.Go(func() {
					_, claimed, err := node.BeginReply(t.Context(), ann, name, [32]byte{1})
					switch {
					case claimed && err == nil:
						claims.Add(1)
					case !claimed:
						wantKind(t, err, fault.Conflict)
						conflicts.Add(1)
					}
				})
			}
		}
		wg.Wait()
		if claims.Load() != 1 || conflicts.Load() != 7 {
			t.Errorf("%d claims and %d conflicts, want 1 and 7", claims.Load(), conflicts.Load())
		}
	}
}

func replyKept(t *testing.T, s nodes) {
	for name, given := range map[string]auth.Reply{
		"whole":   {Status: 201, Header: map[string]string{"Location": "/å?b=\"c\"", "X": ""}, Body: []byte("{\"id\": 1}\x00\xff")},
		"bare":    {Status: 204},
		"empty":   {Status: 200, Header: map[string]string{}, Body: []byte{}},
		"refused": {Status: 400, Body: []byte("no")},
		"long":    {Status: 200, Body: []byte(strings.Repeat("long ", 1<<18))},
		"":        {Status: 200, Body: []byte("a name of no letters")},
	} {
		claim(t, s, ann, name, 1)
		noError(t, s.FinishReply(t.Context(), ann, name, given))
		for range 2 {
			got, claimed := begin(t, s.other, ann, name, 1)
			if claimed {
				t.Errorf("%q was claimed twice", name)
			}
			same(t, name, got, given)
		}
	}
}

func otherRequest(t *testing.T, s nodes) {
	claim(t, s, ann, "n", 1)
	refused := func(when string) {
		t.Helper()
		r, claimed, err := s.other.BeginReply(t.Context(), ann, "n", [32]byte{2})
		wantKind(t, err, fault.Conflict)
		if claimed || r.Status != 0 {
			t.Errorf("%s: got %v, %v beside the conflict", when, r, claimed)
		}
		const want = `the idempotency key "n" was already used for another request`
		if v, _ := fault.Of(err); v.Text != want {
			t.Errorf("%s: got %q, want %q", when, v.Text, want)
		}
	}
	refused("while the first is at work")
	noError(t, s.FinishReply(t.Context(), ann, "n", auth.Reply{Status: 201}))
	refused("when the first has finished")
}

func unfinished(t *testing.T, s nodes) {
	claim(t, s, ann, "n", 1)
	_, claimed, err := s.other.BeginReply(t.Context(), ann, "n", [32]byte{1})
	wantKind(t, err, fault.Conflict)
	v, _ := fault.Of(err)
	if claimed || !strings.Contains(v.Text, "still at work, or its outcome is unknown") {
		t.Errorf("got %v, %q; want it to say how things stand", claimed, v.Text)
	}
}

func otherAccount(t *testing.T, s nodes) {
	claim(t, s, ann, "n", 1)
	claim(t, s, bob, "n", 2)
	noError(t, s.FinishReply(t.Context(), bob, "n", auth.Reply{Status: 202}))
	noError(t, s.FinishReply(t.Context(), ann, "n", auth.Reply{Status: 201}))
	if r, _ := begin(t, s, ann, "n", 1); r.Status != 201 {
		t.Errorf("got %d, want 201", r.Status)
	}
	if r, _ := begin(t, s, bob, "n", 2); r.Status != 202 {
		t.Errorf("got %d, want 202", r.Status)
	}
}

func dropped(t *testing.T, s nodes) {
	claim(t, s, ann, "n", 1)
	claim(t, s, bob, "n", 1)
	noError(t, s.DropReply(t.Context(), ann, "n"))
	noError(t, s.DropReply(t.Context(), ann, "n")) // once more does no harm
	claim(t, s.other, ann, "n", 2)                 // even for another request
	if _, _, err := s.BeginReply(t.Context(), bob, "n", [32]byte{1}); err == nil {
		t.Error("one account's drop dropped another's claim")
	}

	noError(t, s.FinishReply(t.Context(), ann, "n", auth.Reply{Status: 201}))
	noError(t, s.DropReply(t.Context(), ann, "n"))
	if r, claimed := begin(t, s, ann, "n", 2); claimed || r.Status != 201 {
		t.Errorf("a finished reply was dropped")
	}
}

func finishOnce(t *testing.T, s nodes) {
	if err := s.FinishReply(t.Context(), ann, "n", auth.Reply{Status: 201}); err == nil {
		t.Error("what nobody began was finished")
	}
	claim(t, s, ann, "n", 1)
	if err := s.FinishReply(t.Context(), ann, "n", auth.Reply{}); err == nil {
		t.Error("a reply without a status was kept")
	}
	noError(t, s.FinishReply(t.Context(), ann, "n", auth.Reply{Status: 201}))
	if err := s.FinishReply(t.Context(), ann, "n", auth.Reply{Status: 500}); err == nil {
		t.Error("a reply was finished twice")
	}
	if r, _ := begin(t, s, ann, "n", 1); r.Status != 201 {
		t.Errorf("got %d, want the first reply, 201", r.Status)
	}
}

func forgetReplies(t *testing.T, s nodes) {
	before := since(t, s, auth.Seen{}).Now
	claim(t, s, ann, "finished", 1)
	noError(t, s.FinishReply(t.Context(), ann, "finished", auth.Reply{Status: 201}))
	claim(t, s, ann, "unfinished", 1)

	noError(t, s.ForgetReplies(t.Context(), before.Add(-time.Second)))
	if r, claimed := begin(t, s, ann, "finished", 1); claimed || r.Status != 201 {
		t.Error("a reply was forgotten before its time")
	}
	noError(t, s.ForgetReplies(t.Context(), before.Add(time.Hour)))
	claim(t, s, ann, "finished", 2)
	claim(t, s, ann, "unfinished", 2)
}
