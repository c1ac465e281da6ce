//go:build race

package auth

// UnderRace shortens what the race detector makes slow.
const UnderRace = true
