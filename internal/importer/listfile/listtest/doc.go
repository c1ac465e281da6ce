// Package listtest holds what every source of screening lists must keep: it
// reads its own sample, says the same as its golden file, and notices a file
// that was cut short. Only tests import it.
package listtest
