package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"bureau/internal/app"
)

// A progressLine is one line that is written over and over. In a file or a pipe,
// where that cannot be, it is written once, at the end.
type progressLine struct {
	w    io.Writer
	live bool
	last string
	wide int
}

func (p *progressLine) tell(s app.Progress) {
	p.last = progressText(s)
	if p.live {
		text := progressBar(s.Read, s.Size) + p.last
		fmt.Fprintf(p.w, "\r%-*s", p.wide, text)
		p.wide = max(p.wide, len([]rune(text)))
	}
}

func (p *progressLine) end() {
	switch {
	case p.wide > 0:
		fmt.Fprintln(p.w)
	case p.last != "":
		fmt.Fprintln(p.w, p.last)
	}
}

// A statusLine says what is being done, in a line that is written over in a
// terminal and in a line for each elsewhere.
type statusLine struct {
	w    io.Writer
	live bool
	wide int
}

func (l *statusLine) tell(text string) {
	if !l.live {
		fmt.Fprintln(l.w, text)
		return
	}
	const most = 79 // a longer one could not be written over
	if r := []rune(text); len(r) > most {
		text = string(r[:most-1]) + "…"
	}
	fmt.Fprintf(l.w, "\r%-*s", l.wide, text)
	l.wide = len([]rune(text))
}

// end takes the line away.
func (l *statusLine) end() {
	if l.wide > 0 {
		fmt.Fprintf(l.w, "\r%*s\r", l.wide, "")
	}
}

func progressText(s app.Progress) string {
	text := "reading"
	if s.Checking {
		text = "checking"
	}
	text += fmt.Sprintf(": %d records", s.Records)
	if secs := s.Took.Seconds(); secs > 0.5 {
		text += fmt.Sprintf(", %.0f a second", float64(s.Records)/secs)
	}
	if left, ok := s.Left(); ok {
		text += fmt.Sprintf(", %s left", left.Round(time.Second))
	}
	if s.Refused > 0 {
		text += fmt.Sprintf(", %d refused", s.Refused)
	}
	return text
}

// progressBar shows how much of a file is read, if its size is known.
func progressBar(read, size int64) string {
	if size <= 0 || read > size {
		return ""
	}
	const width = 20
	done := int(read * width / size)
	return fmt.Sprintf("[%s%s] %3d %% ", strings.Repeat("#", done), strings.Repeat(".", width-done), read*100/size)
}

// isTerminal reports whether somebody looks at what is written there.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb"
}
