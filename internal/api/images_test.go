package api_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"bureau/client"
	"bureau/internal/auth"
	"bureau/internal/company"
)

// file puts a document of a company into the database.
func (w *world) file(of company.ID, reference, content string, change ...func(*company.Document)) (imageID string) {
	w.t.Helper()
	d := company.Document{
		Company: of, Kind: "accounts", Text: "Annual accounts", Media: company.PDF, Language: "en",
		Reference: reference, Filed: "2026-01-31", AccountsTo: "2025-12-31", Source: "documents",
	}
	for _, f := range change {
		f(&d)
	}
	_, _, err := w.db.PutDocument(w.t.Context(), d, strings.NewReader(content), 1)
	must(w.t, err)
	return company.DocumentID(of, reference)
}

// imageExamples are requests that the document allows.
func imageExamples() []example {
	return []example{
		{"companyImages", "GET", "/images/companies?id=GB-0-00000000", "", 404, "acme"},
		{"companyImages", "GET", "/images/companies", "", 400, "acme"},
		{"companyImages", "GET", "/images/companies?id=GB-0-00000000", "", 403, "bare"},
		{"imageTypes", "GET", "/images/companies/types?countries=GB", "", 200, "acme"},
		{"imageTypes", "GET", "/images/companies/types?countries=GBR", "", 400, "acme"},
		{"imageTypes", "GET", "/images/companies/types?countries=ZZ", "", 400, "acme"},
		{"companyImage", "GET", "/images/GB-00000000000000000000", "", 400, "acme"},
		{"companyImage", "GET", "/images/GB-00000000000000000000", "", 403, "bare"},
	}
}

func TestImagesAreListedAndRead(t *testing.T) {
	w := newWorld(t, plan{})
	w.know(acorn(), simple("IE", "77", "Clover Limited"))
	content := "%PDF-1.4 " + strings.Repeat("what was filed ", 80_000)
	id := w.file("GB-0-00000001", "AA-2025", content)
	w.file("GB-0-00000001", "old", "x", func(d *company.Document) {
		d.Filed, d.Kind, d.Media, d.Language = "2020-01-01", "return", company.PNG, "de"
	})
	w.file("IE-0-77", "other", "x")
	c := w.client(w.join("acme", everywhere(auth.Images)...))
	list, total, err := c.CompanyImages(t.Context(), client.ImageQuery{Company: "UK00000001"})
	must(t, err)
	if total != 2 || len(list) != 2 || list[0].ID != id || list[0].Format != "PDF" || list[0].Company.Name != "Acorn Mills Limited" ||
		list[0].Document.Code != "accounts" || list[0].Size != int64(len(content)) || list[1].Format != "PNG" {
		t.Errorf("got %d, %+v", total, list)
	}
	for _, q := range []client.ImageQuery{
		{Type: "return"}, {Type: "Annual return or confirmation statement"}, {Language: "DE"}, {OlderThan: "2020-01-01"}, {Page: 2, PageSize: 1},
	} {
		q.Company = "GB-0-00000001"
		if list, _, err := c.CompanyImages(t.Context(), q); err != nil || len(list) != 1 || list[0].Document.Code != "return" {
			t.Errorf("%+v: got %+v (%v)", q, list, err)
		}
	}
	var got bytes.Buffer
	must(t, c.Image(t.Context(), id, &got))
	if got.String() != content {
		t.Errorf("got %d bytes of %d", got.Len(), len(content))
	}
	types, err := c.ImageTypes(t.Context(), "gb", "SE")
	if err != nil || len(types) != 2 || types[1].Country != "SE" || len(types[0].Languages[0].Types) != len(company.DocumentKinds()) {
		t.Errorf("got %+v (%v)", types, err)
	}
	if types, err := c.ImageTypes(t.Context()); err != nil || len(types) != 1 || types[0].Country != "WW" {
		t.Errorf("of all countries: got %+v (%v)", types, err)
	}
}

// The document comes with its type and length, whole or in parts, and can do no
// harm in a browser.
func TestImageIsServedAsItIs(t *testing.T) {
	w := newWorld(t, plan{})
	w.know(acorn())
	id := w.file("GB-0-00000001", "a", "%PDF-0123456789")
	token := w.token(w.join("acme", everywhere(auth.Images)...))
	get := func(header ...string) answer {
		return w.send("GET", "/v1/images/"+id, "", append([]string{"Authorization", token}, header...)...)
	}
	whole := get()
	for name, want := range map[string]string{
		"Content-Type": "application/pdf", "Content-Length": "15", "Accept-Ranges": "bytes", "X-Content-Type-Options": "nosniff",
		"Content-Security-Policy": "sandbox; default-src 'none'", "Content-Disposition": `inline; filename="` + id + `.pdf"`,
	} {
		if got := whole.header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if whole.status != 200 || whole.body != "%PDF-0123456789" {
		t.Errorf("got %d %q", whole.status, whole.body)
	}
	if a := get("Range", "bytes=5-8"); a.status != 206 || a.body != "0123" || a.header.Get("Content-Range") != "bytes 5-8/15" {
		t.Errorf("a part: %d %q %s", a.status, a.body, a.header.Get("Content-Range"))
	}
	if a := get("Range", "bytes=-3"); a.status != 206 || a.body != "789" {
		t.Errorf("the end: %d %q", a.status, a.body)
	}
	if a := get("Range", "bytes=99-"); a.status != 416 {
		t.Errorf("beyond the end: %d %q", a.status, a.body)
	}
	if a := get("If-None-Match", whole.header.Get("ETag")); a.status != 304 || a.body != "" {
		t.Errorf("what the caller has: %d %q", a.status, a.body)
	}
	if a := w.send("HEAD", "/images/"+id, "", "Authorization", token); a.status != 200 || a.header.Get("Content-Length") != "15" {
		t.Errorf("HEAD: %d %s", a.status, a.header.Get("Content-Length"))
	}
}

func TestImagesRefuseWithReasons(t *testing.T) {
	w := newWorld(t, plan{})
	w.know(acorn(), simple("IE", "77", "Clover Limited"))
	theirs := w.file("IE-0-77", "a", "x")
	l := w.join("acme", auth.Grant{Product: auth.Images, Country: "GB", From: "2026-01-01", Paid: 10})
	token := w.token(l)
	for _, c := range []struct {
		path   string
		status int
		says   string
	}{
		{"/images/companies", 400, "id: name the company"},
		{"/images/companies?country=GB", 400, "id: name the company"},
		{"/images/companies?country=gb&localId=00000001", 200, `"totalSize":0`},
		{"/images/companies?id=banana", 400, "is not a connectId"},
		{"/images/companies?id=GB-0-00000001&imageType=cats&newerThan=soon&language=english", 400, "imageType"},
		{"/images/companies?id=GB-0-00000001&page=0", 400, "page"},
		{"/images/companies?id=GB-0-00000001&unknown=1", 200, "[]"},
		{"/images/companies?id=IE-0-77", 403, "no access to images in IE"},
		{"/images/companies/types?countries=GBR", 400, "countries"},
		{"/images/nothing", 400, "message"},
		{"/images/GB-00000000000000000000", 400, "there is no image"},
		{"/images/" + theirs, 403, "no access to images in IE"},
	} {
		a := w.send("GET", c.path, "", "Authorization", token)
		if a.status != c.status || !strings.Contains(a.body, c.says) {
			t.Errorf("%s: %d %s, want %d with %q", c.path, a.status, a.body, c.status, c.says)
		}
	}
	mine := w.file("GB-0-00000001", "a", "x")
	for range 2 {
		w.send("GET", "/images/"+mine, "", "Authorization", token)
	}
	if a := w.send("GET", "/access", "", "Authorization", token); !strings.Contains(a.body, `"paid":10,"used":2`) {
		t.Errorf("two documents are not counted as two: %s", a.body)
	}
	var body struct {
		Message string `json:"message"`
		Details string `json:"details"`
	}
	a := w.send("GET", "/images/nothing", "", "Authorization", token)
	must(t, json.Unmarshal([]byte(a.body), &body))
	if body.Message == "" || a.header.Get("Content-Type") != "application/json" || a.status != http.StatusBadRequest {
		t.Errorf("got %d %s", a.status, a.body)
	}
}
