package gleif

import (
	"encoding/xml"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"bureau/internal/company"
	"bureau/internal/importer"
)

// leiOf makes an LEI with its check digits.
func leiOf(n int) string {
	base := fmt.Sprintf("9845%014d", n)
	rest := 0
	for _, c := range base + "00" {
		rest = (rest*10 + int(c-'0')) % 97
	}
	return base + fmt.Sprintf("%02d", 98-rest)
}

// A generated file: a head, n records, and a tail. It is made while it is
// read, so that it costs no memory.
type generated struct {
	head, tail string
	record     func(b []byte, i int) []byte
	i, n       int
	buf        []byte
	off        int
	state      int
}

func (g *generated) Read(p []byte) (int, error) {
	for g.off == len(g.buf) {
		g.buf, g.off = g.buf[:0], 0
		switch {
		case g.state == 0:
			g.buf, g.state = append(g.buf, g.head...), 1
		case g.state == 1 && g.i < g.n:
			g.buf = g.record(g.buf, g.i)
			g.i++
		case g.state == 1:
			g.buf, g.state = append(g.buf, g.tail...), 2
		default:
			return 0, io.EOF
		}
	}
	n := copy(p, g.buf[g.off:])
	g.off += n
	return n, nil
}

// around cuts a sample at its one record.
func around(sample, begin, end string) (head, record, tail string) {
	i := strings.Index(sample, begin)
	j := strings.Index(sample, end) + len(end)
	return sample[:i], sample[i:j], sample[j:]
}

// xmlOf makes a golden copy out of the sample, with the extension that most
// real records have.
func xmlOf(n int) *generated {
	head, record, tail := around(LEI.Sample, "    <lei:LEIRecord>", "</lei:LEIRecord>\n")
	record = strings.Replace(record, "      </lei:Registration>\n", `      </lei:Registration>
      <lei:Extension>
        <gleif:Geocoding xmlns:gleif="http://www.gleif.org/data/schema/golden-copy/extensions/1.0">
          <gleif:original_address>7 Candle Row, null, null, null, GB, null, LS1 9ZZ, Leeds</gleif:original_address>
          <gleif:relevance>0.94</gleif:relevance>
          <gleif:match_type>pointAddress</gleif:match_type>
          <gleif:lat>53.79</gleif:lat>
          <gleif:lng>-1.54</gleif:lng>
          <gleif:geocoding_date>2016-05-17T10:50:50</gleif:geocoding_date>
          <gleif:bounding_box>TopLeft.Latitude: 53.1479942, TopLeft.Longitude: -1.1232352, BottomRight.Latitude: 53.1457458, BottomRight.Longitude: -1.1266048</gleif:bounding_box>
          <gleif:match_level>houseNumber</gleif:match_level>
          <gleif:formatted_address>7 Candle Row, Leeds LS1 9ZZ, United Kingdom</gleif:formatted_address>
          <gleif:mapped_street>Candle Row</gleif:mapped_street>
          <gleif:mapped_housenumber>7</gleif:mapped_housenumber>
          <gleif:mapped_postalcode>LS1 9ZZ</gleif:mapped_postalcode>
          <gleif:mapped_city>Leeds</gleif:mapped_city>
          <gleif:mapped_country>GBR</gleif:mapped_country>
        </gleif:Geocoding>
      </lei:Extension>
`, 1)
	head = strings.Replace(head, "RecordCount>1<", fmt.Sprintf("RecordCount>%d<", n), 1)
	head = strings.Replace(head, "DELTA", "FULL", 1)
	before, after, _ := strings.Cut(record, "984500B0REAU00000135")
	middle, last, _ := strings.Cut(after, "99000001")
	return &generated{head: head, tail: tail, n: n, record: func(b []byte, i int) []byte {
		b = append(append(append(b, before...), leiOf(i)...), middle...)
		return append(fmt.Appendf(b, "%08d", i), last...)
	}}
}

func jsonOf(n int) *generated {
	const record = `{
    "LEI": {
        "$": "%s"
    },
    "Entity": {
        "LegalName": {
            "@xml:lang": "en",
            "$": "MARROWBY & FINCH LIMITED"
        },
        "LegalAddress": {
            "@xml:lang": "en",
            "FirstAddressLine": {
                "$": "7 Candle Row"
            },
            "City": {
                "$": "Leeds"
            },
            "Country": {
                "$": "GB"
            },
            "PostalCode": {
                "$": "LS1 9ZZ"
            }
        },
        "RegistrationAuthority": {
            "RegistrationAuthorityID": {
                "$": "RA000585"
            },
            "RegistrationAuthorityEntityID": {
                "$": "%08d"
            }
        },
        "LegalJurisdiction": {
            "$": "GB"
        },
        "EntityStatus": {
            "$": "ACTIVE"
        }
    },
    "Registration": {
        "RegistrationStatus": {
            "$": "ISSUED"
        }
    }
}`
	return &generated{head: "{\"records\":[\n", tail: "]}", n: n, record: func(b []byte, i int) []byte {
		if i > 0 {
			b = append(b, ",\n"...)
		}
		return fmt.Appendf(b, record, leiOf(i), i)
	}}
}

func csvOf(n int) *generated {
	head := `"LEI","Entity.LegalName","Entity.LegalName.xmllang","Entity.LegalAddress.FirstAddressLine",` +
		`"Entity.LegalAddress.City","Entity.LegalAddress.Country","Entity.RegistrationAuthority.RegistrationAuthorityID",` +
		`"Entity.RegistrationAuthority.RegistrationAuthorityEntityID","Entity.LegalJurisdiction","Entity.EntityStatus","Registration.RegistrationStatus"`
	// A golden copy has some 300 columns, nearly all of them empty.
	for i := range 300 {
		head += fmt.Sprintf(`,"Entity.OtherAddresses.OtherAddress.%d.City"`, i+1)
	}
	empty := strings.Repeat(`,""`, 300) + "\n"
	return &generated{head: head + "\n", n: n, record: func(b []byte, i int) []byte {
		b = fmt.Appendf(b, `"%s","MARROWBY & FINCH LIMITED","en","7 Candle Row","Leeds","GB","RA000585","%08d","GB","ACTIVE","ISSUED"`, leiOf(i), i)
		return append(b, empty...)
	}}
}

func relationshipsOf(n int) *generated {
	head, record, tail := around(Relationships.Sample, "    <rr:RelationshipRecord>", "</rr:RelationshipRecord>\n")
	before, after, _ := strings.Cut(record, "984500B0REAU00000135")
	return &generated{head: head, tail: tail, n: n, record: func(b []byte, i int) []byte {
		return append(append(append(b, before...), leiOf(i)...), after...)
	}}
}

func count(t testing.TB, src importer.Source[company.Statement], r io.Reader) int {
	t.Helper()
	n := 0
	for s, err := range src.Read(r, "generated") {
		if err != nil {
			t.Fatal(err)
		}
		if s.LEI == "" {
			t.Fatal("a statement without LEI")
		}
		n++
	}
	return n
}

// What is alive does not grow with the file, whatever its format.
func TestMemoryIsFlat(t *testing.T) {
	for _, c := range []struct {
		name string
		src  importer.Source[company.Statement]
		of   func(n int) *generated
		n    int
	}{
		{"lei xml", LEI, xmlOf, 200_000},
		{"lei json", LEI, jsonOf, 50_000},
		{"lei csv", LEI, csvOf, 50_000},
		{"relationships xml", Relationships, relationshipsOf, 50_000},
	} {
		var first, most uint64
		seen := 0
		for _, err := range c.src.Read(c.of(c.n), "generated") {
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			if seen++; seen%(c.n/10) != 0 {
				continue
			}
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			if first == 0 {
				first = m.HeapAlloc
			}
			most = max(most, m.HeapAlloc)
		}
		if seen != c.n {
			t.Errorf("%s: %d records, want %d", c.name, seen, c.n)
		}
		if most > first+1<<20 {
			t.Errorf("%s: the heap grew from %d to %d bytes", c.name, first, most)
		}
	}
}

// A record, a tag or a comment without an end is refused before it fills the
// memory.
func TestEndlessRecord(t *testing.T) {
	for _, head := range []string{"<LEIData><LEIRecords><LEIRecord><LEI>", `<LEIData a="`, `{"records":[{"LEI":"`, "<LEIData><!--"} {
		endless := &generated{head: head, n: 1 << 30, record: func(b []byte, _ int) []byte { return append(b, "xxxxxxxxxxxxxxxx"...) }}
		var end error
		for _, err := range LEI.Read(endless, "endless") {
			end = err
		}
		if end == nil || !strings.Contains(end.Error(), "longer than") {
			t.Errorf("%s…: %v", head, end)
		}
	}
}

func benchmark(b *testing.B, src importer.Source[company.Statement], of func(n int) *generated) {
	b.ReportAllocs()
	n := count(b, src, of(b.N))
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "records/s")
}

func BenchmarkLEIXML(b *testing.B)           { benchmark(b, LEI, xmlOf) }
func BenchmarkLEIJSON(b *testing.B)          { benchmark(b, LEI, jsonOf) }
func BenchmarkLEICSV(b *testing.B)           { benchmark(b, LEI, csvOf) }
func BenchmarkRelationshipsXML(b *testing.B) { benchmark(b, Relationships, relationshipsOf) }

// BenchmarkGenerate is what of the others is the making of the file.
func BenchmarkGenerate(b *testing.B) {
	if _, err := io.Copy(io.Discard, xmlOf(b.N)); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkStandardXML is the same file through encoding/xml, tokens only.
func BenchmarkStandardXML(b *testing.B) {
	d := xml.NewDecoder(xmlOf(b.N))
	for {
		if _, err := d.RawToken(); err == io.EOF {
			break
		} else if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "records/s")
}
