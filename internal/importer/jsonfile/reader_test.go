package jsonfile_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bureau/internal/importer/jsonfile"
)

// anything reads a value as encoding/json would.
func anything(r *jsonfile.Reader, depth int) any {
	switch r.Kind() {
	case '{':
		m := map[string]any{}
		r.Object(func(key []byte) {
			if depth < 50 {
				m[string(key)] = anything(r, depth+1)
			}
		})
		return m
	case '[':
		list := []any{}
		r.Array(func() {
			if depth < 50 {
				list = append(list, anything(r, depth+1))
			}
		})
		return list
	case '"':
		return r.Text()
	case 't', 'f':
		return r.Bool()
	case '0':
		return string(r.Raw())
	}
	r.Skip()
	return nil
}

func TestReader(t *testing.T) {
	in := `{"a":"plain","b":"\"q\" \u00e5 \ud83d\ude00\n","c":[1,-2.5e3,{"d":null},[]],"e":true,"f":false,"g":null,"æ":"ø\u0000"}`
	got := anything(jsonfile.NewReader([]byte(in)), 0)
	want := map[string]any{
		"a": "plain", "b": "\"q\" å 😀\n", "c": []any{"1", "-2.5e3", map[string]any{"d": nil}, []any{}},
		"e": true, "f": false, "g": nil, "æ": "ø",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestReaderErrors(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`{"name":7}`, "name: it is a number, and must be text"},
		{`{"n":{"name":[]}}`, "name: it is a list, and must be text"},
		{`{"count":"7"}`, "count: it is text, and must be a number"},
		{`{"count":1.5}`, "count: it is no whole number"},
		{`{"is":"x"}`, "is: it is text, and must be true or false"},
		{`{"n":[]}`, "n: it is a list, and must be an object"},
		{`{"list":{}}`, "list: it is an object, and must be a list"},
		{`{"name":"x"`, "the object is not closed"},
		{`{"name":"x`, "name: a quote is not closed"},
		{`{"name" "x"}`, "a name is followed by no value"},
		{`{"other":[`, "other: it is not closed"},
		{`{"other":}`, "other: it is no JSON"},
		{`{"name":"\x"}`, "name: it is no text: invalid character 'x' in string escape code"},
		{`[]`, "it is a list, and must be an object"},
		{``, "it is not JSON, and must be an object"},
		{`{"name":null,"count":null,"is":null,"n":null,"list":null}`, ""},
	} {
		r := jsonfile.NewReader([]byte(c.in))
		var member func(key []byte)
		member = func(key []byte) {
			switch string(key) {
			case "name":
				r.Text()
			case "count":
				r.Int()
			case "is":
				r.Bool()
			case "n":
				r.Object(member)
			case "list":
				r.Array(func() { r.Skip() })
			}
		}
		r.Object(member)
		got := ""
		if r.Err() != nil {
			got = r.Err().Error()
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.in, got, c.want)
		}
	}
}

// Whatever encoding/json reads, a Reader reads alike.
func FuzzReader(f *testing.F) {
	f.Add(`{"a":[1,{"b":"\u00e5"}],"c":true}`)
	f.Add(`{"a":"\ud800"}`)
	f.Fuzz(func(t *testing.T, in string) {
		r := jsonfile.NewReader([]byte(in))
		got := anything(r, 0)
		var want map[string]any
		d := json.NewDecoder(strings.NewReader(in))
		d.UseNumber()
		if d.Decode(&want) != nil || want == nil || strings.Contains(in, "\\") || strings.Count(in, "{")+strings.Count(in, "[") > 50 {
			return
		}
		if r.Err() != nil {
			t.Fatalf("%s: %v", in, r.Err())
		}
		same := func(v any) string { return strings.ToValidUTF8(fmt.Sprint(v), "\uFFFD") }
		if same(got) != same(want) {
			t.Errorf("%s: got %v, want %v", in, got, want)
		}
	})
}
