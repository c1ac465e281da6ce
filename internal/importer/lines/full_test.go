package lines_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"bureau/internal/company"
)

// draw fills a value of any type of company.Facts with something that a line
// may say. path is where it stands.
func draw(t *rapid.T, v reflect.Value, path string) {
	pick := func(words ...string) { v.SetString(rapid.SampledFrom(words).Draw(t, path)) }
	switch v.Interface().(type) {
	case company.Date:
		if strings.HasSuffix(path, "Accounts[].End") {
			pick("2023-12-31", "2023")
			return
		}
		pick("", "2024", "2024-02", "2024-02-29")
		return
	case company.Status:
		pick("", "Active", "NonActive", "Pending", "Other")
		return
	case company.Kind:
		pick("", "Ltd", "NonLtd")
		return
	case company.NameKind:
		pick("former", "trading", "alternative", "ascii", "short")
		return
	case company.AddressKind:
		pick("registered", "headOffice", "postal", "branch", "trading", "former")
		return
	case company.LinkKind:
		pick("parent", "ultimateParent", "headOffice", "fundManager", "umbrella", "master", "successor")
		return
	case company.ID:
		pick("", "GB-0-09999990", "DE-0-K9999_HRB1")
		return
	case company.Money:
		if rapid.Bool().Draw(t, path) {
			v.Set(reflect.ValueOf(company.Money{Minor: rapid.Int64().Draw(t, path), Currency: "EUR"}))
		}
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			draw(t, v.Field(i), path+"."+v.Type().Field(i).Name)
		}
	case reflect.Pointer:
		if rapid.Bool().Draw(t, path) {
			v.Set(reflect.New(v.Type().Elem()))
			draw(t, v.Elem(), path)
		}
	case reflect.Slice:
		if n := rapid.IntRange(0, 2).Draw(t, path); n > 0 {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
			for i := range n {
				draw(t, v.Index(i), path+"[]")
			}
		}
	case reflect.Map:
		if rapid.Bool().Draw(t, path) {
			v.Set(reflect.ValueOf(map[string]int64{"turnover": rapid.Int64().Draw(t, path), "equity": -1}))
		}
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, path))
	case reflect.Int, reflect.Int64:
		v.SetInt(rapid.Int64Range(0, 100).Draw(t, path))
	case reflect.Float64:
		share := rapid.Float64Range(0, 50).Draw(t, path)
		if strings.HasSuffix(path, "ShareMax") {
			share += 50
		}
		v.SetFloat(share)
	case reflect.String:
		drawText(t, v, path)
	default:
		t.Fatalf("%s: nobody knows how to make a %s", path, v.Type())
	}
}

func drawText(t *rapid.T, v reflect.Value, path string) {
	last := path[strings.LastIndex(path, ".")+1:]
	words := map[string][]string{
		"Currency": {"EUR", "GBP"}, "Country": {"", "GB", "SE"}, "Gender": {"", "Male", "Female"},
		"Band": {"", "A", "E"}, "YearEnd": {"", "12-31", "02-29"},
	}[last]
	if path == "Facts.LEI" {
		words = []string{"", "999900EXAMPLE0000034"}
	}
	if words != nil {
		v.SetString(rapid.SampledFrom(words).Draw(t, path))
		return
	}
	need := map[string]bool{"Text": true, "Scheme": true, "Type": true, "Kind": true, "Role": true, "Rule": true, "Name": true, "ID": true}
	s := rapid.StringMatching(`[ -~äøéЖ漢"\\]{0,12}`).Draw(t, path)
	if need[last] {
		s = "x" + s
	}
	v.SetString(s)
}

// holes names the fields of v that are empty, in all that is below it. Where
// one element of a list has a field, that is enough.
func holes(v reflect.Value, path string) []string {
	if !v.IsValid() || v.IsZero() {
		return []string{path}
	}
	var out []string
	switch v.Kind() {
	case reflect.Pointer:
		return holes(v.Elem(), path)
	case reflect.Struct:
		for i := range v.NumField() {
			out = append(out, holes(v.Field(i), path+"."+v.Type().Field(i).Name)...)
		}
	case reflect.Slice:
		count := map[string]int{}
		for i := range v.Len() {
			for _, h := range holes(v.Index(i), path+"[]") {
				count[h]++
			}
		}
		for h, n := range count {
			if n == v.Len() {
				out = append(out, h)
			}
		}
	}
	return out
}

func TestHoles(t *testing.T) {
	f := company.Facts{Names: []company.Name{{Text: "a"}, {Kind: "former"}}}
	got := fmt.Sprint(holes(reflect.ValueOf(f.Names), "names"))
	if strings.Contains(got, "Text") || strings.Contains(got, "Kind") || !strings.Contains(got, "names[].Lang") {
		t.Errorf("got %s", got)
	}
}
