package jsonfile_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"bureau/internal/importer/jsonfile"
)

// told writes down what Values yields, a line each.
func told(r io.Reader) string {
	var b strings.Builder
	for v, err := range jsonfile.Values(r) {
		if err != nil {
			fmt.Fprintf(&b, "! %v\n", err)
			continue
		}
		fmt.Fprintf(&b, "%d %s\n", v.Line, strings.Join(strings.Fields(string(v.Raw)), ""))
	}
	return b.String()
}

func TestValues(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"lines", "{\"a\":1}\n{\"b\":2}\n", "1 {\"a\":1}\n2 {\"b\":2}\n"},
		{"the last line without an end", "{\"a\":1}\n{\"b\":2}", "1 {\"a\":1}\n2 {\"b\":2}\n"},
		{"blank lines between", "{\"a\":1}\n\n\r\n{\"b\":2}\n", "1 {\"a\":1}\n4 {\"b\":2}\n"},
		{"an array", `[{"a":1}, {"b":[2,{"c":3}]}]`, "1 {\"a\":1}\n1 {\"b\":[2,{\"c\":3}]}\n"},
		{"an array over many lines", "[\n{\n\"a\":[\n{}\n]},\n{\"b\":2}\n]\n", "2 {\"a\":[{}]}\n6 {\"b\":2}\n"},
		{"printed values one after the other", "{\n  \"a\": 1\n}\n{\n  \"b\": 2\n}\n", "1 {\"a\":1}\n4 {\"b\":2}\n"},
		{"brackets and quotes in strings", `{"a":"}]\"{\\"}` + "\n" + `{"b":2}`, "1 {\"a\":\"}]\\\"{\\\\\"}\n2 {\"b\":2}\n"},
		{"a byte order mark", "\xef\xbb\xbf{\"a\":1}", "1 {\"a\":1}\n"},
		{"a line that is not closed", "{\"a\":{\n{\"b\":2}\n", "! line 1: the record is not closed\n2 {\"b\":2}\n"},
		{"a line whose quote is missing", "{\"a\":\"x}\n{\"b\":2}\n", "! line 1: the record is not closed\n2 {\"b\":2}\n"},
		{"a line that is closed twice", "{\"a\":1}}\n{\"b\":2}\n", "1 {\"a\":1}\n! line 1: this is no object\n2 {\"b\":2}\n"},
		{"a line of something else", "{\"a\":1}\nnull\n{\"b\":2}\n", "1 {\"a\":1}\n! line 2: this is no object\n3 {\"b\":2}\n"},
		{"a number in an array", `[{"a":1},7,{"b":2}]`, "1 {\"a\":1}\n! line 1: this is no object\n1 {\"b\":2}\n"},
		{"nothing", "", "! the file is cut short: there is nothing in it\n"},
		{"an empty array", " [ ] ", "! the file is cut short: there is nothing in it\n"},
		{"something else altogether", "<xml/>", "! this is no JSON: it begins with neither an object nor a list\n"},
		{"cut in a value", "{\"a\":1}\n{\"b\":", "1 {\"a\":1}\n! the file is cut short: it ends inside a value\n"},
		{"an array cut in a value", `[{"a":1},{"b":`, "1 {\"a\":1}\n! the file is cut short: it ends inside a value\n"},
		{"an array cut between values", `[{"a":1},`, "1 {\"a\":1}\n! the file is cut short: its list is not closed\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for way, r := range map[string]io.Reader{
				"at once":      strings.NewReader(c.in),
				"byte by byte": iotest.OneByteReader(strings.NewReader(c.in)),
				"with its end": iotest.DataErrReader(strings.NewReader(c.in)),
			} {
				if got := told(r); got != c.want {
					t.Errorf("%s: got\n%swant\n%s", way, got, c.want)
				}
			}
		})
	}
}

func TestReadFailure(t *testing.T) {
	broken := errors.New("the disk is gone")
	in := io.MultiReader(strings.NewReader("{\"a\":1}\n{\"b\""), iotest.ErrReader(broken))
	want := "1 {\"a\":1}\n! the disk is gone\n"
	if got := told(in); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// What is read must be what encoding/json reads, and nothing may panic.
func FuzzValues(f *testing.F) {
	f.Add([]byte(`{"a":[1,{"b":"\"}"}]}` + "\n{}"))
	f.Add([]byte("[{\"a\":1},\n{}]"))
	f.Add([]byte("{\n{\"\\"))
	f.Fuzz(func(t *testing.T, in []byte) {
		at := told(bytes.NewReader(in))
		if slow := told(iotest.OneByteReader(bytes.NewReader(in))); slow != at {
			t.Errorf("at once\n%sbyte by byte\n%s", at, slow)
		}
		var array []json.RawMessage
		if json.Unmarshal(in, &array) != nil || len(array) == 0 {
			return
		}
		var got, want int
		for _, err := range jsonfile.Values(bytes.NewReader(in)) {
			if err == nil {
				got++
			}
		}
		for _, v := range array {
			if v[0] == '{' || v[0] == '[' {
				want++
			}
		}
		if got != want {
			t.Errorf("%d values of an array, want %d", got, want)
		}
	})
}

// endless is n lines, made while they are read.
func endless(n int, line string) io.Reader {
	next, _ := iter.Pull(func(yield func([]byte) bool) {
		many := []byte(strings.Repeat(line, 100))
		for range n / 100 {
			if !yield(many) {
				return
			}
		}
	})
	var left []byte
	return readerFunc(func(b []byte) (int, error) {
		if len(left) == 0 {
			more, ok := next()
			if !ok {
				return 0, io.EOF
			}
			left = more
		}
		n := copy(b, left)
		left = left[n:]
		return n, nil
	})
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }

func TestMemoryIsFlat(t *testing.T) {
	heap := func(n int) uint64 {
		var most uint64
		var count int
		for range jsonfile.Values(endless(n, "{\"a\":\"some text of usual length\"}\n")) {
			if count++; count%(n/4) == 0 {
				var m runtime.MemStats
				runtime.GC()
				runtime.ReadMemStats(&m)
				most = max(most, m.HeapAlloc)
			}
		}
		if count != n {
			t.Fatalf("got %d values, want %d", count, n)
		}
		return most
	}
	small, large := heap(10_000), heap(1_000_000)
	if large > small+2<<20 {
		t.Errorf("holds %d bytes at a million lines, %d at ten thousand", large, small)
	}
}

func BenchmarkValues(b *testing.B) {
	line := `{"name":"Beispiel GmbH","list":[{"a":"one","b":"two"},{"a":"three"}],"street":"Musterstraße 1, 20095 Hamburg"}` + "\n"
	b.SetBytes(int64(len(line)) * 1000)
	for b.Loop() {
		for _, err := range jsonfile.Values(endless(1000, line)) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}
