package monitor

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestRulesTable holds the table in docs/monitoring.md against the rulebook.
// With BUREAU_UPDATE=1 (make golden) it is written anew.
func TestRulesTable(t *testing.T) {
	const path = "../../docs/monitoring.md"
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(b), "<!-- rules: ")
	head, _, ok2 := strings.Cut(rest, "\n")
	_, after, ok3 := strings.Cut(rest, "<!-- /rules -->")
	if !ok || !ok2 || !ok3 {
		t.Fatalf("%s has no place for the rules", path)
	}
	want := before + "<!-- rules: " + head + "\n" + rulesTable() + "<!-- /rules -->" + after
	if string(b) == want {
		return
	}
	if os.Getenv("BUREAU_UPDATE") != "1" {
		t.Fatalf("%s does not list the rules as they are: run make golden", path)
	}
	if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}

func rulesTable() string {
	var b strings.Builder
	b.WriteString("| country | code | rule | parameters |\n|---|---|---|---|\n")
	for _, r := range AllRules() {
		var params []string
		for i, p := range r.Params {
			text := fmt.Sprintf("`param%d`: %s (%s", i, p.Means, p.Allowed)
			if p.Default != "" {
				text += "; by itself " + p.Default
			}
			params = append(params, text+")")
		}
		cell := strings.NewReplacer("|", `\|`, "\n", " ").Replace
		fmt.Fprintf(&b, "| %s | %d | %s | %s |\n", r.Country, r.Code, cell(r.Name), cell(strings.Join(params, "<br>")))
	}
	return b.String()
}
