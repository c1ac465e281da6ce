package store

import (
	"context"
	"fmt"
	"strings"
)

// A belonging says that rows of a table belong to rows of another. Several columns
// stand with commas between them. In the conditions the row itself is called c, and
// the one it belongs to p.
type belonging struct {
	table, columns string
	to, keys       string
	when           string // which rows belong to another; all if there is nothing
	counts         string // which others count
	says           string // what is wrong with those that belong to none
	do             string // what puts it right, if it is known
}

// belongings are all pairs of tables that the schema implies, but for what stays
// behind by design: the changes, members, numbers and documents of a company that left
// the register; what a person asked of us, and what was told of them; deliveries and
// mail of events and portfolios that are gone; places of digests, reports and batches,
// which others tidy later; files of tasks that a purge took; entries of the audit log,
// which has its own sums.
var belongings = []belonging{
	{table: "account", columns: "customer", to: "customer", keys: "id"},
	{table: "console_session", columns: "account", to: "account", keys: "id"},
	{table: "console_code", columns: "account", to: "account", keys: "id"},
	{table: "idempotent_reply", columns: "account", to: "account", keys: "id"},
	{table: "call_count", columns: "account", to: "account", keys: "id"},
	{table: "usage", columns: "customer", to: "customer", keys: "id"},
	{table: "usage", columns: "account", to: "account", keys: "id"},
	{table: "task", columns: "customer", to: "customer", keys: "id", when: "c.customer <> 0"},
	{table: "task", columns: "account", to: "account", keys: "id", when: "c.account <> 0"},
	{table: "file", columns: "task", to: "task", keys: "id", when: "c.task > 0"},
	{table: "file_chunk", columns: "file", to: "file", keys: "id"},
	{table: "mail", columns: "customer", to: "customer", keys: "id", when: "c.customer <> 0"},

	{table: "portfolio", columns: "customer", to: "customer", keys: "id"},
	{table: "portfolio", columns: "account", to: "account", keys: "id"},
	{table: "portfolio_share", columns: "portfolio", to: "portfolio", keys: "id"},
	{table: "portfolio_share", columns: "account", to: "account", keys: "id"},
	{table: "rule_setting", columns: "portfolio", to: "portfolio", keys: "id"},
	{table: "quiet", columns: "portfolio", to: "portfolio", keys: "id"},
	{table: "member", columns: "portfolio", to: "portfolio", keys: "id"},
	{table: "watcher", columns: "portfolio", to: "portfolio", keys: "id"},
	{
		table: "member", columns: "portfolio, company", to: "watcher", keys: "portfolio, company", counts: "p.until = 9223372036854775807",
		says: "are watched by nobody, so that no event tells of them",
		do:   "take them out of their portfolios and put them in again",
	},
	{
		table: "watcher", columns: "portfolio, company", to: "member", keys: "portfolio, company", when: "c.until = 9223372036854775807",
		says: "watch a company that is not in the portfolio",
	},
	{table: "event", columns: "portfolio", to: "portfolio", keys: "id", when: "c.portfolio >= 0"},
	{
		table: "event", columns: "customer", to: "customer", keys: "id", when: "c.portfolio < 0", counts: "c.portfolio = -p.id",
		says: "are alerts of a customer that is not there, or is another's",
	},
	{table: "webhook", columns: "customer", to: "customer", keys: "id"},
	{table: "webhook", columns: "account", to: "account", keys: "id"},
	{table: "delivery", columns: "webhook", to: "webhook", keys: "id"},

	{table: "company_ident", columns: "company", to: "company", keys: "id"},
	{table: "statement", columns: "company", to: "company", keys: "id"},
	// Their reader takes them away, some time after the company has left.
	{
		table: "search_key", columns: "company", to: "company", keys: "id",
		when: `NOT EXISTS (SELECT 1 FROM change AS h WHERE h.company = c.company AND h.field = 'removed'
			AND h.number > COALESCE((SELECT number FROM place WHERE name = 'search keys'), 0))`,
	},
	// This is how what else there is of a company has it: its members and documents stay
	// when it leaves, and documents may come before it.
	{
		table: "change", columns: "company", to: "company", keys: "id",
		when: `c.field = 'added' AND NOT EXISTS (SELECT 1 FROM change AS h WHERE h.company = c.company AND h.field = 'removed'
			AND h.number > c.number)`,
		says: "added a company that is not there, and that never left the register",
	},
	{table: "document", columns: "file", to: "file", keys: "id"},
	{table: "consumer_change", columns: "consumer", to: "consumer", keys: "id"},
	// Who objected is still to be found by these, whether we know them or not.
	{
		table: "consumer_key", columns: "consumer", to: "consumer", keys: "id",
		when: `NOT EXISTS (SELECT 1 FROM consumer_right AS h WHERE h.consumer = c.consumer)`,
	},
	{table: "identity_search", columns: "customer", to: "customer", keys: "id"},
	{table: "consumer_letter", columns: "customer", to: "customer", keys: "id", when: "c.customer <> 0"},
	{table: "bank_verification", columns: "customer", to: "customer", keys: "id"},
	{table: "bank_match", columns: "customer", to: "customer", keys: "id"},

	{table: "screening_list", columns: "version", to: "list_version", keys: "number", when: "c.version <> 0"},
	{table: "list_version", columns: "list", to: "screening_list", keys: "name"},
	{table: "list_entry", columns: "list", to: "screening_list", keys: "name"},
	{table: "entry_version", columns: "entry", to: "list_entry", keys: "id"},
	{table: "entry_version", columns: "list", to: "screening_list", keys: "name"},
	{table: "entry_change", columns: "entry", to: "list_entry", keys: "id"},
	{table: "entry_change", columns: "version", to: "list_version", keys: "number"},

	{table: "kyc_setting", columns: "customer", to: "customer", keys: "id"},
	{table: "kyc_subject", columns: "customer", to: "customer", keys: "id"},
	{table: "kyc_search", columns: "customer", to: "customer", keys: "id"},
	{table: "kyc_search", columns: "customer, sought", to: "kyc_subject", keys: "customer, sought"},
	{table: "kyc_search", columns: "schedule", to: "kyc_schedule", keys: "id", when: "c.schedule <> ''"},
	{table: "kyc_hit", columns: "search", to: "kyc_search", keys: "id"},
	{table: "kyc_hit", columns: "entry", to: "list_entry", keys: "id"},
	{table: "kyc_decision", columns: "hit", to: "kyc_hit", keys: "id"},
	{table: "kyc_schedule", columns: "customer", to: "customer", keys: "id"},
	{table: "kyc_schedule", columns: "search", to: "kyc_search", keys: "id", when: "c.search <> ''"}, // one that ended has none
	{
		table: "kyc_schedule", columns: "id, version", to: "kyc_watch", keys: "schedule, version", when: "c.search <> ''",
		says: "are not watched for, so that no alert tells of them",
		do:   "change them, and they are again",
	},
	{table: "kyc_watch", columns: "schedule, version", to: "kyc_schedule", keys: "id, version"},
	{table: "kyc_profile", columns: "customer", to: "customer", keys: "id"},
	{table: "kyc_note", columns: "profile", to: "kyc_profile", keys: "id"},
	{table: "kyc_profile_search", columns: "profile", to: "kyc_profile", keys: "id"},
	{table: "kyc_profile_search", columns: "search", to: "kyc_search", keys: "id"},
	{table: "kyc_report", columns: "customer", to: "customer", keys: "id"},
	{table: "kyc_batch", columns: "customer", to: "customer", keys: "id"},
	{table: "kyc_batch_row", columns: "batch", to: "kyc_batch", keys: "id"},
}

// early are documents that came before their companies, which is allowed, or that
// somebody gave to a company that never was.
var early = belonging{
	table: "document", columns: "company", to: "company", keys: "id",
	when: `NOT EXISTS (SELECT 1 FROM change AS h WHERE h.company = c.company)`,
	says: "are of a company that was never in the register",
}

func (db *DB) inspectRows(ctx context.Context, t tx) (Check, error) {
	c := Check{Says: fmt.Sprintf("each belongs to another that is there, in %d ways", len(belongings))}
	for _, b := range belongings {
		said, err := b.lost(ctx, t)
		if err != nil {
			return c, fmt.Errorf("%s: %w", b.table, err)
		}
		c.Wrong = append(c.Wrong, said...)
	}
	var err error
	if c.Notes, err = early.lost(ctx, t); err != nil || db.d.name != "postgres" {
		return c, err // the key of the table sees to what follows
	}
	var n int64
	var example *string
	err = t.QueryRow(ctx, `
		SELECT COUNT(*), MIN(k.source || ' ' || k.key)
		FROM (SELECT source, key FROM statement GROUP BY source, key HAVING COUNT(*) > 1) AS k`).Scan(&n, &example)
	if err == nil && n > 0 {
		c.Wrong = append(c.Wrong, fmt.Sprintf("%d keys of statement are of several companies, such as %s", n, *example))
	}
	return c, err
}

// lost says how many rows belong to none, if there are any.
func (b belonging) lost(ctx context.Context, t tx) ([]string, error) {
	columns, keys := strings.Split(b.columns, ", "), strings.Split(b.keys, ", ")
	var same []string
	for i, column := range columns {
		same = append(same, fmt.Sprintf("p.%s = c.%s", keys[i], column))
	}
	if b.counts != "" {
		same = append(same, b.counts)
	}
	where := fmt.Sprintf("NOT EXISTS (SELECT 1 FROM %s AS p WHERE %s)", b.to, strings.Join(same, " AND "))
	if b.when != "" {
		where += " AND " + b.when
	}
	var n int64
	var example *string
	err := t.QueryRow(ctx, fmt.Sprintf(`SELECT COUNT(*), MIN(%s) FROM %s AS c WHERE %s`, shown(columns), b.table, where)).Scan(&n, &example)
	if err != nil || n == 0 {
		return nil, err
	}
	says := b.says
	if says == "" {
		says = fmt.Sprintf("name a %s in %s that is not there", b.to, b.columns)
	}
	out := fmt.Sprintf("%d of %s %s, such as %s", n, b.table, says, *example)
	if b.do != "" {
		out += "; " + b.do
	}
	return []string{out}, nil
}

// shown are columns of a row as one text.
func shown(columns []string) string {
	return "CAST(c." + strings.Join(columns, " AS TEXT) || ' ' || CAST(c.") + " AS TEXT)"
}
