// Command bench measures Bureau on this machine, all of it: see package
// internal/bench for how.
//
//	go run ./bench                        all rows; writes bench/results.md
//	go run ./bench -only tokens           one row; keeps nothing
//	go run ./bench -rounds 1 -seconds 1   faster, and less to be trusted
//	go run ./bench names                  how well names are told apart
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"bureau/internal/bench"
)

func main() {
	if played, err := bench.Play(os.Args[1:], os.Stdin, os.Stdout); played {
		exit(err)
	}
	if len(os.Args) == 2 && os.Args[1] == "names" {
		exit(bench.WriteNames(os.Stdout))
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

// run measures what the flags ask for, and keeps the results of all rows.
func run(ctx context.Context) error {
	var s bench.Settings
	flag.StringVar(&s.Only, "only", "", "only the rows whose name begins so; the results are printed and not kept")
	flag.StringVar(&s.Engine, "engine", "", "only SQLite, or only PostgreSQL; likewise")
	flag.IntVar(&s.Rounds, "rounds", 3, "how often each row is measured")
	flag.Float64Var(&s.Seconds, "seconds", 2, "how long each measurement takes")
	flag.BoolVar(&s.Small, "small", false, "a hundredth of monitoring's data, for a quick look; the results are not kept")
	out := flag.String("out", "bench/results.md", "where the results are kept")
	flag.Parse()
	if flag.NArg() > 0 {
		return fmt.Errorf("what is %q?", flag.Arg(0))
	}
	began := time.Now()
	s.Say = func(text string) {
		fmt.Fprintf(os.Stderr, "bench: %d:%02d %s\n", int(time.Since(began).Minutes()), int(time.Since(began).Seconds())%60, text)
	}
	r, err := bench.Run(ctx, s)
	if err != nil {
		if r != nil { // what took an hour is not thrown away for the last row
			fmt.Print(r.Text())
		}
		return err
	}
	text := r.Text()
	fmt.Print(text)
	if len(r.Statement.Lost) > 0 {
		return errors.New("something was lost; the results are not kept")
	}
	if s.Only != "" || s.Engine != "" || s.Small {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(*out), 0o755); err != nil {
		return err
	}
	return os.WriteFile(*out, []byte(text), 0o644)
}
