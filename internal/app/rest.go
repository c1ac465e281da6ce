package app

import (
	"context"
	"errors"
	"runtime/debug"
	gauges "runtime/metrics"
	"sync/atomic"
)

// A node that rests gives memory back. Go keeps what a busy hour took, all the
// more with our ballast, and the pages of the program that only its start needed
// stay with it. Both come back when they are asked for, which a node that answers
// calls would notice; so it is done while there are next to none.
type resting struct {
	calls atomic.Int64 // since the last step
	quiet int          // steps so far with few
	db    func() error // lets the database give back
}

const (
	restEvery = 20 // seconds
	fewCalls  = restEvery
	worthIt   = 4 << 20 // bytes that would be given back
)

// step gives back what is not needed, if the node rests. What the database keeps
// cannot be seen from here: it is asked twice, since the first time may be in the
// midst of what a start does, and then every minute.
func (r *resting) step(context.Context) error {
	if r.calls.Swap(0) > fewCalls {
		r.quiet = 0
		return nil
	}
	r.quiet++
	asked := r.quiet <= 2 || r.quiet%(60/restEvery) == 0
	if !asked && spare() <= worthIt {
		return nil
	}
	var err error
	if asked && r.db != nil {
		err = r.db()
	}
	debug.FreeOSMemory()
	return errors.Join(err, forgetProgram())
}

// spare is how much memory is garbage, or was.
func spare() uint64 {
	read := []gauges.Sample{
		{Name: "/memory/classes/heap/free:bytes"},
		{Name: "/memory/classes/heap/objects:bytes"},
		{Name: "/gc/heap/live:bytes"},
	}
	gauges.Read(read)
	free, objects, live := read[0].Value.Uint64(), read[1].Value.Uint64(), read[2].Value.Uint64()
	return free + max(objects, live) - live
}
