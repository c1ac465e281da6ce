// Package storetest holds every promise of every Store interface to account, on
// both engines. Run is the suite; there is a file for each area.
//
// Postgres and PostgresServer give a test a PostgreSQL of its own. Nothing here
// belongs in the program: only tests import this package.
package storetest
