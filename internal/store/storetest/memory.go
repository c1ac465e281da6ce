//go:build linux

package storetest

import "syscall"

// inMemory is a folder for much that need not stay: in memory, if there is plenty.
func inMemory() string {
	const dir, plenty = "/dev/shm", 4 << 30
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil || s.Bavail*uint64(s.Bsize) < plenty {
		return "/tmp"
	}
	return dir
}
