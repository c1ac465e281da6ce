//go:build race

package auth_test

// underRace shortens what the race detector makes slow.
const underRace = true
