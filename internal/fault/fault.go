package fault

import (
	"errors"
	"fmt"
	"time"
)

// A Kind is both a class of failure and an error, so that
// errors.Is(err, fault.Missing) works however deeply err was wrapped.
type Kind string

const (
	Invalid   Kind = "invalid"   // the request makes no sense as sent
	Stranger  Kind = "stranger"  // we do not know who is asking
	Denied    Kind = "denied"    // we know, and they may not
	Missing   Kind = "missing"   // no such thing, or it is someone else's
	Conflict  Kind = "conflict"  // it clashes with what is already there
	TooLarge  Kind = "too large" // more than we take at once
	Exhausted Kind = "exhausted" // the account's limit is spent
	Busy      Kind = "busy"      // we cannot do it now, but may later
)

func (k Kind) Error() string { return string(k) }

// Errorf makes a fault of kind k. Its text is for the caller: it says what is
// wrong and, where that helps, what to do.
func (k Kind) Errorf(format string, args ...any) error {
	return &fault{kind: k, err: fmt.Errorf(format, args...)}
}

// Details makes a fault of kind k with one line for each thing that is wrong.
func (k Kind) Details(text string, details ...string) error {
	return &fault{kind: k, err: errors.New(text), details: details}
}

// After makes a fault that will pass by itself: the caller may try again once
// wait is over.
func (k Kind) After(wait time.Duration, format string, args ...any) error {
	return &fault{kind: k, err: fmt.Errorf(format, args...), wait: wait}
}

type fault struct {
	kind    Kind
	err     error
	details []string
	wait    time.Duration
}

func (f *fault) Error() string   { return f.err.Error() }
func (f *fault) Unwrap() []error { return []error{f.kind, f.err} }

// A View is what a caller is shown of a fault.
type View struct {
	Kind    Kind
	Text    string
	Details []string
	Wait    time.Duration // when to try again; zero if waiting does not help
}

// Of finds the fault in err. The words that were wrapped around it are for the
// log and are left out.
func Of(err error) (View, bool) {
	var f *fault
	if errors.As(err, &f) {
		return View{Kind: f.kind, Text: f.Error(), Details: f.details, Wait: f.wait}, true
	}
	return View{}, false
}
