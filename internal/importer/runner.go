package importer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// A Sink takes in what was read.
type Sink[T any] interface {
	// Add takes the next records, in the order of the file. The slice is used
	// again for others, what its records point to is not.
	Add(ctx context.Context, records []T) error
	// Finish comes after the last: a whole list now removes what it no longer
	// holds.
	Finish(ctx context.Context) error
}

// A checked record knows whether it makes sense. One that does not is refused
// like one that cannot be read.
type checked interface{ Check() error }

// A naming record says whom it is about, also if it makes no sense.
type naming interface{ Naming() string }

// A warned sink is told of bad records as they came: whom they may be about must
// not be taken away because they could not be read.
type warned interface{ Refused(raw string) }

// A prepared record does some of the sink's work beforehand, while the sink is
// busy with those before it.
type prepared interface{ Prepare() }

// Options say how to read.
type Options struct {
	Check    bool           // read and report, and hand nothing on
	Partial  bool           // take in a file that is cut short
	Rejects  io.Writer      // bad records go here, a JSON line each; may be nil
	Progress func(Progress) // called now and then; may be nil
	Now      func() time.Time
}

// Progress is how far a reading has come.
type Progress struct {
	Checking bool // the first pass, that only looks whether the file is whole
	Records  int64
	Refused  int64
	Read     int64 // bytes
	Size     int64 // bytes in all; 0 if unknown
	Took     time.Duration
}

// Left is how long the rest will take, if it goes on like this.
func (p Progress) Left() (time.Duration, bool) {
	if p.Size <= 0 || p.Read <= 0 || p.Read > p.Size {
		return 0, false
	}
	return time.Duration(float64(p.Took) * float64(p.Size-p.Read) / float64(p.Read)), true
}

// A Report is what a reading came to.
type Report struct {
	Records int64
	Refused int64
	First   []string // the first few reasons for refusing a record
}

const (
	batchSize  = 8000
	queued     = 1 // batches that are read but not taken in
	firstFew   = 10
	tellEvery  = 4096 // records
	tellAtMost = 500 * time.Millisecond
)

// Run reads files of a source into a sink. They are read twice: a file that turns
// out to be cut short must not have changed anything by then, let alone have
// removed what its missing half holds. A whole list of which no record can be
// read is another source's file rather than an empty list; so are many records
// of a feed, of which a few may all be bad.
func Run[T any](ctx context.Context, src Source[T], files []File, sink Sink[T], o Options) (Report, error) {
	if src.Together && len(files) > 0 {
		files = []File{together(files)}
	}
	r := &run[T]{src: src, files: files, o: o, started: o.Now()}
	for _, f := range files {
		r.size += f.Size
	}
	if !o.Partial && !o.Check {
		r.checking = true
		if err := r.pass(ctx, nil); err != nil {
			return Report{}, err // nothing was taken in
		}
		r.checking, r.report, r.read, r.started = false, Report{}, 0, o.Now()
	}
	if o.Check {
		sink = nil
	}
	if err := r.pass(ctx, sink); err != nil {
		return r.report, err
	}
	if wrong := src.Whole && !o.Partial || r.report.Refused > firstFew; wrong && r.report.Records == 0 && r.report.Refused > 0 {
		return r.report, fmt.Errorf("none of the %d records can be read: is this a file of %s? (%s)", r.report.Refused, src.Name, r.report.First[0])
	}
	if sink == nil {
		return r.report, nil
	}
	if err := sink.Finish(ctx); err != nil {
		return r.report, fmt.Errorf("finish %s: %w", src.Name, err)
	}
	return r.report, nil
}

type run[T any] struct {
	src      Source[T]
	files    []File
	o        Options
	started  time.Time
	told     time.Time
	checking bool
	size     int64
	read     int64
	report   Report
	idle     bool // nothing is handed on in this pass
	sink     Sink[T]
	batch    []T      // what was read last
	batches  chan []T // to the sink
	used     chan []T // and back
}

// pass reads every file once. Reading and taking in go side by side.
func (r *run[T]) pass(ctx context.Context, sink Sink[T]) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r.idle, r.sink = sink == nil, sink
	r.batches, r.used = make(chan []T, queued), make(chan []T, queued+2)
	r.batch = r.room()
	failed := make(chan error, 1)
	go func() { // pass waits for it below
		var err error
		for b := range r.batches {
			if err == nil && sink != nil {
				if err = sink.Add(ctx, b); err != nil {
					cancel()
				}
			}
			select {
			case r.used <- b:
			default:
			}
		}
		failed <- err
	}()
	err := r.readAll(ctx)
	close(r.batches)
	if took := <-failed; took != nil {
		return fmt.Errorf("take in %s: %w", r.src.Name, took)
	}
	return err
}

// room is an empty batch.
func (r *run[T]) room() []T {
	select {
	case b := <-r.used:
		return b[:0]
	default:
		return make([]T, 0, batchSize)
	}
}

// readAll reads the files in their order. What was whole until a file ends too
// early, or cannot be read, is handed on.
func (r *run[T]) readAll(ctx context.Context) error {
	for _, f := range r.files {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := r.readFile(ctx, f)
		switch {
		case errors.Is(err, ErrCutShort) && r.o.Partial:
		case errors.Is(err, ErrCutShort):
			err = fmt.Errorf("%s: %w; fetch it again, or take what there is with --partial", f.Name, err)
			return errors.Join(err, r.send(ctx))
		case err != nil:
			return errors.Join(fmt.Errorf("%s: %w", f.Name, err), r.send(ctx))
		}
	}
	return r.send(ctx)
}

// send hands on what was read. A batch may go over the end of a file: there are
// publishers whose files hold one record each.
func (r *run[T]) send(ctx context.Context) error {
	if len(r.batch) == 0 {
		return nil
	}
	select {
	case r.batches <- r.batch:
		r.batch = r.room()
		return nil
	case <-ctx.Done():
		r.batch = nil
		return ctx.Err()
	}
}

func (r *run[T]) readFile(ctx context.Context, f File) (err error) {
	in, err := f.Open(func(n int64) { r.read += n })
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	if r.checking && r.src.Skim != nil {
		if err := r.src.Skim(skimmed{in, ctx, r.tell}, f.Name); err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, in)
		return err
	}
	records := int64(0)
	for rec, err := range r.src.Read(in, f.Name) {
		records++
		if err == nil {
			r.batch = append(r.batch, rec)
			if err = r.look(&r.batch[len(r.batch)-1], records); err != nil {
				r.batch = r.batch[:len(r.batch)-1]
			}
		}
		var bad *Bad
		switch {
		case errors.As(err, &bad) && !(r.src.Whole && errors.Is(err, ErrCutShort)):
			if err := r.refuse(f, bad); err != nil {
				return err
			}
			continue
		case err != nil:
			return err
		}
		r.report.Records++
		if len(r.batch) >= batchSize {
			if err := r.send(ctx); err != nil {
				return err
			}
		}
		if r.report.Records%tellEvery == 0 {
			r.tell()
		}
	}
	// A source may stop at the end of its list. Only the end of the file tells
	// whether it was whole.
	_, err = io.Copy(io.Discard, in)
	r.tell()
	return err
}

// skimmed is a file whose records are not counted one by one: how far it was
// read is told, and whether to go on asked, with each piece.
type skimmed struct {
	io.Reader
	ctx  context.Context
	tell func()
}

func (s skimmed) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	s.tell()
	return s.Reader.Read(p)
}

// look has a record check and prepare itself, if it can.
func (r *run[T]) look(rec *T, number int64) error {
	if c, ok := any(rec).(checked); ok {
		if err := c.Check(); err != nil {
			bad := &Bad{Line: number, Err: err}
			if n, ok := any(rec).(naming); ok {
				bad.Raw = n.Naming()
			}
			return bad
		}
	}
	if p, ok := any(rec).(prepared); ok && !r.idle {
		p.Prepare()
	}
	return nil
}

// refuse keeps a bad record aside.
func (r *run[T]) refuse(f File, b *Bad) error {
	r.report.Refused++
	if len(r.report.First) < firstFew {
		r.report.First = append(r.report.First, fmt.Sprintf("%s: %v", f.Name, b))
	}
	if w, ok := any(r.sink).(warned); ok && !r.idle {
		w.Refused(b.Raw)
	}
	if r.o.Rejects == nil || r.checking {
		return nil
	}
	line, err := json.Marshal(map[string]any{"file": f.Name, "line": b.Line, "error": b.Err.Error(), "record": b.Raw})
	if err == nil {
		_, err = r.o.Rejects.Write(append(line, '\n'))
	}
	if err != nil {
		return fmt.Errorf("keep a bad record aside: %w", err)
	}
	return nil
}

func (r *run[T]) tell() {
	now := r.o.Now()
	if r.o.Progress == nil || now.Sub(r.told) < tellAtMost {
		return
	}
	r.told = now
	r.o.Progress(Progress{
		Checking: r.checking, Records: r.report.Records, Refused: r.report.Refused,
		Read: r.read, Size: r.size, Took: now.Sub(r.started),
	})
}
