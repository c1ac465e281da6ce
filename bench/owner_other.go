//go:build !unix

package main

import "syscall"

func ordinaryUser(string) (*syscall.SysProcAttr, error) { return nil, errNoPostgres }
