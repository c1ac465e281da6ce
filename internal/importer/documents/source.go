package documents

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"strings"

	"bureau/internal/company"
	"bureau/internal/importer"
	"bureau/internal/importer/csvfile"
	"bureau/internal/importer/jsonfile"
)

// Name is the source's name.
const Name = "documents"

// Manifests are the names that a manifest may have.
var Manifests = []string{"manifest.csv", "manifest.jsonl"}

// Sample is a manifest, for --help.
const Sample = "file,company,type,description,filed,accountsTo,language,comment,reference\n" +
	"scans/2026-accounts.pdf,GB-0-09999990,accounts,Annual accounts,2026-04-02,2025-12-31,en,,AA-2026\n"

var columns = []string{"file", "company", "type", "description", "filed", "accountsTo", "language", "comment", "reference"}

// A record is one line of a manifest, in the words of both formats.
type record struct {
	File        string `json:"file"`
	Company     string `json:"company"`
	Type        string `json:"type"`
	Description string `json:"description"`
	Filed       string `json:"filed"`
	AccountsTo  string `json:"accountsTo"`
	Language    string `json:"language"`
	Comment     string `json:"comment"`
	Reference   string `json:"reference"`
}

// An Item is a document and where in the folder it lies.
type Item struct {
	company.Document
	File   string
	folder *Folder
}

// A Folder is where a manifest and its files are. Nothing outside it can be
// reached, whatever a manifest says.
type Folder struct {
	Root  *os.Root
	Known func(company.ID) (bool, error) // whether the register holds a company; nil if there is no register
}

// Source is the source of a folder.
func (f *Folder) Source() importer.Source[Item] {
	return importer.Source[Item]{
		Name: Name, Title: "documents that were filed: a folder with a manifest and files",
		Licence: "whatever the operator's own data comes under", Sample: Sample, Read: f.Read,
	}
}

// Read yields the documents that a manifest names.
func (f *Folder) Read(r io.Reader, _ string) iter.Seq2[Item, error] {
	in := bufio.NewReaderSize(r, 64<<10)
	head, _ := in.Peek(4096)
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	if len(head) > 0 && (head[0] == '{' || head[0] == '[') {
		return f.readJSON(in)
	}
	return f.readCSV(in)
}

func (f *Folder) readJSON(r io.Reader) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		for v, err := range jsonfile.Values(r) {
			var item Item
			if err == nil {
				var rec record
				d := json.NewDecoder(bytes.NewReader(v.Raw))
				d.DisallowUnknownFields()
				why := d.Decode(&rec)
				if why != nil {
					why = jsonfile.Explain(why)
				} else {
					item, why = f.item(rec)
				}
				if why != nil {
					err = v.Bad(why)
				}
			}
			if !yield(item, err) {
				return
			}
		}
	}
}

func (f *Folder) readCSV(in io.Reader) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		for r, err := range csvfile.Rows(in, columns, []string{"file", "company", "type"}) {
			var item Item
			if err == nil {
				var why error
				item, why = f.item(record{
					File: r.At("file"), Company: r.At("company"), Type: r.At("type"), Description: r.At("description"),
					Filed: r.At("filed"), AccountsTo: r.At("accountsTo"), Language: r.At("language"),
					Comment: r.At("comment"), Reference: r.At("reference"),
				})
				if why != nil {
					err = r.Bad(why)
				}
			}
			if !yield(item, err) {
				return
			}
		}
	}
}

// item makes a document of a record and looks at its file.
func (f *Folder) item(r record) (Item, error) {
	item := Item{File: r.File, folder: f, Document: company.Document{
		Kind: r.Type, Text: r.Description, Filed: company.Date(r.Filed), AccountsTo: company.Date(r.AccountsTo),
		Language: strings.ToLower(r.Language), Comment: r.Comment, Reference: r.Reference, Source: Name,
	}}
	if item.Reference == "" {
		item.Reference = r.File
	}
	id, err := company.ParseID(r.Company)
	if err != nil {
		return item, fmt.Errorf("company: %w", err)
	}
	item.Company = id
	if item.Text == "" {
		for _, k := range company.DocumentKinds() {
			if k.Code == r.Type {
				item.Text = k.Text
			}
		}
	}
	if err := item.Document.Check(); err != nil {
		return item, err
	}
	if f.Known != nil {
		known, err := f.Known(id)
		if err != nil {
			return item, err
		}
		if !known {
			return item, fmt.Errorf("company: %s is not in the register", id)
		}
	}
	item.Media, err = f.look(r.File)
	return item, err
}

// look says what type a file is of.
func (f *Folder) look(name string) (company.Media, error) {
	in, err := f.Root.Open(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("file: there is no %q in the folder", name)
	case err != nil:
		return "", fmt.Errorf("file: %q cannot be read: %w", name, cause(err))
	}
	defer in.Close()
	info, err := in.Stat()
	switch {
	case err != nil:
		return "", fmt.Errorf("file: %w", cause(err))
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("file: %q is no file", name)
	case info.Size() > company.MaxDocument:
		return "", fmt.Errorf("file: %q has more than %d MB", name, company.MaxDocument>>20)
	}
	head := make([]byte, 16)
	n, err := io.ReadFull(in, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("file: %w", cause(err))
	}
	media, ok := company.MediaOf(head[:n])
	if !ok {
		return "", fmt.Errorf("file: %q is not a PDF, PNG, JPEG or TIFF", name)
	}
	return media, nil
}

// cause is an error without the path, which the record names already.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// Open opens what is in a document.
func (i *Item) Open() (io.ReadCloser, error) { return i.folder.Root.Open(i.File) }
