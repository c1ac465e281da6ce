//go:build !linux

package app

// forgetProgram is for systems that tell where a program's pages are.
func forgetProgram() error { return nil }
