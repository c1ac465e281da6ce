package importer_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"os"
	"strings"
	"testing"
	"time"

	"bureau/internal/importer"
)

func removeAll(dir string) error { return os.RemoveAll(dir) }

func TestTimeLeft(t *testing.T) {
	for _, test := range []struct {
		what string
		p    importer.Progress
		left time.Duration
		ok   bool
	}{
		{"half read", importer.Progress{Read: 50, Size: 100, Took: time.Minute}, time.Minute, true},
		{"a quarter read", importer.Progress{Read: 25, Size: 100, Took: time.Minute}, 3 * time.Minute, true},
		{"all read", importer.Progress{Read: 100, Size: 100, Took: time.Minute}, 0, true},
		{"nothing read", importer.Progress{Size: 100, Took: time.Minute}, 0, false},
		{"size unknown", importer.Progress{Read: 50, Took: time.Minute}, 0, false},
		{"file grew", importer.Progress{Read: 101, Size: 100, Took: time.Minute}, 0, false},
	} {
		if left, ok := test.p.Left(); left != test.left || ok != test.ok {
			t.Errorf("%s: %v, %v; want %v, %v", test.what, left, ok, test.left, test.ok)
		}
	}
}

// Progress is told in both passes of a whole list, comes nearer to the end, and
// never goes back.
func TestProgressIsTold(t *testing.T) {
	body := append(bytes.Repeat([]byte("word\nbad\n"), 50_000), "END\n"...)
	for what, path := range map[string]string{
		"plain": put(t, "list.csv", body),
		"gzip":  put(t, "list.csv.gz", gzipped(t, string(body))),
		"zip":   put(t, "list.zip", zipped(t, memberFile{"a", body}, memberFile{"b", body})),
	} {
		now := time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)
		var told []importer.Progress
		o := importer.Options{
			Now:      func() time.Time { now = now.Add(time.Second); return now },
			Progress: func(p importer.Progress) { told = append(told, p) },
		}
		report, err := importer.Run(t.Context(), wholeWords(), opened(t, path), &basket{}, o)
		if err != nil {
			t.Fatal(err)
		}
		passes := map[bool]int{}
		var last importer.Progress
		for _, p := range told {
			passes[p.Checking]++
			if p.Checking != last.Checking && !p.Checking {
				last = importer.Progress{}
			}
			if p.Records < last.Records || p.Refused < last.Refused || p.Read < last.Read || p.Took < last.Took || p.Read > p.Size || p.Size == 0 {
				t.Errorf("%s: after %+v came %+v", what, last, p)
			}
			if _, ok := p.Left(); !ok {
				t.Errorf("%s: %+v does not know how long it takes", what, p)
			}
			last = p
		}
		if passes[true] < 5 || passes[false] < 5 {
			t.Errorf("%s: told %v times", what, passes)
		}
		if left, _ := last.Left(); left != 0 || last.Records != report.Records || last.Refused != report.Refused {
			t.Errorf("%s: at the end %+v, the report says %+v", what, last, report)
		}
	}
}

func TestProgressIsNotToldTooOften(t *testing.T) {
	now := time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)
	told := 0
	o := importer.Options{
		Now:      func() time.Time { now = now.Add(time.Millisecond); return now },
		Progress: func(importer.Progress) { told++ },
	}
	path := put(t, "list.csv", append(bytes.Repeat([]byte("word\n"), 200_000), "END\n"...))
	if _, err := importer.Run(t.Context(), words, opened(t, path), &basket{}, o); err != nil || told != 1 {
		t.Errorf("told %d times in a twentieth of a second (%v)", told, err)
	}
}

// A fruit knows whether it is good, and can be peeled beforehand.
type fruit struct {
	name   string
	peeled int
}

func (f *fruit) Check() error {
	if strings.HasPrefix(f.name, "rotten") {
		return errors.New("it is rotten")
	}
	return nil
}

func (f *fruit) Prepare() { f.peeled++ }

type bowl struct{ got []fruit }

func (b *bowl) Add(_ context.Context, list []fruit) error {
	b.got = append(b.got, list...)
	return nil
}

func (b *bowl) Finish(context.Context) error { return nil }

func TestRecordsCheckAndPrepareThemselves(t *testing.T) {
	src := importer.Source[fruit]{Name: "fruit", Whole: true, Read: func(r io.Reader, name string) iter.Seq2[fruit, error] {
		return func(yield func(fruit, error) bool) {
			for w, err := range words.Read(r, name) {
				if !yield(fruit{name: w}, err) {
					return
				}
			}
		}
	}}
	var b bowl
	report, err := importer.Run(t.Context(), src, opened(t, put(t, "list", lines("pear", "rotten apple", "bad", "plum", "END"))), &b, plainly)
	if err != nil || report.Records != 2 || report.Refused != 2 || report.First[0] != "list: line 2: it is rotten" {
		t.Errorf("%+v, %v", report, err)
	}
	if len(b.got) != 2 || b.got[0] != (fruit{"pear", 1}) || b.got[1] != (fruit{"plum", 1}) {
		t.Errorf("got %+v, want two fruits, each peeled once", b.got)
	}
}
