package api

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"bureau/internal/fault"
)

// What is sent to us is text. Bytes that are none are refused here, for every
// operation: one database fails on them, the other takes them for something
// else.

// checkText says which value of a path or query is not text.
func checkText(r *http.Request) error {
	var wrong []string
	if mayHoldBytes(r.URL.EscapedPath()) {
		for _, seg := range segments(r.Pattern) {
			if name := strings.Trim(seg, "{}"); name != seg && !isText(r.PathValue(name)) {
				wrong = append(wrong, name+notText)
			}
		}
	}
	if mayHoldBytes(r.URL.RawQuery) {
		query := r.URL.Query()
		for _, name := range slices.Sorted(maps.Keys(query)) {
			if !slices.ContainsFunc(query[name], func(v string) bool { return !isText(v) }) {
				continue
			}
			wrong = append(wrong, fault.Clip(name)+notText)
		}
	}
	if len(wrong) > 0 {
		return fault.Invalid.Details("Bad request", wrong...)
	}
	return nil
}

const notText = ": it holds bytes that are not text in UTF-8, or a NUL character"

// mayHoldBytes reports whether a part of an address has to be looked at. Most
// have nothing but plain characters.
func mayHoldBytes(raw string) bool {
	return strings.IndexFunc(raw, func(c rune) bool { return c == '%' || c >= utf8.RuneSelf }) >= 0
}

func isText(s string) bool { return utf8.ValidString(s) && !strings.ContainsRune(s, 0) }

// formats are how bodies are read and written: as huma does, but for what a
// caller is told of a body that cannot be read.
func formats(of map[string]huma.Format) map[string]huma.Format {
	out := maps.Clone(of)
	for name, f := range out {
		f.Unmarshal = readJSON
		out[name] = f
	}
	return out
}

// readJSON reads a body. What is wrong with it is said in the caller's words,
// not in those of our types.
func readJSON(body []byte, into any) error {
	if mayHoldNUL(body) {
		var whole any
		if err := json.Unmarshal(body, &whole); err != nil {
			return err
		}
		if field, found := findNUL(whole, ""); found {
			return fmt.Errorf("%s: it holds a NUL character", cmp.Or(field, "body"))
		}
	}
	err := json.Unmarshal(body, into)
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) {
		return err
	}
	kind, _, _ := strings.Cut(wrong.Value, " ")
	why := "a " + kind + " is not wanted here"
	if kind == "number" && wrong.Type != nil && wrong.Type.Kind() >= reflect.Int && wrong.Type.Kind() <= reflect.Uint64 {
		why = "the number is too large, or is not whole"
	}
	if wrong.Field == "" {
		return errors.New(why)
	}
	return fmt.Errorf("%s: %s", wrong.Field, why)
}

// mayHoldNUL reports whether a body must be searched for the one character that
// cannot be kept: in JSON it can only be written as an escape.
func mayHoldNUL(body []byte) bool { return bytes.Contains(body, []byte(`\u0000`)) }

// findNUL finds a text, or a name, that holds a NUL, and says where it is.
func findNUL(v any, at string) (string, bool) {
	switch v := v.(type) {
	case string:
		return at, strings.ContainsRune(v, 0)
	case []any:
		for i, item := range v {
			if where, found := findNUL(item, fmt.Sprintf("%s[%d]", at, i)); found {
				return where, true
			}
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if strings.ContainsRune(name, 0) {
				return at, true
			}
			if where, found := findNUL(v[name], strings.TrimPrefix(at+"."+name, ".")); found {
				return where, true
			}
		}
	}
	return "", false
}
