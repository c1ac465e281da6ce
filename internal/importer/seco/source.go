package seco

import (
	"errors"
	"io"
	"iter"
	"strings"
	"time"

	"bureau/internal/company"
	"bureau/internal/importer"
	"bureau/internal/importer/listfile"
	"bureau/internal/kyc"
)

// Source reads the list.
var Source = importer.Source[kyc.Record]{
	Name:    "seco",
	Title:   "SECO sanctions list of Switzerland (XML)",
	URL:     "https://www.sesam.search.admin.ch/sesam-search-web/pages/downloadXmlGesamtliste.xhtml?lang=en&action=downloadXmlGesamtlisteAction",
	Every:   24 * time.Hour,
	Whole:   true,
	Covers:  covers,
	Licence: "free to use, with the source named",
	Credit:  "State Secretariat for Economic Affairs SECO, Switzerland",
	Sample: `<?xml version="1.0" encoding="UTF-8"?>
<swiss-sanctions-list list-type="whole-list" date="2026-11-13">
  <sanctions-program ssid="990"><program-key lang="eng">Example</program-key><program-name lang="eng">Ordinance on an example</program-name>
    <sanctions-set ssid="991" lang="eng">article 1 -- an example</sanctions-set><origin>EU</origin></sanctions-program>
  <target ssid="9901"><sanctions-set-id>991</sanctions-set-id>
    <individual sex="male"><identity ssid="9902" main="true">
      <name ssid="9903" name-type="primary-name" quality="good">
        <name-part order="1" name-part-type="family-name"><value>Beispiel</value></name-part>
        <name-part order="2" name-part-type="given-name"><value>Beat</value></name-part>
      </name>
      <day-month-year ssid="9904" day="23" month="3" year="1970"/>
    </identity><justification ssid="9905">An example.</justification></individual>
    <modification modification-type="listed" publication-date="2020-02-29"/>
  </target>
</swiss-sanctions-list>
`,
	Read: Read,
}

// covers says that only the whole list is one: an amendment holds what changed.
func covers(head []byte) func(string) bool {
	if !strings.Contains(string(head), `list-type="whole-list"`) {
		return nil
	}
	return func(string) bool { return true }
}

var errOtherFile = errors.New("this is not the Swiss list: its root is not swiss-sanctions-list")

// Read yields the entries of a file.
func Read(r io.Reader, _ string) iter.Seq2[kyc.Record, error] {
	return listfile.Read(func(yield listfile.Reading) error {
		x := listfile.NewXML(r)
		l := &list{sets: map[string]set{}, places: map[string]kyc.Address{}}
		for {
			path, err := x.Next()
			switch {
			case errors.Is(err, io.EOF):
				// Places stand behind the targets that refer to them.
				return l.hand(yield)
			case err != nil:
				return err
			case !strings.HasPrefix(path, "swiss-sanctions-list"):
				return errOtherFile
			}
			switch strings.TrimPrefix(path, "swiss-sanctions-list/") {
			case "swiss-sanctions-list":
				l.asOf = listfile.Day(x.Attr("date"))
			case "sanctions-program":
				err = l.programme(x)
			case "place":
				err = l.place(x)
			case "target":
				err = l.target(x, yield)
			default:
				err = x.Skip()
			}
			if err != nil {
				return err
			}
		}
	})
}

// A list is what was read of a file.
type list struct {
	sets    map[string]set
	places  map[string]kyc.Address
	targets []*target
	asOf    company.Date
}

// A set is a part of a programme, which targets point to.
type set struct{ programme, measure string }

type text struct {
	Lang string `xml:"lang,attr"`
	ID   string `xml:"ssid,attr"`
	Text string `xml:",chardata"`
}

// english is the English one of texts, or the first.
func english(list []text) string {
	for _, t := range list {
		if t.Lang == "eng" {
			return t.Text
		}
	}
	if len(list) > 0 {
		return list[0].Text
	}
	return ""
}

func (l *list) programme(x *listfile.XML) error {
	var p struct {
		Keys  []text `xml:"program-key"`
		Names []text `xml:"program-name"`
		Sets  []text `xml:"sanctions-set"`
	}
	if err := x.Read(&p); err != nil {
		return err
	}
	byID := map[string][]text{}
	for _, s := range p.Sets {
		byID[s.ID] = append(byID[s.ID], s)
	}
	for id, texts := range byID {
		l.sets[id] = set{programme: listfile.Join(": ", english(p.Keys), english(p.Names)), measure: english(texts)}
	}
	return nil
}

func (l *list) place(x *listfile.XML) error {
	var p struct {
		ID       string `xml:"ssid,attr"`
		Location string `xml:"location"`
		Area     string `xml:"area"`
		Country  struct {
			Code string `xml:"iso-code,attr"`
		} `xml:"country"`
	}
	if err := x.Read(&p); err != nil {
		return err
	}
	l.places[p.ID] = kyc.Address{City: p.Location, Region: p.Area, Country: p.Country.Code}
	return nil
}

// hand hands the entries on when all places are known.
func (l *list) hand(yield listfile.Reading) error {
	for _, t := range l.targets {
		if !yield(kyc.Record{Entry: l.entry(t), AsOf: l.asOf}, nil) {
			return nil
		}
	}
	return nil
}
