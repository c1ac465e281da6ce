//go:build !unix

package bench

import "syscall"

func ordinaryUser(string) (*syscall.SysProcAttr, error) { return nil, errNoPostgres }
