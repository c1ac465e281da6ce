// Package canada reads the Consolidated Canadian Autonomous Sanctions List, which
// comes as XML with one record for each line of a regulation's schedule.
package canada
