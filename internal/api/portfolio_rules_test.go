package api_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bureau/client"
	"bureau/internal/auth"
	"bureau/internal/monitor"
)

func TestRulebook(t *testing.T) {
	w := newWorld(t, plan{})
	acme := w.desk(w.join("acme", everywhere(auth.Monitoring)...))
	rules, err := acme.Rules(t.Context())
	must(t, err)
	if len(rules) != len(monitor.AllRules()) || len(rules) < 50 {
		t.Errorf("there are %d rules, want all %d", len(rules), len(monitor.AllRules()))
	}
	for i, r := range monitor.AllRules() {
		got := rules[i]
		if got.Code != r.Code || got.Country != r.Country || got.Name != r.Name || got.IsActive || len(got.Params) != len(r.Params) {
			t.Errorf("rule %d is %+v", r.Code, got)
		}
	}
	global, err := acme.RulesByCountry(t.Context(), "xx")
	if must(t, err); len(global) != len(monitor.Rules("XX")) || global[0].Code != 101 {
		t.Errorf("the rules of every country are %d, the first %d", len(global), global[0].Code)
	}
	var raw []map[string]any
	got := w.send("GET", "/v1/monitoring/eventRules/XX", "", "Authorization", acme.token)
	must(t, json.Unmarshal([]byte(got.body), &raw))
	for _, key := range []string{"isActive", "ruleCode", "ruleCountryCode", "ruleType", "ruleTypeName", "name", "param0", "param1", "param2"} {
		if _, ok := raw[0][key]; !ok {
			t.Errorf("a rule has no %s: %v", key, raw[0])
		}
	}
	fr, err := acme.RulesByCountry(t.Context(), "FR")
	if must(t, err); len(fr) != len(monitor.Rules("FR")) {
		t.Errorf("France has %d rules", len(fr))
	}
	if none, err := acme.RulesByCountry(t.Context(), "JP"); err != nil || len(none) != 0 {
		t.Errorf("Japan has %v (%v)", none, err)
	}
	for _, country := range []string{"ZZ", "G", "GBR", "g%20", "1"} {
		if got := w.call(acme, "GET", "/monitoring/eventRules/"+country, "", 400); !strings.HasPrefix(fmt.Sprint(got["details"]), "countryCode: ") {
			t.Errorf("%s: got %v", country, got)
		}
	}
}

// on are the rules that a portfolio has on, in words.
func onIn(t testing.TB, d *desk, id int64) (out []string) {
	t.Helper()
	rules, err := d.PortfolioRules(t.Context(), id)
	must(t, err)
	for _, r := range rules {
		if !r.IsActive {
			t.Errorf("rule %d is listed though it is off", r.Code)
		}
		out = append(out, strings.TrimSpace(fmt.Sprint(r.Country, " ", r.Code, " ", strings.Join([]string{r.Param0, r.Param1, r.Param2}, "|"))))
	}
	return out
}

func TestRulesAreSwitched(t *testing.T) {
	w := newWorld(t, plan{})
	acme := w.desk(w.join("acme", everywhere(auth.Monitoring)...))
	ctx, id := t.Context(), w.make(acme, "A")
	must(t, acme.SwitchRules(ctx, id, "GB", client.RuleSwitch{Code: 1815, IsActive: true}))
	must(t, acme.SwitchRules(ctx, id, "XX", client.RuleSwitch{Code: 101, IsActive: true, Params: []string{"2", "any"}}, client.RuleSwitch{Code: 105, IsActive: true}))
	want := []string{"XX 101 2|Any|", "XX 105 ||", "GB 1815 ||"}
	if d := cmp.Diff(want, onIn(t, acme, id)); d != "" {
		t.Errorf("on (-want +got):\n%s", d)
	}
	byCountry, err := acme.PortfolioRulesByCountry(ctx, id, "XX")
	must(t, err)
	active := map[int]bool{}
	for _, r := range byCountry {
		active[r.Code] = r.IsActive
	}
	if len(byCountry) != len(monitor.Rules("XX")) || !active[101] || !active[105] || active[107] {
		t.Errorf("of %d rules on are %v", len(byCountry), active)
	}
	must(t, acme.SwitchRules(ctx, id, "XX", client.RuleSwitch{Code: 105}))
	if d := cmp.Diff([]string{"XX 101 2|Any|", "GB 1815 ||"}, onIn(t, acme, id)); d != "" {
		t.Errorf("after one went off (-want +got):\n%s", d)
	}
	must(t, acme.SwitchRulesOff(ctx, id))
	if got := onIn(t, acme, id); len(got) != 0 {
		t.Errorf("after all went off: %v", got)
	}
}

// Every form in which clients send a rule is taken, and what is wrong is named
// and changes nothing.
func TestRuleBodies(t *testing.T) {
	w := newWorld(t, plan{})
	acme := w.desk(w.join("acme", everywhere(auth.Monitoring)...))
	id := w.make(acme, "A")
	path := fmt.Sprintf("/v1/monitoring/portfolios/%d/eventRules/", id)
	for _, c := range []struct{ country, body, want string }{
		{"XX", `[{"ruleCode":101,"isActive":1,"param0":"1","param1":"A"}]`, "XX 101 1|A|"},
		{"xx", `[{"ruleCode":101,"isActive":true,"param0":1,"param1":"a","param2":false}]`, "XX 101 1|A|false"},
		{"XX", `[{"ruleCode":"101","isActive":"true","param0":3,"param1":"","param2":"True","ruleCountryCode":"GB","x":null}]`, "XX 101 3||true"},
		{"XX", `[{"ruleCode":102,"isActive":"1","param0":"True"}]`, "XX 102 true||"},
		{"XX", `[{"ruleCode":102,"isActive":1,"param0":true,"param1":null}]`, "XX 102 true||"},
		{"XX", `[{"ruleCode":102,"isActive":1,"param0":"false","param1":12.5,"param2":1000}]`, "XX 102 false|12.5|1000"},
		{"GB", `[{"ruleCode":1801,"isActive":1,"param0":"15"}]`, "GB 1801 15||"},
		{"GB", `[{"ruleCode":1801,"isActive":1}]`, "GB 1801 15||"},
		{"FI", `[{"ruleCode":802,"isActive":0},{"ruleCode":802,"isActive":1,"param0":"","param1":" ","param2":null}]`, "FI 802 ||"},
	} {
		must(t, acme.SwitchRulesOff(t.Context(), id))
		w.call(acme, "PUT", path+c.country, c.body, 204)
		if d := cmp.Diff([]string{c.want}, onIn(t, acme, id)); d != "" {
			t.Errorf("%s %s (-want +got):\n%s", c.country, c.body, d)
		}
	}
	w.call(acme, "PUT", path+"PLC", `[]`, 204)
	for _, list := range []string{path + "PLC", "/monitoring/eventRules/plc"} {
		if got := w.send("GET", list, "", "Authorization", acme.token); got.status != 200 || got.body != "[]\n" && got.body != "[]" {
			t.Errorf("%s: got %d %s, want no rules", list, got.status, got.body)
		}
	}
	before := onIn(t, acme, id)
	for _, c := range []struct {
		country, body string
		status        int
		details       string
	}{
		{"XX", `[{"ruleCode":105,"isActive":1},{"ruleCode":1815,"isActive":1}]`, 404, "rule 1815 is not one of XX"},
		{"FR", `[{"ruleCode":101,"isActive":1}]`, 404, "rule 101 is not one of FR"},
		{"XX", `[{"ruleCode":105,"isActive":1},{"ruleCode":101,"isActive":1,"param0":"5"}]`, 400, `param0 of rule 101: "5" is not allowed; by how many bands it must fall: one of 1, 2, 3, 4, or empty`},
		{"XX", `[{"ruleCode":102,"isActive":1,"param1":"101"}]`, 400, `param1 of rule 102: "101" is not allowed`},
		{"GB", `[{"ruleCode":3054,"isActive":1,"param0":"x"}]`, 400, "param0 of rule 3054: the rule has no such parameter"},
		{"GB", `[{"ruleCode":1801,"isActive":1,"param1":"x"}]`, 400, "param1 of rule 1801: the rule has no such parameter"},
		{"PLC", `[{"ruleCode":101,"isActive":1}]`, 404, "no rule is for PLC alone; those of XX are for companies of every country"},
		{"XX", `[{"ruleCode":"x","isActive":1}]`, 400, "[0].ruleCode: "},
		{"XX", `[{"ruleCode":105,"isActive":2}]`, 400, "isActive: "},
		{"XX", `[{"ruleCode":105}]`, 400, "[0]: expected required property isActive"},
		{"XX", `[{"isActive":1}]`, 400, "[0]: expected required property ruleCode"},
		{"XX", `[{"ruleCode":105,"isActive":1,"param0":[1]}]`, 400, "param0: "},
		{"XX", `{}`, 400, "body: expected array"},
		{"ZZ", `[]`, 400, `countryCode: "ZZ" is not a country`},
		{"GBR", `[]`, 400, `countryCode: "GBR" is not a country`},
	} {
		got := w.call(acme, "PUT", path+c.country, c.body, c.status)
		details := strings.TrimPrefix(fmt.Sprint(got["details"]), "body")
		if !strings.Contains(details, strings.TrimPrefix(c.details, "body")) {
			t.Errorf("%s %s: got %q, want %q", c.country, c.body, got["details"], c.details)
		}
	}
	if d := cmp.Diff(before, onIn(t, acme, id)); d != "" {
		t.Errorf("what was refused changed something:\n%s", d)
	}
}

// Parameters that are left out stay as they are.
func TestRulesKeepTheirParameters(t *testing.T) {
	onBothEngines(t, func(t *testing.T, w *world) {
		acme := w.desk(w.join("acme", everywhere(auth.Monitoring)...))
		id := w.make(acme, "A")
		path := fmt.Sprintf("/v1/monitoring/portfolios/%d/eventRules/XX", id)
		for _, c := range []struct{ body, want string }{
			{`{"ruleCode":101,"isActive":1}`, "XX 101 1||true"},
			{`{"ruleCode":101,"isActive":1,"param0":"2","param1":"C"}`, "XX 101 2|C|true"},
			{`{"ruleCode":101,"isActive":1}`, "XX 101 2|C|true"},
			{`{"ruleCode":101,"isActive":1,"param0":null}`, "XX 101 2|C|true"},
			{`{"ruleCode":101,"isActive":1,"param1":"B"}`, "XX 101 2|B|true"},
			{`{"ruleCode":101,"isActive":1,"param0":""}`, "XX 101 |B|true"},
			{`{"ruleCode":101,"isActive":1,"param0":"","param1":"","param2":""}`, "XX 101 1||true"},
		} {
			w.call(acme, "PUT", path, "["+c.body+"]", 204)
			if d := cmp.Diff([]string{c.want}, onIn(t, acme, id)); d != "" {
				t.Errorf("%s (-want +got):\n%s", c.body, d)
			}
		}
		got := w.call(acme, "PUT", path, `[{"ruleCode":101,"isActive":1,"param0":""}]`, 400)
		if !strings.Contains(fmt.Sprint(got["details"]), "param0 or param1 must say") {
			t.Errorf("a rule that would never tell: %q", got["details"])
		}
		must(t, acme.SwitchRules(t.Context(), id, "XX", client.RuleSwitch{Code: 101, IsActive: true, Params: []string{"3"}}))
		must(t, acme.SwitchRules(t.Context(), id, "XX", client.RuleSwitch{Code: 101, IsActive: true}))
		if d := cmp.Diff([]string{"XX 101 3||true"}, onIn(t, acme, id)); d != "" {
			t.Errorf("by the client (-want +got):\n%s", d)
		}
	})
}

// portfolioExamples are what the document's test sends; the first makes the
// portfolio of the others.
func portfolioExamples() []example {
	const one = "/monitoring/portfolios/100001"
	return []example{
		{"createPortfolio", "POST", "/monitoring/portfolios", `{"name":"Example"}`, 200, "acme"},
		{"createPortfolio", "POST", "/monitoring/portfolios", `{"name":"Example"}`, 409, "acme"},
		{"createPortfolio", "POST", "/monitoring/portfolios", `{}`, 400, "acme"},
		{"createPortfolio", "POST", "/monitoring/portfolios", `{"name":"Other"}`, 200, "acme"},
		{"portfolios", "GET", "/monitoring/portfolios", "", 200, "acme"},
		{"portfolios", "GET", "/monitoring/portfolios?pageSize=1", "", 200, "acme"},
		{"portfolios", "GET", "/monitoring/portfolios", "", 403, "bare"},
		{"monitoringUser", "GET", "/monitoring/user/details", "", 200, "acme"},
		{"portfolio", "GET", one, "", 200, "acme"},
		{"portfolio", "GET", "/monitoring/portfolios/7", "", 404, "acme"},
		{"editPortfolio", "PATCH", one, `{"emailSubject":"x"}`, 204, "acme"},
		{"editPortfolio", "PATCH", one, `{"name":"Other"}`, 409, "acme"},
		{"addCompany", "POST", one + "/companies", `{"id":"GB-0-1"}`, 200, "acme"},
		{"addCompany", "POST", one + "/companies", `{"id":"GB-0-1"}`, 409, "acme"},
		{"addCompany", "POST", one + "/companies", `{"id":"GB-0-404"}`, 404, "acme"},
		{"portfolioCompanies", "GET", one + "/companies", "", 200, "acme"},
		{"portfolioCompany", "GET", one + "/companies/GB-0-1", "", 200, "acme"},
		{"editCompany", "PATCH", one + "/companies/GB-0-1", `{"freeText":"x"}`, 200, "acme"},
		{"portfolioCountries", "GET", one + "/countries", "", 200, "acme"},
		{"portfolioRisk", "GET", one + "/riskSummary", "", 200, "acme"},
		{"copyCompanies", "POST", one + "/companies/copy?copyAll=true", `{"portfolios":[100002]}`, 200, "acme"},
		{"moveCompanies", "POST", one + "/companies/remove?removeAll=true", `{"portfolios":[100002]}`, 200, "acme"},
		{"clearCompanies", "PATCH", one + "/companies/clear?clearAll=true", `{}`, 200, "acme"},
		{"removeCompany", "DELETE", "/monitoring/portfolios/100002/companies/GB-0-1", "", 200, "acme"},
		{"rules", "GET", "/monitoring/eventRules", "", 200, "acme"},
		{"rulesByCountry", "GET", "/monitoring/eventRules/GB", "", 200, "acme"},
		{"switchRules", "PUT", one + "/eventRules/XX", `[{"ruleCode":105,"isActive":1}]`, 204, "acme"},
		{"portfolioRules", "GET", one + "/eventRules", "", 200, "acme"},
		{"portfolioRulesByCountry", "GET", one + "/eventRules/XX", "", 200, "acme"},
		{"switchRulesOff", "PUT", one + "/eventRules/setDefault", "", 204, "acme"},
		{"sharePortfolio", "PATCH", one + "/sharingPermissions", `{"revokeAll":"true"}`, 200, "acme"},
		{"portfolioShares", "GET", one + "/sharingPermissions", "", 200, "acme"},
		{"deletePortfolio", "DELETE", "/monitoring/portfolios/100002", "", 200, "acme"},
	}
}
