//go:build linux

package app

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
)

// forgetProgram lets go of the pages of the program that are as they are in its
// file: those that are needed again come from the system's cache.
func forgetProgram() error {
	self, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return ignoreMissing(err)
	}
	maps, err := os.Open("/proc/self/maps")
	if err != nil {
		return ignoreMissing(err)
	}
	defer maps.Close()
	lines := bufio.NewScanner(maps)
	for lines.Scan() {
		// 00400000-01f9c000 r-xp 00000000 08:01 1234 /usr/bin/bureau
		line := lines.Text()
		var from, to uintptr
		var may string
		if _, err := fmt.Sscanf(line, "%x-%x %s", &from, &to, &may); err != nil {
			continue
		}
		// What may be written to is not as it is in the file.
		if !strings.HasSuffix(line, " "+self) || may != "r-xp" && may != "r--p" {
			continue
		}
		if _, _, no := syscall.Syscall(syscall.SYS_MADVISE, from, to-from, syscall.MADV_DONTNEED); no != 0 {
			return fmt.Errorf("let go of the program's pages: %w", no)
		}
	}
	return lines.Err()
}

// ignoreMissing is for a system that shows no /proc.
func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return nil
	}
	return err
}
