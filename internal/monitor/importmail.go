package monitor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/job"
)

// ImportMails tells those who sent a file, and left an address, what became of
// it. An import that ended says so in the database for a month; from there the
// mail is made once, whoever looks, however the import ended.
type ImportMails struct {
	Store ImportMailStore
	Write func(ImportNews) (Mail, error) // its key is ImportKey's
	Now   func() time.Time

	seen time.Time // imports that ended long before it were told of
}

// ImportMailStore is what ImportMails asks of a database.
type ImportMailStore interface {
	// EndedTasks lists the tasks of some kinds that ended at a time or later
	// and about which no mail was made, those that ended first before others.
	EndedTasks(ctx context.Context, kinds []string, from time.Time) ([]job.Task, error)

	// AnyPortfolio returns a customer's portfolio.
	AnyPortfolio(ctx context.Context, of auth.CustomerID, id PortfolioID) (Portfolio, error)

	KeepMails(ctx context.Context, list []Mail) error
}

// ImportNews is what became of an import.
type ImportNews struct {
	Import
	To        string
	Portfolio Portfolio // without a name if it is gone
}

// ImportKey is the key of the mail about an import.
func ImportKey(id ImportID) string { return fmt.Sprint("import ", id) }

// seenAgain is how far it looks back each time: nodes' clocks differ, and an
// end is visible a moment after its time.
const seenAgain = 10 * time.Minute

// Step tells of the imports that ended since the last one.
func (m *ImportMails) Step(ctx context.Context) error {
	now := m.Now()
	if m.seen.IsZero() {
		m.seen = now.Add(-MailWaitsFor)
	}
	ended, err := m.Store.EndedTasks(ctx, []string{importKind, syncKind}, m.seen)
	if err != nil {
		return err
	}
	var failed []error
	for _, t := range ended {
		if err := m.tell(ctx, t); err != nil {
			failed = append(failed, fmt.Errorf("mail about import %d: %w", t.ID, err))
		}
	}
	if len(failed) == 0 {
		m.seen = now.Add(-seenAgain)
	}
	return errors.Join(failed...)
}

func (m *ImportMails) tell(ctx context.Context, t job.Task) error {
	var in importInput
	if err := json.Unmarshal(t.Input, &in); err != nil || in.Email == "" {
		return err
	}
	i, err := toImport(t)
	if err != nil {
		return err
	}
	n := ImportNews{Import: i, To: in.Email}
	n.Portfolio, err = m.Store.AnyPortfolio(ctx, auth.CustomerID(t.Customer), in.Portfolio)
	if err != nil && !errors.Is(err, fault.Missing) {
		return err
	}
	n.Portfolio.ID, n.Portfolio.Customer = in.Portfolio, auth.CustomerID(t.Customer)
	mail, err := m.Write(n)
	if err != nil {
		return err
	}
	return m.Store.KeepMails(ctx, []Mail{mail})
}
