package match

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"sync/atomic"
	"unsafe"
)

// ErrStale is the error of a saved index that another version of the program
// wrote, or that reads names by other tables. It has to be built anew.
var ErrStale = errors.New("the saved index is of another version")

// saved is how a file begins, with the number of the format.
const saved = "bureau names 3\n"

// tablesPrint changes when names are read otherwise than before, by other tables or
// by other rules.
var tablesPrint = func() uint32 {
	h := crc32.NewIEEE()
	for _, text := range []string{formsText, formsISO, companyText, personText, nicknamesText, commonPerson, commonCompany} {
		io.WriteString(h, text)
	}
	fmt.Fprint(h, rules)
	return h.Sum32()
}()

// Save writes the index. Searches and changes may go on; changes made meanwhile
// may or may not be in it.
func (x *Index) Save(w io.Writer) error {
	segments := *x.segments.Load()
	out := &checked{w: bufio.NewWriterSize(w, 1<<20), sum: crc32.NewIEEE()}
	out.bytes([]byte(saved))
	out.number(uint64(tablesPrint))
	out.number(uint64(len(segments)))
	for _, s := range segments {
		s.each(sectionWriter{out})
	}
	out.number(uint64(out.sum.Sum32()))
	if out.err != nil {
		return fmt.Errorf("save the index of names: %w", out.err)
	}
	return out.w.Flush()
}

// Load reads an index that was saved. A file that is not whole is an error, and
// one of another version is ErrStale.
func Load(r io.Reader) (*Index, error) {
	in := &checking{r: bufio.NewReaderSize(r, 1<<20), sum: crc32.NewIEEE()}
	head := in.bytes(nil, uint64(len(saved)))
	print := in.number()
	if in.err != nil {
		return nil, fmt.Errorf("load the index of names: %w", in.err)
	}
	if string(head) != saved || print != uint64(tablesPrint) {
		return nil, ErrStale
	}
	n := in.number()
	list := []*segment{}
	for range min(n, 1<<16) {
		s := &segment{}
		s.each(sectionReader{in})
		if in.err == nil && !s.whole() {
			in.fail("its parts do not fit together")
		}
		if in.err != nil {
			break
		}
		list = append(list, s)
	}
	want := uint64(in.sum.Sum32())
	if got := in.number(); in.err == nil && got != want {
		in.err = errors.New("the file is damaged")
	}
	if in.err != nil {
		return nil, fmt.Errorf("load the index of names: %w", in.err)
	}
	for _, s := range list {
		s.linkSymbols()
	}
	x := NewIndex()
	x.segments.Store(&list)
	return x, nil
}

// whole says whether the slices of a segment have the lengths that belong
// together.
func (s *segment) whole() bool {
	entries, rows, words := len(s.ids), len(s.rowEntry), len(s.words)
	ends := func(starts []uint32, n, end int) bool { return len(starts) == n+1 && int(starts[n]) == end }
	return len(s.kind) == entries && len(s.land) == entries && len(s.dead) == entries/64+1 &&
		len(s.rowForm) == rows && len(s.rowFlags) == rows && len(s.rowWeight) == rows &&
		ends(s.rowStart, entries, rows) && ends(s.extraFrom, entries, len(s.extra)) &&
		ends(s.wordStart, rows, len(s.rowWord)) && ends(s.letterAt, words, len(s.letters)) &&
		ends(s.postStart, words, len(s.postRow))
}

// each hands all slices of a segment to a writer or a reader, in the order of the
// file.
func (s *segment) each(do section) {
	do.u64(&s.ids)
	do.u8(&s.kind)
	do.u32(&s.rowStart)
	do.u16(&s.land)
	do.u8(&s.extra)
	do.u32(&s.extraFrom)
	do.u64(&s.dead)
	do.u32(&s.rowEntry)
	do.u32(&s.wordStart)
	do.u32(&s.rowWord)
	do.u16(&s.rowForm)
	do.u8(&s.rowFlags)
	do.u16(&s.rowWeight)
	do.u8(&s.letters)
	do.u32(&s.letterAt)
	do.facts(&s.words)
	do.u32(&s.postStart)
	do.u32(&s.postRow)
	for _, t := range []*table32{&s.near, &s.squash} {
		do.u32(&t.start)
		do.u32(&t.items)
		do.u8one(&t.shift)
	}
}

type section interface {
	u8(*[]byte)
	u16(*[]uint16)
	u32(*[]uint32)
	u64(*[]uint64)
	facts(*[]wordFacts)
	u8one(*uint8)
}

type sectionWriter struct{ *checked }

func (w sectionWriter) u8(v *[]byte)         { put(w.checked, *v) }
func (w sectionWriter) u16(v *[]uint16)      { put(w.checked, *v) }
func (w sectionWriter) u32(v *[]uint32)      { put(w.checked, *v) }
func (w sectionWriter) facts(v *[]wordFacts) { put(w.checked, *v) }
func (w sectionWriter) u8one(v *uint8)       { w.number(uint64(*v)) }
func (w sectionWriter) u64(v *[]uint64) {
	// Entries may be dying while we write.
	copied := make([]uint64, len(*v))
	for i := range copied {
		copied[i] = atomic.LoadUint64(&(*v)[i])
	}
	put(w.checked, copied)
}

type sectionReader struct{ *checking }

func (r sectionReader) u8(v *[]byte)         { get(r.checking, v) }
func (r sectionReader) u16(v *[]uint16)      { get(r.checking, v) }
func (r sectionReader) u32(v *[]uint32)      { get(r.checking, v) }
func (r sectionReader) u64(v *[]uint64)      { get(r.checking, v) }
func (r sectionReader) facts(v *[]wordFacts) { get(r.checking, v) }
func (r sectionReader) u8one(v *uint8)       { *v = uint8(r.number()) }

// put writes a slice as its length and its bytes as they are in memory: both
// processors that we build for keep the low byte first.
func put[T any](w *checked, v []T) {
	var zero T
	w.number(uint64(len(v)))
	w.bytes(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), len(v)*int(unsafe.Sizeof(zero))))
}

// get reads what put wrote. It believes a length only as far as bytes follow.
func get[T any](r *checking, v *[]T) {
	var zero T
	size := uint64(unsafe.Sizeof(zero))
	n := r.number()
	if r.err != nil || n > 1<<33/size {
		r.fail("a length is impossible")
		return
	}
	var out []T
	for done := uint64(0); done < n && r.err == nil; {
		part := min(n-done, 1<<20)
		out = slices.Grow(out, int(part))[:done+part]
		r.bytes(unsafe.Slice((*byte)(unsafe.Pointer(&out[done])), part*size), part*size)
		done += part
	}
	*v = slices.Clip(out)
}

// checked writes and sums up.
type checked struct {
	w   *bufio.Writer
	sum hash32er
	err error
}

type hash32er interface {
	io.Writer
	Sum32() uint32
}

func (c *checked) bytes(b []byte) {
	if c.err == nil {
		c.sum.Write(b)
		_, c.err = c.w.Write(b)
	}
}

func (c *checked) number(v uint64) { c.bytes(binary.LittleEndian.AppendUint64(nil, v)) }

// checking reads and sums up.
type checking struct {
	r   *bufio.Reader
	sum hash32er
	err error
}

func (c *checking) bytes(into []byte, n uint64) []byte {
	if into == nil {
		into = make([]byte, n)
	}
	if c.err != nil {
		return into
	}
	if _, c.err = io.ReadFull(c.r, into); c.err == nil {
		c.sum.Write(into)
	}
	return into
}

func (c *checking) number() uint64 {
	var b [8]byte
	c.bytes(b[:], 8)
	return binary.LittleEndian.Uint64(b[:])
}

func (c *checking) fail(text string) {
	if c.err == nil {
		c.err = errors.New(text)
	}
}
