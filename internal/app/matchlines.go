package app

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"

	"bureau/internal/fault"
)

// maxLine is the longest line that is read as a name or a pair of them.
const maxLine = 1 << 20

var errLongLine = fault.Invalid.Errorf("it is longer than %d bytes", maxLine)

// nameLines reads text line by line. One that is too long is an error of that line alone.
type nameLines struct {
	in    *bufio.Reader
	begun bool
}

func newLines(in io.Reader) *nameLines { return &nameLines{in: bufio.NewReaderSize(in, 64<<10)} }

// next is the next line without its end, io.EOF behind the last, or errLongLine.
func (l *nameLines) next() ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := l.in.ReadSlice('\n')
		if !l.begun {
			part = bytes.TrimPrefix(part, []byte("\uFEFF")) // as some editors begin a file
			l.begun = true
		}
		if long = long || len(line)+len(part) > maxLine; !long {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && (!errors.Is(err, io.EOF) || len(line) == 0 && !long):
			return nil, err
		case long:
			return nil, errLongLine
		}
		return bytes.TrimRight(line, "\r\n"), nil
	}
}

// waits says that whoever writes the lines may be waiting for an answer.
func (l *nameLines) waits() bool { return l.in.Buffered() == 0 }

// A lineAnswer is a line and what is answered to it.
type lineAnswer struct {
	line []byte
	err  error
	text []byte
}

// answerLines answers each line by its own, on all cores, and writes the answers
// in order.
func answerLines(in io.Reader, out io.Writer, answer func([]byte) (any, error)) (bad int, err error) {
	from, w := newLines(in), bufio.NewWriter(out)
	for {
		var batch []lineAnswer
		var end error
		for len(batch) < 4096 && (len(batch) == 0 || !from.waits()) {
			line, err := from.next()
			if err != nil && !errors.Is(err, errLongLine) {
				end = err
				break
			}
			batch = append(batch, lineAnswer{line: line, err: err})
		}
		var wg sync.WaitGroup // all of them have ended before anything is written
		workers := min(runtime.GOMAXPROCS(0), len(batch))
		for n := range workers {
			wg.Go(func() {
				for i := n; i < len(batch); i += workers {
					batch[i].answer(answer)
				}
			})
		}
		wg.Wait()
		for i := range batch {
			if batch[i].err != nil {
				bad++
			}
			w.Write(batch[i].text)
		}
		if err := w.Flush(); err != nil {
			return bad, err
		}
		switch {
		case errors.Is(end, io.EOF):
			return bad, nil
		case end != nil:
			return bad, end
		}
	}
}

func (l *lineAnswer) answer(answer func([]byte) (any, error)) {
	var v any
	if l.err == nil {
		v, l.err = answer(l.line)
	}
	if l.err != nil {
		v = map[string]string{"error": Explain(l.err)}
	}
	text, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("app: an answer that is no JSON: %v", err))
	}
	l.text = append(text, '\n')
}
