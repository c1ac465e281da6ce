//go:build !unix

package storetest

import "syscall"

func ordinaryUser(string) (*syscall.SysProcAttr, error) {
	return nil, absent("these tests start it only on a Unix system")
}
