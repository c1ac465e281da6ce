package app

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"syscall"

	"bureau/internal/fault"
)

// Codes of SQLite that say what an operator can do something about. Its driver
// belongs to the store; an error of it is known here by its code alone.
const (
	sqliteReadOnly = 8
	sqliteIO       = 10
	sqliteCorrupt  = 11
	sqliteFull     = 13
	sqliteCantOpen = 14
	sqliteNotADB   = 26
)

// Explain says in one line what went wrong and, where we know, what to do.
func Explain(err error) string {
	if v, ok := fault.Of(err); ok {
		return v.Text // written for whoever asked; what is around it is not
	}
	text := oneLine(err.Error())
	advice := ""
	switch code := sqliteCode(err); {
	case code == sqliteFull, errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT), errors.Is(err, syscall.EFBIG):
		return "the disk is full: make room and try again (" + text + ")"
	case code == sqliteIO:
		return "the disk is full or failing: see how much room there is, and try again (" + text + ")"
	case code == sqliteReadOnly, errors.Is(err, syscall.EROFS):
		advice = "make it writable, or choose another place with --data or --db"
	case code == sqliteCorrupt:
		advice = "the file is damaged: restore a backup into a new one"
	case code == sqliteNotADB:
		advice = "name another file with --db"
	case code == sqliteCantOpen, errors.Is(err, fs.ErrPermission):
		advice = "see who may read and write it"
	case errors.Is(err, syscall.ENOTDIR):
		advice = "there is a file where a folder should be; choose another place"
	case errors.Is(err, syscall.ECONNREFUSED):
		advice = "is it running, and is its address right?"
	case errors.Is(err, context.Canceled):
		return "stopped before it was done"
	}
	if advice == "" {
		return text
	}
	return text + ": " + advice
}

// oneLine puts the lines of a text behind each other.
func oneLine(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if s := b.String(); s != "" && !strings.HasSuffix(s, ":") {
			b.WriteString(";")
		}
		if b.Len() > 0 {
			b.WriteString(" ")
		}
		b.WriteString(strings.Join(strings.Fields(line), " "))
	}
	return b.String()
}

func sqliteCode(err error) int {
	var coded interface {
		error
		Code() int
	}
	if !errors.As(err, &coded) {
		return 0
	}
	return coded.Code() & 0xff // the rest says where it happened
}

// IsMisuse reports whether an error is about what was asked for, rather than
// about how it went.
func IsMisuse(err error) bool { return errors.Is(err, fault.Invalid) }
