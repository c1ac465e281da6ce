package company

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func waiting(n, size int) *group {
	g := &group{
		key: int64(n) * -7919, who: who{Country: "GB", Number: fmt.Sprint(n), LEI: "L", VAT: "V"},
		gone: []string{"", "ä"}, all: n%2 == 0,
	}
	for part := range n % 3 {
		g.say(Said{Source: "src", Part: fmt.Sprint(part), Key: g.key, Facts: Facts{Name: strings.Repeat("x", size), Names: []Name{{Text: "雪"}}}})
	}
	return g
}

// What waits comes back as it was, in its order, in memory and on disk.
func TestWhatWaitsComesBack(t *testing.T) {
	for _, size := range []int{1, 10_000} {
		dir := filepath.Join(t.TempDir(), "made when it is needed")
		l := later{dir: dir}
		const n = 1000
		for i := range n {
			if err := l.add(waiting(i, size)); err != nil {
				t.Fatal(err)
			}
		}
		if onDisk := l.file != nil; onDisk != (size > 1) || len(l.buf) > laterInMemory {
			t.Errorf("of size %d: on disk %v, %d bytes in memory", size, onDisk, len(l.buf))
		}
		if names, _ := os.ReadDir(dir); len(names) != 0 {
			t.Errorf("%s would stay behind after a crash", names[0].Name())
		}
		for range 2 {
			i := 0
			err := l.each("src", func(g *group) error {
				if diff := cmp.Diff(waiting(i, size), g, cmp.AllowUnexported(group{}), cmpopts.IgnoreUnexported(Said{}), cmpopts.EquateEmpty()); diff != "" {
					t.Fatalf("group %d:\n%s", i, diff)
				}
				i++
				return nil
			})
			if err != nil || i != n {
				t.Errorf("%d groups came back (%v), want %d", i, err, n)
			}
		}
		enough := errors.New("enough")
		if err := l.each("src", func(*group) error { return enough }); !errors.Is(err, enough) {
			t.Errorf("got %v, want the visitor's error", err)
		}
		l.close()
		if err := l.each("src", func(*group) error { return enough }); err != nil {
			t.Errorf("after it was closed: %v", err)
		}
	}
}

func TestWhatWaitsAndWasCutIsAnError(t *testing.T) {
	whole := waiting(2, 10).append(nil)
	for n := 1; n < len(whole); n++ {
		l := later{buf: whole[:n]}
		if err := l.each("src", func(*group) error { return nil }); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Fatalf("cut at %d: %v", n, err)
		}
	}
}

// A sieve never forgets, and is seldom wrong at a size of millions.
func TestSieve(t *testing.T) {
	for _, n := range []int{sieveFew - 1, 2_000_000} {
		var s sieve
		in, out := rand.New(rand.NewPCG(1, 2)), rand.New(rand.NewPCG(3, 4))
		for range n {
			s.add(in.Uint64())
		}
		in = rand.New(rand.NewPCG(1, 2))
		for range n {
			if !s.has(in.Uint64()) {
				t.Fatal("a number was forgotten")
			}
		}
		wrong := 0
		for range 1_000_000 {
			if s.has(out.Uint64()) {
				wrong++
			}
		}
		if most := n / 10_000; wrong > most { // at two millions one in five thousand
			t.Errorf("with %d numbers %d of a million others are claimed, want at most %d", n, wrong, most)
		}
	}
}
