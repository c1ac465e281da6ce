package company

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/cespare/xxhash/v2"

	"bureau/internal/match"
)

// The index is kept in two files between two runs. They are copies of what the
// database holds: whoever loses them waits for the index to be made anew.

// finderFile is how such a file begins.
const finderFile = "bureau finder 1\n"

var (
	errOtherRegister = errors.New("the saved index of names is of another register")
	errFinderFile    = errors.New("this is no saved index of names")
)

func (f *Finder) file(kind string) string { return filepath.Join(f.Folder, kind+".names") }

// Save keeps the index for the next run. Searches go on meanwhile; changes wait.
func (f *Finder) Save(ctx context.Context) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.next == nil || f.Folder == "" || f.saved == f.next.place+1 {
		return nil
	}
	mark, err := f.mark(ctx, f.next.place)
	if err != nil {
		return err
	}
	for _, part := range []struct {
		kind  string
		names *nameIndex
	}{{"companies", f.next.companies}, {"people", f.next.people}} {
		err := match.SaveFile(f.file(part.kind), func(w io.Writer) error {
			head := binary.LittleEndian.AppendUint64([]byte(finderFile), uint64(f.next.place))
			if _, err := w.Write(binary.LittleEndian.AppendUint64(head, mark)); err != nil {
				return err
			}
			if err := part.names.numbers.write(w); err != nil {
				return err
			}
			return part.names.index.Save(w)
		})
		if err != nil {
			return fmt.Errorf("keep the index of names: %w", err)
		}
	}
	f.saved = f.next.place + 1
	return nil
}

// mark tells this register from another that has come as far: a backup, say, or
// a new database in an old folder.
func (f *Finder) mark(ctx context.Context, place int64) (uint64, error) {
	if place == 0 {
		return 0, nil
	}
	at, err := f.Store.Changes(ctx, place-1, 1)
	if err != nil {
		return 0, err
	}
	if len(at) == 0 || at[0].Number != place {
		return 0, errOtherRegister
	}
	c := at[0]
	return xxhash.Sum64String(fmt.Sprint(c.Number, c.Company, c.Field, c.Item, c.New, c.Source, c.At.UnixMilli())), nil
}

// load reads what Save wrote.
func (f *Finder) load(ctx context.Context) (*namesHeld, error) {
	companies, place, err := f.loadPart(ctx, "companies")
	if err != nil {
		return nil, err
	}
	people, other, err := f.loadPart(ctx, "people")
	if err != nil {
		return nil, err
	}
	if place == other {
		f.saved = place + 1
	}
	// What one of them knows already it takes in again: that changes nothing.
	return &namesHeld{companies: companies, people: people, place: min(place, other)}, nil
}

func (f *Finder) loadPart(ctx context.Context, kind string) (*nameIndex, int64, error) {
	file, err := os.Open(f.file(kind))
	if err != nil {
		return nil, 0, err
	}
	defer file.Close()
	in := bufio.NewReaderSize(file, 1<<20)
	head := make([]byte, len(finderFile)+16)
	if _, err := io.ReadFull(in, head); err != nil || string(head[:len(finderFile)]) != finderFile {
		return nil, 0, errFinderFile
	}
	place := int64(binary.LittleEndian.Uint64(head[len(finderFile):]))
	mark, err := f.mark(ctx, place)
	if err != nil {
		return nil, 0, err
	}
	if mark != binary.LittleEndian.Uint64(head[len(finderFile)+8:]) {
		return nil, 0, errOtherRegister
	}
	numbers, err := readNumbers(in)
	if err != nil {
		return nil, 0, fmt.Errorf("read the index of names: %w", err)
	}
	index, err := match.Load(in)
	return &nameIndex{index, numbers}, place, err
}
