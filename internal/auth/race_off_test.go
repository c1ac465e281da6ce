//go:build !race

package auth

// UnderRace: see race_on_test.go.
const UnderRace = false
