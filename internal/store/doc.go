// Package store is the whole database: SQLite inside the process, or
// PostgreSQL, through one set of queries.
//
// Each area declares what it needs as a Store interface and this package keeps
// the promises made there; storetest checks every one of them on both engines.
// The little in which the engines differ is in dialect.go, sqlite.go,
// postgres.go and the migrations. There is one file of queries per area, and no
// rule of the business in any of them.
package store
