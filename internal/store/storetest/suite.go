package storetest

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"bureau/internal/auth"
	"bureau/internal/bank"
	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/identity"
	"bureau/internal/job"
	"bureau/internal/kyc"
	"bureau/internal/monitor"
	"bureau/internal/national"
)

// A Store is all that the rooms ask of a database.
type Store interface {
	auth.Store
	auth.Replies
	auth.SessionStore
	bank.Store
	company.Store
	company.DocumentStore
	searchStore
	identity.Store
	job.Store
	kyc.Store
	kyc.SearchStore
	kyc.ProfileStore
	kyc.TrailStore
	kyc.ReportStore
	kyc.BatchStore
	kyc.LinkStore
	monitor.Store
	national.NumberStore
	monitor.EngineStore
	monitor.ImportStore
	monitor.MailStore
	monitor.DigestStore
	monitor.ImportMailStore
	monitor.TroubleStore
	monitor.WebhookStore
	monitor.CourierStore
	monitor.HubStore
	monitor.WhyStore
	monitor.TrialStore

	// CheckKey remembers the fingerprint of the master key in a new database,
	// and refuses another in an old one.
	CheckKey(ctx context.Context, check []byte) error
	// HasKeyCheck reports whether the database belongs to a key already.
	HasKeyCheck(ctx context.Context) (bool, error)
	// Ping reports whether the database answers.
	Ping(ctx context.Context) error
}

// A promise is one sentence of an interface, and how to find out.
type promise struct {
	says string
	test func(t *testing.T, s nodes)
}

// nodes are two handles on one fresh database, as two nodes have.
type nodes struct {
	Store
	other Store
}

// Run holds a database to every promise. Each call of open makes a fresh one
// and returns two handles on it, which it closes when t ends.
func Run(t *testing.T, open func(t *testing.T) (one, other Store)) {
	for _, p := range slices.Concat(scores, documents, turns, carries, news, order, audit, usage, replies, sessions, keys, registers, finds, searches, changes, leases, shards, tasks, files, imports, portfolios, shares, members, moves, memberLists, settings, events, marks, tellings, dues, webhooks, deliveries, quiets, whys, feeds, banks, identities, lists, profiles, kycReports, kycBatches, profileLinks, kycs, mails, digests) {
		t.Run(p.says, func(t *testing.T) {
			t.Parallel()
			one, other := open(t)
			p.test(t, nodes{one, other})
		})
	}
}

// tb is what *testing.T and *rapid.T have in common.
type tb interface {
	Helper()
	Context() context.Context
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// turn takes a turn that adds rec, and fails the test if it does not.
func turn(t tb, s auth.Store, rec auth.Record) {
	t.Helper()
	if err := s.Turn(t.Context(), everything, func(auth.News) (auth.Record, error) { return rec, nil }); err != nil {
		t.Fatalf("turn: %v", err)
	}
}

// everything is a Seen for which nothing is news.
var everything = auth.Seen{Access: 1 << 62, Attempts: 1 << 62}

// since is the news after seen.
func since(t tb, s auth.Store, seen auth.Seen) auth.News {
	t.Helper()
	n, err := s.News(t.Context(), seen)
	if err != nil {
		t.Fatalf("news: %v", err)
	}
	return n
}

// ends are the ends of the record, which only a turn may ask for.
func ends(t *testing.T, s auth.Store) (n auth.News) {
	t.Helper()
	enough := errors.New("enough")
	err := s.Turn(t.Context(), everything, func(now auth.News) (auth.Record, error) {
		n = now
		return auth.Record{}, enough
	})
	if !errors.Is(err, enough) {
		t.Fatalf("a turn whose act failed returned %v, want the act's own error", err)
	}
	return n
}

// same compares what we know of a record, but for the time and for nil lists.
func same(t tb, what string, got, want any) {
	t.Helper()
	if reflect.DeepEqual(got, want) {
		return // the other way takes seconds over a long log
	}
	d := cmp.Diff(want, got, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(auth.News{}, "Now", "Head", "NextID"))
	if d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

func wantKind(t *testing.T, err error, want fault.Kind) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("got error %v, want a fault of kind %q", err, want)
	}
}

func noError(t tb, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%v", err)
	}
}

// noon is a time as storage keeps it: in UTC, to the millisecond.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 123e6, time.UTC)

func aCustomer(id auth.CustomerID, name string) auth.Customer {
	return auth.Customer{ID: id, Name: name, CreatedAt: noon}
}

func anAccount(id auth.AccountID, of auth.CustomerID, userKey string) auth.Account {
	return auth.Account{ID: id, Customer: of, UserKey: userKey, Language: auth.DefaultLanguage, CreatedAt: noon}
}

func aKey(id string) auth.Key {
	return auth.Key{ID: id, Alg: "EdDSA", Public: []byte{1}, Sealed: []byte{2}, MadeAt: noon, ActiveAt: noon}
}
