package store

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// call is a line of deploy/citus.sql that gives a table its place.
var call = regexp.MustCompile(`(?m)^(-- )?SELECT create_(distributed|reference)_table\('(\w+)'(?:, '(\w+)', colocate_with => '(\w+)')?\);(?: -- lacks: (.+))?$`)

// checkFile compares the file with the lists of this package, and with what tables are
// known to lack.
func checkFile(file string, known map[string]string) (out []string) {
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	left := columnOf()
	for _, table := range everywhere {
		left[table] = ""
	}
	beside := map[string]string{} // the first table of each group
	for _, m := range call.FindAllStringSubmatch(file, -1) {
		off, how, table, column, with, lack := m[1] != "", m[2], m[3], m[4], m[5], m[6]
		want, ok := left[table]
		if !ok {
			say("%s is no table that has a place, or has two", table)
			continue
		}
		delete(left, table)
		switch {
		case want != column || (how == "reference") != (column == ""):
			say("%s is spread by %q, want %q", table, column, want)
		case lack != known[table] || off != (lack != ""):
			say("%s lacks %q, and the file says %q", table, known[table], lack)
		}
		if column == "" {
			continue
		}
		of := groupOf(table)
		if beside[of] == "" && with == "none" {
			beside[of] = table
		} else if with != beside[of] {
			say("%s lies beside %s, want %s", table, with, beside[of])
		}
	}
	for table := range left {
		say("%s is not in the file", table)
	}
	if n := strings.Count(file, "create_distributed_table(") + strings.Count(file, "create_reference_table("); n != len(call.FindAllString(file, -1)) {
		say("the file gives %d places, not all of them in the form that is compared", n)
	}
	slices.Sort(out)
	return out
}

func groupOf(table string) string {
	for _, g := range spread {
		if g.tables[table] != "" {
			return g.of
		}
	}
	return ""
}

// deploy/citus.sql gives every table the place that the tests know, and leaves out
// those that cannot have it yet.
func TestCitusFile(t *testing.T) {
	b, err := os.ReadFile("../../deploy/citus.sql")
	if err != nil {
		t.Fatal(err)
	}
	file := string(b)
	for _, complaint := range checkFile(file, lacking) {
		t.Error(complaint)
	}
	for _, c := range []struct{ name, from, to string }{
		{"a table is missing", "SELECT create_distributed_table('search_key', 'company', colocate_with => 'company');\n", ""},
		{"an unknown table", "'search_key'", "'visit'"},
		{"another column", "('watcher', 'company'", "('watcher', 'customer'"},
		{"another neighbour", "('kyc_subject', 'customer', colocate_with => 'usage')", "('kyc_subject', 'customer', colocate_with => 'company')"},
		{"off although it can be", "SELECT create_reference_table('webhook')", "-- SELECT create_reference_table('webhook')"},
		{"in another form", "SELECT create_reference_table('webhook')", "SELECT create_reference_table( 'webhook')"},
	} {
		changed := strings.Replace(file, c.from, c.to, 1)
		if changed == file || len(checkFile(changed, lacking)) == 0 {
			t.Errorf("%s: nobody complains", c.name)
		}
	}
	const lack = "a unique key without company"
	on := "SELECT create_distributed_table('statement', 'company', colocate_with => 'company');"
	off := strings.Replace(file, on, "-- "+on+" -- lacks: "+lack, 1)
	if len(checkFile(file, map[string]string{"statement": lack})) == 0 {
		t.Error("on although it cannot be: nobody complains")
	}
	if got := checkFile(off, map[string]string{"statement": lack}); len(got) > 0 {
		t.Errorf("off since it cannot be: %q", got)
	}
}
