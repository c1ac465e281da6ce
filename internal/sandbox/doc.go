// Package sandbox is an invented world to try Bureau on: customers and their
// accounts, some thousands of companies with their directors, owners, groups
// and up to five years of accounts, and a clock that lets things happen to them. The
// same seed makes the same world. No real person or company is in it: names are
// put together from made-up parts, and numbers lie where registers give none.
package sandbox
