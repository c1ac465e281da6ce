//go:build !race

package lacktest

// Race: see race_on.go.
const Race = false
