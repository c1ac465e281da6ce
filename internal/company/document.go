package company

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"slices"
	"strings"
	"time"

	"bureau/internal/fault"
)

// A Document is something that was filed about a company, as it looks: accounts,
// a deed, a certificate. Its ID is made from the company and its reference, so
// that the same document keeps it.
type Document struct {
	ID         string
	Company    ID
	Kind       string // one of DocumentKinds
	Text       string // what it is, in the publisher's words
	Media      Media
	Language   string // two letters
	Comment    string
	Reference  string // the publisher's, or the file's name
	Filed      Date
	AccountsTo Date   // the end of the year that it is about, if it is accounts
	Source     string // who gave it
	Digest     string // SHA-256 of what is in it
	Size       int64
	UploadedAt time.Time

	File int64 // where its pieces lie
}

// Media is the type of a document.
type Media string

// The types that we serve. Others could do harm in the browser of whoever opens
// them.
const (
	PDF  Media = "application/pdf"
	PNG  Media = "image/png"
	JPEG Media = "image/jpeg"
	TIFF Media = "image/tiff"
)

// Formats are what clients call the types.
var formats = map[Media]string{PDF: "PDF", PNG: "PNG", JPEG: "JPEG", TIFF: "TIFF"}

// Format is what clients call a type.
func (m Media) Format() string { return formats[m] }

// MediaOf tells a type by how the document begins, whatever its name says.
func MediaOf(head []byte) (Media, bool) {
	for _, m := range []struct {
		media Media
		magic string
	}{{PDF, "%PDF-"}, {PNG, "\x89PNG\r\n\x1a\n"}, {JPEG, "\xff\xd8\xff"}, {TIFF, "II*\x00"}, {TIFF, "MM\x00*"}} {
		if strings.HasPrefix(string(head), m.magic) {
			return m.media, true
		}
	}
	return "", false
}

// MaxDocument is the largest that is kept, in bytes.
const MaxDocument = 200 << 20

// A DocumentKind is what documents are sorted by.
type DocumentKind struct {
	Code string
	Text string
}

// DocumentKinds are all of them.
func DocumentKinds() []DocumentKind {
	return []DocumentKind{
		{"accounts", "Annual accounts"},
		{"return", "Annual return or confirmation statement"},
		{"incorporation", "Certificate of incorporation or registration"},
		{"articles", "Articles of association"},
		{"officers", "Appointments and resignations"},
		{"capital", "Share capital"},
		{"charge", "Mortgages and charges"},
		{"insolvency", "Insolvency"},
		{"other", "Other documents"},
	}
}

// DocumentID is the ID of a company's document with a reference.
func DocumentID(of ID, reference string) string {
	sum := sha256.Sum256([]byte(string(of) + "\x00" + reference))
	return of.Country() + "-" + hex.EncodeToString(sum[:10])
}

// Check says what is wrong with a document.
func (d *Document) Check() error {
	known := slices.ContainsFunc(DocumentKinds(), func(k DocumentKind) bool { return k.Code == d.Kind })
	switch {
	case d.Company.Number() == "":
		return fault.Invalid.Errorf("company: %q is not a connectId", d.Company)
	case !known:
		return fault.Invalid.Errorf("type: there is no type %q; the types are %s", d.Kind, strings.Join(documentKindCodes(), ", "))
	case d.Reference == "" || len(d.Reference) > 200:
		return fault.Invalid.Errorf("reference: it must have 1 to 200 bytes")
	case len(d.Text) > 500 || len(d.Comment) > 2000:
		return fault.Invalid.Errorf("description: it is too long")
	case d.Language != "" && (len(d.Language) != 2 || !isLetters(d.Language)):
		return fault.Invalid.Errorf("language: %q is not a language: use two letters such as en", d.Language)
	case d.Filed != "" && !d.Filed.isDay():
		return fault.Invalid.Errorf("filed: %q is no day: write it as 2006-01-02", d.Filed)
	case d.AccountsTo != "" && !d.AccountsTo.isDay():
		return fault.Invalid.Errorf("accountsTo: %q is no day: write it as 2006-01-02", d.AccountsTo)
	}
	return nil
}

func documentKindCodes() (out []string) {
	for _, k := range DocumentKinds() {
		out = append(out, k.Code)
	}
	return out
}

// DocumentQuery says which documents to list.
type DocumentQuery struct {
	Company  ID
	Kind     string // "" is all
	Language string
	From, To Date // of filing, both included
	Skip     int
	Limit    int
}

// DocumentStore is what documents ask of a database.
type DocumentStore interface {
	// PutDocument keeps a document and all that it reads, in place of the one
	// with the same ID. One that is there already with the same content and
	// the same words stays as it is: same is true. If reading fails nothing
	// changes. turn is the number of the import that brings it.
	PutDocument(ctx context.Context, d Document, content io.Reader, turn int64) (same, fresh bool, err error)

	// DropDocuments takes away what a source gave before a turn and not in it,
	// and returns how many they were.
	DropDocuments(ctx context.Context, source string, turn int64) (int64, error)

	// Document returns one. None is a fault.Missing.
	Document(ctx context.Context, id string) (Document, error)

	// Documents lists a company's documents, the newest first, and says how
	// many there are in all.
	Documents(ctx context.Context, q DocumentQuery) ([]Document, int64, error)

	// OpenDocument reads a document from a place on, in pieces.
	OpenDocument(ctx context.Context, d Document, from int64) io.Reader
}
