// Package sourcetest holds what every source of companies must keep: it reads
// its own sample, says the same as its golden file, notices a file that was cut
// short, and holds one record in memory, not the file. Only tests import
// it.
package sourcetest
