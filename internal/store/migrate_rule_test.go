package store

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// firstSchema is that of the first release. Nobody runs two versions from before
// it side by side, so what led to it may do as it likes.
const firstSchema = 28

// A migration of a later release runs while nodes of the release before go on
// serving. It may therefore only add: tables, indexes, columns that need not be
// filled. To take something away takes two releases: one that no longer uses it,
// and a later one whose migration does so and says in its name, .after-NNNN,
// which schema every node must know by then.
func TestMigrationsOnlyAdd(t *testing.T) {
	for _, engine := range []string{"sqlite", "postgres"} {
		files, err := fs.ReadDir(migrationFiles, "migrations/"+engine)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			text, err := fs.ReadFile(migrationFiles, path.Join("migrations", engine, f.Name()))
			if err != nil {
				t.Fatal(err)
			}
			for _, wrong := range takesAway(f.Name(), string(text), firstSchema) {
				t.Errorf("%s: %s", engine, wrong)
			}
		}
	}
}

var (
	sqlComment = regexp.MustCompile(`(?m)--.*$`)
	sqlQuoted  = regexp.MustCompile(`'(?:[^']|'')*'`)
	madeTable  = regexp.MustCompile(`(?i)^CREATE TABLE (?:IF NOT EXISTS )?(\w+)`)
	madeIndex  = regexp.MustCompile(`(?i)^CREATE (UNIQUE )?INDEX (?:CONCURRENTLY )?(?:IF NOT EXISTS )?\w+ ON (?:ONLY )?(\w+)`)
	madeColumn = regexp.MustCompile(`(?i)^ALTER TABLE (\w+) ADD (?:COLUMN )?(?:IF NOT EXISTS )?(\w+) (.*)$`)
	filled     = regexp.MustCompile(`(?i)^INSERT INTO (\w+)`)
	changed    = regexp.MustCompile(`(?i)^UPDATE (\w+) SET (.*)$`)
	setTo      = regexp.MustCompile(`(\w+) *= *`)
	strict     = regexp.MustCompile(`(?i)\b(UNIQUE|PRIMARY KEY|REFERENCES|CHECK|GENERATED)\b`)
)

// takesAway returns a sentence for every statement of a migration after the
// first schema that a node of the version before would notice.
func takesAway(name, text string, first int64) (wrong []string) {
	digits, _, _ := strings.Cut(name, "_")
	number, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return []string{name + " has no number"}
	}
	if number <= first {
		return nil
	}
	if found := after.FindStringSubmatch(name); found != nil {
		least, err := strconv.ParseInt(found[1], 10, 64)
		if err != nil || least >= number {
			return []string{name + " comes after itself: name an earlier schema, of a release that does without already"}
		}
		return nil
	}
	made, added := map[string]bool{}, map[string]bool{}
	text = sqlQuoted.ReplaceAllString(sqlComment.ReplaceAllString(text, ""), "''")
	for statement := range strings.SplitSeq(text, ";") {
		statement = strings.Join(strings.Fields(statement), " ")
		refuse := func(why string) { wrong = append(wrong, fmt.Sprintf("%s: %s: %.80s", name, why, statement)) }
		if statement == "" {
			continue
		}
		if m := madeTable.FindStringSubmatch(statement); m != nil {
			made[strings.ToLower(m[1])] = true
			continue
		}
		if m := madeIndex.FindStringSubmatch(statement); m != nil {
			if m[1] != "" && !made[strings.ToLower(m[2])] {
				refuse("older nodes may write what this index refuses")
			}
			continue
		}
		if m := madeColumn.FindStringSubmatch(statement); m != nil && !strings.EqualFold(m[2], "CONSTRAINT") {
			what := strings.ToUpper(m[3])
			if strings.Contains(what, "NOT NULL") && !strings.Contains(what, "DEFAULT") {
				refuse("older nodes do not fill this column: give it a default")
			} else if strict.MatchString(what) {
				refuse("older nodes do not know what this column asks for")
			}
			added[strings.ToLower(m[1]+"."+m[2])] = true
			continue
		}
		if filled.MatchString(statement) {
			continue
		}
		if m := changed.FindStringSubmatch(statement); m != nil {
			set, _, _ := strings.Cut(m[2], " WHERE ")
			for _, column := range setTo.FindAllStringSubmatch(set, -1) {
				if !made[strings.ToLower(m[1])] && !added[strings.ToLower(m[1]+"."+column[1])] {
					refuse("older nodes use what this changes")
					break
				}
			}
			continue
		}
		refuse("this does more than add")
	}
	return wrong
}

func TestMigrationRuleCanFail(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"0024_more.sql", "CREATE TABLE a (id BIGINT PRIMARY KEY, b TEXT NOT NULL); CREATE UNIQUE INDEX a_b ON a (b);", ""},
		{"0024_more.sql", "-- A column; more.\nALTER TABLE account ADD COLUMN note TEXT NOT NULL DEFAULT ';';\nUPDATE account SET note = 'x' WHERE id = 1", ""},
		{"0024_more.sql", "ALTER TABLE account ADD COLUMN note TEXT; CREATE INDEX account_note ON account (note); INSERT INTO lease (name) VALUES ('x')", ""},
		{"0024_more.sql", "DROP TABLE account", "does more than add"},
		{"0024_more.sql", "ALTER TABLE account DROP COLUMN name", "does more than add"},
		{"0024_more.sql", "ALTER TABLE account RENAME COLUMN name TO title", "does more than add"},
		{"0024_more.sql", "ALTER TABLE account ALTER COLUMN name TYPE BIGINT", "does more than add"},
		{"0024_more.sql", "ALTER TABLE account ADD CONSTRAINT one UNIQUE (name)", "does more than add"},
		{"0024_more.sql", "ALTER TABLE account ADD COLUMN note TEXT NOT NULL", "give it a default"},
		{"0024_more.sql", "ALTER TABLE account ADD COLUMN note TEXT UNIQUE", "do not know what this column asks for"},
		{"0024_more.sql", "CREATE UNIQUE INDEX account_name ON account (name)", "what this index refuses"},
		{"0024_more.sql", "UPDATE account SET name = upper(name)", "use what this changes"},
		{"0024_more.sql", "CREATE TRIGGER a AFTER INSERT ON account BEGIN SELECT 1; END", "does more than add"},
		{"0025_less.after-0024.sql", "DROP TABLE account", ""},
		{"0024_less.after-0024.sql", "DROP TABLE account", "comes after itself"},
		{"0023_first.sql", "DROP TABLE account", ""},
	} {
		got := takesAway(c.name, c.text, 23)
		if c.want == "" && len(got) > 0 || c.want != "" && !slices.ContainsFunc(got, func(g string) bool { return strings.Contains(g, c.want) }) {
			t.Errorf("%s: %s\ngot %q, want %q", c.name, c.text, got, c.want)
		}
	}
}
