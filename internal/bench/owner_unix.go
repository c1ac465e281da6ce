//go:build unix

package bench

import (
	"fmt"
	"os"
	"os/user"
	"strconv"
	"syscall"
)

// ordinaryUser says as whom PostgreSQL runs, and gives that user its folder: it
// refuses to run as root. It has a process group of its own, so that an
// interrupt from the keyboard does not end its keeper before it has tidied up.
func ordinaryUser(dir string) (*syscall.SysProcAttr, error) {
	attr := &syscall.SysProcAttr{Setpgid: true}
	if os.Getuid() != 0 {
		return attr, nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		return nil, fmt.Errorf("%w, or has no user of its own", errNoPostgres)
	}
	uid, err := strconv.Atoi(u.Uid)
	if err != nil {
		return nil, fmt.Errorf("user postgres: %w", err)
	}
	gid, err := strconv.Atoi(u.Gid)
	if err != nil {
		return nil, fmt.Errorf("user postgres: %w", err)
	}
	attr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	return attr, os.Chown(dir, uid, gid)
}
