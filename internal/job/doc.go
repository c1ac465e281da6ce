// Package job is work that goes on by itself: who does it, when, and how far it
// has come.
//
// A Reader follows a log of numbered things. It holds a lease, so that of all
// nodes one reads; it takes what is new in batches; and whoever handles a batch
// saves the results and the place reached in one transaction. A crash at any
// point repeats nothing and loses nothing. A Signal wakes a reader early; a
// wake-up that is lost costs a second, not an event.
//
// A Task is work that somebody asked for and does not wait for. It is kept with
// what was sent along until a Worker has done it; if a node dies with a task in
// its hands, another goes on with it.
package job
