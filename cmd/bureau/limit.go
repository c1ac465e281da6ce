package main

import (
	"errors"
	"strconv"
)

// A limit is how many of something are shown. None would look as if there were none.
type limit int

// UnmarshalText reads a flag.
func (l *limit) UnmarshalText(text []byte) error {
	n, err := strconv.Atoi(string(text))
	if err != nil || n < 1 {
		return errors.New("it must be a number, 1 or more")
	}
	*l = limit(n)
	return nil
}
