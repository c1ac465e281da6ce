package store

import (
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"sync"
)

// What is said of a company is text that repeats itself. The longer ones are
// kept compressed; a short one would not shrink enough to be worth the time.
const worthPacking = 1024

// packedMark marks compressed text. What is not compressed begins with a bracket.
const packedMark = 1

var packers = sync.Pool{New: func() any {
	w, _ := flate.NewWriter(io.Discard, flate.BestSpeed)
	return w
}}

func pack(text []byte) []byte {
	if len(text) < worthPacking {
		return text
	}
	var b bytes.Buffer
	b.Grow(len(text) / 2)
	b.WriteByte(packedMark)
	w := packers.Get().(*flate.Writer)
	defer packers.Put(w)
	w.Reset(&b)
	_, _ = w.Write(text) // to memory
	_ = w.Close()
	return b.Bytes()
}

// An unpacker reads compressed text. It is used again: a new one takes more time
// to make than most texts to read.
type unpacker struct {
	from bytes.Reader
	to   bytes.Buffer
	io.ReadCloser
}

var unpackers = sync.Pool{New: func() any {
	u := &unpacker{}
	u.ReadCloser = flate.NewReader(&u.from)
	return u
}}

func unpack(b []byte) ([]byte, error) {
	if len(b) == 0 || b[0] != packedMark {
		return b, nil
	}
	u := unpackers.Get().(*unpacker)
	defer unpackers.Put(u)
	u.from.Reset(b[1:])
	u.to.Reset()
	err := u.ReadCloser.(flate.Resetter).Reset(&u.from, nil)
	if err == nil {
		_, err = u.to.ReadFrom(u.ReadCloser)
	}
	if err != nil {
		return nil, fmt.Errorf("unpack: %w", err)
	}
	return bytes.Clone(u.to.Bytes()), nil
}
