//go:build unix

package storetest

import (
	"fmt"
	"os"
	"os/user"
	"strconv"
	"syscall"
)

// ordinaryUser says as whom the server runs, and gives that user the folder.
// PostgreSQL refuses to run as root, so root lends it to the user that the
// package made. It has a process group of its own, so that an interrupt from
// the keyboard does not end the keeper before it has tidied up.
func ordinaryUser(dir string) (*syscall.SysProcAttr, error) {
	attr := &syscall.SysProcAttr{Setpgid: true}
	if os.Getuid() != 0 {
		return attr, nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		return nil, absent("root cannot run PostgreSQL, and there is no user postgres")
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return nil, fmt.Errorf("user postgres: %w", err)
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	if err != nil {
		return nil, fmt.Errorf("user postgres: %w", err)
	}
	attr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	return attr, os.Chown(dir, int(uid), int(gid))
}
