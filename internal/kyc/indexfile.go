package kyc

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/cespare/xxhash/v2"

	"bureau/internal/match"
)

// The index is kept in a file between two runs. It is a copy of what the database
// holds: whoever loses it waits for the index to be made anew, and whatever is
// wrong with it is reason enough to do so.

// indexFile is how the file begins. Behind it come the length of what is known of
// entries, its hash, itself, and the index of their names.
const indexFile = "bureau lists 1\n"

var errIndexFile = errors.New("the saved index of the lists is of no use here")

// A savedIndex is what an Index knows besides names. Entries are in columns:
// there are very many of them.
type savedIndex struct {
	Program uint64 // which wrote it
	Mark    uint64 // of the last change
	Edition Edition
	Lists   []string
	Kinds   []Kind
	Numbers map[string][]EntryID

	IDs      []int64
	List     []byte // in Lists
	Kind     []byte // in Kinds
	Datasets []uint32
	Bodies   []uint32
	Tier     []byte
	Since    []int64
}

func (x *Index) file() string { return filepath.Join(x.Folder, "lists.names") }

// Save keeps the index for the next run. Searches go on meanwhile; changes wait.
func (x *Index) Save(ctx context.Context) error {
	x.turn.Lock()
	defer x.turn.Unlock()
	if x.Folder == "" || !x.Ready() || x.saved == x.edition.Change+1 {
		return nil
	}
	s, err := x.known(ctx)
	if err != nil {
		return err
	}
	var known bytes.Buffer
	if err := gob.NewEncoder(&known).Encode(s); err != nil {
		return fmt.Errorf("keep the index of the lists: %w", err)
	}
	head := binary.LittleEndian.AppendUint64([]byte(indexFile), uint64(known.Len()))
	head = binary.LittleEndian.AppendUint64(head, xxhash.Sum64(known.Bytes()))
	err = match.SaveFile(x.file(), func(w io.Writer) error {
		_, err1 := w.Write(head)
		_, err2 := known.WriteTo(w)
		return errors.Join(err1, err2, x.names.Save(w))
	})
	if err != nil {
		return fmt.Errorf("keep the index of the lists: %w", err)
	}
	x.saved = s.Edition.Change + 1
	return nil
}

// known is what is saved besides names. Nobody changes it while it is our turn.
func (x *Index) known(ctx context.Context) (s *savedIndex, err error) {
	s = &savedIndex{Edition: x.edition, Numbers: x.numbers}
	if s.Program, err = program(); err != nil {
		return nil, err
	}
	if s.Mark, err = x.mark(ctx, x.edition.Change); err != nil {
		return nil, err
	}
	for id, e := range x.entries {
		s.IDs, s.Since = append(s.IDs, int64(id)), append(s.Since, e.since)
		s.List, s.Kind = append(s.List, place(&s.Lists, e.list)), append(s.Kind, place(&s.Kinds, e.kind))
		s.Datasets, s.Bodies = append(s.Datasets, uint32(e.datasets)), append(s.Bodies, uint32(e.bodies))
		s.Tier = append(s.Tier, e.tier)
	}
	if len(s.Lists) > 256 {
		return nil, fmt.Errorf("keep the index of the lists: %d lists are more than can be told apart", len(s.Lists))
	}
	return s, nil
}

// place is where something is in a short table, which it is added to.
func place[T comparable](in *[]T, what T) byte {
	i := slices.Index(*in, what)
	if i < 0 {
		i = len(*in)
		*in = append(*in, what)
	}
	return byte(i)
}

// restore reads what Save wrote, if this program wrote it of this database. The
// index is not ready by that: it may be behind.
func (x *Index) restore(ctx context.Context) error {
	file, err := os.Open(x.file())
	if err != nil {
		return err
	}
	defer file.Close()
	in := bufio.NewReaderSize(file, 1<<20)
	s, err := readKnown(in)
	if err != nil {
		return err
	}
	switch same, err := program(); {
	case err != nil:
		return err
	case same != s.Program:
		return errIndexFile
	}
	switch mark, err := x.mark(ctx, s.Edition.Change); {
	case err != nil:
		return err
	case mark != s.Mark:
		return errIndexFile
	}
	names, err := match.Load(in)
	if err != nil {
		return err
	}
	entries, census := s.entries()
	numbers := s.Numbers
	if numbers == nil {
		numbers = map[string][]EntryID{}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.names, x.entries, x.numbers, x.edition, x.census = names, entries, numbers, s.Edition, census
	x.saved = s.Edition.Change + 1
	return nil
}

// readKnown reads what is known of entries. Nothing of it is believed before all
// of it was summed up.
func readKnown(in io.Reader) (*savedIndex, error) {
	head := make([]byte, len(indexFile)+16)
	if _, err := io.ReadFull(in, head); err != nil || string(head[:len(indexFile)]) != indexFile {
		return nil, errIndexFile
	}
	size := binary.LittleEndian.Uint64(head[len(indexFile):])
	known, err := io.ReadAll(io.LimitReader(in, int64(min(size, 1<<40))))
	if err != nil {
		return nil, err
	}
	if uint64(len(known)) != size || xxhash.Sum64(known) != binary.LittleEndian.Uint64(head[len(indexFile)+8:]) {
		return nil, errIndexFile
	}
	var s savedIndex
	if err := gob.NewDecoder(bytes.NewReader(known)).Decode(&s); err != nil {
		return nil, fmt.Errorf("read the index of the lists: %w", err)
	}
	return &s, nil
}

// entries are those that were saved, and what they come to.
func (s *savedIndex) entries() (map[EntryID]indexed, *census) {
	out, census := make(map[EntryID]indexed, len(s.IDs)), newCensus()
	for i, id := range s.IDs {
		e := indexed{
			list: s.Lists[s.List[i]], kind: s.Kinds[s.Kind[i]], since: s.Since[i],
			datasets: set(s.Datasets[i]), bodies: set(s.Bodies[i]), tier: s.Tier[i],
		}
		out[EntryID(id)] = e
		census.add(e, 1)
	}
	return out, census
}

// mark tells this database from another that has come as far: a backup, say, or a
// new one in an old folder. It is made of a change and of when that came into
// force.
func (x *Index) mark(ctx context.Context, number int64) (uint64, error) {
	if number == 0 {
		return 0, nil
	}
	at, err := x.Store.EntryChanges(ctx, number-1, 1)
	if err != nil {
		return 0, err
	}
	if len(at) == 0 || at[0].Number != number {
		return 0, errIndexFile
	}
	c := at[0]
	versions, err := x.Store.ListVersions(ctx, c.List, 1<<20)
	if err != nil {
		return 0, err
	}
	i := slices.IndexFunc(versions, func(v Version) bool { return v.Number == c.Version })
	if i < 0 {
		return 0, errIndexFile
	}
	v := versions[i]
	return xxhash.Sum64String(fmt.Sprint(c.Number, c.Version, c.List, c.Entry, c.Kind, v.File, v.At.UnixMilli(), v.Entries)), nil
}

// program tells this program from every other, however little they differ: one
// that reads names otherwise must not find what another has read. It is asked for
// at the start, before the file can be replaced by a newer one.
var program = sync.OnceValues(func() (uint64, error) {
	path, err := os.Executable()
	if err != nil {
		return 0, err
	}
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	sum := xxhash.New()
	_, err = io.Copy(sum, file)
	return sum.Sum64(), err
})
