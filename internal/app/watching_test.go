package app

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/knadh/koanf/parsers/yaml"
	"github.com/prometheus/client_golang/prometheus"
)

// The dashboard and the alerts ask for metrics that there are, by labels that
// they have.
func TestDashboardAndAlertsNameRealMetrics(t *testing.T) {
	t.Parallel()
	h := serveHouse(t, config(t))
	real := realMetrics(h.serving.metrics.registry)
	for about, expr := range watched(t) {
		for _, m := range regexp.MustCompile(`\b((?:bureau|process|go)_[a-z_]+)(?:\{([^}]*)\})?`).FindAllStringSubmatch(expr, -1) {
			labels, ok := real[m[1]]
			if !ok {
				t.Errorf("%s: there is no metric %s", about, m[1])
				continue
			}
			for _, l := range regexp.MustCompile(`([a-z_]+)(?:=~|!~|!=|=)"`).FindAllStringSubmatch(m[2], -1) {
				if !slices.Contains(append(labels, "instance", "job"), l[1]) {
					t.Errorf("%s: %s has no label %s", about, m[1], l[1])
				}
			}
		}
	}
}

// realMetrics are the names of the registry's metrics and their labels, whether
// or not they have a value yet.
func realMetrics(r *prometheus.Registry) map[string][]string {
	ch := make(chan *prometheus.Desc)
	go func() {
		r.Describe(ch)
		close(ch)
	}()
	out := map[string][]string{}
	parts := regexp.MustCompile(`fqName: "([^"]+)".*variableLabels: \{([^}]*)\}`)
	for d := range ch {
		m := parts.FindStringSubmatch(d.String())
		if m == nil {
			continue
		}
		labels := strings.Split(m[2], ",")
		out[m[1]] = labels
		for _, end := range []string{"_bucket", "_sum", "_count"} { // should it be a histogram
			out[m[1]+end] = append(labels, "le")
		}
	}
	return out
}

// watched are the expressions of the dashboard and the alerts, by their titles.
func watched(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	b, err := os.ReadFile("../../deploy/grafana/bureau.json")
	if err != nil {
		t.Fatal(err)
	}
	var board struct {
		Panels []struct {
			Title, Type, Description string
			Targets                  []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(b, &board); err != nil {
		t.Fatal(err)
	}
	for _, p := range board.Panels {
		if p.Type == "row" {
			continue
		}
		if len(p.Targets) == 0 || p.Description == "" {
			t.Errorf("the panel %s shows nothing, or does not say what", p.Title)
		}
		for _, target := range p.Targets {
			out[p.Title] += target.Expr + "\n"
		}
	}
	if b, err = os.ReadFile("../../deploy/prometheus/alerts.yaml"); err != nil {
		t.Fatal(err)
	}
	var rules struct {
		Groups []struct {
			Rules []struct {
				Alert, Expr string
				Labels      map[string]string
				Annotations map[string]string
			}
		}
	}
	plain, err := yaml.Parser().Unmarshal(b)
	if err != nil {
		t.Fatal(err)
	}
	if b, err = json.Marshal(plain); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &rules); err != nil {
		t.Fatal(err)
	}
	for _, g := range rules.Groups {
		for _, r := range g.Rules {
			if r.Annotations["summary"] == "" || r.Annotations["action"] == "" || r.Labels["severity"] == "" {
				t.Errorf("the alert %s does not say what is wrong, how bad it is and what to do", r.Alert)
			}
			out[r.Alert] = r.Expr
		}
	}
	if len(out) < 20 {
		t.Errorf("found %d panels and alerts only", len(out))
	}
	return out
}
