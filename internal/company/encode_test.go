package company

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// anyFacts fills every field of Facts that there is, so that a new one is not
// forgotten anywhere.
func anyFacts(r *rapid.T) (f Facts) {
	for i := range reflect.TypeFor[Facts]().NumField() {
		fill(r, reflect.ValueOf(&f).Elem().Field(i), reflect.TypeFor[Facts]().Field(i).Name)
	}
	return f
}

var anyText = rapid.OneOf(
	rapid.SampledFrom([]string{"", "", "Oak", "OAK  ", "2026-01-02", `"quoted" \ <b>&`, "Ålesund 雪", "two\nlines\u2028"}),
	rapid.String(),
)

func fill(r *rapid.T, v reflect.Value, what string) {
	if !rapid.Bool().Draw(r, what) {
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(anyText.Draw(r, what))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(rapid.Int64Range(-500, 500).Draw(r, what))
	case reflect.Float64:
		v.SetFloat(rapid.Float64Range(0, 100).Draw(r, what))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(r, v.Elem(), what)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(r, v.Field(i), what+"."+v.Type().Field(i).Name)
		}
	case reflect.Slice:
		for i := range rapid.IntRange(0, 2).Draw(r, what) {
			v.Set(reflect.Append(v, reflect.Zero(v.Type().Elem())))
			fill(r, v.Index(i), fmt.Sprintf("%s[%d]", what, i))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range rapid.IntRange(0, 2).Draw(r, what) {
			v.SetMapIndex(reflect.ValueOf(anyText.Draw(r, what)), reflect.ValueOf(rapid.Int64().Draw(r, what)))
		}
	default:
		r.Fatalf("fill %s: a kind that no fact had so far: %v", what, v.Kind())
	}
}

func TestFactsAreWrittenAsJSON(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		f := anyFacts(r)
		want, err := json.Marshal(&f)
		if err != nil {
			r.Fatalf("%v", err)
		}
		if got := string(f.append(nil)); got != string(want) {
			r.Fatalf("got\n%s\nwant\n%s", got, want)
		}
	})
}

// Whoever reads a company finds in it what whoever changes it does, and what
// encoding/json does; and no record of ours is left to that.
func TestReadIsDecode(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		h := Held{ID: "GB-0-1"}
		for i := range rapid.IntRange(0, 3).Draw(r, "statements") {
			s := Said{Source: "list", Part: fmt.Sprint(i), Key: rapid.SampledFrom([]int64{h.ID.key(), 7}).Draw(r, "key"), Facts: anyFacts(r)}
			s.clean()
			h.Said = append(h.Said, s)
		}
		stored := h.Encode()
		want, err := slowDecode(h.ID, stored)
		if err != nil {
			r.Fatalf("%v", err)
		}
		decoded, err := Decode(h.ID, stored)
		if err != nil {
			r.Fatalf("%v", err)
		}
		if diff := cmp.Diff(want, decoded, cmp.AllowUnexported(Said{})); diff != "" {
			r.Fatalf("(-encoding/json +decoded):\n%s", diff)
		}
		got, err := Read(h.ID, stored)
		if err != nil {
			r.Fatalf("%v", err)
		}
		if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Said{})); diff != "" {
			r.Fatalf("(-encoding/json +read):\n%s", diff)
		}
		if _, ok := readSaid(h.ID, stored, true); !ok {
			r.Fatalf("was left to encoding/json: %s", stored)
		}
	})
}

// Whatever bytes there are, the reader finds in them what encoding/json does, or
// gives up.
func FuzzReadIsDecode(f *testing.F) {
	for _, text := range []string{
		`[]`, `[{}]`, `[{"s":"a","f":{"c":{"m":-5,"c":"EUR"},"ch":{"t":1},"sc":{"v":1,"b":"A","p":[{"r":"x","p":-1}],"nx":"2026-01-01"}}}]`, `[{"s":"a","f":{}}]`, `[{"s":"a","p":"b","k":-7,"f":{"n":"Oak \u0026 Ash","v":["1","2"],"ad":[{"k":"reg","l":["x"],"cc":"GB"}],"wh":true}}]`,
		`[{"s":"a","f":{"o":[{"n":"]}\"","ro":"director"}],"sc":{"v":1,"b":"A"},"f":{"c":"1","t":"ä"},"du":{"al":"2026-01-01"}}}]`,
		`[{"s":"a","f":{"ac":[{"e":"2025","m":12,"c":"GBP","g":true,"i":{"cash":-5,"net\u0026":0}}],"ow":[{"i":"1","co":false,"n":"Ash","a":{"k":"postal"},"nt":["x"],"sm":25.5,"in":true}],"e":[{"y":2025,"n":3}],"oi":[{"s":"CIK","i":"1"}]}}]`,
		`[{"s":"a","f":{"g":[{"k":"parent","i":"GB-0-2"}],"fi":[{"d":"2026","t":"AA"}],"no":[{"d":"2026","k":"court","t":"x","r":"y"}],"o":[{"n":"Ash","p":true,"ro":"chair","fr":"2020"}]}}]`,
		`[{"s":"a","f":{"n":null}}]`, ` [ ]`, `[{"s":"a","k":1e3,"f":{}}]`, `[{"s":"a","k":01,"f":{}}]`, `[{"s":"\xff","f":{}}]`, `[{"s":"a","f":{"n":"1","n":"2"}}]`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		said, ok := readSaid("GB-0-1", b, true)
		if !ok || keyTwice(b) { // which we never write
			return
		}
		want, err := slowDecode("GB-0-1", b)
		if err != nil {
			t.Fatalf("read what encoding/json refuses: %v", err)
		}
		if diff := cmp.Diff(want, Held{"GB-0-1", said}, cmp.AllowUnexported(Said{})); diff != "" {
			t.Errorf("(-encoding/json +read):\n%s", diff)
		}
	})
}

// keyTwice reports whether an object has a key twice.
func keyTwice(b []byte) bool {
	d := json.NewDecoder(bytes.NewReader(b))
	type level struct {
		keys  map[string]bool // nil: a list
		value bool            // what comes next, in an object
	}
	levels := []*level{{}}
	for {
		token, err := d.Token()
		if err != nil {
			return false
		}
		top := levels[len(levels)-1]
		if token == json.Delim('}') || token == json.Delim(']') {
			levels = levels[:len(levels)-1]
			continue
		}
		if top.keys != nil && !top.value {
			key := token.(string)
			if top.keys[key] {
				return true
			}
			top.keys[key], top.value = true, true
			continue
		}
		top.value = false
		switch token {
		case json.Delim('{'):
			levels = append(levels, &level{keys: map[string]bool{}})
		case json.Delim('['):
			levels = append(levels, &level{})
		}
	}
}

func BenchmarkRead(b *testing.B) {
	officer := Officer{Person: Person{Name: "Ada Oak", First: "Ada", Surname: "Oak", Birth: "1970-02", Nationality: "GB", Address: &Address{Kind: "postal", Lines: []string{"2 High Street"}, City: "Leeds", Country: "GB"}}, Role: "director", From: "2001-02-03"}
	year := Accounts{End: "2025-12-31", Months: 12, Currency: "GBP", Kind: "full", Items: map[string]int64{Turnover: 1_000_00, Cash: 500_00, TotalAssets: 3_000_00, CurrentLiabilities: 700_00, Equity: 900_00}}
	h := Held{ID: "GB-0-1", Said: []Said{{Source: "register", Key: 7, Facts: Facts{
		Name: "Oak Trading Ltd", RegNo: "00000001", Register: "RA000585", Status: Active, StatusText: "Active", Founded: "2001-02-03",
		Form: Form{"9999", "Private limited company"}, Kind: "limited", Activities: []Activity{{"UK SIC 2007", "62010", "Business and software"}},
		Addresses: []Address{{Kind: "registered", Lines: []string{"1 High Street"}, City: "Leeds", Post: "LS1 1AA", Country: "GB"}},
		Due:       Due{AccountsLast: "2025-12-31", AccountsNext: "2026-12-31", ReturnLast: "2026-01-01", ReturnNext: "2027-01-01"},
		Officers:  []Officer{officer, officer, officer}, Accounts: []Accounts{year, year, year},
		Filings: []Filing{{Date: "2026-01-01", Type: "AA", Text: "Full accounts"}},
	}}}}
	stored := h.Encode()
	for name, read := range map[string]func(ID, []byte) (Held, error){"ours": Read, "encoding-json": slowDecode} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := read(h.ID, stored); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
