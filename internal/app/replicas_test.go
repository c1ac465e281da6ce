package app

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"bureau/internal/company"
	"bureau/internal/store/storetest"
)

// A served node has its replica answer reports, shows what it wrote a moment ago
// although the replica stands, and goes on without it.
func TestReplicaServesReports(t *testing.T) {
	t.Parallel()
	primary := storetest.PostgresServer(t)
	replica := primary.Follower()
	h := serveHouse(t, config(t, func(c *Config) {
		c.DB, c.DBReplica, c.DBReplicaLag = Secret(primary.URL("postgres")), []Secret{Secret(replica.URL("postgres"))}, time.Second
	}))
	_, token := h.login(t, "caller", h.account(t, "caller"))
	name := func(name string, fresh bool) {
		t.Helper()
		err := h.DB.Write(t.Context(), func(company.View) (company.Update, error) {
			return company.Update{Companies: []company.Saved{{
				Held: company.Held{ID: "GB-0-99000001", Said: []company.Said{{Source: "src", Facts: company.Facts{Name: name, Status: company.Active}}}},
				New:  fresh, Name: name, Country: "GB", Status: company.Active,
			}}}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	shows := func(name string) {
		t.Helper()
		res, body := h.get(t, "/v1/companies/GB-0-99000001", "Authorization", "Bearer "+token)
		if res.StatusCode != http.StatusOK || !strings.Contains(body, name) {
			t.Errorf("the report: %d, without %q: %.200s", res.StatusCode, name, body)
		}
	}
	used := func() bool { return h.DB.Replicas()[0].Used }
	metric := func(name string) string {
		_, body := h.get(t, "/metrics")
		for line := range strings.Lines(body) {
			if strings.HasPrefix(line, name+"{") {
				return strings.TrimSpace(line[strings.LastIndexByte(line, ' '):])
			}
		}
		return ""
	}

	name("Firstly Ltd", true)
	shows("Firstly Ltd")
	eventually(t, "the replica is used", used)
	before := h.DB.Replicas()[0].Reads
	shows("Firstly Ltd")
	eventually(t, "a report from the replica", func() bool { shows("Firstly Ltd"); return h.DB.Replicas()[0].Reads > before })
	if got := metric("bureau_replica_reads_total"); got == "" || got == "0" {
		t.Errorf("bureau_replica_reads_total is %q", got)
	}

	replica.Pause()
	for range 20 {
		name("Secondly Ltd", false)
		shows("Secondly Ltd")
		name("Thirdly Ltd", false)
		shows("Thirdly Ltd")
	}
	replica.Resume()
	eventually(t, "the replica is used again", used)
	shows("Thirdly Ltd")

	replica.Kill()
	for range 20 {
		shows("Thirdly Ltd")
	}
	eventually(t, "the replica is left", func() bool { return !used() })
	if got := metric("bureau_replica_used"); got != "0" {
		t.Errorf("bureau_replica_used of a dead replica is %q", got)
	}
	if res, body := h.get(t, "/readyz"); res.StatusCode != http.StatusOK {
		t.Errorf("without its replica the node says %d: %s", res.StatusCode, body)
	}
	shows("Thirdly Ltd")
}

func TestReplicaSettings(t *testing.T) {
	t.Parallel()
	fits := config(t, func(c *Config) {
		c.DB, c.DBReplica, c.DBReplicaLag = "postgres://a@b/c", []Secret{"postgres://u:s3cr3t@d/c"}, time.Second
	})
	for want, change := range map[string]func(*Config){
		"--db-replica takes":    func(c *Config) { c.DBReplica = []Secret{"u:s3cr3t@d"} },
		"--db-replica needs":    func(c *Config) { c.DB = "" },
		"--db-replica-lag 0s":   func(c *Config) { c.DBReplicaLag = 0 },
		"--db-replica-lag 2m0s": func(c *Config) { c.DBReplicaLag = 2 * time.Minute },
	} {
		c := fits
		change(&c)
		err := c.Check()
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "s3cr3t") {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
