package main

import (
	"errors"
	"fmt"
	"os"

	"bureau/internal/match"
	"bureau/internal/match/fit"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 || len(args) == 1 && args[0] != "weights" {
		return errors.New("which table, and from which files?")
	}
	switch args[0] {
	case "han":
		return han(os.Stdout, args[1:])
	case "common":
		kind, ok := match.ParseKind(args[1])
		if !ok {
			return fmt.Errorf("no kind is called %q", args[1])
		}
		return common(os.Stdout, kind, args[2:])
	case "forms":
		return forms(os.Stdout, args[1])
	case "weights":
		text, err := fit.Weights()
		if err != nil {
			return err
		}
		_, err = os.Stdout.Write(text)
		return err
	}
	return fmt.Errorf("no table is called %q", args[0])
}
