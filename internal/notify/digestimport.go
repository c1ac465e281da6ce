package notify

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"bureau/internal/job"
	"bureau/internal/monitor"
)

// importMost is how many problems of a file a mail lists. All that are known
// are where its link leads.
const importMost = 200

// importPage is what the templates of an import show.
type importPage struct {
	frame
	W         words
	Portfolio string
	ID        monitor.ImportID
	Error     string // or what else its sender should know
	Counts    []count
	Columns   []string
	Problems  []monitor.ImportProblem
	More      int64
	MoreWords string
	Link      string
}

type count struct {
	Word   string
	Number int64
}

// Import writes to whoever sent a file what became of it.
func (w *Writer) Import(n monitor.ImportNews) (monitor.Mail, error) {
	language, in := wordsIn(n.Portfolio.Digest.Language)
	p := importPage{
		frame: frame{language, in.Done}, W: in, Portfolio: clean(n.Portfolio.Name, 200), ID: n.ID, Error: clean(cmp.Or(n.Error, n.Note), 500),
		Counts: []count{
			{in.Rows, n.Rows}, {in.Added, n.Added}, {in.There, n.There}, {in.Unknown, n.Unknown}, {in.Refused, n.Refused},
		},
		Columns: []string{in.Line, in.Value, in.Reason},
		Link:    fmt.Sprintf("%s/v1/monitoring/portfolios/%d/imports/%d", w.URL, n.Portfolio.ID, n.ID),
	}
	if n.Sync {
		p.Counts = append(p.Counts, count{in.Removed, n.Removed}, count{in.Kept, n.Kept})
	}
	if n.State == string(job.Failed) {
		p.Title = in.Undone
	}
	if p.Portfolio == "" {
		p.Portfolio = strconv.FormatInt(int64(n.Portfolio.ID), 10)
	}
	for _, problem := range n.Problems[:min(len(n.Problems), importMost)] {
		problem.Value, problem.Reason = clean(problem.Value, 100), clean(problem.Reason, 300)
		p.Problems = append(p.Problems, problem)
	}
	p.More = n.Unknown + n.Refused - int64(len(p.Problems))
	p.MoreWords = strings.ReplaceAll(in.More, "{count}", strconv.FormatInt(p.More, 10))
	text, html, err := render("import", p)
	if err != nil {
		return monitor.Mail{}, fmt.Errorf("write what became of an import: %w", err)
	}
	m := monitor.Mail{
		Key: monitor.ImportKey(n.ID), Kind: monitor.ImportMail, Customer: n.Portfolio.Customer, Portfolio: n.Portfolio.ID,
		To: monitor.Recipient{Address: n.To}, Subject: clean(p.Title+": "+p.Portfolio, 200), Text: text, HTML: html,
	}
	m.MessageID = w.messageIDOf(m.Key)
	return m, nil
}
