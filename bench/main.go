// Command bench measures Bureau on this machine: each row of its table is
// something that Bureau does beside a baseline that does only the core of it,
// under the same load, in the same run, over the same TLS. What counts is the
// ratio of the two, and the CPU that each of them takes for one operation.
//
//	go run ./bench                        all rows; writes bench/results.md
//	go run ./bench -only tokens           one row; keeps nothing
//	go run ./bench -rounds 3 -seconds 1   faster, and less to be trusted
//
// The server, the baseline and the load are three processes; nothing leaves
// loopback. To add a row, see rows in table.go.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

func main() {
	if len(os.Args) == 2 {
		for _, r := range roles {
			if r.name == os.Args[1] {
				exit(r.run(os.Stdin, os.Stdout))
			}
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	exit(run(ctx))
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// settings are how long and how often.
type settings struct {
	only    string
	engine  string
	rounds  int
	seconds float64
	small   bool
	out     string
}

func (s settings) window() time.Duration { return time.Duration(s.seconds * float64(time.Second)) }

// run measures every row that was asked for. A goal that was missed is said in
// the table; only what could not be measured is an error.
func run(ctx context.Context) error {
	var s settings
	flag.StringVar(&s.only, "only", "", "only the rows whose name begins so; the results are printed and not kept")
	flag.StringVar(&s.engine, "engine", "", "only SQLite, or only PostgreSQL; likewise")
	flag.IntVar(&s.rounds, "rounds", 5, "how often each row is measured")
	flag.Float64Var(&s.seconds, "seconds", 2, "how long each measurement takes")
	flag.BoolVar(&s.small, "small", false, "a hundredth of monitoring's data, for a quick look; the results are not kept")
	flag.StringVar(&s.out, "out", "bench/results.md", "where the results are kept")
	flag.Parse()
	chosen := slices.DeleteFunc(rows(), func(b bench) bool { return !strings.HasPrefix(b.name, s.only) })
	switch {
	case flag.NArg() > 0:
		return fmt.Errorf("what is %q?", flag.Arg(0))
	case len(chosen) == 0:
		return fmt.Errorf("no row's name begins with %q", s.only)
	case !slices.Contains([]string{"", sqlite, postgreSQL}, s.engine):
		return fmt.Errorf("no engine is called %q: choose %s or %s", s.engine, sqlite, postgreSQL)
	case s.rounds < 1 || s.rounds > 100 || s.seconds < 0.5 || s.seconds > 60:
		return errors.New("between 1 and 100 rounds of half a second to a minute")
	}
	r, err := measure(ctx, s, chosen)
	if err != nil {
		return err
	}
	text := r.text()
	fmt.Print(text)
	if s.only != "" || s.engine != "" || s.small {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(s.out), 0o755); err != nil {
		return err
	}
	return os.WriteFile(s.out, []byte(text), 0o644)
}
