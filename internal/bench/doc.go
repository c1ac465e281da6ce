// Package bench measures Bureau on this machine: each row of its table is
// something that Bureau does beside a baseline that does only the core of it,
// under the same load, in the same run, over the same TLS. What counts is the
// ratio of the two, and the CPU that each of them takes for one operation.
//
// The server, the baseline and the load are processes of their own, so that
// their CPU can be told apart: the program that measures starts itself again,
// in a role. Nothing leaves loopback. To add a row, see rows in table.go.
package bench
