package brreg

import (
	"strings"

	"bureau/internal/importer/jsonfile"
)

// A document is any value of a file: what it is shows in what is filled.
type document struct {
	unit

	groups   []group // of roles
	hasRoles bool

	change, changed string // of an update

	// page are the documents of a page of the service.
	page   [][]byte
	isPage bool

	// links are where the service says that the document comes from.
	self, ofUnit, ofSubUnit string
}

func readDocument(raw []byte) (*document, error) {
	d := &document{}
	r := jsonfile.NewReader(raw)
	r.Object(func(key []byte) {
		switch string(key) {
		case "rollegrupper":
			d.hasRoles = true
			r.Array(func() { d.groups = append(d.groups, readGroup(r)) })
		case "endringstype":
			d.change = r.Text()
		case "dato":
			d.changed = r.Text()
		case "_embedded":
			d.isPage = true
			r.Object(func([]byte) {
				r.Array(func() { d.page = append(d.page, r.Raw()) })
			})
		case "_links":
			d.readLinks(r)
		default:
			d.unit.read(r, key)
		}
	})
	return d, r.Err()
}

func (d *document) readLinks(r *jsonfile.Reader) {
	href := func(to *string) {
		r.Object(func(key []byte) {
			if string(key) == "href" {
				*to = r.Text()
			}
		})
	}
	r.Object(func(key []byte) {
		switch string(key) {
		case "self":
			href(&d.self)
		case "enhet":
			href(&d.ofUnit)
		case "underenhet":
			href(&d.ofSubUnit)
		}
	})
}

// isSubUnit tells a place of work from a company: both have numbers.
func (d *document) isSubUnit() bool {
	return d.form.code == "BEDR" || d.form.code == "AAFY" || d.location != nil ||
		strings.Contains(d.self, "/underenheter/")
}

// A coded is a code and what it stands for.
type coded struct{ code, text string }

func readCoded(r *jsonfile.Reader) (c coded) {
	r.Object(func(key []byte) {
		switch string(key) {
		case "kode":
			c.code = r.Text()
		case "beskrivelse":
			c.text = r.Text()
		}
	})
	return c
}

// readLines reads a text, or a list of its lines.
func readLines(r *jsonfile.Reader) string {
	if r.Kind() != '[' {
		return r.Text()
	}
	var words []string
	r.Array(func() { words = append(words, strings.Fields(r.Text())...) })
	return strings.Join(words, " ")
}
