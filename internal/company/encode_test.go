package company

import (
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

// Whoever reads a company finds in it what whoever changes it does.
func TestReadIsDecode(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		h := Held{ID: "GB-0-1"}
		for i := range rapid.IntRange(0, 3).Draw(r, "statements") {
			s := Said{Source: "list", Part: fmt.Sprint(i), Key: rapid.SampledFrom([]int64{h.ID.key(), 7}).Draw(r, "key"), Facts: anyFacts(r)}
			s.clean()
			h.Said = append(h.Said, s)
		}
		stored := h.Encode()
		want, err := Decode(h.ID, stored)
		if err != nil {
			r.Fatalf("%v", err)
		}
		got, err := Read(h.ID, stored)
		if err != nil {
			r.Fatalf("%v", err)
		}
		if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Said{})); diff != "" {
			r.Fatalf("(-decoded +read):\n%s", diff)
		}
	})
}
