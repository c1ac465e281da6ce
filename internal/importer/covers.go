package importer

import (
	"errors"
	"fmt"
	"io"
	"slices"
)

// headSize is how much of a file is looked at to tell what it is: more than the
// longest record that a list may begin with.
const headSize = 1 << 20

// Covers finds out which parts of companies some files of a whole source are
// the whole list of, together. It is nil if that is none: then they are a feed.
func Covers[T any](src Source[T], files []File) (func(part string) bool, error) {
	if src.Covers == nil {
		return func(string) bool { return true }, nil
	}
	var all []func(part string) bool
	for _, f := range files {
		head, err := f.head()
		if err != nil {
			return nil, err
		}
		if covers := src.Covers(head); covers != nil {
			all = append(all, covers)
		}
	}
	if len(all) == 0 {
		return nil, nil
	}
	return func(part string) bool {
		return slices.ContainsFunc(all, func(covers func(string) bool) bool { return covers(part) })
	}, nil
}

// head is how a file begins. One that ends too early is for its reader to find.
func (f File) head() (head []byte, err error) {
	in, err := f.Open(nil)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	head, err = io.ReadAll(io.LimitReader(in, headSize))
	if err != nil && !errors.Is(err, ErrCutShort) {
		return nil, fmt.Errorf("read %s: %w", f.Name, err)
	}
	return head, nil
}
