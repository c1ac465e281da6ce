package app

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"bureau/internal/importer"
	"bureau/internal/importer/un"
	"bureau/internal/kyc"
)

// A list that is fetched on a schedule does not age while its publisher has
// nothing newer; one that was imported by hand does.
func TestAFetchedListStaysFresh(t *testing.T) {
	t.Parallel()
	publisher := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("If-None-Match") == `"1"` {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		w.Header().Set("ETag", `"1"`)
		_, _ = w.Write([]byte(un.Source.Sample))
	}))
	defer publisher.Close()
	a, _ := openHouse(t, config(t))
	address := strings.Replace(publisher.URL, "://", "://me:s3cr3t@", 1)
	r, err := newRefresher(a, []string{"un-sanctions=" + address + "/consolidated.xml"})
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now().UTC().Truncate(time.Millisecond)
	r.now = func() time.Time { return now }
	r.fetcher = &importer.Fetcher{HTTP: publisher.Client(), Dir: t.TempDir(), Now: r.now}
	m := newMetrics("test")
	loaded := func() kyc.Loaded {
		t.Helper()
		if err := r.step(t.Context(), m); err != nil {
			t.Fatal(err)
		}
		all, err := a.DB.LoadedLists(t.Context())
		if err != nil || len(all) != 1 {
			t.Fatalf("lists: %+v (%v)", all, err)
		}
		return all[0]
	}
	first := loaded()
	now = now.Add(30 * 24 * time.Hour)
	again := loaded()
	if !again.AsOf.Equal(now) || again.Version != first.Version || again.Old(now) {
		t.Errorf("after a month without news: %+v", again)
	}
	if !first.Old(now) {
		t.Error("a list of a month ago is not old")
	}
	if !strings.HasSuffix(first.File, "/consolidated.xml") || strings.Contains(first.File, "s3cr3t") {
		t.Errorf("everybody is shown that it came from %q", first.File)
	}
}
