package main

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"bureau/client"
)

// A line that is refused does not hold up the others, and a script hears of it.
func TestRefusedLinesEndWithAnError(t *testing.T) {
	work := func(file string) (string, error) {
		var out, told bytes.Buffer
		w := lineWork{
			api: &client.Client{}, adds: []string{"length", "why"},
			needs: func(func(string) bool) error { return nil },
			ask: func(get func(string) string) ([]string, error) {
				if get("name") == "" {
					return nil, &client.Error{Status: 400, Message: "Bad request", Details: "name: it is missing"}
				}
				return []string{strconv.Itoa(len(get("name"))), ""}, nil
			},
			tally: func(int, map[string]int) string { return "" },
		}
		err := w.run(&terminal{ctx: t.Context(), in: strings.NewReader(file), out: &out, err: &told}, "-")
		return out.String(), err
	}
	got, err := work("name,city\nAda,York\n,Bath\nBo,Rome\n")
	const want = "name,city,length,why\nAda,York,3,\n,Bath,refused,name: it is missing\nBo,Rome,2,\n"
	if got != want || err == nil || !strings.Contains(err.Error(), "1 of 3 lines were refused") {
		t.Errorf("got %q and %v, want %q and a word about one line", got, err, want)
	}
	if _, err := work("name,city\nAda,York\n"); err != nil {
		t.Errorf("nothing was refused, and it ended with %v", err)
	}
}
