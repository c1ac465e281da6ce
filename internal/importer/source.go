package importer

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"time"
)

// A Source is a publisher's file: what it is called, where it comes from, and
// how it is read. To add one, write its Read and put it in the table of
// sources.
type Source[T any] struct {
	Name  string        // as in "bureau import gleif"
	Title string        // what it is, in a few words
	URL   string        // where the publisher keeps it; empty if it must be fetched by hand
	Every time.Duration // how often it is worth asking

	// Whole says that a file is the publisher's whole list: what is not in it
	// any more is gone. A source that is not whole is a feed.
	Whole bool

	// Only is the list that a file is the whole of, where there is but one: a file without
	// an entry empties it. Elsewhere the entries say which list they are of.
	Only string

	// About says that records are about companies that other sources name, and
	// make none themselves.
	About bool

	// Covers says, from the first bytes of a file, which parts of companies it
	// is the whole list of, where files of several kinds come under this name.
	// It returns nil for a file that is a list of nothing, such as one page of
	// an answer. Without a Covers, a whole list is one of everything.
	Covers func(head []byte) func(part string) bool

	// Together says that the files of one import are read as one *Set.
	Together bool

	Licence string // under which terms the publisher gives it
	Credit  string // the attribution that those terms ask for
	Terms   string // what an operator is told at every import; empty for most

	// Sample is a small file that can be imported as it stands, for --help.
	Sample string

	// Read yields the records of a file in its order. name is the file's own
	// name, which some publishers put facts in. A record that it cannot read
	// comes as a *Bad and does not stop the rest; ErrCutShort, wrapped, says
	// that the file ends too early, and ends the sequence; any other error
	// ends it too. Memory does not grow with the file.
	Read func(r io.Reader, name string) iter.Seq2[T, error]

	// Skim reads a file to its end and says only whether Read would find it
	// whole, for formats where that is much faster. It may be nil.
	Skim func(r io.Reader, name string) error
}

// ErrCutShort says that a file ends before its end.
var ErrCutShort = errors.New("the file is cut short")

// A Bad is a record that cannot be read or makes no sense.
type Bad struct {
	Line int64  // where in the file; for files without lines, the record's number
	Raw  string // the record as it came, as far as it is known
	Err  error  // why, for the operator
}

func (b *Bad) Error() string { return fmt.Sprintf("line %d: %v", b.Line, b.Err) }
func (b *Bad) Unwrap() error { return b.Err }
