package storetest

import (
	"fmt"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"bureau/internal/auth"
)

// news are the promises of News, Record and ForgetAttempts.
var news = []promise{
	{"a new database has no news", noNews},
	{"news is what came after seen", onlyNewer},
	{"a record replaces what has the same id", replaced},
	{"grants come back, and none is none", grants},
	{"times come back in UTC, to the millisecond", times},
	{"attempts come back whole and in order", attempts},
	{"all nodes have one clock", oneClock},
	{"forgetting drops what is past and nothing else", forget},
	{"any record comes back as it was given", anyRecord},
}

func noNews(t *testing.T, s nodes) {
	noError(t, s.Ping(t.Context()))
	same(t, "news", since(t, s, auth.Seen{}), auth.News{})
}

func onlyNewer(t *testing.T, s nodes) {
	turn(t, s, auth.Record{Customers: []auth.Customer{aCustomer(1, "Acme")}, Keys: []auth.Key{aKey("k")}})
	seen := since(t, s, auth.Seen{}).Seen
	second := auth.Record{
		Customers: []auth.Customer{aCustomer(2, "Bolt")},
		Accounts:  []auth.Account{anAccount(3, 1, "a")},
		Revoked:   []auth.Revocation{{TokenID: "t", Expires: noon}},
		Attempts:  []auth.Attempt{{At: noon, Source: 7}},
	}
	turn(t, s.other, second)
	for _, node := range []Store{s.Store, s.other} {
		n := since(t, node, seen)
		same(t, "news", n, auth.News{
			Seen:      auth.Seen{Access: seen.Access + 1, Attempts: seen.Attempts + 1},
			Customers: second.Customers, Accounts: second.Accounts, Revoked: second.Revoked, Attempts: second.Attempts,
		})
		same(t, "news after the news", since(t, node, n.Seen), auth.News{Seen: n.Seen})
		// The two counters are apart.
		some := since(t, node, auth.Seen{Access: seen.Access, Attempts: n.Seen.Attempts})
		if len(some.Customers) != 1 || len(some.Attempts) != 0 {
			t.Errorf("%d customers and %d attempts, want 1 and none", len(some.Customers), len(some.Attempts))
		}
	}
}

func replaced(t *testing.T, s nodes) {
	turn(t, s, auth.Record{
		Customers: []auth.Customer{aCustomer(1, "Acme"), aCustomer(2, "Bolt")},
		Accounts:  []auth.Account{anAccount(3, 1, "a"), anAccount(4, 1, "b")},
		Keys:      []auth.Key{aKey("k"), aKey("l")},
		Revoked:   []auth.Revocation{{TokenID: "t", Expires: noon}},
	})
	seen := since(t, s, auth.Seen{}).Seen
	later := noon.Add(time.Hour)
	next := auth.Record{
		Customers: []auth.Customer{{ID: 1, Name: "Acme Ltd", Grants: []auth.Grant{{Product: auth.KYC, Country: "GB"}}, CreatedAt: later}},
		Accounts: []auth.Account{{
			ID: 3, Customer: 2, UserKey: "a2", Email: "a@acme.test", Title: "Dr", First: "Åsa", Surname: "Öl",
			Language: "sv-SE", Operator: true, Disabled: true, Epoch: 5, Password: "p", Console: "c", CreatedAt: later,
		}},
		Keys: []auth.Key{{
			ID: "k", Alg: "ES256", Public: []byte{3}, Sealed: []byte{4}, Audit: true,
			MadeAt: later, ActiveAt: later, Revoked: true,
		}},
		Revoked: []auth.Revocation{{TokenID: "t", Expires: later}},
	}
	turn(t, s.other, next)
	n := since(t, s, seen)
	same(t, "news", n, auth.News{
		Seen:      auth.Seen{Access: seen.Access + 1},
		Customers: next.Customers, Accounts: next.Accounts, Keys: next.Keys, Revoked: next.Revoked,
	})
	all := since(t, s, auth.Seen{})
	if len(all.Customers) != 2 || len(all.Accounts) != 2 || len(all.Keys) != 2 || len(all.Revoked) != 1 {
		t.Errorf("%d customers, %d accounts, %d keys, %d revocations; want 2, 2, 2, 1",
			len(all.Customers), len(all.Accounts), len(all.Keys), len(all.Revoked))
	}
	// What was let go of is free again.
	turn(t, s, auth.Record{
		Customers: []auth.Customer{aCustomer(5, "Acme")},
		Accounts:  []auth.Account{anAccount(6, 1, "a")},
	})
}

func grants(t *testing.T, s nodes) {
	some := []auth.Grant{
		{Product: auth.Companies, Country: auth.Everywhere, From: "2026-01-01", Until: "2026-12-31", Paid: 500},
		{Product: auth.KYC, Country: "SE"},
	}
	for _, it := range []struct {
		what  string
		given []auth.Grant
	}{{"some", some}, {"nil", nil}, {"empty", []auth.Grant{}}} {
		c := aCustomer(1, "Acme")
		c.Grants = it.given
		turn(t, s, auth.Record{Customers: []auth.Customer{c}})
		got := since(t, s, auth.Seen{}).Customers[0].Grants
		if len(it.given) == 0 && got != nil {
			t.Errorf("%s: got %#v, want nil", it.what, got)
		}
		same(t, it.what, got, it.given)
	}
}

func times(t *testing.T, s nodes) {
	oslo := time.FixedZone("", 3600)
	for _, it := range []struct {
		what        string
		given, want time.Time
	}{
		{"nanoseconds are cut off", time.Date(2026, 1, 2, 3, 4, 5, 999_999_999, time.UTC), time.Date(2026, 1, 2, 3, 4, 5, 999e6, time.UTC)},
		{"another zone", time.Date(2026, 1, 2, 3, 4, 5, 0, oslo), time.Date(2026, 1, 2, 2, 4, 5, 0, time.UTC)},
		{"before 1970", time.Date(1931, 1, 2, 3, 4, 5, 6e6, time.UTC), time.Date(1931, 1, 2, 3, 4, 5, 6e6, time.UTC)},
		{"no time at all", time.Time{}, time.Time{}},
	} {
		c, k := aCustomer(1, "Acme"), aKey("k")
		c.CreatedAt, k.MadeAt, k.ActiveAt = it.given, it.given, it.given
		v := auth.Revocation{TokenID: "t", Expires: it.given}
		turn(t, s, auth.Record{Customers: []auth.Customer{c}, Keys: []auth.Key{k}, Revoked: []auth.Revocation{v}})
		n := since(t, s, auth.Seen{})
		for _, got := range []time.Time{n.Customers[0].CreatedAt, n.Keys[0].MadeAt, n.Keys[0].ActiveAt, n.Revoked[0].Expires} {
			if !got.Equal(it.want) || got.Location() != time.UTC {
				t.Errorf("%s: got %v, want %v", it.what, got, it.want)
			}
		}
	}
}

func attempts(t *testing.T, s nodes) {
	var given []auth.Attempt
	for i := range uint64(1000) {
		given = append(given, auth.Attempt{
			At: noon.Add(time.Duration(i) * time.Millisecond), Source: i, Wide: math.MaxUint64 - i, Pair: i << 40, Request: 1<<63 + i,
			Invalid: i&1 != 0, Closed: i&2 != 0, Barred: i&4 != 0,
		})
	}
	turn(t, s, auth.Record{Attempts: given[:1]})
	turn(t, s.other, auth.Record{Attempts: given[1:]})
	same(t, "attempts", since(t, s, auth.Seen{}).Attempts, given)
	same(t, "the second turn's", since(t, s, auth.Seen{Attempts: 1}).Attempts, given[1:])
}

// oneClock allows for the two handles to have read the time of this process at
// two moments.
func oneClock(t *testing.T, s nodes) {
	a, b := since(t, s, auth.Seen{}).Now, since(t, s.other, auth.Seen{}).Now
	if d := b.Sub(a).Abs(); d > 5*time.Second {
		t.Errorf("two nodes are %v apart", d)
	}
	if a.Location() != time.UTC || a.Truncate(time.Millisecond) != a {
		t.Errorf("the time is %v, want UTC to the millisecond", a)
	}
}

func forget(t *testing.T, s nodes) {
	var at time.Time
	err := s.Turn(t.Context(), auth.Seen{}, func(n auth.News) (auth.Record, error) {
		at = n.Now
		return auth.Record{
			Attempts: []auth.Attempt{{At: at, Source: 1}},
			Revoked: []auth.Revocation{
				{TokenID: "expired", Expires: at.Add(-time.Millisecond)},
				{TokenID: "valid", Expires: at.Add(time.Hour)},
			},
		}, nil
	})
	noError(t, err)
	before := since(t, s, auth.Seen{})

	noError(t, s.other.ForgetAttempts(t.Context(), at))
	n := since(t, s, auth.Seen{})
	same(t, "revoked", n.Revoked, []auth.Revocation{{TokenID: "valid", Expires: at.Add(time.Hour)}})
	if len(n.Attempts) != 1 {
		t.Error("an attempt made at the time itself was dropped")
	}
	noError(t, s.ForgetAttempts(t.Context(), at.Add(time.Millisecond)))
	n = since(t, s, auth.Seen{})
	if len(n.Attempts) != 0 {
		t.Error("an attempt made before the time is still there")
	}
	// The numbers go on from where they were.
	same(t, "seen", n.Seen, before.Seen)
	turn(t, s, auth.Record{Attempts: []auth.Attempt{{At: noon, Source: 2}}})
	same(t, "the next", since(t, s, before.Seen).Attempts, []auth.Attempt{{At: noon, Source: 2}})
}

// anyRecord takes turns with whatever comes to mind, and reads each back.
func anyRecord(t *testing.T, s nodes) {
	text := rapid.StringOfN(rapid.Rune().Filter(func(r rune) bool { return r != 0 }), 0, 12, -1)
	moment := rapid.Map(rapid.Int64Range(1, 1<<43), func(ms int64) time.Time { return time.UnixMilli(ms).UTC() })
	bytes := rapid.SliceOfN(rapid.Byte(), 1, 40)
	serial := int64(0)
	rapid.Check(t, func(r *rapid.T) {
		seen := since(r, s, auth.Seen{}).Seen
		serial += 2
		c := auth.Customer{ID: auth.CustomerID(serial), Name: fmt.Sprint(serial, text.Draw(r, "name")), CreatedAt: moment.Draw(r, "created")}
		for range rapid.IntRange(0, 3).Draw(r, "grants") {
			c.Grants = append(c.Grants, auth.Grant{
				Product: auth.Product(text.Draw(r, "product")), Country: text.Draw(r, "country"),
				From: auth.Date(text.Draw(r, "from")), Paid: rapid.Int64().Draw(r, "paid"),
			})
		}
		a := auth.Account{
			ID: auth.AccountID(serial + 1), Customer: c.ID, UserKey: fmt.Sprint(serial, text.Draw(r, "user key")),
			Title: text.Draw(r, "title"), First: text.Draw(r, "first"), Surname: text.Draw(r, "surname"),
			Language: text.Draw(r, "language"), Operator: rapid.Bool().Draw(r, "operator"), Disabled: rapid.Bool().Draw(r, "disabled"),
			Epoch: rapid.Int64().Draw(r, "epoch"), Password: auth.Verifier(text.Draw(r, "password")),
			Console: auth.Verifier(text.Draw(r, "console")), CreatedAt: moment.Draw(r, "opened"),
		}
		k := auth.Key{
			ID: fmt.Sprint(serial, text.Draw(r, "key")), Alg: text.Draw(r, "alg"),
			Public: bytes.Draw(r, "public"), Sealed: bytes.Draw(r, "sealed"), Audit: rapid.Bool().Draw(r, "audit"),
			MadeAt: moment.Draw(r, "made"), ActiveAt: moment.Draw(r, "active"), Revoked: rapid.Bool().Draw(r, "revoked"),
		}
		v := auth.Revocation{TokenID: k.ID, Expires: moment.Draw(r, "expires")}
		rec := auth.Record{
			Customers: []auth.Customer{c}, Accounts: []auth.Account{a}, Keys: []auth.Key{k}, Revoked: []auth.Revocation{v},
		}
		turn(r, s, rec)
		n := since(r, s.other, seen)
		same(r, "the record", n, auth.News{
			Seen:      auth.Seen{Access: seen.Access + 1},
			Customers: rec.Customers, Accounts: rec.Accounts, Keys: rec.Keys, Revoked: rec.Revoked,
		})
	})
}
