package store

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"bureau/internal/store/storetest"
)

// How the tables lie on a distributed PostgreSQL, which docs/scaling.md explains
// and deploy/citus.sql does. A table is in one of three lists.

// A group is the tables whose rows with the same value lie on the same machine: they
// can be joined there. Each is spread by the column behind its name.
type group struct {
	of     string // what the column holds
	tables map[string]string
}

var spread = []group{
	{"company", map[string]string{
		"company": "id", "company_ident": "company", "statement": "company",
		"change": "company", "search_key": "company", "document": "company", "watcher": "company",
	}},
	{"customer", map[string]string{
		"portfolio": "customer", "portfolio_share": "customer", "member": "customer", "event": "customer",
		"event_total": "customer", "delivery": "customer", "usage": "customer",
		"kyc_subject": "customer", "kyc_search": "customer", "kyc_hit": "customer", "kyc_decision": "customer",
		"kyc_schedule": "customer", "kyc_watch": "customer", "kyc_profile": "customer", "kyc_note": "customer",
		"kyc_profile_search": "customer", "kyc_report": "customer", "kyc_batch": "customer", "kyc_batch_row": "customer",
		"bank_verification": "customer", "bank_match": "customer", "identity_search": "customer", "consumer_letter": "customer",
	}},
	{"person", map[string]string{
		"consumer": "id", "consumer_key": "consumer", "consumer_right": "consumer", "consumer_change": "consumer",
	}},
	{"file", map[string]string{"file": "id", "file_chunk": "file"}},
	{"account at a bank", map[string]string{"bank_record": "key"}},
}

// everywhere are small tables that others are joined with: each machine has them
// whole.
var everywhere = strings.Fields(`
	customer account webhook rule_setting quiet kyc_setting
	screening_list list_version list_entry entry_version entry_change modulus_table`)

// inOnePlace stay on the machine that nodes connect to: what is locked, counted or
// chained by everybody, and what is gone after some days.
var inOnePlace = strings.Fields(`
	schema_version setting record signing_key revoked_token login_attempts audit audit_signed audit_gone call_count
	idempotent_reply console_session console_code change_log monitor_log list_log task_counter
	import fetched lease place trouble task mail digest company_number`)

// columnOf is the column by which a table is spread.
func columnOf() map[string]string {
	out := map[string]string{}
	for _, g := range spread {
		maps.Copy(out, g.tables)
	}
	return out
}

// A keyed is what a distributed PostgreSQL asks of a table.
type keyed struct {
	columns map[string]string // and the type and collation of each
	unique  [][]string        // the columns of each key and unique index
	policy  string            // the conditions of its policies
}

func readKeys(t *testing.T, db *DB) map[string]keyed {
	t.Helper()
	out := map[string]keyed{}
	err := each(t.Context(), db, func(r row) error {
		var table, column, is string
		if err := r.Scan(&table, &column, &is); err != nil {
			return err
		}
		if out[table].columns == nil {
			out[table] = keyed{columns: map[string]string{}}
		}
		out[table].columns[column] = is
		return nil
	}, `
		SELECT c.relname::text, a.attname::text, format_type(a.atttypid, a.atttypmod) || ' ' || COALESCE(l.collname::text, '')
		FROM pg_class AS c
		JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
		LEFT JOIN pg_collation AS l ON l.oid = a.attcollation
		WHERE c.relnamespace = to_regnamespace(quote_ident(current_schema())) AND c.relkind IN ('r', 'p') AND NOT c.relispartition`)
	if err != nil {
		t.Fatal(err)
	}
	err = each(t.Context(), db, func(r row) error {
		var table, columns, policy string
		if err := r.Scan(&table, &columns, &policy); err != nil {
			return err
		}
		if k, ok := out[table]; ok {
			k.unique = append(k.unique, strings.Fields(columns))
			k.policy = policy
			out[table] = k
		}
		return nil
	}, `
		SELECT c.relname::text, string_agg(a.attname::text, ' '),
		       COALESCE((SELECT string_agg(pg_get_expr(p.polqual, p.polrelid), ' ') FROM pg_policy AS p WHERE p.polrelid = c.oid), '')
		FROM pg_class AS c
		JOIN pg_index AS i ON i.indrelid = c.oid AND i.indisunique
		JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = ANY(i.indkey)
		GROUP BY c.oid, c.relname, i.indexrelid
		ORDER BY c.relname, i.indexrelid`)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// lacks says what keeps a table from being spread by a column, or from being
// everywhere if there is none. Its neighbours have a column such as like.
func (k keyed) lacks(column, like string) (out []string) {
	if strings.Contains(k.policy, "SELECT") {
		out = append(out, "its policy has a subquery")
	}
	if column == "" {
		return out
	}
	is, there := k.columns[column]
	switch {
	case !there:
		return append(out, "no column "+column)
	case like != "" && is != like:
		out = append(out, column+" is sorted or typed unlike its neighbours'")
	}
	for _, u := range k.unique {
		if !slices.Contains(u, column) {
			out = append(out, "a unique key without "+column)
			break
		}
	}
	return out
}

// checkSchema compares what tables lack with what is known that they lack, and
// complains of every difference.
func checkSchema(schema map[string]keyed, known map[string]string) (out []string) {
	found := map[string]string{}
	for name, list := range map[string][]string{"everywhere": everywhere, "in one place": inOnePlace} {
		for _, table := range list {
			if _, ok := schema[table]; !ok {
				out = append(out, table+" is no table, and is to be "+name)
			}
		}
	}
	for _, table := range everywhere {
		found[table] = strings.Join(schema[table].lacks("", ""), "; ")
	}
	columns := columnOf()
	for _, g := range spread {
		like := ""
		if g.of == "company" {
			like = schema["company"].columns["id"]
		}
		for table, column := range g.tables {
			found[table] = strings.Join(schema[table].lacks(column, like), "; ")
		}
	}
	for table := range schema {
		places := 0
		for _, is := range []bool{columns[table] != "", slices.Contains(everywhere, table), slices.Contains(inOnePlace, table)} {
			places += b2i(is)
		}
		if places != 1 {
			out = append(out, fmt.Sprintf("%s has %d places on a distributed PostgreSQL, want one", table, places))
		}
	}
	for table, lack := range found {
		if lack != known[table] {
			out = append(out, fmt.Sprintf("%s lacks %q, and is known to lack %q", table, lack, known[table]))
		}
	}
	for table := range known {
		if _, ok := found[table]; !ok {
			out = append(out, table+" is known to lack something, and is not distributed")
		}
	}
	slices.Sort(out)
	return out
}

// Every table has its place, and every large one its distribution column in all of
// its keys, but for those that are known not to have it.
func TestKeysAreDistributed(t *testing.T) {
	for _, complaint := range checkSchema(readKeys(t, open(t, storetest.Postgres(t))), lacking) {
		t.Error(complaint)
	}
}

func TestLackingKeysAreFound(t *testing.T) {
	db := open(t, storetest.Postgres(t))
	err := db.write(t.Context(), func(q tx) error {
		for _, query := range []string{
			`CREATE TABLE visit (id BIGINT PRIMARY KEY, company TEXT NOT NULL)`,
			`CREATE UNIQUE INDEX usage_day ON usage (day)`,
			`ALTER TABLE document ALTER COLUMN company TYPE TEXT COLLATE "POSIX"`,
			`CREATE POLICY other ON search_key USING (company IN (SELECT c.id FROM company AS c))`,
		} {
			if _, err := q.Exec(t.Context(), query); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	got := checkSchema(readKeys(t, db), map[string]string{"statement": "a unique key without company", "visit": "a unique key"})
	want := []string{
		`document lacks "company is sorted or typed unlike its neighbours'", and is known to lack ""`,
		`search_key lacks "its policy has a subquery", and is known to lack ""`,
		`statement lacks "", and is known to lack "a unique key without company"`,
		`usage lacks "a unique key without customer", and is known to lack ""`,
		`visit has 0 places on a distributed PostgreSQL, want one`,
		`visit is known to lack something, and is not distributed`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// touched finds the tables that a statement names, each with what it calls them.
var touched = regexp.MustCompile(`\b(FROM|JOIN|INTO|UPDATE|USING)\s+(\w+)(?:\s+(?:AS\s+)?(\w+))?`)

// strays returns the large tables that a statement touches without saying on which
// machine: by an equality of the distribution column, or by its value in a new row.
// Rows that are added without a statement, in bulk, cannot lack it: the schema
// refuses them.
func strays(text string) (out []string) {
	columns := columnOf()
	var names []string            // what the large tables are called here, in order
	table := map[string]string{}  // which table that is
	said := map[string]bool{}     // its machine is known
	like := map[string][]string{} // it is that of another one
	for _, m := range touched.FindAllStringSubmatchIndex(text, -1) {
		of := text[m[4]:m[5]]
		if columns[of] == "" {
			continue
		}
		name := of
		if text[m[2]:m[3]] == "INTO" {
			name = "INTO " + of
		} else if m[6] >= 0 && strings.ToLower(text[m[6]:m[7]]) == text[m[6]:m[7]] { // it has another name here
			name = text[m[6]:m[7]]
		}
		if table[name] == "" {
			names, table[name] = append(names, name), of
		}
		if text[m[2]:m[3]] == "INTO" {
			list, _, _ := strings.Cut(text[m[5]:], ")")
			said[name] = !strings.HasPrefix(list, " (") || regexp.MustCompile(`[(,] ?`+columns[of]+`\b`).MatchString(list)
		}
	}
	for _, name := range names {
		is := `\b` + name + `\.` + columns[table[name]]
		if name == table[name] {
			is = `(?:\b` + name + `\.|[^.\w])` + columns[table[name]]
		}
		for _, m := range regexp.MustCompile(is+` (?:=|IN\b) ?(\S+)|(\S+) = ?`+is+`\b`).FindAllStringSubmatch(text, -1) {
			other, column, _ := strings.Cut(strings.TrimLeft(m[1]+m[2], "("), ".")
			if of := table[other]; of != "" && strings.HasPrefix(column, columns[of]) {
				like[name], like[other] = append(like[name], other), append(like[other], name)
			} else {
				said[name] = true
			}
		}
	}
	for range names { // what is known of one is known of those that are like it
		for _, name := range names {
			said[name] = said[name] || slices.ContainsFunc(like[name], func(other string) bool { return said[other] })
		}
	}
	for _, name := range names {
		if !said[name] && !slices.Contains(out, table[name]) {
			out = append(out, table[name])
		}
	}
	return out
}

// checkQueries complains of statements that stray and are not excused, and of
// excuses that nothing needs any more.
func checkQueries(statements []written, excused map[string]string) (out []string) {
	needed := map[string]bool{}
	for _, w := range statements {
		for _, table := range strays(w.text) {
			name := w.in + "." + table
			if excused[name] == "" && !needed[name] {
				out = append(out, fmt.Sprintf("%s does not say which %s it means: %s", name, columnOf()[table], w.text))
			}
			needed[name] = true
		}
	}
	for name := range excused {
		if !needed[name] {
			out = append(out, name+" is excused, and no longer needs to be")
		}
	}
	slices.Sort(out)
	return out
}

// checkJoins complains of statements that join tables of several groups and are not
// known to, and of those that are known to and do not.
func checkJoins(statements []written, known []string) (out []string) {
	found := map[string]bool{}
	for _, w := range statements {
		groups := map[string]bool{}
		for _, m := range touched.FindAllStringSubmatch(w.text, -1) {
			for _, g := range spread {
				if g.tables[m[2]] != "" {
					groups[g.of] = true
				}
			}
		}
		if len(groups) < 2 {
			continue
		}
		if !slices.Contains(known, w.in) && !found[w.in] {
			out = append(out, fmt.Sprintf("%s joins what is spread differently: %s", w.in, w.text))
		}
		found[w.in] = true
	}
	for _, in := range known {
		if !found[in] {
			out = append(out, in+" is known to join what is spread differently, and does not")
		}
	}
	slices.Sort(out)
	return out
}

func excuses() map[string]string {
	out := map[string]string{}
	for why, names := range straying {
		for _, name := range strings.Fields(names) {
			out[name] = why
		}
	}
	return out
}

// Every query on a large table says by its distribution column which rows it means,
// or has its reason not to.
func TestQueriesAreDistributed(t *testing.T) {
	statements := readStatements(t, os.DirFS("."))
	if len(statements) < 400 {
		t.Fatalf("%d statements were found: that is not all of them", len(statements))
	}
	for _, complaint := range append(checkQueries(statements, excuses()), checkJoins(statements, strings.Fields(joining))...) {
		t.Error(complaint)
	}
}

// The test above sees a query in whatever way it is put together.
func TestStrayQueriesAreFound(t *testing.T) {
	source := func(body string) fs.FS {
		return fstest.MapFS{"a.go": {Data: []byte("package store\n" + body)}}
	}
	const straying, joining = "does not say which", "joins what is spread differently"
	for _, c := range []struct{ name, source, want string }{
		{"plain", "func Ask() { ask(`SELECT at FROM change WHERE number = $1`) }", straying},
		{"with its column", "func Ask() { ask(`SELECT at FROM change WHERE company = $1`) }", ""},
		{"with its column among those it returns", "func Ask() { ask(`SELECT company FROM change WHERE number = $1`) }", straying},
		{"with that of another table", "func Ask() { ask(`SELECT m.company FROM member AS m JOIN portfolio AS p ON p.id = m.portfolio WHERE p.customer = $1`) }", straying},
		{"a small table", "func Ask() { ask(`SELECT number FROM place WHERE name = $1`) }", ""},
		{"put together", "const columns = `at`\nfunc Ask() { ask(`SELECT `+columns+` FROM change`) }", straying},
		{"a condition in a variable", "func Ask() { where := `company = $1`; ask(`SELECT at FROM change WHERE ` + where) }", ""},
		{"a condition of the dialect", "func Ask() { ask(`SELECT at FROM change WHERE ` + db.d.oneOf(`company`, `$1`)) }", ""},
		{"one caller with and one without", "func Ask() { read(`company = $1`); read(`number = $1`) }\nfunc read(where string) { ask(`SELECT at FROM change WHERE ` + where) }", straying},
		{"formatted", "func Ask() { ask(fmt.Sprintf(`SELECT at FROM change WHERE number = %d`, 1)) }", straying},
		{"a constant that begins it", "const all = `SELECT at FROM change`\nfunc Ask() { ask(all + ` WHERE company = $1`) }", ""},
		{"a constant that is all of it", "const all = `SELECT at FROM change`\nfunc Ask() { ask(all) }", straying},
		{"as another that says it", "func Ask() { ask(`SELECT e.at FROM event AS e JOIN portfolio AS p ON p.customer = e.customer WHERE p.customer = $1`) }", ""},
		{"as another that does not", "func Ask() { ask(`SELECT e.at FROM event AS e JOIN portfolio AS p ON p.customer = e.customer WHERE e.id = $1`) }", straying},
		{"new row", "func Add() { ask(`INSERT INTO member (portfolio, company) VALUES ($1, $2)`) }", straying},
		{"new row of somebody", "func Add() { ask(`INSERT INTO member (customer, portfolio, company) VALUES ($1, $2, $3)`) }", ""},
		{"joined across", "func Ask() { ask(`SELECT c.name FROM member AS m JOIN company AS c ON c.id = m.company WHERE m.customer = $1`) }", joining},
	} {
		statements := readStatements(t, source(c.source))
		got := append(checkQueries(statements, nil), checkJoins(statements, nil)...)
		if (c.want == "") != (len(got) == 0) || len(got) > 0 && !strings.Contains(got[0], c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
	if got := checkQueries(nil, map[string]string{"Ask.change": "why"}); len(got) != 1 {
		t.Errorf("an excuse that nothing needs: %q", got)
	}
	if got := checkJoins(nil, []string{"Ask"}); len(got) != 1 {
		t.Errorf("a join that is gone: %q", got)
	}
}
