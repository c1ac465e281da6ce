package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/routers/legacy"
	"github.com/google/go-cmp/cmp"

	"bureau/client"
	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/job"
	"bureau/internal/monitor"
	"bureau/internal/store/storetest"
)

func (w *world) imports() *monitor.Imports {
	return &monitor.Imports{
		Store: w.db, Companies: w.server.Companies, Wake: &job.Signal{},
		Allow: func(ctx context.Context, by auth.Caller, country string) error {
			return w.server.Gate.Allow(ctx, by, auth.Monitoring, country)
		},
	}
}

// doTasks does what was asked for.
func (w *world) doTasks() {
	w.t.Helper()
	worker := job.Worker{Kinds: w.server.Imports.Kinds(), Store: w.db, Owner: "test", Life: time.Minute}
	for worked := true; worked; {
		var err error
		worked, err = worker.Step(w.t.Context())
		must(w.t, err)
	}
}

// companies puts GB-0-1 … GB-0-<n> into the register, and FR-0-1.
func (w *world) companies(n int) {
	w.t.Helper()
	saved := func(id company.ID) company.Saved {
		return company.Saved{
			Held: company.Held{ID: id, Said: []company.Said{{Source: "src", Facts: company.Facts{Name: string(id)}}}},
			New:  true, Name: string(id), Country: id.Country(),
		}
	}
	must(w.t, w.db.Write(w.t.Context(), func(company.View) (company.Update, error) {
		u := company.Update{Companies: []company.Saved{saved("FR-0-1")}}
		for i := range n {
			u.Companies = append(u.Companies, saved(company.NewID("GB", fmt.Sprint(i+1))))
		}
		return u, nil
	}))
}

func (w *world) newPortfolio(of login, name string) int64 {
	w.t.Helper()
	p, err := w.db.CreatePortfolio(w.t.Context(), auth.Caller{Customer: of.Customer, Account: of.Account}, monitor.Portfolio{Name: name})
	must(w.t, err)
	return int64(p.ID)
}

// newImport sends a small file.
func (w *world) newImport(of login, portfolio int64) int64 {
	w.t.Helper()
	id, err := w.client(of).ImportPortfolio(w.t.Context(), portfolio, client.PortfolioFile{Name: "a.csv", File: strings.NewReader("GB-0-1\n")})
	must(w.t, err)
	return id
}

// members counts a portfolio's companies.
func (w *world) members(of login, portfolio int64) int64 {
	w.t.Helper()
	by := auth.Caller{Customer: of.Customer, Account: of.Account}
	list, err := w.db.Members(w.t.Context(), by, monitor.PortfolioID(portfolio), monitor.MemberQuery{Limit: 1})
	must(w.t, err)
	return list.Total
}

// A formPart is a part of a multipart body.
type formPart struct{ name, file, text string }

// formBoundary is fixed, so that bodies can be written down.
const formBoundary, multipartType = "boundary", "multipart/form-data; boundary=boundary"

func formOf(parts ...formPart) string {
	var b bytes.Buffer
	m := multipart.NewWriter(&b)
	_ = m.SetBoundary(formBoundary)
	for _, p := range parts {
		var w io.Writer
		if p.file != "" {
			w, _ = m.CreateFormFile(p.name, p.file)
		} else {
			w, _ = m.CreateFormField(p.name)
		}
		_, _ = io.WriteString(w, p.text)
	}
	_ = m.Close()
	return b.String()
}

// uploadFixture is a path of a portfolio, and a file to send there.
func uploadFixture(what string) fixture {
	return fixture{
		theirs: func(w *world, owner login) string {
			return fmt.Sprintf("/monitoring/portfolios/%d/%s", w.newPortfolio(owner, what), what)
		},
		random: "/monitoring/portfolios/1/" + what, body: formOf(formPart{"importcsv", "a.csv", "GB-0-1\n"}),
	}
}

func importFixture() fixture {
	return fixture{
		theirs: func(w *world, owner login) string {
			portfolio := w.newPortfolio(owner, "imported")
			return fmt.Sprintf("/monitoring/portfolios/%d/imports/%d", portfolio, w.newImport(owner, portfolio))
		},
		random: "/monitoring/portfolios/1/imports/1",
	}
}

// A hundred thousand lines go in over HTTP, on each database, and out again by
// a sync.
func TestImportOfAHundredThousandLines(t *testing.T) {
	const lines = 100_000
	for name, url := range map[string]func(t *testing.T) string{
		"sqlite":   func(t *testing.T) string { return filepath.Join(t.TempDir(), "bureau.db") },
		"postgres": func(t *testing.T) string { return storetest.Postgres(t) },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, plan{url: url(t)})
			w.companies(lines)
			l := w.join("acme", auth.Grant{Product: auth.Monitoring, Country: "GB", From: "2026-01-01"})
			portfolio := w.newPortfolio(l, "all")
			file := bytes.NewBufferString("id,reference,notes\n")
			for i := range lines {
				fmt.Fprintf(file, "GB-0-%d,ref %d,\"=1+1, and so on\"\n", i+1, i)
			}
			file.WriteString("FR-0-1\nGB-0-x\n")
			began := time.Now()
			id, err := w.client(l).ImportPortfolio(t.Context(), portfolio, client.PortfolioFile{Name: "all.csv", File: bytes.NewReader(file.Bytes())})
			must(t, err)
			sent := time.Since(began)
			w.doTasks()
			t.Logf("%d lines: sent in %v, taken in in %v", lines, sent, time.Since(began)-sent)
			got, err := w.client(l).PortfolioImport(t.Context(), portfolio, id)
			must(t, err)
			if got.State != "done" || got.Rows != lines+2 || got.Added != lines || got.Unknown != 1 || got.Refused != 1 || got.Percent != 100 {
				t.Errorf("got %+v", got)
			}
			want := []client.ImportProblem{
				{Line: lines + 2, Value: "FR-0-1", Reason: "no access to monitoring in FR"},
				{Line: lines + 3, Value: "GB-0-x", Reason: "the register has no such company"},
			}
			if d := cmp.Diff(want, got.Problems); d != "" {
				t.Errorf("problems (-want +got):\n%s", d)
			}
			if n := w.members(l, portfolio); n != lines {
				t.Errorf("the portfolio has %d companies", n)
			}
			began = time.Now()
			id, err = w.client(l).SyncPortfolio(t.Context(), portfolio, client.PortfolioFile{Name: "few.csv", File: strings.NewReader("GB-0-1\nGB-0-2\n")})
			must(t, err)
			w.doTasks()
			t.Logf("a sync that removes them: %v", time.Since(began))
			if got, err = w.client(l).PortfolioImport(t.Context(), portfolio, id); err != nil || got.Removed != lines-2 || got.AlreadyThere != 2 || got.Type != "sync" {
				t.Errorf("got %+v (%v)", got, err)
			}
			if n := w.members(l, portfolio); n != 2 {
				t.Errorf("the portfolio has %d companies", n)
			}
		})
	}
}

func TestUploadsInManyForms(t *testing.T) {
	w := newWorld(t, plan{})
	w.companies(3)
	l := w.join("acme", everywhere(auth.Monitoring)...)
	token := w.token(l)
	portfolio := w.newPortfolio(l, "one")
	csv := formPart{"importcsv", "a.csv", "GB-0-1\n"}
	for _, c := range []struct {
		name, path string
		body       string
	}{
		{"as it is documented", "/monitoring/portfolios/%d/import", formOf(csv)},
		{"the other spelling", "/monitoring/portfolios/%d/import", formOf(formPart{"importCsv", "a.csv", "GB-0-1\n"})},
		{"without a file name", "/monitoring/portfolios/%d/import", formOf(formPart{"importcsv", "", "GB-0-1\n"})},
		{"an address before", "/monitoring/portfolios/%d/import", formOf(formPart{"email", "", "a@b.example"}, csv)},
		{"an address behind", "/monitoring/portfolios/%d/import", formOf(csv, formPart{"email", "", " a@b.example "})},
		{"other parts", "/monitoring/portfolios/%d/import", formOf(formPart{"x", "", "y"}, csv, formPart{"z", "z.bin", strings.Repeat("z", 1<<20)})},
		{"the older path", "/v1/monitoring/portfolios/%d/companies/import", formOf(csv)},
		{"sync", "/V1/Monitoring/Portfolios/%d/SYNC/", formOf(csv)},
	} {
		got := w.send("POST", fmt.Sprintf(c.path, portfolio), c.body, "Authorization", token, "Content-Type", multipartType)
		var body struct {
			CorrelationID, Status string
			ImportID              int64
		}
		must(t, json.Unmarshal([]byte(got.body), &body))
		if got.status != 200 || body.ImportID == 0 || body.CorrelationID == "" || body.Status != fmt.Sprintf("Accepted for processing. Import Id %d", body.ImportID) {
			t.Errorf("%s: got %d %s", c.name, got.status, got.body)
		}
	}
	w.doTasks()
	page, err := w.client(l).PortfolioImports(t.Context(), portfolio, "", 100)
	must(t, err)
	for _, i := range page.Imports {
		if i.State != "done" || i.Rows != 1 {
			t.Errorf("got %+v", i)
		}
	}
}

func TestUploadsThatAreRefused(t *testing.T) {
	w := newWorld(t, plan{})
	w.companies(3)
	l := w.join("acme", everywhere(auth.Monitoring)...)
	token := w.token(l)
	portfolio := w.newPortfolio(l, "one")
	path := fmt.Sprintf("/monitoring/portfolios/%d/sync", portfolio)
	csv := formPart{"importcsv", "a.csv", "GB-0-1\n"}
	whole := formOf(csv)
	for _, c := range []struct {
		name, path, kind, body string
		status                 int
		details                string
	}{
		{"no number", "/monitoring/portfolios/mine/sync", multipartType, whole, 400, `portfolioId: "mine" is not a portfolio's number`},
		{"a negative number", "/monitoring/portfolios/-1/import", multipartType, whole, 400, `portfolioId: "-1" is not a portfolio's number`},
		{"no portfolio", "/monitoring/portfolios/1/sync", multipartType, whole, 404, "Portfolio not found"},
		{"JSON", path, jsonType, `{}`, 400, "importcsv: send the file as multipart/form-data, in a part of this name"},
		{"nothing", path, multipartType, "", 400, "importcsv: the file is missing"},
		{"no file", path, multipartType, formOf(formPart{"email", "", "a@b.example"}), 400, "importcsv: the file is missing"},
		{"two files", path, multipartType, formOf(csv, csv), 400, "importcsv: one file at a time"},
		{"an empty file", path, multipartType, formOf(formPart{"importcsv", "a.csv", ""}), 400, "importcsv: the file is empty"},
		{"a first line alone", path, multipartType, formOf(formPart{"importcsv", "a.csv", "id,notes\n"}), 400, "importcsv: the file names no company"},
		{"other columns", path, multipartType, formOf(formPart{"importcsv", "a.csv", "name,town\na,b\n"}), 400, "importcsv: the first line must name the columns"},
		{"no address", path, multipartType, formOf(csv, formPart{"email", "", "nobody"}), 400, `email: "nobody" is not an e-mail address`},
		{"a long address", path, multipartType, formOf(csv, formPart{"email", "", strings.Repeat("a", 5000) + "@b.example"}), 400, "email: "},
		{"a body that breaks off", path, multipartType, whole[:len(whole)-12], 400, "the body could not be read to its end"},
		{"a file that breaks off", path, multipartType, whole[:strings.Index(whole, "GB-0")+3], 400, "the body could not be read to its end"},
		{"a file that is too large", path, multipartType, formOf(formPart{"importcsv", "a.csv", strings.Repeat("GB-0-1 \n", monitor.MaxFileSize/8+1)}), 413, "importcsv: the file "},
		{"a body that is too large", path, multipartType, formOf(formPart{"x", "x", strings.Repeat("x", monitor.MaxFileSize+2<<20)}, csv), 413, "importcsv: the body is larger"},
		{"too many lines", path, multipartType, formOf(formPart{"importcsv", "a.csv", strings.Repeat("x\n", monitor.MaxFileLines+1)}), 413, "importcsv: the file has more than 1000000 lines"},
	} {
		got := w.send("POST", c.path, c.body, "Authorization", token, "Content-Type", c.kind)
		var body struct{ Details string }
		must(t, json.Unmarshal([]byte(got.body), &body))
		if got.status != c.status || !strings.HasPrefix(body.Details, c.details) {
			t.Errorf("%s: got %d %s, want %d %s", c.name, got.status, got.body, c.status, c.details)
		}
	}
	if page, err := w.client(l).PortfolioImports(t.Context(), portfolio, "", 100); err != nil || page.Total != 0 {
		t.Errorf("what was refused is listed: %+v (%v)", page, err)
	}
	w.doTasks()
	if n := w.members(l, portfolio); n != 0 {
		t.Errorf("the portfolio has %d companies", n)
	}
}

// Who may not send a file hears so before sending it.
func TestUploadsNeedTheirRights(t *testing.T) {
	w := newWorld(t, plan{})
	owner := w.join("acme", everywhere(auth.Monitoring)...)
	colleague := w.account(auth.NewAccount{Customer: owner.Customer, UserKey: "colleague"})
	portfolio := w.newPortfolio(owner, "one")
	by := auth.Caller{Customer: owner.Customer, Account: owner.Account}
	share := func(r monitor.Rights) {
		must(t, w.db.SharePortfolio(t.Context(), by, monitor.PortfolioID(portfolio), true, []monitor.Share{{Account: colleague.Account, Rights: r}}))
	}
	head := func(who login, what string) string {
		return fmt.Sprintf("POST /v1/monitoring/portfolios/%d/%s HTTP/1.1\r\nHost: x\r\nAuthorization: %s\r\nContent-Type: %s\r\nContent-Length: 40000000\r\nConnection: close\r\n\r\n",
			portfolio, what, w.token(who), multipartType)
	}
	status := func(who login, what, want string) {
		t.Helper()
		if got := w.raw(head(who, what)); !strings.HasPrefix(got, "HTTP/1.1 "+want+" ") {
			t.Errorf("%s %s: got %.200s, want %s", who.Username, what, got, want)
		}
	}
	stranger, bare := w.join("stranger", everywhere(auth.Monitoring)...), w.join("bare")
	for _, what := range []string{"import", "sync", "companies/import"} {
		status(stranger, what, "404")
		status(bare, what, "403")
		status(colleague, what, "404")
	}
	share(monitor.View | monitor.Edit)
	for _, what := range []string{"import", "sync", "companies/import"} {
		status(colleague, what, "403")
	}
	share(monitor.View | monitor.Add)
	status(colleague, "sync", "403")
	w.newImport(colleague, portfolio)
}

func TestUploadIsTakenOncePerKey(t *testing.T) {
	w := newWorld(t, plan{})
	w.companies(3)
	l := w.join("acme", everywhere(auth.Monitoring)...)
	portfolio := w.newPortfolio(l, "one")
	send := func(key, text string) (int64, error) {
		return w.client(l).ImportPortfolio(t.Context(), portfolio, client.PortfolioFile{Name: "a.csv", File: strings.NewReader(text), Key: key})
	}
	first, err := send("k", "GB-0-1\n")
	must(t, err)
	again, err := send("k", "GB-0-1\n")
	must(t, err)
	if again != first {
		t.Errorf("the same call made import %d and import %d", first, again)
	}
	if _, err := send("k", "GB-0-2\n"); !errors.Is(err, client.ErrConflict) {
		t.Errorf("another file with the same key: %v", err)
	}
	if other, err := send("l", "GB-0-1\n"); err != nil || other == first {
		t.Errorf("another key: %d (%v)", other, err)
	}
	// A call that made nothing may be tried again.
	if _, err := send("m", "name,town\n"); !errors.Is(err, client.ErrBadRequest) {
		t.Errorf("a bad file: %v", err)
	}
	if _, err := send("m", "GB-0-1\n"); err != nil {
		t.Errorf("tried again: %v", err)
	}
	if page, err := w.client(l).PortfolioImports(t.Context(), portfolio, "", 100); err != nil || page.Total != 3 {
		t.Errorf("%d imports (%v), want 3", page.Total, err)
	}
}

func TestImportsAreListed(t *testing.T) {
	w := newWorld(t, plan{})
	w.companies(3)
	l := w.join("acme", everywhere(auth.Monitoring)...)
	portfolio, other := w.newPortfolio(l, "one"), w.newPortfolio(l, "two")
	var want []int64
	for range 5 {
		want = append([]int64{w.newImport(l, portfolio)}, want...)
	}
	w.newImport(l, other)
	var got []int64
	cursor := ""
	for {
		page, err := w.client(l).PortfolioImports(t.Context(), portfolio, cursor, 2)
		must(t, err)
		if page.Total != 5 {
			t.Errorf("%d in all, want 5", page.Total)
		}
		for _, i := range page.Imports {
			got = append(got, i.ImportID)
		}
		if cursor = page.Cursor; cursor == "" {
			break
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("by cursor (-want +got):\n%s", d)
	}
	token := w.token(l)
	path := func(p int64, query string) string {
		return fmt.Sprintf("/monitoring/portfolios/%d/imports?%s", p, query)
	}
	a := w.send("GET", path(portfolio, "page=1&pageSize=2"), "", "Authorization", token)
	var page struct {
		Data   []struct{ ImportID int64 }
		Paging struct{ Size, Prev, Next, Last int }
		Cursor string
	}
	must(t, json.Unmarshal([]byte(a.body), &page))
	if a.status != 200 || len(page.Data) != 2 || page.Data[0].ImportID != want[2] || page.Paging.Prev != 0 || page.Paging.Next != 2 || page.Paging.Last != 2 {
		t.Errorf("got %d %s", a.status, a.body)
	}
	for _, query := range []string{"after=" + page.Cursor + "x", "after=x", "page=-1", "pageSize=1001", "pageSize=0", "page=x"} {
		if got := w.send("GET", path(portfolio, query), "", "Authorization", token); got.status != 400 {
			t.Errorf("%s: got %d %s", query, got.status, got.body)
		}
	}
	if got := w.send("GET", path(other, "after="+page.Cursor), "", "Authorization", token); got.status != 400 {
		t.Errorf("a cursor of another list: got %d %s", got.status, got.body)
	}
}

// The answers are as the document says, whatever has become of the file.
func TestImportAnswersAreAsDocumented(t *testing.T) {
	w := newWorld(t, plan{})
	w.companies(3)
	l := w.join("acme", everywhere(auth.Monitoring)...)
	portfolio := w.newPortfolio(l, "one")
	router, err := legacy.NewRouter(document(t, w))
	must(t, err)
	token := w.token(l)
	check := func(method, path, body string) {
		t.Helper()
		got := w.send(method, "/v1"+path, body, "Authorization", token, "Content-Type", multipartType)
		if got.status != http.StatusOK {
			t.Errorf("%s %s: got %d %s", method, path, got.status, got.body)
		}
		if err := holds(t.Context(), router, example{method: method, path: path, body: body}, got); err != nil {
			t.Errorf("%s %s: %s\nis not as documented: %v", method, path, got.body, err)
		}
	}
	base := fmt.Sprintf("/monitoring/portfolios/%d", portfolio)
	check("GET", base+"/imports", "")
	id := w.newImport(l, portfolio)
	check("POST", base+"/sync", formOf(formPart{"importcsv", "a.csv", "x\n"}))
	for range 2 { // waiting, then done and failed
		check("GET", fmt.Sprint(base, "/imports/", id), "")
		check("GET", base+"/imports", "")
		w.doTasks()
	}
}
