// Package sandbox is an invented world to try Bureau on: its accounts, and what
// there is to look up. No real person or company is in it.
package sandbox
