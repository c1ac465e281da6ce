package storetest

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"bureau/internal/auth"
)

// audit are the promises of AuditLog and AuditHead.
var audit = []promise{
	{"an audit entry comes back as it was written", wholeEntries},
	{"the audit log is read in order, however long it is", longLog},
	{"reading the audit log ends when its reader says so", logStops},
	{"the head is the last entry's, with the signed ones oldest first", heads},
}

func logOf(t *testing.T, s auth.Store, after int64) (log []auth.Entry) {
	t.Helper()
	err := s.AuditLog(t.Context(), after, func(e auth.Entry) error {
		log = append(log, e)
		return nil
	})
	noError(t, err)
	return log
}

// entries are n entries that follow number after.
func entries(after, n int64) (log []auth.Entry, end auth.Head) {
	for i := after + 1; i <= after+n; i++ {
		e := auth.Entry{
			Number: i, At: noon.Add(time.Duration(i) * time.Millisecond), Action: auth.LoggedIn,
			Customer: auth.CustomerID(i % 7), Account: auth.AccountID(i % 11), Detail: fmt.Sprint("token=", i),
		}
		e.Sum[0], e.Sum[31] = byte(i), byte(i>>8)
		end = auth.Head{Number: i, Sum: e.Sum, Seal: [32]byte{31: byte(i)}}
		log = append(log, e)
	}
	return log, end
}

func wholeEntries(t *testing.T, s nodes) {
	given := []auth.Entry{
		{Number: 1, At: noon, Action: auth.KeyMade},
		{
			Number: 2, At: noon, Action: auth.PersonRead, Customer: 1 << 40, Account: 1 << 41,
			Person: "person", Source: "source", Detail: "{\"a\":\"\\u00e5 'quoted' \n åäö 雪 \"}", Sum: [32]byte{1, 31: 2},
		},
	}
	turn(t, s, auth.Record{Entries: given, Head: auth.Head{Number: 2, Sum: given[1].Sum}})
	same(t, "the log", logOf(t, s.other, 0), given)
}

// longLog is one entry past two pages, and first exactly a page.
func longLog(t *testing.T, s nodes) {
	var all []auth.Entry
	for _, n := range []int64{5000, 1, 5000} {
		add, head := entries(int64(len(all)), n)
		turn(t, s, auth.Record{Entries: add, Head: head})
		all = append(all, add...)
		same(t, fmt.Sprint("a log of ", len(all)), logOf(t, s.other, 0), all)
	}
	for _, after := range []int64{1, 4999, 5000, 5001, 10_000, 10_001, 20_000} {
		same(t, fmt.Sprint("the log after ", after), logOf(t, s, after), all[min(after, int64(len(all))):])
	}
}

func logStops(t *testing.T, s nodes) {
	add, head := entries(0, 10)
	turn(t, s, auth.Record{Entries: add, Head: head})
	enough := errors.New("enough")
	n := 0
	err := s.AuditLog(t.Context(), 2, func(e auth.Entry) error {
		n++
		if e.Number == 5 {
			return enough
		}
		return nil
	})
	if !errors.Is(err, enough) || n != 3 {
		t.Errorf("got %d entries and %v, want 3 and the reader's own error", n, err)
	}
}

func heads(t *testing.T, s nodes) {
	h, signed, err := s.AuditHead(t.Context())
	if err != nil || h != (auth.Head{}) || len(signed) != 0 {
		t.Errorf("a new log has the head %v, %v (%v); want none", h, signed, err)
	}
	var want []auth.SignedHead
	var end auth.Head
	for i := range int64(12) {
		add, head := entries(i, 1)
		s1 := auth.SignedHead{Number: i + 1, Sum: head.Sum, At: noon, KeyID: "k", Signature: []byte{1, byte(i)}}
		turn(t, s, auth.Record{Entries: add, Head: head, Signed: &s1})
		want, end = append(want, s1), head
	}
	// What stands signed stays: to sign it again changes nothing, and a turn
	// without entries leaves the head alone.
	again := want[11]
	again.Signature = []byte{9}
	turn(t, s, auth.Record{Signed: &again})

	h, signed, err = s.other.AuditHead(t.Context())
	noError(t, err)
	if h != end {
		t.Errorf("the head is %v, want %v", h, end)
	}
	same(t, "signed heads", signed, want)
	if n := ends(t, s); n.Head != end {
		t.Errorf("a turn sees the head %v, want %v", n.Head, end)
	}
}
