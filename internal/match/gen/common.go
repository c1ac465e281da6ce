package main

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"bureau/internal/match"
)

// atMost is how many of the commonest words are kept, and atLeast how often one
// must be met to be called common.
const (
	atMost  = 5000
	atLeast = 6
)

// common counts the words of names, one name a line (or a column of a line, as
// file.gz:column), and writes the commonest with the quarters of a bit that
// meeting each is worth.
func common(w io.Writer, kind match.Kind, files []string) error {
	count := map[string]int{}
	total := 0
	for _, file := range files {
		name, column, _ := strings.Cut(file, ":")
		err := eachLine(name, func(line string) {
			if column != "" {
				sep, n := "\t", 0
				fmt.Sscan(column, &n)
				if strings.Contains(name, ".csv") {
					sep = ","
				}
				part := strings.Split(line, sep)
				if n >= len(part) {
					return
				}
				line = part[n]
			}
			words := match.Read(kind, line).Words()
			if len(words) == 0 {
				return
			}
			total++
			for _, word := range words {
				count[word]++
			}
		})
		if err != nil {
			return err
		}
	}
	words := make([]string, 0, len(count))
	for word, n := range count {
		if n >= atLeast && len(word) > 1 && !strings.ContainsAny(word, "0123456789") {
			words = append(words, word)
		}
	}
	slices.SortFunc(words, func(a, b string) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b))
	})
	words = words[:min(len(words), atMost)]
	fmt.Fprintf(w, "# Made by internal/match/gen from %d names: the commonest words and how rare they are,\n# in quarters of a bit.\n", total)
	for _, word := range words {
		bits := 4 * math.Log2(float64(total)/float64(count[word]))
		fmt.Fprintf(w, "%s %d\n", word, int(math.Round(min(max(bits, 8), 56))))
	}
	return nil
}

func eachLine(name string, do func(string)) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(name, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			return err
		}
	}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		do(lines.Text())
	}
	return lines.Err()
}
