//go:build !race

package auth_test

const underRace = false
