package storetest

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"bureau/internal/company"
	"bureau/internal/fault"
)

// documents are the promises of company.DocumentStore.
var documents = []promise{
	{"a document comes back as it was put, from any place on", documentComesBack},
	{"a document that is put again stays, or takes the place of the old one", documentReplaced},
	{"of a document that breaks off nothing stays, and the old one is there", documentBreaksOff},
	{"documents are listed by company, the newest first, in pages and by what they are", documentsListed},
	{"what a source no longer gives goes, and only that", documentsDropped},
	{"documents outlive the tidying of tasks", documentsStay},
}

func aDocument(of company.ID, reference string) company.Document {
	return company.Document{
		Company: of, Kind: "accounts", Text: "Annual accounts", Media: company.PDF, Language: "en", Comment: "c",
		Reference: reference, Filed: "2026-01-02", AccountsTo: "2025-12-31", Source: "documents",
	}
}

func putDocument(t *testing.T, s company.DocumentStore, d company.Document, text string, turn int64) (same, fresh bool) {
	t.Helper()
	same, fresh, err := s.PutDocument(t.Context(), d, strings.NewReader(text), turn)
	noError(t, err)
	return same, fresh
}

func content(t *testing.T, s company.DocumentStore, id string, from int64) string {
	t.Helper()
	d, err := s.Document(t.Context(), id)
	noError(t, err)
	b, err := io.ReadAll(s.OpenDocument(t.Context(), d, from))
	noError(t, err)
	return string(b)
}

func documentComesBack(t *testing.T, s nodes) {
	d := aDocument("GB-0-1", "a")
	text := strings.Repeat("0123456789", 200_000)
	if same, fresh := putDocument(t, s, d, text, 1); same || !fresh {
		t.Errorf("it is said to be the same (%v), or not new (%v)", same, fresh)
	}
	id := company.DocumentID("GB-0-1", "a")
	got, err := s.other.Document(t.Context(), id)
	noError(t, err)
	if got.UploadedAt.IsZero() || got.File == 0 || len(got.Digest) != 64 {
		t.Errorf("got %+v", got)
	}
	want := d
	want.ID, want.Size = id, int64(len(text))
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(company.Document{}, "UploadedAt", "File", "Digest")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, from := range []int64{0, 1, 600_000, int64(len(text)) - 1, int64(len(text))} {
		if c := content(t, s.other, id, from); c != text[from:] {
			t.Errorf("from %d: %d bytes", from, len(c))
		}
	}
	putDocument(t, s, aDocument("GB-0-1", "empty"), "", 1)
	if c := content(t, s, company.DocumentID("GB-0-1", "empty"), 0); c != "" {
		t.Errorf("of nothing came %q", c)
	}
	_, err = s.Document(t.Context(), "GB-none")
	wantKind(t, err, fault.Missing)
}

func documentReplaced(t *testing.T, s nodes) {
	d := aDocument("GB-0-1", "a")
	id := company.DocumentID(d.Company, d.Reference)
	putDocument(t, s, d, "one", 1)
	first, err := s.Document(t.Context(), id)
	noError(t, err)
	if same, fresh := putDocument(t, s.other, d, "one", 2); !same || fresh {
		t.Errorf("same %v, new %v", same, fresh)
	}
	again, err := s.Document(t.Context(), id)
	noError(t, err)
	if again != first {
		t.Errorf("it is not the same: %+v, %+v", first, again)
	}
	if same, fresh := putDocument(t, s, d, "two", 3); same || fresh {
		t.Errorf("same %v, new %v", same, fresh)
	}
	if c := content(t, s.other, id, 0); c != "two" {
		t.Errorf("it holds %q", c)
	}
	d.Text = "Amended accounts"
	if same, _ := putDocument(t, s, d, "two", 4); same {
		t.Error("other words are said to be the same")
	}
	if got, err := s.Document(t.Context(), id); err != nil || got.Text != d.Text {
		t.Errorf("got %+v (%v)", got, err)
	}
}

func documentBreaksOff(t *testing.T, s nodes) {
	d := aDocument("GB-0-1", "a")
	putDocument(t, s, d, "one", 1)
	wrong := errors.New("the disk is gone")
	_, _, err := s.PutDocument(t.Context(), d, io.MultiReader(strings.NewReader(strings.Repeat("x", 1<<20)), iotest.ErrReader(wrong)), 2)
	if !errors.Is(err, wrong) {
		t.Errorf("got %v", err)
	}
	if c := content(t, s, company.DocumentID("GB-0-1", "a"), 0); c != "one" {
		t.Errorf("it holds %d bytes", len(c))
	}
}

func documentsListed(t *testing.T, s nodes) {
	for i, filed := range []company.Date{"2026-01-01", "2026-03-01", "", "2026-02-01"} {
		d := aDocument("GB-0-1", string(rune('a'+i)))
		d.Filed = filed
		if i == 1 {
			d.Kind, d.Language = "return", "de"
		}
		putDocument(t, s, d, "x", 1)
	}
	putDocument(t, s, aDocument("GB-0-2", "z"), "x", 1)
	refs := func(q company.DocumentQuery) string {
		t.Helper()
		q.Company = "GB-0-1"
		if q.Limit == 0 {
			q.Limit = 10
		}
		list, total, err := s.other.Documents(t.Context(), q)
		noError(t, err)
		out := ""
		for _, d := range list {
			out += d.Reference
		}
		if q.Limit == 10 && int(total) != len(list) {
			t.Errorf("%d in all, %d listed", total, len(list))
		}
		if q.Limit == 2 && total != 4 {
			t.Errorf("%d in all, want 4", total)
		}
		return out
	}
	for want, q := range map[string]company.DocumentQuery{
		"bdac": {}, "bd": {Limit: 2}, "ac": {Limit: 2, Skip: 2}, "b": {Kind: "return"}, "dac": {Language: "en"},
		"da": {From: "2026-01-01", To: "2026-02-01"}, "": {From: "2027-01-01"},
	} {
		if got := refs(q); got != want {
			t.Errorf("%+v: got %q, want %q", q, got, want)
		}
	}
}

func documentsDropped(t *testing.T, s nodes) {
	putDocument(t, s, aDocument("GB-0-1", "a"), "x", 1)
	putDocument(t, s, aDocument("GB-0-1", "b"), "x", 1)
	other := aDocument("GB-0-1", "c")
	other.Source = "sandbox"
	putDocument(t, s, other, "x", 1)
	putDocument(t, s, aDocument("GB-0-1", "a"), "x", 2)
	n, err := s.DropDocuments(t.Context(), "documents", 2)
	if n != 1 || err != nil {
		t.Errorf("%d went (%v), want 1", n, err)
	}
	_, err = s.Document(t.Context(), company.DocumentID("GB-0-1", "b"))
	wantKind(t, err, fault.Missing)
	for _, ref := range []string{"a", "c"} {
		if c := content(t, s.other, company.DocumentID("GB-0-1", ref), 0); c != "x" {
			t.Errorf("%s holds %q", ref, c)
		}
	}
}

func documentsStay(t *testing.T, s nodes) {
	putDocument(t, s, aDocument("GB-0-1", "a"), "x", 1)
	noError(t, s.ForgetTasks(t.Context(), time.Now().Add(time.Hour)))
	if c := content(t, s, company.DocumentID("GB-0-1", "a"), 0); c != "x" {
		t.Errorf("it holds %q", c)
	}
}
