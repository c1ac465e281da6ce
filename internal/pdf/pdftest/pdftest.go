// Package pdftest reads PDFs that package pdf made, for tests: what is written
// on each page, without a program from outside.
package pdftest

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
)

var (
	streams = regexp.MustCompile(`(?s)/Filter /FlateDecode /Length (\d+)[^>]*>>\s*stream\r?\n`)
	plain   = regexp.MustCompile(`(?s)<</Length (\d+)>>\s*stream\r?\n`)
	shown   = regexp.MustCompile(`(?s)BT (-?[\d.]+) (-?[\d.]+) Td \(((?:\\.|[^\\)])*)\) ?Tj`)
)

// A Text is something that is written, and where: in points, from the left and
// from the bottom of its page.
type Text struct {
	X, Y float64
	Text string
}

// Pages returns what is written on each page, in the order of drawing.
func Pages(file []byte) ([][]Text, error) {
	if !bytes.HasPrefix(file, []byte("%PDF-")) || !bytes.Contains(file[max(0, len(file)-64):], []byte("%%EOF")) {
		return nil, fmt.Errorf("this is no whole PDF")
	}
	var out [][]Text
	for _, m := range append(streams.FindAllSubmatchIndex(file, -1), plain.FindAllSubmatchIndex(file, -1)...) {
		n, err := strconv.Atoi(string(file[m[2]:m[3]]))
		if err != nil || m[1]+n > len(file) {
			return nil, fmt.Errorf("a stream has no length")
		}
		content := file[m[1] : m[1]+n]
		if z, err := zlib.NewReader(bytes.NewReader(content)); err == nil {
			if content, err = io.ReadAll(z); err != nil {
				return nil, fmt.Errorf("a stream is broken: %w", err)
			}
		}
		if page := read(content); len(page) > 0 {
			out = append(out, page)
		}
	}
	return out, nil
}

// read finds what a page's content shows.
func read(content []byte) (out []Text) {
	for _, m := range shown.FindAllSubmatch(content, -1) {
		x, _ := strconv.ParseFloat(string(m[1]), 64)
		y, _ := strconv.ParseFloat(string(m[2]), 64)
		raw := unescape(m[3])
		units := make([]uint16, 0, len(raw)/2)
		for i := 0; i+1 < len(raw); i += 2 {
			units = append(units, uint16(raw[i])<<8|uint16(raw[i+1]))
		}
		out = append(out, Text{x, y, string(utf16.Decode(units))})
	}
	return out
}

func unescape(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); i++ {
		if b[i] == '\\' && i+1 < len(b) {
			i++
			if b[i] == 'r' {
				out = append(out, '\r')
				continue
			}
		}
		out = append(out, b[i])
	}
	return out
}

// Lines are the pages as text for people: pieces on one line stand beside each
// other, lines from the top down.
func Lines(file []byte) (string, error) {
	pages, err := Pages(file)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for i, page := range pages {
		fmt.Fprintf(&b, "--- page %d\n", i+1)
		slices.SortStableFunc(page, func(a, b Text) int {
			if d := b.Y - a.Y; d > 0.5 || d < -0.5 {
				return int(d * 100)
			}
			return int((a.X - b.X) * 100)
		})
		for j, t := range page {
			switch {
			case j == 0:
			case page[j-1].Y-t.Y > 0.5:
				b.WriteByte('\n')
			default:
				b.WriteString(" | ")
			}
			b.WriteString(t.Text)
		}
		b.WriteByte('\n')
	}
	return b.String(), nil
}
