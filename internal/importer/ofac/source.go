package ofac

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"time"

	"bureau/internal/company"
	"bureau/internal/importer"
	"bureau/internal/importer/listfile"
	"bureau/internal/kyc"
)

// Source reads both lists in all forms.
var Source = importer.Source[kyc.Record]{
	Name:     "ofac",
	Title:    "OFAC lists of the United States (SDN and consolidated; CSV set, XML or advanced XML)",
	URL:      "https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports/SDN.XML",
	Every:    24 * time.Hour,
	Whole:    true,
	Together: true,
	Licence:  "free of copyright, as a work of the government of the United States",
	Sample: `<?xml version="1.0" standalone="yes"?>
<sdnList xmlns="https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports/XML">
  <publshInformation><Publish_Date>11/13/2026</Publish_Date><Record_Count>1</Record_Count></publshInformation>
  <sdnEntry>
    <uid>999001</uid><firstName>Ivan Petrovich</firstName><lastName>EXAMPLOV</lastName><sdnType>Individual</sdnType>
    <programList><program>EXAMPLE-EO1</program></programList>
    <akaList><aka><uid>1</uid><type>a.k.a.</type><category>strong</category><lastName>EKSAMPLOV</lastName><firstName>Ivan</firstName></aka></akaList>
    <dateOfBirthList><dateOfBirthItem><uid>2</uid><dateOfBirth>circa 1970</dateOfBirth><mainEntry>true</mainEntry></dateOfBirthItem></dateOfBirthList>
  </sdnEntry>
</sdnList>
`,
	Read: Read,
}

// Read yields the entries of files that are named together, or of one.
func Read(r io.Reader, name string) iter.Seq2[kyc.Record, error] {
	return listfile.Read(func(yield listfile.Reading) error {
		set, ok := r.(*importer.Set)
		if !ok {
			c := &csvSet{yield: yield}
			if err := readFile(r, name, c, yield); err != nil {
				return err
			}
			return c.finish()
		}
		c := &csvSet{yield: yield}
		for {
			name, err := set.Next()
			if errors.Is(err, io.EOF) {
				return c.finish()
			}
			if err == nil {
				err = readFile(set, name, c, yield)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	})
}

var errOtherFile = errors.New("this is none of OFAC's files: neither its XML nor one of its CSV files")

// readFile tells the forms apart by how a file begins.
func readFile(r io.Reader, name string, c *csvSet, yield listfile.Reading) error {
	in := bufio.NewReaderSize(r, 64<<10)
	head, err := in.Peek(4 << 10)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	text := bytes.TrimLeft(head, "\ufeff \t\r\n")
	switch {
	case len(text) == 0:
		return fmt.Errorf("%w: there is nothing in it", importer.ErrCutShort)
	case text[0] != '<':
		return c.read(in, name)
	case bytes.Contains(text, []byte("<sdnList")):
		return readXML(in, name, yield)
	case bytes.Contains(text, []byte("<Sanctions")):
		return readAdvanced(in, name, yield)
	}
	if len(text) < 200 && !bytes.Contains(text, []byte("</")) {
		return fmt.Errorf("%w: it ends before it says what it is", importer.ErrCutShort)
	}
	return errOtherFile
}

// isConsolidated tells the files of the two lists apart.
func isConsolidated(name string) bool { return strings.Contains(strings.ToLower(name), "cons") }

// listOf tells from a file's name which list it is, and from the programmes of
// its first entry where the name does not say.
func listOf(name string, programmes []string) string {
	switch {
	case isConsolidated(name):
		return kyc.OFACConsolidated
	case strings.Contains(strings.ToLower(name), "sdn"):
		return kyc.OFACSDN
	}
	for _, p := range programmes {
		for _, other := range []string{"NS-PLC", "UKRAINE-EO13662", "FSE-", "561-", "NS-MBS", "NS-CMIC", "CMIC-", "BPI-"} {
			if strings.HasPrefix(p, other) {
				return kyc.OFACConsolidated
			}
		}
	}
	return kyc.OFACSDN
}

// newEntry is what all entries of a list have.
func newEntry(list, number string, listed company.Date) kyc.Entry {
	return kyc.Entry{
		List: list, Number: number, Kind: kyc.Company, Listed: listed,
		Datasets: []kyc.Dataset{kyc.SANCurrent}, Bodies: []kyc.Body{kyc.OFAC},
		Sources: []kyc.Source{{
			Title: kyc.FindList(list).Title,
			Link:  "https://sanctionssearch.ofac.treas.gov/Details.aspx?id=" + number,
			Added: listed,
		}},
	}
}

// kindOf reads the publisher's word for a kind; no word is a company.
func kindOf(word string) kyc.Kind {
	switch strings.ToLower(strings.TrimSpace(word)) {
	case "individual":
		return kyc.Person
	case "vessel":
		return kyc.Vessel
	case "aircraft":
		return kyc.Aircraft
	}
	return kyc.Company
}

// nameOf reads a name in one text. People's come with the family name first:
// "LAST, First Middle".
func nameOf(kind kyc.Kind, text string) kyc.Name {
	last, first, inverted := strings.Cut(text, ",")
	if kind != kyc.Person || !inverted {
		return kyc.Name{Text: text}
	}
	return listfile.PersonName(strings.TrimSpace(first), "", strings.TrimSpace(last))
}

// typeOf reads aka, a.k.a., A.K.A. and the like.
func typeOf(word string) kyc.NameType {
	if strings.HasPrefix(strings.ToLower(word), "f") {
		return kyc.Former
	}
	return kyc.Alias
}
