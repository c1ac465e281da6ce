package notify

import (
	"bytes"
	"fmt"
	"mime"
	netmail "net/mail"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"bureau/internal/kyc"
	"bureau/internal/monitor"
)

var marchDay = time.Date(2026, 3, 2, 6, 0, 0, 0, time.UTC)

// aWriter writes links that are the same every time.
func aWriter() *Writer {
	return &Writer{
		URL: "https://bureau.example.com", Host: "bureau.example.com", Operator: "op@example.com",
		Token: func(monitor.PortfolioID, string) string { return "TOKEN" },
	}
}

// someNews are a digest's, in a language.
func someNews(language string) monitor.DigestNews {
	p := monitor.Portfolio{ID: 100007, Customer: 1, Name: "Müller & Söhne"}
	p.Digest = monitor.Digest{Language: language, To: []monitor.Recipient{{First: "Ann", Last: "Ö", Address: "ann@example.com"}}}
	return monitor.DigestNews{
		Portfolio: p, Day: 20513, After: 16, Last: 99, LastAt: marchDay, Total: 12,
		Events: []monitor.DigestEvent{
			{
				Event: monitor.Event{
					ID: 17, Company: "GB-0-03836192", SafeNo: "UK90000003", Name: "ACME LTD", Country: monitor.Everywhere, Rule: 101,
					Old: "B", New: "D", Why: "The rating band changed from B to D", At: marchDay.Add(-time.Hour),
				},
				Member: monitor.Member{Reference: "R-1", Limit: "5000", Notes: "call them"},
			},
			{Event: monitor.Event{
				ID: 18, Company: "SE-0-5560000001", Name: "Åkeri <b>&amp;</b> AB", Country: monitor.Everywhere, Rule: 105,
				New: "Storgatan 1", At: marchDay.Add(-time.Hour),
			}},
		},
	}
}

func someImport(language string) monitor.ImportNews {
	n := monitor.ImportNews{
		Import: monitor.Import{ID: 100003, Portfolio: 100007, Sync: true, State: "done"}, To: "ann@example.com",
		Portfolio: monitor.Portfolio{ID: 100007, Customer: 1, Name: "Müller & Söhne", Digest: monitor.Digest{Language: language}},
	}
	n.ImportReport = monitor.ImportReport{
		Rows: 10, Added: 4, There: 3, Unknown: 2, Refused: 1, Removed: 5,
		Problems: []monitor.ImportProblem{
			{Line: 3, Value: "GB-0-404", Reason: "the register has no such company"},
			{Line: 7, Value: "<script>", Reason: "a company is its ID, or a country and a number"},
		},
	}
	return n
}

// TestGoldenMails holds the mails in every language against testdata. With
// BUREAU_UPDATE=1 (make golden) they are written anew.
func TestGoldenMails(t *testing.T) {
	w := aWriter()
	for language := range languages {
		list, err := w.Digest(someNews(language))
		must(t, err)
		golden(t, "digest."+language, list[0])
		m, err := w.Import(someImport(language))
		must(t, err)
		golden(t, "import."+language, m)
	}
	failed := someImport("en")
	failed.State, failed.Error, failed.Problems, failed.ImportReport = "failed", "the file names no company", nil, monitor.ImportReport{}
	m, err := w.Import(failed)
	must(t, err)
	golden(t, "import.failed", m)
	m, err = w.Trouble(monitor.TroubleNews{Key: "k", Name: "evaluation stands still", Since: marchDay, About: "No change was evaluated."})
	must(t, err)
	golden(t, "trouble", m)
	alert := kyc.Alert{
		SavedHit: kyc.SavedHit{ID: "hit-1", Search: "search-1"}, Schedule: "schedule-1", Person: true, List: kyc.UNSanctions, Cause: kyc.NewHit, Number: 7,
		Recipients: []string{"aml@example.com", "boss@example.com"},
	}
	left, quiet := alert, alert
	left.ID, left.Cause = "hit-2", kyc.EntryLeft
	quiet.Schedule, quiet.Recipients = "schedule-2", nil
	list, err := w.Alerts([]kyc.Alert{alert, left, quiet})
	must(t, err)
	if len(list) != 2 || list[0].Key == list[1].Key || list[1].To.Address != "boss@example.com" {
		t.Fatalf("%d mails: %+v", len(list), list)
	}
	golden(t, "alert", list[0])
}

// golden compares a mail as it is sent: subject, text, HTML.
func golden(t *testing.T, name string, m monitor.Mail) {
	t.Helper()
	m.CreatedAt = marchDay
	raw := rawOf(t, &m)
	msg, err := netmail.ReadMessage(bytes.NewReader(raw))
	must(t, err)
	subject, err := new(mime.WordDecoder).DecodeHeader(msg.Header.Get("Subject"))
	must(t, err)
	body := parts(t, raw)
	for ext, got := range map[string]string{"txt": "Subject: " + subject + "\n\n" + body["text/plain"], "html": body["text/html"]} {
		path := filepath.Join("testdata", name+"."+ext)
		if os.Getenv("BUREAU_UPDATE") == "1" {
			must(t, os.WriteFile(path, []byte(got), 0o644))
			continue
		}
		want, err := os.ReadFile(path)
		must(t, err)
		if d := cmp.Diff(string(want), got); d != "" {
			t.Errorf("%s (-want +got):\n%s", path, d)
		}
	}
}

func rawOf(t testing.TB, m *monitor.Mail) []byte {
	t.Helper()
	msg, err := newMessage("Bureau <bureau@example.com>", m)
	must(t, err)
	var b bytes.Buffer
	_, err = msg.WriteTo(&b)
	must(t, err)
	return b.Bytes()
}

func TestLanguages(t *testing.T) {
	for given, want := range map[string]string{
		"": "en", "en": "en", "DE": "de", "de-AT": "de", "fr_FR": "fr", "no": "nb", "nn": "nb", "pl": "en", "x y": "en",
	} {
		if got, _ := wordsIn(given); got != want {
			t.Errorf("%q is %s, want %s", given, got, want)
		}
	}
}

func TestSubjectTemplate(t *testing.T) {
	n := someNews("en")
	n.Portfolio.Digest.Subject = "{count} in {portfolio} on {date}, {other}"
	list, err := aWriter().Digest(n)
	must(t, err)
	if got, want := list[0].Subject, "12 in Müller & Söhne on 2026-03-02, {other}"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestDigestIsCut(t *testing.T) {
	n := someNews("en")
	n.Total = 600
	for len(n.Events) < 500 {
		n.Events = append(n.Events, n.Events[0])
	}
	list, err := aWriter().Digest(n)
	must(t, err)
	for what, text := range map[string]string{"text": list[0].Text, "HTML": list[0].HTML} {
		if !strings.Contains(text, "and 100 more") || !strings.Contains(text, "/v1/monitoring/portfolios/100007/notificationEvents") {
			t.Errorf("the %s does not say that there is more", what)
		}
	}
	if rows := strings.Count(list[0].HTML, "<tr>\n<td"); rows != 500 {
		t.Errorf("%d rows", rows)
	}
}

func TestSameRecipientTwiceGetsOneMail(t *testing.T) {
	n := someNews("en")
	n.Portfolio.Digest.To = append(n.Portfolio.Digest.To, monitor.Recipient{Address: "ANN@example.com"})
	list, err := aWriter().Digest(n)
	must(t, err)
	if len(list) != 1 {
		t.Errorf("%d mails", len(list))
	}
}

// hostileTexts are texts that try to be something else than text.
var hostileTexts = []string{
	"x\r\nBcc: evil@example.org", "x\nSubject: y", "x\rTo: z", "a\u2028b", "\u202egpj.exe", "\u2066x\u2069", "x\x00y", "\xff\xfe",
	`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `{{.Token}}`, `=cmd|' /C calc'!A0`, `' onmouseover='x`,
	`" <evil@example.org>, "x`, `=?utf-8?q?x=0D=0ABcc:_evil@example.org?=`, "javascript:alert(1)", strings.Repeat("W", 5000), "</bdi></td>",
}

func TestHostileCompanyDataIsText(t *testing.T) {
	for _, s := range hostileTexts {
		n := someNews("en")
		n.Portfolio.Name = s
		e := &n.Events[0]
		e.Name, e.Old, e.New, e.Why, e.Member.Notes, e.Member.Reference, e.Member.Limit = s, s, s, s, s, s, s
		list, err := aWriter().Digest(n)
		must(t, err)
		checkMail(t, &list[0])
		i := someImport("en")
		i.Portfolio.Name, i.Problems[0].Value, i.Problems[0].Reason, i.Error = s, s, s, s
		m, err := aWriter().Import(i)
		must(t, err)
		checkMail(t, &m)
	}
}

// checkMail holds a mail to what all mails promise, whatever is in them.
func checkMail(t testing.TB, m *monitor.Mail) {
	t.Helper()
	m.CreatedAt = marchDay
	checkRaw(t, rawOf(t, m), m.To.Address, m.Unsubscribe != "")
	for _, bad := range []string{"<script", "<img", " onerror=", " onmouseover=", `href="javascript:`, "\u202e", "\u2066", "\x00", "\u2028"} {
		if strings.Contains(escapedAway(m.HTML), bad) {
			t.Errorf("the HTML holds %q", bad)
		}
	}
	for _, bad := range []string{"\u202e", "\u2066", "\x00", "\u2028", "\r"} {
		if strings.Contains(m.Text, bad) {
			t.Errorf("the text holds %q", bad)
		}
	}
}

// escapedAway is HTML without its plain text: what is left are tags, and
// characters that need a look.
func escapedAway(html string) string {
	var b strings.Builder
	in := false
	for _, r := range html {
		switch {
		case r == '<':
			in = true
		case r == '>':
			in = false
		}
		if in || r < ' ' || r > '~' {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// allowedHeaders are the headers of our mail.
var allowedHeaders = []string{
	"From", "To", "Subject", "Message-Id", "Date", "Mime-Version", "Content-Type", "Auto-Submitted", "List-Unsubscribe", "List-Unsubscribe-Post",
}

// checkRaw reads a mail as a receiver does: it has our headers and no others,
// each once, and goes to whom it was to go.
func checkRaw(t testing.TB, raw []byte, to string, canEnd bool) {
	t.Helper()
	msg, err := netmail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		t.Fatalf("the mail cannot be read: %v", err)
	}
	for name, values := range msg.Header {
		if !slices.Contains(allowedHeaders, name) || len(values) != 1 {
			t.Errorf("the mail has the header %s: %q", name, values)
		}
	}
	if got := msg.Header.Get("List-Unsubscribe") != ""; got != canEnd {
		t.Errorf("it can be ended: %v", got)
	}
	list, err := msg.Header.AddressList("To")
	if err != nil || len(list) != 1 || list[0].Address != to {
		t.Errorf("it goes to %v (%v), want %q", list, err, to)
	}
	head, _, _ := bytes.Cut(raw, []byte("\r\n\r\n"))
	for line := range bytes.SplitSeq(head, []byte("\r\n")) {
		if len(line) > 998 || bytes.ContainsAny(line, "\r\n\x00") {
			t.Errorf("a header line is %q", fmt.Sprintf("%.100s", line))
		}
	}
	parts(t, raw)
}

// FuzzMail: no name, subject, address or text makes a header, another recipient,
// or a mail that cannot be read.
func FuzzMail(f *testing.F) {
	for _, s := range hostileTexts {
		f.Add(s, s, "ann@example.com", s)
		f.Add("s", "n", s, "t")
		f.Add("s", "n", "ann@example.com"+s, "t")
	}
	f.Add("s", "n", `"quoted local"@example.com`, "t")
	f.Add("s", "n", "ann@[127.0.0.1]", "t")
	f.Add("s", "n", "Ann <ann@example.com>", "t")
	f.Add("s", "n", "a@example.com, b@example.com", "t")
	f.Fuzz(func(t *testing.T, subject, name, address, text string) {
		m := monitor.Mail{
			Key: "k", To: monitor.Recipient{First: name, Last: name, Address: address}, Subject: subject, Text: text, HTML: text,
			MessageID: "id@example.com", Unsubscribe: "https://example.com/" + name, CreatedAt: marchDay,
		}
		msg, err := newMessage("bureau@example.com", &m)
		if err != nil {
			if isBare(address) {
				t.Errorf("%q was refused: %v", address, err)
			}
			return
		}
		var b bytes.Buffer
		_, err = msg.WriteTo(&b)
		must(t, err)
		checkRaw(t, b.Bytes(), address, true)
	})
}

func TestCleanIsOneLineOfText(t *testing.T) {
	for given, want := range map[string]string{
		" a\r\n\tb ": "a b", "a\u202eb": "ab", "x\xffy": "xy", "": "", "\u2028": "", "ab cd": "ab cd", "ü\u0000": "ü",
	} {
		if got := clean(given, 10); got != want {
			t.Errorf("%q is %q, want %q", given, got, want)
		}
	}
	if got := clean("abcdef", 3); got != "abc…" {
		t.Errorf("cut to %q", got)
	}
}
