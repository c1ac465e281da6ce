package main

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"bureau/internal/match/roman"
)

// A char is what Unihan says of one character.
type char struct {
	r      rune
	fields map[string]string
}

// han writes one line for each character that has a reading.
func han(w io.Writer, files []string) error {
	chars := map[rune]*char{}
	for _, name := range files {
		if err := readUnihan(name, chars); err != nil {
			return err
		}
	}
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	list := make([]*char, 0, len(chars))
	for _, c := range chars {
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b *char) int { return cmp.Compare(a.r, b.r) })
	for _, c := range list {
		line := []string{
			string(c.r), pinyin(first(c.fields["kMandarin"])), hongKong(first(c.fields["kCantonese"])),
			seoul(first(c.fields["kHangul"])), strings.ToLower(first(c.fields["kJapaneseOn"])),
			kun(c.fields["kJapaneseKun"]), string(simplified(c)),
		}
		if strings.Join(line[1:6], "") != "" {
			fmt.Fprintln(z, strings.Join(line, "\t"))
		}
	}
	return z.Close()
}

func readUnihan(name string, chars map[rune]*char) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		part := strings.Split(lines.Text(), "\t")
		if len(part) < 3 || !strings.HasPrefix(part[0], "U+") {
			continue
		}
		r, err := codePoint(part[0])
		if err != nil {
			return err
		}
		// Beyond the first plane there are only characters that names do not use.
		if r > 0xffff {
			continue
		}
		c := chars[r]
		if c == nil {
			c = &char{r, map[string]string{}}
			chars[r] = c
		}
		c.fields[part[1]] = part[2]
	}
	return lines.Err()
}

func codePoint(s string) (rune, error) {
	n, err := strconv.ParseUint(strings.TrimPrefix(s, "U+"), 16, 32)
	return rune(n), err
}

func first(list string) string {
	word, _, _ := strings.Cut(list, " ")
	return word
}

func simplified(c *char) rune {
	if v := first(c.fields["kSimplifiedVariant"]); v != "" {
		if r, err := codePoint(v); err == nil && r <= 0xffff {
			return r
		}
	}
	return c.r
}

// pinyin drops the tones, and writes ü as u, as passports do.
func pinyin(s string) string {
	var b strings.Builder
	for _, r := range norm.NFD.String(s) {
		if r >= 'a' && r <= 'z' {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// hongKong turns Jyutping into the spellings that people there have in their
// papers: zoeng1 is cheung.
var hongKong = func() func(string) string {
	ends := strings.NewReplacer("oe", "eu", "eo", "u", "aa", "a")
	return func(s string) string {
		s = strings.TrimRight(s, "0123456789")
		if s == "" {
			return ""
		}
		switch s[0] {
		case 'z', 'c':
			s = "ch" + s[1:]
		case 'j':
			s = "y" + s[1:]
		}
		return ends.Replace(s)
	}
}()

// seoul spells a Korean reading, given in Hangul, in Latin letters.
func seoul(s string) string {
	syllable, _, _ := strings.Cut(s, ":")
	if syllable == "" {
		return ""
	}
	return roman.Read(roman.Hangul, []rune(syllable), roman.Ask{})[0][0]
}

// kun takes the shortest native reading: the longer ones carry the endings of
// verbs and adjectives, which names lack.
func kun(list string) string {
	best := ""
	for _, s := range strings.Fields(strings.ToLower(list)) {
		if len(s) > 3 {
			for _, end := range []string{"shii", "ai", "oi", "ui"} {
				if strings.HasSuffix(s, end) {
					s = s[:len(s)-1]
					break
				}
			}
		}
		if len(s) >= 2 && (best == "" || len(s) < len(best)) {
			best = s
		}
	}
	return best
}
