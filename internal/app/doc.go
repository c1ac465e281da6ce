// Package app wires the house: it reads the settings, opens the database, puts
// the doors of every room together, starts what runs in the background, and
// serves. It is the only room that knows all the others.
package app
