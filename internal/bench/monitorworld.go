package bench

import (
	"context"
	"fmt"
	"strings"
	"time"

	"bureau/internal/company"
	"bureau/internal/kyc"
)

// A watched is a database full of portfolios, made once for an engine: its
// companies, who watches them by which rules, and a log of changes that nobody
// has evaluated yet.
type watched struct {
	place
	db database

	companies, portfolios, each int // each: companies in a portfolio
	mixed, told                 int // changes: of all kinds, and then some that everyone is told of
}

// watchedWorld makes one, with all that the promise names, or a hundredth of it.
func (t *site) watchedWorld(ctx context.Context) (*watched, error) {
	if w := t.w.watched[t.engine]; w != nil {
		return w, nil
	}
	w := &watched{companies: 1_000_000, portfolios: 20_000, each: 250, mixed: 400_000, told: 40_000}
	if t.s.Small {
		w.companies, w.portfolios = w.companies/100, w.portfolios/100
	}
	began := time.Now()
	var err error
	if w.place, err = t.w.newPlace(ctx, "watched", t.engine); err != nil {
		return nil, err
	}
	if err := w.run(ctx, "", nil, "migrate"); err != nil {
		return nil, err
	}
	if w.db, err = openDatabase(ctx, w.address()); err != nil {
		return nil, err
	}
	for _, statement := range w.statements() {
		if err := w.db.exec(ctx, statement); err != nil {
			return nil, fmt.Errorf("%.60s…: %w", strings.TrimSpace(statement), err)
		}
	}
	if err := w.startOnce(ctx); err != nil {
		return nil, err
	}
	if t.w.watched == nil {
		t.w.watched = map[string]*watched{}
	}
	t.w.watched[t.engine] = w
	t.w.say("%s: %d companies in %d portfolios of %d, made in %v",
		t.engine, w.companies, w.portfolios, w.each, time.Since(began).Round(time.Second))
	return w, nil
}

// startOnce lets a server do what it does once: it reads all names into its index, which
// it then finds in a file.
func (w *watched) startOnce(ctx context.Context) error {
	if err := w.rewind(ctx, w.mixed+w.told); err != nil {
		return err
	}
	s, err := w.serve(ctx)
	if err != nil {
		return err
	}
	defer s.stop()
	return s.awaitRest(ctx, false)
}

// firstPortfolio is the number of the first one.
const firstPortfolio = 100_001

// bytesOf says a text as bytes, in the words of the engine.
func (w *watched) bytesOf(text string) string {
	if w.place.db != "" {
		return "CAST('" + text + "' AS BYTEA)"
	}
	return "CAST('" + text + "' AS BLOB)"
}

// numbers is a table n of the numbers i from 0 to below count.
func numbers(count int) string {
	return fmt.Sprintf("WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %d)", count-1)
}

// companyOf is a company's ID from an expression for its place in the register.
func (w *watched) companyOf(expression string) string {
	return fmt.Sprintf("'GB-0-' || substr(CAST(100000000 + (%s) %% %d AS TEXT), 2)", expression, w.companies)
}

// statements fill the database straight, in the order of each table's key.
func (w *watched) statements() []string {
	const at = 1_760_000_000_000 // some day
	out := []string{
		// What says nothing of accounts is what an import writes. The table's own default is for
		// companies that an upgrade found, and a node looks at all of those when it starts.
		fmt.Sprintf(`INSERT INTO company (id, country, name, status, said, band, accounts_due) %s
			SELECT %s, 'GB', 'Example Trading ' || i || ' Ltd', 'Active', %s, 'B', '' FROM n`,
			numbers(w.companies), w.companyOf("i"), w.bytesOf("[]")),
		fmt.Sprintf(`INSERT INTO portfolio (id, customer, account, name, is_default, subject, language, frequency, recipients, created_at, changed_at) %s
			SELECT %d + i, 1000 + i / 20, 2000 + i / 4, 'list ' || i, 0, '', 'en', 0, '[]', %d, %d FROM n`,
			numbers(w.portfolios), firstPortfolio, at, at),
		// Every portfolio holds as many, spread over the whole register; a
		// company is in about as many as another.
		fmt.Sprintf(`INSERT INTO member (customer, portfolio, company, reference, notes, own_limit, added_at, changed_at)
			%s, j(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM j WHERE i < %d)
			SELECT 1000 + n.i / 20, %d + n.i, %s, '', '', '', %d, %d FROM n CROSS JOIN j`,
			numbers(w.portfolios), w.each-1, firstPortfolio, w.companyOf("n.i * 97 + j.i * 4001"), at, at),
		`INSERT INTO watcher (company, portfolio, since, until, customer)
			SELECT company, portfolio, 0, 9223372036854775807, customer FROM member ORDER BY company, portfolio`,
		w.settings(),
		w.changes(at),
		fmt.Sprintf(`UPDATE monitor_log SET last_number = %d WHERE name = 'portfolio'`, w.portfolios),
		fmt.Sprintf(`UPDATE monitor_log SET last_number = %d WHERE name = 'setting'`, 2*w.portfolios),
		fmt.Sprintf(`UPDATE change_log SET last_number = %d`, w.mixed+w.told),
	}
	// Others who follow the log have read it: evaluation is what is measured.
	for _, reader := range []string{company.KeyReader, company.ScorerName, kyc.FirmReader, kyc.ListedFirmReader} {
		out = append(out, fmt.Sprintf(`INSERT INTO place (name, number) VALUES ('%s', %d) ON CONFLICT (name) DO UPDATE SET number = excluded.number`, reader, w.mixed+w.told))
	}
	return append(out, w.settle()...)
}

// settle are the statements after which a database that was just filled is as
// fast as one that was filled long ago: no log that is still to be folded into
// the file, and no guesses at how much there is.
func (p place) settle() []string {
	if p.db == "" {
		return []string{"ANALYZE", "PRAGMA wal_checkpoint(TRUNCATE)"}
	}
	return []string{"VACUUM ANALYZE"}
}

// ruleRows are 128 settings: rules without parameters, and others with many.
func ruleRows() (out []string) {
	add := func(country string, code int, values ...string) {
		for len(values) < 3 {
			values = append(values, "")
		}
		out = append(out, fmt.Sprintf("(%d, '%s', %d, '%s', '%s', '%s')", len(out), country, code, values[0], values[1], values[2]))
	}
	for _, code := range []int{
		104, 105, 107, 5001, 5002, 5003, 5004, 5005, 5006, 5007, 5008, 5009, 5010, 5011, 5012, 5013, 5014, 5015,
		5020, 5021, 5022, 5023, 5030, 5031, 5032, 5035, 5036, 5037, 5040, 5041, 5042, 5050, 5051, 5052, 5053, 5054, 5055, 5070, 5071, 5072,
	} {
		add("XX", code)
	}
	for _, below := range []string{"", "A", "B", "C", "D"} {
		for by := 1; by <= 4; by++ {
			add("XX", 101, fmt.Sprint(by), below, "true")
		}
	}
	for by := 5; by <= 100; by += 5 {
		add("XX", 102, "false", fmt.Sprint(by))
		add("XX", 5060, fmt.Sprint(by))
	}
	for by := 3; by <= 84; by += 3 {
		add("GB", 1801, fmt.Sprint(by))
	}
	return out
}

// settings switches one of the 128 on in every third portfolio, so that one
// change in fifty fires, and in all of them the one that the last changes are
// about.
func (w *watched) settings() string {
	return fmt.Sprintf(`INSERT INTO rule_setting (id, portfolio, country, code, param0, param1, param2, since, until, number)
		%s, r(k, country, code, p0, p1, p2) AS (VALUES %s)
		SELECT i + 1, %d + i, r.country, r.code, r.p0, r.p1, r.p2, 0, 9223372036854775807, i + 1 FROM n JOIN r ON r.k = n.i %% 128 WHERE i %% 3 = 0
		UNION ALL
		SELECT %d + i + 1, %d + i, 'XX', 5080, '', '', '', 0, 9223372036854775807, %d + i + 1 FROM n`,
		numbers(w.portfolios), strings.Join(ruleRows(), ", "), firstPortfolio, w.portfolios, firstPortfolio, w.portfolios)
}

// changes writes the log. Half of the mixed ones are of fields that some
// portfolios have rules for; the others are of fields that nobody watches.
func (w *watched) changes(at int64) string {
	kinds := []string{
		"'name', '', 'Former Name Ltd', 'Present Name Ltd'", "'status', '', 'Active', 'NonActive'",
		"'address', 'registered', '1 High Street, Leeds', '22 Station Road, York'",
		"'officerAppointed', 'x1', '', 'Ada Brook, director'", "'officerResigned', 'x2', 'Ben Cole, director', ''",
		"'activity', '', '62010', '62020'", "'filing', 'f1', '', 'Annual return'", "'capital', '', '100 GBP', '1000 GBP'",
		"'band', '', 'B', 'C'", "'score', '', '64', '58'",
		"'accountsDue', '', '2026-09-30', '2027-09-30'", "'returnDue', '', '2026-03-01', '2027-03-01'",
		"'founded', '', '2001-01-01', '2001-01-02'", "'kind', '', 'Company', 'Branch'", "'dissolvedOn', '', '', '2026-01-01'",
		"'registryText', '', 'on file', 'on file, amended'", "'withheld', '', '', 'yes'", "'sicText', '', 'a', 'b'",
		"'jurisdiction', '', 'England', 'Wales'", "'lastSeen', '', '2026-01-01', '2026-01-02'",
	}
	rows := make([]string, len(kinds))
	for i, k := range kinds {
		rows[i] = fmt.Sprintf("(%d, %s)", i, k)
	}
	return fmt.Sprintf(`INSERT INTO change (number, company, field, item, old, new, source, at)
		%s, k(k, field, item, old, new) AS (VALUES %s)
		SELECT i + 1, %s, CASE WHEN i < %d THEN k.field ELSE 'listed' END, k.item, k.old, k.new, 'bench', %d + i * 1000
		FROM n JOIN k ON k.k = (n.i * 7 + n.i / 20) %% %d ORDER BY i`,
		numbers(w.mixed+w.told), strings.Join(rows, ", "), w.companyOf("CAST(i AS BIGINT) * 7919"), w.mixed, at, len(kinds))
}
