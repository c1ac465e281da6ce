// Package job is work that goes on by itself: who does it, when, and how far it
// has come.
//
// A Reader follows a log of numbered things. It holds a lease, so that of all
// nodes one reads; it takes what is new in batches; and whoever handles a batch
// saves the results and the place reached in one transaction. A crash at any
// point repeats nothing and loses nothing. A Signal wakes a reader early; a
// wake-up that is lost costs a second, not an event.
package job
