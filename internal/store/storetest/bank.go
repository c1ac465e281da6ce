package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"bureau/internal/auth"
	"bureau/internal/bank"
	"bureau/internal/company"
	"bureau/internal/fault"
)

// banks are the promises of bank.Store.
var banks = []promise{
	{"a bank record takes the place of the one with its key", bankRecordKept},
	{"only records that no later import has kept are dropped", bankRecordsDropped},
	{"a record that a later import has kept stays that import's", bankTurnsOnlyGrow},
	{"records are there by kind and place", bankRecordsByPlace},
	{"the newest modulus table in force on a day is returned", modulusInForce},
	{"a modulus table with the rows in force changes nothing", modulusUnchanged},
	{"the version grows whenever a modulus table is kept", modulusVersionGrows},
	{"a verification comes back as it was added", verificationComesBack},
	{"someone else's verification is missing", verificationIsOwned},
	{"an edit that fails changes no verification", verificationEditFails},
	{"two edits of a verification at once are both seen", verificationEdits},
	{"verifications are listed by what they were and the newest first", verificationsListed},
	{"verifications go on after the last one seen", verificationsGoOn},
	{"a bank match comes back to its customer alone", bankMatchComesBack},
}

// carol belongs to another customer than ann and bob.
var carol = auth.Caller{Customer: 9, Account: 10}

func keepBank(t *testing.T, s bank.Store, kind string, turn int64, list ...bank.Record) bank.Kept {
	t.Helper()
	kept, err := s.KeepBankRecords(t.Context(), kind, turn, list)
	noError(t, err)
	return kept
}

func bankRecordKept(t *testing.T, s nodes) {
	one := bank.Record{Key: "990001", Place: "p", Facts: `{"b":"Ä 雪"}`}
	same(t, "first", keepBank(t, s, bank.BranchRecord, 1, one), bank.Kept{New: 1})
	same(t, "again", keepBank(t, s.other, bank.BranchRecord, 2, one), bank.Kept{Unchanged: 1})
	other := one
	other.Facts = `{}`
	same(t, "both", keepBank(t, s, bank.BranchRecord, 3, other, bank.Record{Key: "990002"}), bank.Kept{New: 1, Changed: 1})
	moved := other
	moved.Place = "q"
	same(t, "moved", keepBank(t, s, bank.BranchRecord, 3, moved), bank.Kept{Changed: 1})
	got, err := s.other.BankRecord(t.Context(), bank.BranchRecord, "990001")
	noError(t, err)
	same(t, "record", got, moved)
	_, err = s.BankRecord(t.Context(), bank.BankRecord, "990001")
	wantKind(t, err, fault.Missing)
	same(t, "nothing", keepBank(t, s, bank.BranchRecord, 4), bank.Kept{})
}

func dropBank(t *testing.T, s bank.Store, turn int64, places ...string) int64 {
	t.Helper()
	n, err := s.DropBankRecords(t.Context(), bank.BankRecord, turn, places)
	noError(t, err)
	return n
}

func bankRecordsDropped(t *testing.T, s nodes) {
	keepBank(t, s, bank.BranchRecord, 1, bank.Record{Key: "x", Place: "DE"})
	for i, place := range []string{"DE", "DE", "FR", "IT"} {
		keepBank(t, s, bank.BankRecord, int64(i+1), bank.Record{Key: fmt.Sprint("b", i), Place: place})
	}
	// Of Germany's two the first is older than the second turn; others' stay.
	if n := dropBank(t, s.other, 2, "DE", "AT"); n != 1 {
		t.Errorf("%d were dropped, want 1", n)
	}
	if n := dropBank(t, s, 4); n != 2 {
		t.Errorf("%d were dropped, want 2", n)
	}
	_, err := s.BankRecord(t.Context(), bank.BankRecord, "b3")
	noError(t, err)
	_, err = s.BankRecord(t.Context(), bank.BranchRecord, "x")
	noError(t, err)
}

func bankTurnsOnlyGrow(t *testing.T, s nodes) {
	keepBank(t, s, bank.BankRecord, 7, bank.Record{Key: "b", Place: "DE"})
	keepBank(t, s.other, bank.BankRecord, 6, bank.Record{Key: "b", Place: "DE"})
	if n := dropBank(t, s, 7); n != 0 {
		t.Error("a record was dropped that both imports have")
	}
}

func bankRecordsByPlace(t *testing.T, s nodes) {
	keepBank(t, s, bank.AccountRecord, 1, bank.Record{Key: "k", Place: "GB 990001"})
	for _, c := range []struct {
		kind, place string
		want        bool
	}{
		{bank.AccountRecord, "GB 990001", true},
		{bank.AccountRecord, "GB 990002", false},
		{bank.BankRecord, "GB 990001", false},
		{bank.AccountRecord, "", false},
	} {
		if got, err := s.other.HasBankRecords(t.Context(), c.kind, c.place); got != c.want || err != nil {
			t.Errorf("%s in %q: %v (%v)", c.kind, c.place, got, err)
		}
	}
}

func keepModulus(t *testing.T, s bank.Store, kind, from, rows string) bool {
	t.Helper()
	changed, err := s.KeepModulusTable(t.Context(), bank.StoredTable{Kind: kind, ValidFrom: company.Date(from), Rows: rows, KeptAt: noon})
	noError(t, err)
	return changed
}

func modulusInForce(t *testing.T, s nodes) {
	if got, err := s.ModulusTables(t.Context(), "2026-01-01"); len(got) != 0 || err != nil {
		t.Errorf("an empty database has %v (%v)", got, err)
	}
	for _, v := range [][3]string{
		{bank.WeightsTable, "2026-01-01", "first"},
		{bank.WeightsTable, "2026-06-01", "second"},
		{bank.SubstitutionsTable, "2025-01-01", "subs"},
	} {
		if !keepModulus(t, s, v[0], v[1], v[2]) {
			t.Errorf("%v changed nothing", v)
		}
	}
	for on, want := range map[string]string{
		"2025-12-31": "subs", "2026-01-01": "subs first", "2026-05-31": "subs first", "2026-06-01": "subs second", "2030-01-01": "subs second",
	} {
		got, err := s.other.ModulusTables(t.Context(), company.Date(on))
		noError(t, err)
		text := ""
		for _, table := range got {
			text += " " + table.Rows
			if !table.KeptAt.Equal(noon) || table.ValidFrom == "" || table.Kind == "" {
				t.Errorf("it came back as %+v", table)
			}
		}
		if text != " "+want {
			t.Errorf("on %s got %q, want %q", on, text, want)
		}
	}
}

func modulusUnchanged(t *testing.T, s nodes) {
	keepModulus(t, s, bank.WeightsTable, "2026-01-01", "first")
	for _, c := range []struct {
		from, rows string
		changed    bool
	}{
		{"2026-01-01", "first", false},
		{"2026-05-01", "first", false}, // it is in force already
		{"2025-05-01", "first", true},  // it was not in force then
		{"2026-01-01", "corrected", true},
		{"2026-01-02", "first", true},
	} {
		if got := keepModulus(t, s.other, bank.WeightsTable, c.from, c.rows); got != c.changed {
			t.Errorf("%s from %s changed something: %v", c.rows, c.from, got)
		}
	}
}

func modulusVersionGrows(t *testing.T, s nodes) {
	last := int64(0)
	version := func(s bank.Store) int64 {
		n, err := s.ModulusVersion(t.Context())
		noError(t, err)
		return n
	}
	if n := version(s); n != 0 {
		t.Errorf("an empty database has version %d", n)
	}
	for i, rows := range []string{"a", "b", "b", "c"} {
		changed := keepModulus(t, s, bank.WeightsTable, "2026-01-01", rows)
		n := version(s.other)
		if changed != (n > last) || changed != (i != 2) {
			t.Errorf("keep %d: changed %v, version %d after %d", i, changed, n, last)
		}
		last = n
	}
	// Of many at once each makes a version of its own.
	var wg sync.WaitGroup
	for i := range 8 {
		node := []Store{s.Store, s.other}[i%2]
		wg.Go(func() {
			_, err := node.KeepModulusTable(context.WithoutCancel(t.Context()), bank.StoredTable{
				Kind: bank.WeightsTable, ValidFrom: company.Date(fmt.Sprintf("2027-01-%02d", i+1)), Rows: fmt.Sprint(i),
			})
			if err != nil {
				t.Errorf("keep: %v", err)
			}
		})
	}
	wg.Wait()
	if n := version(s); n != last+8 {
		t.Errorf("after eight more the version is %d, want %d", n, last+8)
	}
}

func aVerification(id, name string) bank.Verification {
	return bank.Verification{
		ID: id, At: noon, Name: name, Type: bank.Business, Secondary: "roll 7", Reference: "ref", SortCode: 990001, Masked: "****5678",
		Fingerprint: "f", Payee: bank.Payee{Match: bank.CloseMatch, Code: bank.NameClose, TypeRight: true, Name: "Held", Score: 0.9, Why: "w"},
		Branch: bank.Branch{SortCode: 990001, Bank: "Bank", BIC: "EXMPGB2L", Bacs: true},
	}
}

func addVerification(t *testing.T, s bank.Store, by auth.Caller, v bank.Verification) bank.Verification {
	t.Helper()
	noError(t, s.AddBankVerification(t.Context(), by, v))
	v.Account = by.Account
	return v
}

func verificationComesBack(t *testing.T, s nodes) {
	bare := bank.Verification{ID: "bare", At: noon, Type: bank.Personal}
	for _, v := range []bank.Verification{aVerification("full", "Åsa 雪 %_\\"), bare} {
		want := addVerification(t, s, ann, v)
		got, err := s.other.BankVerification(t.Context(), bob, v.ID) // of the same customer
		noError(t, err)
		same(t, v.ID, got, want)
	}
	if err := s.AddBankVerification(t.Context(), ann, bare); err == nil {
		t.Error("an ID was given twice")
	}
}

func verificationIsOwned(t *testing.T, s nodes) {
	addVerification(t, s, ann, aVerification("v", "A"))
	text := map[string]string{}
	for _, id := range []string{"v", "none"} {
		_, err := s.BankVerification(t.Context(), carol, id)
		wantKind(t, err, fault.Missing)
		_, err2 := s.UpdateBankVerification(t.Context(), carol, id, func(v *bank.Verification) error {
			t.Errorf("carol was shown %+v", v)
			return nil
		})
		wantKind(t, err2, fault.Missing)
		text[id] = fmt.Sprint(err, err2)
	}
	if text["v"] != text["none"] {
		t.Errorf("what is someone else's can be told from nothing: %v", text)
	}
	if got := listVerifications(t, s, carol, bank.VerificationQuery{}); len(got) != 0 {
		t.Errorf("carol sees %v", got)
	}
	if got := listVerifications(t, s, carol, bank.VerificationQuery{After: "v"}); len(got) != 0 {
		t.Errorf("carol sees %v", got)
	}
}

func verificationEditFails(t *testing.T, s nodes) {
	want := addVerification(t, s, ann, aVerification("v", "A"))
	wrong := errors.New("changed my mind")
	_, err := s.UpdateBankVerification(t.Context(), ann, "v", func(v *bank.Verification) error {
		v.Reference = "lost"
		return wrong
	})
	if !errors.Is(err, wrong) {
		t.Errorf("got %v, want the edit's error", err)
	}
	got, err := s.other.BankVerification(t.Context(), ann, "v")
	noError(t, err)
	same(t, "verification", got, want)
}

func verificationEdits(t *testing.T, s nodes) {
	v := aVerification("v", "A")
	v.Reference = ""
	addVerification(t, s, ann, v)
	var wg sync.WaitGroup
	for i := range 8 {
		node := []Store{s.Store, s.other}[i%2]
		wg.Go(func() {
			_, err := node.UpdateBankVerification(t.Context(), bob, "v", func(v *bank.Verification) error {
				v.Reference += "x"
				return nil
			})
			if err != nil {
				t.Errorf("edit: %v", err)
			}
		})
	}
	wg.Wait()
	got, err := s.BankVerification(t.Context(), ann, "v")
	noError(t, err)
	if got.Reference != "xxxxxxxx" {
		t.Errorf("after eight edits the reference is %q", got.Reference)
	}
}

func listVerifications(t *testing.T, s bank.Store, by auth.Caller, q bank.VerificationQuery) (ids []string) {
	t.Helper()
	if q.Limit == 0 {
		q.Limit = 100
	}
	list, err := s.BankVerifications(t.Context(), by, q)
	noError(t, err)
	for _, v := range list {
		ids = append(ids, v.ID)
	}
	return ids
}

func verificationsListed(t *testing.T, s nodes) {
	for i, c := range []struct {
		by    auth.Caller
		name  string
		match bank.NameMatch
		kind  bank.AccountType
		ref   string
	}{
		{ann, "Åsa Brook", bank.FullMatch, bank.Personal, "r1"},
		{bob, "Brook 100% Mills", bank.CloseMatch, bank.Business, "r1"},
		{ann, "Otto Vale", bank.NoMatch, bank.Personal, "r2"},
		{carol, "Brook", bank.FullMatch, bank.Personal, "r1"},
	} {
		v := aVerification(fmt.Sprint(i), c.name)
		v.Payee.Match, v.Type, v.Reference, v.At = c.match, c.kind, c.ref, noon.Add(time.Duration(i)*time.Hour)
		addVerification(t, s, c.by, v)
	}
	for _, c := range []struct {
		what string
		q    bank.VerificationQuery
		want []string
	}{
		{"all", bank.VerificationQuery{}, []string{"2", "1", "0"}},
		{"one's own", bank.VerificationQuery{Mine: true}, []string{"2", "0"}},
		{"a part of a name in any case", bank.VerificationQuery{Name: "bROOk"}, []string{"1", "0"}},
		{"a name without its accent", bank.VerificationQuery{Name: "asa b"}, []string{"0"}},
		{"a character that LIKE knows", bank.VerificationQuery{Name: "_"}, []string{"2", "1", "0"}}, // it is no letter
		{"a match", bank.VerificationQuery{Match: bank.NoMatch}, []string{"2"}},
		{"a type", bank.VerificationQuery{Type: bank.Business}, []string{"1"}},
		{"a reference", bank.VerificationQuery{Reference: "r1"}, []string{"1", "0"}},
		{"from a moment on", bank.VerificationQuery{From: noon.Add(time.Hour)}, []string{"2", "1"}},
		{"before a moment", bank.VerificationQuery{Until: noon.Add(time.Hour)}, []string{"0"}},
		{"two at most", bank.VerificationQuery{Limit: 2}, []string{"2", "1"}},
		{"none", bank.VerificationQuery{Reference: "r9"}, nil},
	} {
		same(t, c.what, listVerifications(t, s.other, ann, c.q), c.want)
	}
}

func verificationsGoOn(t *testing.T, s nodes) {
	var want []string
	for i := range 10 {
		addVerification(t, s, ann, aVerification(fmt.Sprintf("%02d", i), "A")) // all of one moment
		want = append([]string{fmt.Sprintf("%02d", i)}, want...)
	}
	var got []string
	for after := ""; ; {
		page := listVerifications(t, s, ann, bank.VerificationQuery{After: after, Limit: 3})
		if len(page) == 0 {
			break
		}
		got = append(got, page...)
		after = page[len(page)-1]
	}
	same(t, "pages", got, want)
	if got := listVerifications(t, s, ann, bank.VerificationQuery{After: "unknown"}); len(got) != 0 {
		t.Errorf("after one that is not there: %v", got)
	}
}

func bankMatchComesBack(t *testing.T, s nodes) {
	m := bank.Match{
		ID: "m", At: noon, Number: "FR76…", Masked: "****1234", International: true, RegistrationID: "999999998", Country: "FR", BankCountry: "FR",
		Company: bank.Holder{ID: "FR-0-999999998", Name: "Chêne"}, State: bank.Passes, Score: 93,
		Reasons: []bank.Grounds{{Code: "NAME_MATCHES", Text: "t"}},
	}
	noError(t, s.AddBankMatch(t.Context(), ann, m))
	got, err := s.other.BankMatch(t.Context(), bob, "m")
	noError(t, err)
	if got.Number != "" {
		t.Error("the account number was kept")
	}
	got.Number, m.Account = m.Number, ann.Account
	if got.ID != m.ID || !got.At.Equal(m.At) || fmt.Sprint(got) != fmt.Sprint(m) {
		t.Errorf("got %+v, want %+v", got, m)
	}
	for _, id := range []string{"m", "none"} {
		_, err := s.BankMatch(t.Context(), carol, id)
		wantKind(t, err, fault.Missing)
	}
}
