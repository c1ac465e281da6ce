package kyc

import (
	"bytes"
	"compress/flate"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"github.com/cespare/xxhash/v2"
)

// encode writes an entry that is tidy. Its list and number are columns of their
// own.
func (e *Entry) encode() ([]byte, error) {
	b, err := json.Marshal(e)
	if err != nil {
		return nil, fmt.Errorf("write entry %s: %w", e.Number, err)
	}
	return b, nil
}

// fingerprint tells two encoded entries apart.
func fingerprint(encoded []byte) int64 { return int64(xxhash.Sum64(encoded)) }

// dictionary is what entries often say. Entries are short and packed one by one;
// without it there would be nothing in them to refer back to. It is part of the
// format: whoever changes it gives it a new mark and keeps the old one.
const dictionary = `"Linked To":""}],"sh":{"t":"Crude Oil Tanker","f":"IR","o":"` +
	`"re":["Secondary sanctions risk:","Additional Sanctions Information - Subject to Secondary Sanctions"]` +
	`"co":[{"t":"telephone","v":"+"},{"t":"website","v":"www."},{"t":"email","v":"@"}]` +
	`"m":["Asset freeze","Travel Ban"],"r":["` +
	`"t":"registration","v":"","n":"Registration Number"},{"t":"taxId","v":"","c":"RU","n":"Tax ID No."},` +
	`{"t":"unReference","v":"QDi."},{"t":"imo","v":"9"},{"t":"other","v":"` +
	`{"t":"nationalId","v":"","c":"","n":"National ID No."},{"t":"passport","v":"","c":"","n":"Passport"}` +
	`"a":[{"l":"P.O. Box ","c":"Moscow","p":"","k":"RU"},{"c":"Tehran","k":"IR"},{"c":"Damascus","k":"SY"},{"c":"Baghdad","k":"IQ"}]` +
	`"ds":["SAN-CURRENT"],"bo":["EU"],"bo":["UK"],"bo":["UN"],"bo":["OFAC"],"pr":["RUSSIA-EO14024"],"pr":["SDGT"],"pr":["IRAN"],"pr":["SYRIA"]` +
	`"s":[{"t":"OFAC Specially Designated Nationals","l":"https://sanctionssearch.ofac.treas.gov/Details.aspx?id=",` +
	`{"t":"UN Security Council Consolidated List","l":"https://main.un.org/securitycouncil/en/content/un-sc-consolidated-list","a":"20` +
	`{"t":"UK Sanctions List","l":"https://www.gov.uk/government/publications/the-uk-sanctions-list","a":"20","p":"20` +
	`"s":["SAN-CURRENT"]}],"li":"20-01-","na":["RU"],"na":["IR"],"bp":["` +
	`{"k":"company","n":[{"t":"` + `{"k":"ship","n":[{"t":"` + `","k":"former"},{"t":"` + `","k":"alias","w":true},{"t":"` +
	`","k":"alias","s":"Cyrl"},{"t":"` + `","k":"alias","s":"Arab"},{"t":"` + `","k":"alias","f":"","l":""},` +
	`{"k":"person","n":[{"t":"","f":"","m":"","l":""},{"t":"","k":"alias"}],"b":["19"],"g":"male",`

// packed is the mark of an entry that was packed with the dictionary.
const packed = 1

var packers = sync.Pool{New: func() any {
	w, _ := flate.NewWriterDict(io.Discard, flate.DefaultCompression, []byte(dictionary))
	return w
}}

var unpackers = sync.Pool{New: func() any { return flate.NewReaderDict(bytes.NewReader(nil), []byte(dictionary)) }}

// pack makes an encoded entry small.
func pack(encoded []byte) []byte {
	var b bytes.Buffer
	b.Grow(len(encoded)/2 + 16)
	b.WriteByte(packed)
	w := packers.Get().(*flate.Writer)
	defer packers.Put(w)
	w.Reset(&b)
	_, _ = w.Write(encoded) // to memory
	_ = w.Close()
	return b.Bytes()
}

// maxEntry is far more than any entry takes, unpacked.
const maxEntry = 64 << 20

// Unpack reads an entry as it is kept.
func Unpack(list, number string, facts []byte) (Entry, error) {
	e := Entry{List: list, Number: number}
	if len(facts) == 0 || facts[0] != packed {
		return e, fmt.Errorf("read entry %s of %s: it is in no form that we know", number, list)
	}
	r := unpackers.Get().(io.ReadCloser)
	defer unpackers.Put(r)
	err := r.(flate.Resetter).Reset(bytes.NewReader(facts[1:]), []byte(dictionary))
	var text []byte
	if err == nil {
		text, err = io.ReadAll(io.LimitReader(r, maxEntry))
	}
	if err == nil {
		err = json.Unmarshal(text, &e)
	}
	if err != nil {
		return e, fmt.Errorf("read entry %s of %s: %w", number, list, err)
	}
	return e, nil
}
