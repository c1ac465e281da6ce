// Package monitor watches companies for customers.
//
// A portfolio is a list of companies that an account watches, and the rules it
// watches them by. The Engine reads the log of changes: for each change it finds
// the portfolios that hold the company, and where one of their rules fires, it
// makes an event. An event is made once, however often the engine is stopped
// and started.
//
// Whether a change is told is decided by numbers, not by when the engine comes
// round to it: a company that was added, and a rule that was switched on, after
// change 17 are about change 18 and later; one that was removed, or switched
// off, after change 20 is still about change 20.
package monitor
