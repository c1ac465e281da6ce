package app

import (
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bureau/internal/company"
)

// names imports companies as the command line does beside a server.
func (a *App) names(t *testing.T, names ...string) {
	t.Helper()
	run, err := a.Register.NewRun(t.Context(), "src", true, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	var list []company.Statement
	for i, name := range names {
		list = append(list, company.Statement{Country: "GB", Number: string(rune('1' + i)), Facts: company.Facts{
			Name: name, Addresses: []company.Address{{Kind: company.Registered, City: name + " Town"}},
		}})
	}
	if err := run.Add(t.Context(), list); err != nil {
		t.Fatal(err)
	}
	if err := run.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// finds reports whether a node finds one company by a criterion.
func (h *house) finds(t *testing.T, token, criterion, value string) bool {
	t.Helper()
	res, body := h.get(t, "/v1/companies?countries=GB&"+criterion+"="+url.QueryEscape(value), "Authorization", "Bearer "+token)
	var found struct{ TotalSize int }
	if err := json.Unmarshal([]byte(body), &found); err != nil {
		t.Fatal(err)
	}
	return res.StatusCode == http.StatusOK && found.TotalSize == 1
}

// What another process imports is found by name and by place, on every node.
func TestImportedNamesAreFoundOnEveryNode(t *testing.T) {
	t.Parallel()
	one, two := twoNodes(t)
	password := one.account(t, "caller")
	_, token := one.login(t, "caller", password)
	if err := two.Directory.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	third, _ := openHouse(t, config(t, func(c *Config) { c.DB, c.KeyFile = one.Config.DB, one.Config.keyFile() }))
	for _, name := range []string{"Brimwick Foods", "Quilldown Mills"} {
		third.names(t, name)
		for _, h := range []*house{one, two} {
			eventually(t, name+" is found by name", func() bool { return h.finds(t, token, "name", name) })
			eventually(t, name+" is found by its town", func() bool { return h.finds(t, token, "city", name+" town") })
		}
	}
	if one.finds(t, token, "name", "Brimwick Foods") {
		t.Error("the name before is still found")
	}
}

// A second process on the same file is heard too, and a restart goes on with the
// index that the stop kept.
func TestNamesOutliveARestart(t *testing.T) {
	t.Parallel()
	c := config(t)
	h := serveHouse(t, c)
	password := h.account(t, "caller")
	_, token := h.login(t, "caller", password)
	beside, _ := openHouse(t, c)
	beside.names(t, "Brimwick Foods", "Tarrant Rope Works")
	eventually(t, "what another process wrote is found", func() bool { return h.finds(t, token, "name", "brimwik foods") })
	h.stop(t)
	for _, name := range []string{"companies.names", "people.names"} {
		if info, err := os.Stat(filepath.Join(c.Data, name)); err != nil || info.Size() == 0 || info.Mode().Perm() != 0o600 {
			t.Errorf("%s was not kept for its owner alone: %v", name, err)
		}
	}
	beside.names(t, "Brimwick Foods", "Zennor Cables")
	again := serveHouse(t, config(t, func(n *Config) { n.Place = c.Place }))
	eventually(t, "it is ready", func() bool {
		res, body := again.get(t, "/readyz")
		return res.StatusCode == http.StatusOK || !strings.Contains(body, "index of names")
	})
	_, token = again.login(t, "caller", password)
	eventually(t, "the old name is found", func() bool { return again.finds(t, token, "name", "Brimwick Foods") })
	if !again.finds(t, token, "name", "Zennor Cables") || again.finds(t, token, "name", "Tarrant Rope Works") {
		t.Error("what happened meanwhile is not known")
	}
}
