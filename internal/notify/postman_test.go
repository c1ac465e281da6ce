package notify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"bureau/internal/auth"
	"bureau/internal/monitor"
	"bureau/internal/store"
	"bureau/internal/store/storetest"
)

var ann = auth.Caller{Customer: 1, Account: 11}

// A house is the whole way of mail on a real database, to a real receiver. Its
// clock stands still until a test moves it.
type house struct {
	t       *testing.T
	url     string
	db      *store.DB
	vault   *auth.Vault
	to      *receiver
	writer  *Writer
	digests *monitor.Digests
	postman *Postman

	mu  sync.Mutex
	now time.Time
}

func (p *house) clock() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.now
}

func (p *house) pass(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now = p.now.Add(d)
}

// onBoth runs a test with a house on each database.
func onBoth(t *testing.T, test func(t *testing.T, p *house)) {
	for name, fresh := range map[string]func(t *testing.T) string{
		"sqlite":   func(t *testing.T) string { return filepath.Join(t.TempDir(), "test.db") },
		"postgres": func(t *testing.T) string { return storetest.Postgres(t) },
	} {
		t.Run(name, func(t *testing.T) {
			test(t, newHouse(t, fresh(t), (&receiver{}).start(t)))
		})
	}
}

func newHouse(t *testing.T, url string, to *receiver) *house {
	t.Helper()
	vault, err := auth.NewVault(bytes.Repeat([]byte{7}, auth.MasterKeySize))
	must(t, err)
	p := &house{t: t, url: url, vault: vault, to: to, now: time.Date(2026, 3, 28, 12, 0, 0, 0, time.UTC)}
	p.db, p.digests, p.postman = p.node("one")
	return p
}

// node is another process on the same database.
func (p *house) node(name string) (*store.DB, *monitor.Digests, *Postman) {
	p.t.Helper()
	db, err := storetest.Open(p.t.Context(), p.url, store.Open)
	must(p.t, err)
	p.t.Cleanup(func() { db.Close() })
	db.Now = p.clock
	links := &monitor.Subscriptions{Store: db, Vault: p.vault}
	p.writer = &Writer{URL: "https://bureau.example.com", Host: "bureau.example.com", Operator: "op@example.com", Token: links.Token}
	return db, &monitor.Digests{Store: db, Write: p.writer.Digest, Now: p.clock},
		&Postman{Store: db, Relay: p.to.relay(), Owner: name, Now: p.clock, Random: rand.New(rand.NewPCG(1, 2)), Batch: 10, Life: time.Minute}
}

// portfolio makes one with a digest, which has begun.
func (p *house) portfolio(frequency monitor.Frequency, to ...string) monitor.PortfolioID {
	p.t.Helper()
	d := monitor.Digest{Frequency: frequency}
	for _, a := range to {
		d.To = append(d.To, monitor.Recipient{First: "Ann", Address: a})
	}
	made, err := p.db.CreatePortfolio(p.t.Context(), ann, monitor.Portfolio{Name: "Müller & Söhne", Digest: d})
	must(p.t, err)
	must(p.t, p.digests.Step(p.t.Context()))
	return made.ID
}

var told int64

// tell makes events in a portfolio.
func (p *house) tell(id monitor.PortfolioID, n int) {
	p.t.Helper()
	var list []monitor.Event
	for range n {
		told++
		list = append(list, monitor.Event{
			Customer: ann.Customer, Portfolio: id, Company: "GB-0-1", Name: "Acme", Country: monitor.Everywhere, Rule: 101,
			Change: told, Old: "a", New: "b", At: p.clock(),
		})
	}
	p.pass(time.Second)
	_, err := p.db.Tell(p.t.Context(), list, nil)
	must(p.t, err)
	p.pass(time.Second)
}

func (p *house) step() {
	p.t.Helper()
	must(p.t, p.digests.Step(p.t.Context()))
	p.send()
}

func (p *house) send() {
	p.t.Helper()
	_, err := p.postman.Step(p.t.Context())
	must(p.t, err)
}

func (p *house) wantLetters(n int) []letter {
	p.t.Helper()
	got := p.to.got()
	if len(got) != n {
		p.t.Fatalf("%d letters came, want %d", len(got), n)
	}
	return got
}

func TestDigestComesOncePerWindow(t *testing.T) {
	onBoth(t, func(t *testing.T, p *house) {
		daily := p.portfolio(1, "ann@example.com", "bob@example.com")
		p.tell(daily, 3)
		p.step()
		p.wantLetters(0)       // it has had its day
		p.pass(16 * time.Hour) // 04:00, on the night in which clocks move
		p.step()
		p.wantLetters(0)
		p.pass(time.Hour + time.Minute)
		p.step()
		p.step()
		got := p.wantLetters(2)
		slices.SortFunc(got, func(a, b letter) int { return strings.Compare(a.to, b.to) })
		for i, to := range []string{"ann@example.com", "bob@example.com"} {
			if got[i].to != to || got[i].from != "bureau@example.com" || !strings.Contains(got[i].header(t, "To"), to) {
				t.Errorf("letter %d went from %q to %q", i, got[i].from, got[i].to)
			}
		}
		p.tell(daily, 1)
		p.pass(20 * time.Hour) // still the same window
		p.step()
		p.wantLetters(2)
		p.pass(4 * time.Hour)
		p.step()
		p.wantLetters(4)
		p.pass(24 * time.Hour) // nothing happened
		p.step()
		p.wantLetters(4)
	})
}

func TestWeeklyDigestComesOnceInSevenDays(t *testing.T) {
	p := newHouse(t, filepath.Join(t.TempDir(), "test.db"), (&receiver{}).start(t))
	id := p.portfolio(7, "ann@example.com")
	days := map[int]int{}
	for day := range 28 {
		p.tell(id, 1)
		before := len(p.to.got())
		p.step()
		if n := len(p.to.got()) - before; n > 0 {
			days[day] = n
		}
		p.pass(24 * time.Hour)
	}
	if len(days) != 4 {
		t.Errorf("in 28 days they came on %v", days)
	}
}

// errCrash is what a store returns when its process is no more.
var errCrash = errors.New("crash")

// A dying store keeps claims, and dies before it settles.
type dying struct{ monitor.MailStore }

func (dying) SettleMail(context.Context, monitor.Mail) error { return errCrash }

func TestCrashes(t *testing.T) {
	onBoth(t, func(t *testing.T, p *house) {
		id := p.portfolio(1, "ann@example.com")
		p.tell(id, 1)
		p.pass(24 * time.Hour)
		must(t, p.digests.Step(t.Context()))

		// After the mark, before the sending.
		if list, err := p.db.ClaimMails(t.Context(), "gone", time.Minute, 10); err != nil || len(list) != 1 {
			t.Fatalf("claimed %d (%v)", len(list), err)
		}
		p.step()
		p.wantLetters(0) // the claim holds
		p.pass(2 * time.Minute)

		// After the sending, before the record.
		crashing := *p.postman
		crashing.Store = dying{p.db}
		if _, err := crashing.Step(t.Context()); !errors.Is(err, errCrash) {
			t.Fatalf("got %v", err)
		}
		p.wantLetters(1)
		p.step()
		p.wantLetters(1)
		p.pass(2 * time.Minute)
		p.step()
		p.step()
		got := p.wantLetters(2)
		if a, b := got[0].header(t, "Message-Id"), got[1].header(t, "Message-Id"); a != b || a == "" {
			t.Errorf("it came again as %q, first as %q", b, a)
		}
		lines := func(l letter) []string { // headers have no order
			return slices.Sorted(strings.Lines(string(l.raw)))
		}
		if !slices.Equal(lines(got[0]), lines(got[1])) {
			t.Error("what came again is not what came first")
		}
	})
}

func TestTwoNodesSendOnce(t *testing.T) {
	onBoth(t, func(t *testing.T, p *house) {
		var ids []monitor.PortfolioID
		for i := range 8 {
			made, err := p.db.CreatePortfolio(t.Context(), ann, monitor.Portfolio{Name: fmt.Sprint(i), Digest: monitor.Digest{
				Frequency: 1, To: []monitor.Recipient{{Address: fmt.Sprintf("r%d@example.com", i)}},
			}})
			must(t, err)
			ids = append(ids, made.ID)
		}
		must(t, p.digests.Step(t.Context()))
		for _, id := range ids {
			p.tell(id, 2)
		}
		p.pass(24 * time.Hour)
		_, digests, postman := p.node("two")
		postman.Random = rand.New(rand.NewPCG(3, 4))
		var wg sync.WaitGroup
		for _, n := range []struct {
			*monitor.Digests
			*Postman
		}{{p.digests, p.postman}, {digests, postman}} {
			wg.Go(func() {
				for range 3 {
					if err := n.Digests.Step(t.Context()); err != nil {
						t.Error(err)
					}
					if _, err := n.Postman.Step(t.Context()); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		p.send()
		seen := map[string]int{}
		for _, l := range p.wantLetters(8) {
			seen[l.to]++
		}
		if len(seen) != 8 {
			t.Errorf("they came to %v", seen)
		}
	})
}

func TestRelays(t *testing.T) {
	for name, r := range map[string]*receiver{
		"STARTTLS": {}, "TLS from the first byte": {direct: true}, "in the clear": {plain: true}, "with a password": {user: "me"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newHouse(t, filepath.Join(t.TempDir(), "test.db"), r.start(t))
			must(t, p.postman.Check(t.Context()))
			must(t, p.db.KeepMails(t.Context(), []monitor.Mail{someMail("a")}))
			p.send()
			p.wantLetters(1)
			if r.secure == r.plain {
				t.Errorf("it came over TLS: %v", r.secure)
			}
		})
	}
}

func TestRelaysThatMustNotBeTrusted(t *testing.T) {
	p := newHouse(t, filepath.Join(t.TempDir(), "test.db"), (&receiver{plain: true}).start(t))
	must(t, p.db.KeepMails(t.Context(), []monitor.Mail{someMail("a")}))
	p.postman.Relay.TLS = StartTLS // which somebody on the way took out of its greeting
	if _, err := p.postman.Step(t.Context()); err == nil {
		t.Error("mail went out in the clear")
	}
	secure := (&receiver{}).start(t)
	p.postman.Relay = secure.relay()
	p.postman.Relay.Roots = nil // a certificate that nobody vouches for
	p.pass(time.Hour)
	if _, err := p.postman.Step(t.Context()); err == nil {
		t.Error("a stranger's certificate was believed")
	}
	p.wantLetters(0)
	if n := len(secure.got()); n != 0 {
		t.Errorf("%d letters came", n)
	}
}

func TestWhatRelaysSay(t *testing.T) {
	at := func(prefix, answer string) func(string) string {
		return func(line string) string {
			if strings.HasPrefix(line, prefix) {
				return answer
			}
			return ""
		}
	}
	for _, c := range []struct {
		name string
		say  func(string) string
		want monitor.MailState
	}{
		{"no such recipient", at("RCPT", "550 no"), monitor.MailDead},
		{"a full mailbox", at("RCPT", "452 full"), monitor.MailWaiting},
		{"the mail itself is refused", at("taken", "554 spam"), monitor.MailDead},
		{"come back later", at("taken", "451 later"), monitor.MailWaiting},
		{"we may not send", at("MAIL", "550 who are you"), monitor.MailWaiting},
		{"it hangs up", at("RCPT", "drop"), monitor.MailWaiting},
		{"it hangs up at the end", at("taken", "drop"), monitor.MailWaiting},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := (&receiver{say: c.say}).start(t)
			p := newHouse(t, filepath.Join(t.TempDir(), "test.db"), r)
			var landed []monitor.MailState
			p.postman.Landed = func(s monitor.MailState) { landed = append(landed, s) }
			must(t, p.db.KeepMails(t.Context(), []monitor.Mail{someMail("a")}))
			_, _ = p.postman.Step(t.Context())
			if len(landed) != 1 || landed[0] != c.want {
				t.Errorf("it became %v, want %v", landed, c.want)
			}
			p.wantLetters(0)
			n, _, err := p.db.MailBacklog(t.Context())
			if err != nil || (n == 1) != (c.want == monitor.MailWaiting) {
				t.Errorf("%d wait (%v)", n, err)
			}
		})
	}
}

func TestMailIsGivenUpAfterThreeDays(t *testing.T) {
	p := newHouse(t, filepath.Join(t.TempDir(), "test.db"), (&receiver{}).start(t))
	p.postman.Relay.Port = 1 // nobody is there
	must(t, p.db.KeepMails(t.Context(), []monitor.Mail{someMail("a")}))
	var dead bool
	tries := 0
	p.postman.Landed = func(s monitor.MailState) { tries++; dead = s == monitor.MailDead }
	began := p.clock()
	for ; !dead && p.clock().Sub(began) < 10*24*time.Hour; p.pass(10 * time.Minute) {
		_, _ = p.postman.Step(t.Context())
	}
	if lasted := p.clock().Sub(began); lasted < 72*time.Hour || lasted > 97*time.Hour {
		t.Errorf("it was given up after %s", lasted)
	}
	if tries < 8 || tries > 40 {
		t.Errorf("it was tried %d times", tries)
	}
}

// someMail is a mail without a digest.
func someMail(key string) monitor.Mail {
	return monitor.Mail{
		Key: key, Kind: monitor.TroubleMail, To: monitor.Recipient{Address: "op@example.com"}, Subject: "s", Text: "t", HTML: "<p>h",
		MessageID: key + "@example.com",
	}
}

func TestUnsubscribeByTheHeader(t *testing.T) {
	p := newHouse(t, filepath.Join(t.TempDir(), "test.db"), (&receiver{}).start(t))
	id := p.portfolio(1, "ann@example.com", "bob@example.com")
	p.tell(id, 1)
	p.pass(24 * time.Hour)
	p.step()
	got := p.wantLetters(2)
	l := got[slices.IndexFunc(got, func(l letter) bool { return l.to == "ann@example.com" })]
	if got := l.header(t, "List-Unsubscribe-Post"); got != "List-Unsubscribe=One-Click" {
		t.Errorf("List-Unsubscribe-Post: %s", got)
	}
	link := strings.Trim(l.header(t, "List-Unsubscribe"), "<>")
	token, ok := strings.CutPrefix(link, "https://bureau.example.com/unsubscribe/")
	token, _, _ = strings.Cut(token, "?")
	if !ok || strings.Contains(strings.ToLower(link), "ann") || strings.Contains(link, fmt.Sprint(id)) {
		t.Errorf("List-Unsubscribe: %s", link)
	}
	links := &monitor.Subscriptions{Store: p.db, Vault: p.vault}
	must(t, links.End(t.Context(), token))
	p.tell(id, 1)
	p.pass(24 * time.Hour)
	p.step()
	if got := p.wantLetters(3)[2].to; got != "bob@example.com" {
		t.Errorf("the next digest came to %s", got)
	}
	flipped := []byte(token)
	flipped[20] ^= 1
	if err := links.End(t.Context(), string(flipped)); err == nil {
		t.Error("a changed link was taken")
	}
}

// parts are the bodies of a letter, by type.
func parts(t testing.TB, raw []byte) map[string]string {
	t.Helper()
	m, err := mail.ReadMessage(bytes.NewReader(raw))
	must(t, err)
	kind, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	must(t, err)
	if kind != "multipart/alternative" {
		t.Fatalf("the mail is %s", kind)
	}
	out := map[string]string{}
	for r := multipart.NewReader(m.Body, params["boundary"]); ; {
		p, err := r.NextRawPart()
		if errors.Is(err, io.EOF) {
			return out
		}
		must(t, err)
		kind, _, err := mime.ParseMediaType(p.Header.Get("Content-Type"))
		must(t, err)
		b, err := io.ReadAll(quotedprintable.NewReader(p))
		must(t, err)
		out[kind] = strings.ReplaceAll(string(b), "\r\n", "\n")
	}
}
