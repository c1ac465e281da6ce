package notify

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	htmltemplate "html/template"
	"net/url"
	"strconv"
	"strings"
	texttemplate "text/template"
	"time"

	"bureau/internal/monitor"
)

// A Writer writes the mail of the house: digests, what became of imports, and
// warnings to the operator.
type Writer struct {
	URL      string // of the service; links begin with it
	Host     string // behind the @ of message ids
	Operator string // who is warned

	// Token is what stands in the link by which a recipient ends a digest.
	Token func(id monitor.PortfolioID, address string) string
}

//go:embed templates
var templateFiles embed.FS

// Company data is text in either form: html/template escapes it for where it
// stands, and clean took away what would reorder a line.
var (
	htmlMails = htmltemplate.Must(htmltemplate.ParseFS(templateFiles, "templates/*.html"))
	textMails = texttemplate.Must(texttemplate.ParseFS(templateFiles, "templates/*.txt"))
)

// render writes a mail in both forms.
func render(name string, data any) (text, html string, err error) {
	var t, h bytes.Buffer
	if err := textMails.ExecuteTemplate(&t, name+".txt", data); err != nil {
		return "", "", err
	}
	if err := htmlMails.ExecuteTemplate(&h, name+".html", data); err != nil {
		return "", "", err
	}
	return t.String(), h.String(), nil
}

// messageIDOf is the same whenever it is asked for a mail, so that receivers
// know one that comes again.
func (w *Writer) messageIDOf(key string) string {
	sum := sha256.Sum256([]byte(w.URL + "\n" + key))
	return hex.EncodeToString(sum[:16]) + "@" + w.Host
}

// A frame is what stands around every mail.
type frame struct{ Language, Title string }

// digestPage is what the templates of a digest show.
type digestPage struct {
	frame
	W           words
	Portfolio   string
	Total       int64
	Date        string
	Columns     []string
	Rows        []digestRow
	More        int64
	MoreWords   string
	Link        string // to all events of the portfolio
	Unsubscribe string
}

type digestRow struct {
	Name, Numbers, Link     string
	Reference, Limit, Notes string
	Event, Old, New, At     string
	Why                     string
}

// Digest writes a mail to each recipient of a portfolio.
func (w *Writer) Digest(n monitor.DigestNews) ([]monitor.Mail, error) {
	p := w.digestPage(n)
	var out []monitor.Mail
	seen := map[string]bool{}
	for _, to := range n.Portfolio.Digest.To {
		address := strings.ToLower(to.Address)
		if seen[address] {
			continue
		}
		seen[address] = true
		p.Unsubscribe = fmt.Sprintf("%s/unsubscribe/%s?language=%s", w.URL, w.Token(n.Portfolio.ID, to.Address), p.Language)
		text, html, err := render("digest", p)
		if err != nil {
			return nil, fmt.Errorf("write a digest: %w", err)
		}
		m := monitor.Mail{
			Key: digestKey(n, address), Kind: monitor.DigestMail, Customer: n.Portfolio.Customer, Portfolio: n.Portfolio.ID,
			To: to, Subject: subject(n.Portfolio.Digest.Subject, p), Text: text, HTML: html, Unsubscribe: p.Unsubscribe,
		}
		m.MessageID = w.messageIDOf(m.Key)
		out = append(out, m)
	}
	return out, nil
}

// digestKey names a digest by what it goes on from, and its recipient by a
// fingerprint: two nodes that make it at once make it once.
func digestKey(n monitor.DigestNews, address string) string {
	sum := sha256.Sum256([]byte(address))
	return fmt.Sprintf("digest %d %d %d %s", n.Portfolio.ID, n.Day, n.After, hex.EncodeToString(sum[:8]))
}

func (w *Writer) digestPage(n monitor.DigestNews) digestPage {
	language, in := wordsIn(n.Portfolio.Digest.Language)
	p := digestPage{
		frame: frame{language, in.Title}, W: in, Portfolio: clean(n.Portfolio.Name, 200), Total: n.Total,
		Date:    n.LastAt.UTC().Format(time.DateOnly),
		Columns: []string{in.Company, in.Reference, in.Limit, in.Notes, in.Event},
		Link:    fmt.Sprintf("%s/v1/monitoring/portfolios/%d/notificationEvents", w.URL, n.Portfolio.ID),
		More:    n.Total - int64(len(n.Events)),
	}
	p.MoreWords = strings.ReplaceAll(in.More, "{count}", strconv.FormatInt(p.More, 10))
	for i := range n.Events {
		p.Rows = append(p.Rows, w.digestRow(&n.Events[i]))
	}
	return p
}

func (w *Writer) digestRow(e *monitor.DigestEvent) digestRow {
	name := string(e.Field)
	if r, ok := monitor.FindRule(e.Country, e.Rule); ok {
		name, _, _ = strings.Cut(r.Name, " | ")
	}
	return digestRow{
		Name: clean(e.Name, 200), Numbers: clean(numbers(&e.Event), 100), Link: w.URL + "/v1/companies/" + url.PathEscape(string(e.Company)),
		Reference: clean(e.Member.Reference, 200), Limit: clean(e.Member.Limit, 50), Notes: clean(e.Member.Notes, 300),
		Event: clean(name, 200), Old: orDash(clean(e.Old, 300)), New: orDash(clean(e.New, 300)),
		At: e.At.UTC().Format(time.DateOnly), Why: clean(e.Why, 300),
	}
}

// numbers are the number of a company in the register, and its safe number.
func numbers(e *monitor.Event) string { return e.Company.Number() + "/" + e.SafeNumber() }

func orDash(s string) string {
	if s == "" {
		return "–"
	}
	return s
}

// subject fills in a customer's subject, or the usual one.
func subject(template string, p digestPage) string {
	if strings.TrimSpace(template) == "" {
		template = p.W.Title + ": {portfolio} ({count})"
	}
	return clean(strings.NewReplacer(
		"{portfolio}", p.Portfolio, "{count}", strconv.FormatInt(p.Total, 10), "{date}", p.Date).Replace(template), 200)
}
