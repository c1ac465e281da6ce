package importer_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"bureau/internal/importer"
)

// words is a made-up source: a word on each line, "bad …" for one that cannot
// be read, "broken" for a file that cannot be, and END at the end.
var words = importer.Source[string]{
	Name: "words",
	Read: func(r io.Reader, _ string) iter.Seq2[string, error] {
		return func(yield func(string, error) bool) {
			in := bufio.NewScanner(r)
			for n := int64(1); in.Scan(); n++ {
				var err error
				switch text := in.Text(); {
				case text == "END":
					return
				case text == "broken":
					err = errors.New("this is no list of words")
				case strings.HasPrefix(text, "bad"):
					err = &importer.Bad{Line: n, Raw: text, Err: errors.New("it is bad")}
				}
				if !yield(in.Text(), err) || in.Text() == "broken" {
					return
				}
			}
			err := in.Err()
			if err == nil {
				err = fmt.Errorf("there is no END: %w", importer.ErrCutShort)
			}
			yield("", err)
		}
	},
}

func wholeWords() importer.Source[string] {
	w := words
	w.Whole = true
	return w
}

// A basket is a sink.
type basket struct {
	got      []string
	batches  int
	finished int
	add      func(n int) error // called before the n-th batch is taken
	finish   error
}

func (b *basket) Add(_ context.Context, records []string) error {
	b.batches++
	if b.add != nil {
		if err := b.add(b.batches); err != nil {
			return err
		}
	}
	b.got = append(b.got, records...)
	return nil
}

func (b *basket) Finish(context.Context) error {
	b.finished++
	return b.finish
}

func opened(t *testing.T, paths ...string) (out []importer.File) {
	t.Helper()
	for _, p := range paths {
		files, err := importer.Files(p, nil)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, files...)
	}
	return out
}

func lines(texts ...string) []byte { return []byte(strings.Join(texts, "\n") + "\n") }

var plainly = importer.Options{Now: time.Now}

func TestEveryRecordIsHandedOnOnceInOrder(t *testing.T) {
	var want []string
	var paths []string
	for i, n := range []int{0, 1, 7999, 8001, 17000, 3} {
		var list []string
		for k := range n {
			list = append(list, fmt.Sprintf("%d-%d", i, k))
		}
		want = append(want, list...)
		paths = append(paths, put(t, fmt.Sprint("list", i), lines(append(list, "END")...)))
	}
	for _, src := range []importer.Source[string]{words, wholeWords()} {
		var b basket
		report, err := importer.Run(t.Context(), src, opened(t, paths...), &b, plainly)
		if err != nil || report.Records != int64(len(want)) || b.finished != 1 {
			t.Errorf("whole %v: %+v, %v; finished %d times", src.Whole, report, err, b.finished)
		}
		if !slices.Equal(b.got, want) {
			t.Errorf("whole %v: %d records, not the %d of the files in their order", src.Whole, len(b.got), len(want))
		}
		// Files of a record each are not a batch each.
		if most := len(want)/8000 + 1; b.batches > most {
			t.Errorf("%d batches, want at most %d", b.batches, most)
		}
	}
}

func TestBadRecordsAreCountedNamedAndKeptAside(t *testing.T) {
	path := put(t, "list.csv", lines("one", "bad apple", "two", "bad \"pear\"", "END"))
	for _, src := range []importer.Source[string]{words, wholeWords()} {
		var b basket
		var rejects bytes.Buffer
		o := plainly
		o.Rejects = &rejects
		report, err := importer.Run(t.Context(), src, opened(t, path), &b, o)
		if err != nil || report.Records != 2 || report.Refused != 2 {
			t.Errorf("%+v, %v; want two kept and two refused", report, err)
		}
		want := []string{"list.csv: line 2: it is bad", "list.csv: line 4: it is bad"}
		if !slices.Equal(report.First, want) || !slices.Equal(b.got, []string{"one", "two"}) {
			t.Errorf("got %q and reasons %q", b.got, report.First)
		}
		var aside []string
		for in := json.NewDecoder(&rejects); in.More(); {
			var one struct {
				File, Error, Record string
				Line                int64
			}
			if err := in.Decode(&one); err != nil {
				t.Fatal(err)
			}
			aside = append(aside, fmt.Sprint(one.File, " ", one.Line, " ", one.Error, ": ", one.Record))
		}
		if want := []string{"list.csv 2 it is bad: bad apple", `list.csv 4 it is bad: bad "pear"`}; !slices.Equal(aside, want) {
			t.Errorf("aside are %q, want %q", aside, want)
		}
	}
}

func TestOnlyTheFirstFewReasonsAreTold(t *testing.T) {
	path := put(t, "list.csv", append(bytes.Repeat([]byte("bad\n"), 5000), "good\nEND\n"...))
	report, err := importer.Run(t.Context(), words, opened(t, path), &basket{}, plainly)
	if err != nil || report.Refused != 5000 || len(report.First) != 10 {
		t.Errorf("%d refused, %d reasons (%v)", report.Refused, len(report.First), err)
	}
}

// A file of which nothing can be read is not a list that has become empty.
func TestFileOfNothingIsRefused(t *testing.T) {
	for _, n := range []int{2, 11} {
		path := put(t, "list.csv", lines(append(slices.Repeat([]string{"bad apple"}, n), "END")...))
		for _, src := range []importer.Source[string]{words, wholeWords()} {
			var b basket
			report, err := importer.Run(t.Context(), src, opened(t, path), &b, plainly)
			if few := n < 10 && !src.Whole; few {
				if err != nil || report.Refused != int64(n) || b.finished != 1 {
					t.Errorf("a few of a feed: %v, %+v", err, report)
				}
				continue
			}
			if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("none of the %d records can be read", n)) || b.finished != 0 {
				t.Errorf("%d: %v; finished %d times", n, err, b.finished)
			}
		}
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("the disk is full") }

func TestBadRecordThatCannotBeKeptStops(t *testing.T) {
	o := plainly
	o.Rejects = fullDisk{}
	b := &basket{}
	_, err := importer.Run(t.Context(), words, opened(t, put(t, "list", lines("bad", "END"))), b, o)
	if err == nil || !strings.Contains(err.Error(), "the disk is full") || b.finished != 0 {
		t.Errorf("got %v, finished %d times", err, b.finished)
	}
}

func TestCheckHandsNothingOn(t *testing.T) {
	path := put(t, "list.csv", lines("one", "bad", "two", "END"))
	for _, src := range []importer.Source[string]{words, wholeWords()} {
		var b basket
		o := plainly
		o.Check = true
		report, err := importer.Run(t.Context(), src, opened(t, path), &b, o)
		if err != nil || report.Records != 2 || report.Refused != 1 || b.batches != 0 || b.finished != 0 {
			t.Errorf("%+v, %v; handed on %d batches, finished %d times", report, err, b.batches, b.finished)
		}
	}
	o := plainly
	o.Check = true
	_, err := importer.Run(t.Context(), words, opened(t, put(t, "cut", lines("one"))), nil, o)
	if !errors.Is(err, importer.ErrCutShort) {
		t.Errorf("a file that is cut short checks as %v", err)
	}
}

// cutFiles are three files of which the second is cut short.
func cutFiles(t *testing.T) []importer.File {
	t.Helper()
	return opened(t, put(t, "a", lines("one", "END")), put(t, "b", lines("two", "three")), put(t, "c", lines("four", "END")))
}

func TestFileThatIsCutShortChangesNothing(t *testing.T) {
	for what, files := range map[string][]importer.File{
		"by its own account":     cutFiles(t),
		"by that of its packing": opened(t, put(t, "list.gz", gzipped(t, "one\nEND\n")[:25])),
		"because it is broken":   opened(t, put(t, "a", lines("one", "END")), put(t, "b", lines("broken"))),
	} {
		for _, src := range []importer.Source[string]{words, wholeWords()} {
			var b basket
			_, err := importer.Run(t.Context(), src, files, &b, plainly)
			if err == nil || b.batches != 0 || b.finished != 0 {
				t.Errorf("%s: %v; handed on %q, finished %d times", what, err, b.got, b.finished)
			}
			if text := fmt.Sprint(err); what == "by its own account" && (!strings.Contains(text, "b: ") || !strings.Contains(text, "--partial")) {
				t.Errorf("%q does not name the file and what to do", text)
			}
		}
	}
}

func TestPartialTakesWhatThereIs(t *testing.T) {
	for _, src := range []importer.Source[string]{words, wholeWords()} {
		var b basket
		o := plainly
		o.Partial = true
		report, err := importer.Run(t.Context(), src, cutFiles(t), &b, o)
		if err != nil || report.Records != 4 || b.finished != 1 || !slices.Equal(b.got, []string{"one", "two", "three", "four"}) {
			t.Errorf("%+v, %v; handed on %q, finished %d times", report, err, b.got, b.finished)
		}
	}
	o := plainly
	o.Partial = true
	_, err := importer.Run(t.Context(), words, opened(t, put(t, "list", lines("one", "broken"))), &basket{}, o)
	if err == nil {
		t.Error("a file that is no list is taken for a part of one")
	}
}

// endless is a file that never ends. read counts how much of it was.
type endless struct{ read int }

func (e *endless) Read(b []byte) (int, error) {
	e.read += len(b)
	for i := range b {
		b[i] = "w\n"[i%2]
	}
	return len(b) - len(b)%2, nil
}

// The bubble fails if anybody is left waiting in it.
func TestSinkThatFailsStopsTheReading(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		wrong := errors.New("the database is gone")
		b := &basket{add: func(n int) error {
			if n == 3 {
				return wrong
			}
			return nil
		}}
		in := &endless{}
		files, err := importer.Files("-", in)
		if err != nil {
			t.Fatal(err)
		}
		o := plainly
		o.Partial = true // which is read once
		_, err = importer.Run(t.Context(), words, files, b, o)
		if !errors.Is(err, wrong) || b.batches != 3 || b.finished != 0 {
			t.Errorf("%v after %d batches, finished %d times", err, b.batches, b.finished)
		}
		if in.read > 1<<20 {
			t.Errorf("%d bytes were read on", in.read)
		}
	})
}

func TestFinishThatFailsIsTold(t *testing.T) {
	b := &basket{finish: errors.New("the database is gone")}
	_, err := importer.Run(t.Context(), words, opened(t, put(t, "list", lines("END"))), b, plainly)
	if !errors.Is(err, b.finish) {
		t.Errorf("got %v", err)
	}
}

func TestCancelledReadingLeavesNobodyBehind(t *testing.T) {
	for _, check := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			seen := 0
			counted := words
			counted.Read = func(r io.Reader, name string) iter.Seq2[string, error] {
				return func(yield func(string, error) bool) {
					for w, err := range words.Read(r, name) {
						if seen++; seen == 10_000 {
							cancel()
						}
						if !yield(w, err) {
							return
						}
					}
				}
			}
			files, err := importer.Files("-", &endless{})
			if err != nil {
				t.Fatal(err)
			}
			o := plainly
			o.Check = check
			b := &basket{}
			_, err = importer.Run(ctx, counted, files, b, o)
			if !errors.Is(err, context.Canceled) || b.finished != 0 {
				t.Errorf("check %v: %v, finished %d times", check, err, b.finished)
			}
		})
	}
}

func TestMissingFileIsTold(t *testing.T) {
	files := opened(t, put(t, "a", lines("END")))
	files = append(files, files[0])
	gone := put(t, "gone", lines("END"))
	files = append(files, opened(t, gone)...)
	if err := errors.Join(removeAll(filepath.Dir(gone))); err != nil {
		t.Fatal(err)
	}
	b := &basket{}
	_, err := importer.Run(t.Context(), words, files, b, plainly)
	if err == nil || !strings.Contains(err.Error(), "gone") || b.finished != 0 {
		t.Errorf("got %v", err)
	}
}
