package storetest

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/monitor"
)

// portfolios are the promises of monitor.PortfolioStore, but for sharing.
var portfolios = []promise{
	{"a portfolio comes back as it was made, with a number that nobody had", portfolioKept},
	{"portfolios that two nodes make at once have different numbers", numbersDiffer},
	{"a name is given once by an account, also by two nodes at once", nameOnce},
	{"a new default takes the place of the last one", newDefault},
	{"of many who set a default at once the last one has it alone", defaultsAtOnce},
	{"portfolios are listed in the order of their numbers, with the rights on each", portfoliosListed},
	{"an edit keeps what it changed, and nothing if it fails", editKept},
	{"edits of two nodes lose nothing", editsExclude},
	{"a stranger finds nothing, whatever it does", strangersMiss},
	{"a portfolio goes with all that is in it, and with nothing else", portfolioGoes},
}

// eve is of another customer.
var eve = auth.Caller{Customer: 2, Account: 4}

func aPortfolio(name string) monitor.Portfolio {
	return monitor.Portfolio{Name: name, Digest: monitor.Digest{Language: "en"}}
}

// create makes a portfolio, and fails the test if it cannot.
func create(t tb, s monitor.PortfolioStore, by auth.Caller, p monitor.Portfolio) monitor.Portfolio {
	t.Helper()
	p, err := s.CreatePortfolio(t.Context(), by, p)
	noError(t, err)
	return p
}

// portfolioOf reads a portfolio, and fails the test if it cannot.
func portfolioOf(t tb, s monitor.PortfolioStore, by auth.Caller, id monitor.PortfolioID) monitor.Portfolio {
	t.Helper()
	p, _, err := s.Portfolio(t.Context(), by, id)
	noError(t, err)
	return p
}

func portfolioKept(t *testing.T, s nodes) {
	given := monitor.Portfolio{
		Name: "Kunden – ä\"'%_\\", Default: true,
		Digest: monitor.Digest{Subject: "What is new", Language: "de", Frequency: 7, To: []monitor.Recipient{
			{First: "Ada", Last: "Brook", Address: "ada@example.com"}, {Address: "b@example.com"},
		}},
	}
	before := since(t, s, everything).Now
	made := create(t, s, ann, given)
	if made.ID < 100_001 || made.Customer != ann.Customer || made.Owner != ann.Account {
		t.Errorf("it is number %d of %d/%d", made.ID, made.Customer, made.Owner)
	}
	if made.CreatedAt.Before(before) || !made.CreatedAt.Equal(made.ChangedAt) {
		t.Errorf("made at %s and changed at %s, want both after %s", made.CreatedAt, made.ChangedAt, before)
	}
	got, rights, err := s.other.Portfolio(t.Context(), ann, made.ID)
	noError(t, err)
	same(t, "what comes back", got, made)
	given.ID, given.Customer, given.Owner, given.CreatedAt, given.ChangedAt = made.ID, 1, 2, made.CreatedAt, made.ChangedAt
	same(t, "what was given", got, given)
	if rights&monitor.Own == 0 {
		t.Errorf("its owner has %q and does not own it", rights)
	}

	bare := create(t, s.other, ann, aPortfolio("bare"))
	same(t, "a bare one", portfolioOf(t, s, ann, bare.ID), bare)
	noError(t, s.DeletePortfolio(t.Context(), ann, bare.ID))
	if next := create(t, s, eve, aPortfolio("next")); next.ID <= bare.ID {
		t.Errorf("number %d comes after %d, which somebody had", next.ID, bare.ID)
	}
}

func numbersDiffer(t *testing.T, s nodes) {
	var mu sync.Mutex
	var ids []monitor.PortfolioID
	var wg sync.WaitGroup
	for n, node := range []Store{s.Store, s.other} {
		for w := range 3 {
			wg.Go(func() {
				for i := range 5 {
					p, err := node.CreatePortfolio(t.Context(), ann, aPortfolio(fmt.Sprint(n, w, i)))
					noErrorf(t, err)
					mu.Lock()
					ids = append(ids, p.ID)
					mu.Unlock()
				}
			})
		}
	}
	wg.Wait()
	slices.Sort(ids)
	if len(slices.Compact(ids)) != 30 {
		t.Errorf("30 portfolios have the numbers %v", ids)
	}
}

// noErrorf is noError for a goroutine of a test, which may not end it.
func noErrorf(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Errorf("%v", err)
	}
}

func nameOnce(t *testing.T, s nodes) {
	first := create(t, s, ann, aPortfolio("Customers"))
	_, err := s.other.CreatePortfolio(t.Context(), ann, aPortfolio("Customers"))
	wantKind(t, err, fault.Conflict)
	create(t, s, ann, aPortfolio("customers")) // another name
	create(t, s, bob, aPortfolio("Customers")) // another account
	create(t, s, eve, aPortfolio("Customers")) // another customer
	second := create(t, s, ann, aPortfolio("Suppliers"))
	rename := func(p *monitor.Portfolio) error { p.Name = "Customers"; return nil }
	wantKind(t, s.other.EditPortfolio(t.Context(), ann, second.ID, rename), fault.Conflict)
	noError(t, s.EditPortfolio(t.Context(), ann, first.ID, rename)) // its own name
	if p := portfolioOf(t, s, ann, second.ID); p.Name != "Suppliers" {
		t.Errorf("it is called %q now", p.Name)
	}

	var wg sync.WaitGroup
	var mu sync.Mutex
	made := 0
	for _, node := range []Store{s.Store, s.other} {
		for range 4 {
			wg.Go(func() {
				_, err := node.CreatePortfolio(t.Context(), ann, aPortfolio("at once"))
				if err != nil {
					wantKind(t, err, fault.Conflict)
					return
				}
				mu.Lock()
				made++
				mu.Unlock()
			})
		}
	}
	wg.Wait()
	if made != 1 {
		t.Errorf("%d portfolios of one name were made", made)
	}
}

// defaults are the portfolios of a caller's that are marked as its default.
func defaults(t *testing.T, s monitor.PortfolioStore, by auth.Caller) (out []monitor.PortfolioID) {
	t.Helper()
	list, _, err := s.Portfolios(t.Context(), by)
	noError(t, err)
	for _, p := range list {
		if p.Default && p.Owner == by.Account {
			out = append(out, p.ID)
		}
	}
	return out
}

func setDefault(p *monitor.Portfolio) error { p.Default = true; return nil }

func newDefault(t *testing.T, s nodes) {
	marked := func(name string) monitor.Portfolio {
		p := aPortfolio(name)
		p.Default = true
		return p
	}
	first := create(t, s, ann, marked("first"))
	other := create(t, s, bob, marked("bob's"))
	same(t, "the first", defaults(t, s, ann), []monitor.PortfolioID{first.ID})
	second := create(t, s.other, ann, marked("second"))
	same(t, "the second", defaults(t, s, ann), []monitor.PortfolioID{second.ID})
	noError(t, s.EditPortfolio(t.Context(), ann, first.ID, setDefault))
	same(t, "the first again", defaults(t, s, ann), []monitor.PortfolioID{first.ID})
	noError(t, s.EditPortfolio(t.Context(), ann, first.ID, func(p *monitor.Portfolio) error { p.Default = false; return nil }))
	same(t, "none", defaults(t, s, ann), []monitor.PortfolioID(nil))
	same(t, "another account's", defaults(t, s, bob), []monitor.PortfolioID{other.ID})
}

func defaultsAtOnce(t *testing.T, s nodes) {
	var list []monitor.PortfolioID
	for i := range 4 {
		list = append(list, create(t, s, ann, aPortfolio(fmt.Sprint(i))).ID)
	}
	var wg sync.WaitGroup
	for n, node := range []Store{s.Store, s.other} {
		for w := range 4 {
			wg.Go(func() {
				for i := range 5 {
					noErrorf(t, node.EditPortfolio(t.Context(), ann, list[(n+w+i)%len(list)], setDefault))
				}
				p := aPortfolio(fmt.Sprint("new", n, w))
				p.Default = true
				_, err := node.CreatePortfolio(t.Context(), ann, p)
				noErrorf(t, err)
			})
		}
	}
	wg.Wait()
	if got := defaults(t, s, ann); len(got) != 1 {
		t.Errorf("the defaults are %v, want one", got)
	}
}

func portfoliosListed(t *testing.T, s nodes) {
	var want []monitor.Portfolio
	for i := range 5 {
		by := []auth.Caller{ann, bob}[i%2]
		p := create(t, s, by, aPortfolio(fmt.Sprint(9-i)))
		if by == ann || i == 3 {
			want = append(want, p)
		}
		if i == 3 {
			noError(t, s.SharePortfolio(t.Context(), bob, p.ID, false, []monitor.Share{{Account: ann.Account, Rights: monitor.View | monitor.Add}}))
		}
	}
	create(t, s, eve, aPortfolio("eve's"))
	got, rights, err := s.other.Portfolios(t.Context(), ann)
	noError(t, err)
	same(t, "what may be seen", got, want)
	for i, p := range got {
		if want := p.Owner == ann.Account; want != (rights[i]&monitor.Own != 0) {
			t.Errorf("the rights on %d of %d are %q", p.ID, p.Owner, rights[i])
		}
		if p.Owner == bob.Account && rights[i] != monitor.View|monitor.Add {
			t.Errorf("the rights on what is shared are %q", rights[i])
		}
	}
	none, _, err := s.Portfolios(t.Context(), auth.Caller{Customer: 1, Account: 99})
	if err != nil || len(none) != 0 {
		t.Errorf("who has none sees %v (%v)", none, err)
	}
	// Another customer's account of the same number is somebody else.
	none, _, err = s.Portfolios(t.Context(), auth.Caller{Customer: 2, Account: ann.Account})
	if err != nil || len(none) != 0 {
		t.Errorf("an account of another customer sees %v (%v)", none, err)
	}
}

func editKept(t *testing.T, s nodes) {
	p := create(t, s, ann, aPortfolio("one"))
	noError(t, s.EditPortfolio(t.Context(), ann, p.ID, func(p *monitor.Portfolio) error {
		p.Name, p.Digest = "two", monitor.Digest{Subject: "s", Language: "sv", Frequency: 1, To: []monitor.Recipient{{Address: "a@example.com"}}}
		return nil
	}))
	got := portfolioOf(t, s.other, ann, p.ID)
	if got.Name != "two" || got.Digest.Subject != "s" || got.Digest.Frequency != 1 || len(got.Digest.To) != 1 {
		t.Errorf("the edit left %+v", got)
	}
	if got.ChangedAt.Before(p.ChangedAt) || !got.CreatedAt.Equal(p.CreatedAt) {
		t.Errorf("made at %s and changed at %s", got.CreatedAt, got.ChangedAt)
	}
	refused := errors.New("refused")
	err := s.EditPortfolio(t.Context(), ann, p.ID, func(p *monitor.Portfolio) error { p.Name = "three"; return refused })
	if !errors.Is(err, refused) {
		t.Errorf("got %v, want the edit's own error", err)
	}
	// What an edit may not change stays.
	noError(t, s.EditPortfolio(t.Context(), ann, p.ID, func(p *monitor.Portfolio) error {
		p.ID, p.Customer, p.Owner = 1, 2, 4
		return nil
	}))
	now := portfolioOf(t, s, ann, p.ID)
	now.ChangedAt = got.ChangedAt
	same(t, "after an edit that failed", now, got)
}

func editsExclude(t *testing.T, s nodes) {
	p := create(t, s, ann, aPortfolio("one"))
	var wg sync.WaitGroup
	for _, node := range []Store{s.Store, s.other} {
		for range 3 {
			wg.Go(func() {
				for range 5 {
					noErrorf(t, node.EditPortfolio(t.Context(), ann, p.ID, func(p *monitor.Portfolio) error {
						p.Digest.Subject += "x"
						return nil
					}))
				}
			})
		}
	}
	wg.Wait()
	if got := portfolioOf(t, s, ann, p.ID); len(got.Digest.Subject) != 30 {
		t.Errorf("%d of 30 edits are there", len(got.Digest.Subject))
	}
}

// deeds are everything that can be done with a portfolio, and the right that it
// takes.
func deeds(s monitor.Store, t *testing.T, id, to monitor.PortfolioID) map[string]deed {
	ctx := t.Context()
	one := []monitor.Member{{Company: "GB-0-1"}}
	edit := func(p *monitor.Portfolio) error { p.Digest.Subject += "x"; return nil }
	return map[string]deed{
		"Portfolio": {monitor.View, func(by auth.Caller) error { _, _, err := s.Portfolio(ctx, by, id); return err }},
		"Shares":    {monitor.View, func(by auth.Caller) error { _, err := s.Shares(ctx, by, id); return err }},
		"Members": {monitor.View, func(by auth.Caller) error {
			_, err := s.Members(ctx, by, id, monitor.MemberQuery{Limit: 1})
			return err
		}},
		"Search": {monitor.View, func(by auth.Caller) error {
			_, err := s.Members(ctx, by, id, monitor.MemberQuery{Search: "x", Limit: 1})
			return err
		}},
		"Member":        {monitor.View, func(by auth.Caller) error { _, err := s.Member(ctx, by, id, "GB-0-1"); return err }},
		"Countries":     {monitor.View, func(by auth.Caller) error { _, err := s.Countries(ctx, by, id); return err }},
		"Bands":         {monitor.View, func(by auth.Caller) error { _, err := s.Bands(ctx, by, id); return err }},
		"Settings":      {monitor.View, func(by auth.Caller) error { _, err := s.Settings(ctx, by, id); return err }},
		"EditPortfolio": {monitor.Edit, func(by auth.Caller) error { return s.EditPortfolio(ctx, by, id, edit) }},
		"SetDefault":    {monitor.Own, func(by auth.Caller) error { return s.EditPortfolio(ctx, by, id, setDefault) }},
		"EditMember": {monitor.Edit, func(by auth.Caller) error {
			return s.EditMember(ctx, by, id, "GB-0-1", func(m *monitor.Member) error { m.Notes += "x"; return nil })
		}},
		"SwitchRules": {monitor.Edit, func(by auth.Caller) error {
			return s.SwitchRules(ctx, by, id, "XX", []monitor.Switch{{Code: 105, On: true}})
		}},
		"SwitchAllOff":   {monitor.Edit, func(by auth.Caller) error { return s.SwitchAllOff(ctx, by, id) }},
		"AddMembers":     {monitor.Add, func(by auth.Caller) error { _, err := s.AddMembers(ctx, by, id, one); return err }},
		"RemoveMembers":  {monitor.Remove, func(by auth.Caller) error { _, err := s.RemoveMembers(ctx, by, id, nil); return err }},
		"ReplaceMembers": {monitor.Add | monitor.Remove, func(by auth.Caller) error { _, _, err := s.ReplaceMembers(ctx, by, id, one); return err }},
		"Copy": {monitor.View, func(by auth.Caller) error {
			_, _, err := s.MoveMembers(ctx, by, id, []monitor.PortfolioID{to}, nil, false)
			return err
		}},
		"Move": {monitor.Remove, func(by auth.Caller) error {
			_, _, err := s.MoveMembers(ctx, by, id, []monitor.PortfolioID{to}, nil, true)
			return err
		}},
		"CopyInto": {monitor.Add, func(by auth.Caller) error {
			_, _, err := s.MoveMembers(ctx, by, to, []monitor.PortfolioID{id}, nil, false)
			return err
		}},
		"Share":  {monitor.Own, func(by auth.Caller) error { return s.SharePortfolio(ctx, by, id, true, nil) }},
		"Delete": {monitor.Own, func(by auth.Caller) error { return s.DeletePortfolio(ctx, by, id) }},
	}
}

type deed struct {
	needs monitor.Rights
	do    func(by auth.Caller) error
}

func strangersMiss(t *testing.T, s nodes) {
	someCompanies(t, s, 2)
	theirs := create(t, s, ann, aPortfolio("ann's"))
	add(t, s, ann, theirs.ID, "GB-0-1")
	for _, who := range []auth.Caller{
		eve, bob, {Customer: 2, Account: ann.Account}, {Customer: ann.Customer}, {Account: ann.Account}, {},
	} {
		own := create(t, s, who, aPortfolio("own"))
		for _, id := range []monitor.PortfolioID{theirs.ID, 77, 0, -1} {
			for name, d := range deeds(s.other, t, id, own.ID) {
				err := d.do(who)
				if v, ok := fault.Of(err); !ok || v.Kind != fault.Missing || v.Text != monitor.NoPortfolio || len(v.Details) > 0 {
					t.Errorf("%s by %v on %d: got %v, want what does not exist gets", name, who, id, err)
				}
			}
		}
	}
	if got := portfolioOf(t, s, ann, theirs.ID); !got.ChangedAt.Equal(theirs.ChangedAt) || got.Default || got.Digest.Subject != "" {
		t.Errorf("a stranger left %+v", got)
	}
	if got := memberIDs(t, s, ann, theirs.ID); !slices.Equal(got, ids("GB-0-1")) {
		t.Errorf("strangers left %v", got)
	}
}

func portfolioGoes(t *testing.T, s nodes) {
	someCompanies(t, s, 3)
	var list []monitor.Portfolio
	for _, name := range []string{"goes", "stays"} {
		p := create(t, s, ann, aPortfolio(name))
		list = append(list, p)
		add(t, s, ann, p.ID, "GB-0-1", "GB-0-2", "GB-0-3")
		someChange(t, s, "GB-0-3")
		_, err := s.RemoveMembers(t.Context(), ann, p.ID, ids("GB-0-3"))
		noError(t, err)
		noError(t, s.SwitchRules(t.Context(), ann, p.ID, "XX", []monitor.Switch{{Code: 105, On: true}}))
		noError(t, s.SharePortfolio(t.Context(), ann, p.ID, false, []monitor.Share{{Account: bob.Account, Rights: monitor.View}}))
		told(t, s, ann.Customer, p.ID, "GB-0-1", noon)
	}
	goes, stays := list[0].ID, list[1].ID
	noError(t, s.other.DeletePortfolio(t.Context(), ann, goes))
	for name, d := range deeds(s, t, goes, stays) {
		if err := d.do(ann); !errors.Is(err, fault.Missing) {
			t.Errorf("%s: got %v after the portfolio went", name, err)
		}
	}
	all, _, err := s.Portfolios(t.Context(), bob)
	noError(t, err)
	if len(all) != 1 || all[0].ID != stays {
		t.Errorf("bob sees %v", all)
	}
	for _, w := range watchers(t, s, "GB-0-1", "GB-0-2", "GB-0-3") {
		if w.Portfolio == goes {
			t.Errorf("it still watches %s from %d to %d", w.Company, w.Since, w.Until)
		}
	}
	left, err := settingsAfter(t, s, 0)
	noError(t, err)
	if len(left) != 1 || left[0].Portfolio != stays {
		t.Errorf("the settings that are left are %v", left)
	}
	// Who deletes it again is told that it is gone; the other is whole.
	wantKind(t, s.DeletePortfolio(t.Context(), ann, goes), fault.Missing)
	same(t, "what stays", memberIDs(t, s, ann, stays), ids("GB-0-1", "GB-0-2"))
	events, err := s.Events(t.Context(), ann, monitor.EventQuery{Limit: 10})
	noError(t, err)
	if events.Total != 1 || len(events.List) != 1 || events.List[0].Portfolio != stays {
		t.Errorf("the events that are left are %+v", events)
	}
}
