package main

import (
	"fmt"
	"os"
	"os/exec"

	"github.com/rogpeppe/go-internal/testscript"
)

// storyCondition adds [prove], for what takes long and is run by 'make prove',
// and [disk]: whether a story can have a small disk of its own. That takes root
// and a kernel that lets root mount; elsewhere the stories limit the size of
// files instead.
func storyCondition(name string) (bool, error) {
	switch name {
	case "prove":
		return prove(), nil
	case "disk":
	default:
		return false, fmt.Errorf("unknown condition %q", name)
	}
	dir, err := os.MkdirTemp("", "disk")
	if err != nil {
		return false, err
	}
	defer os.Remove(dir)
	if exec.Command("mount", "-t", "tmpfs", "-o", "size=64k", "none", dir).Run() != nil {
		return false, nil
	}
	return true, exec.Command("umount", dir).Run()
}

// disk FOLDER SIZE: a folder that holds only so much; with another size, it
// grows or shrinks.
func storyDisk(ts *testscript.TestScript, _ bool, args []string) {
	dir := ts.MkAbs(args[0])
	option := "size=" + args[1]
	if _, err := os.Stat(dir); err == nil {
		option += ",remount"
	} else {
		ts.Check(os.Mkdir(dir, 0o700))
		ts.Defer(func() { _ = exec.Command("umount", "-l", dir).Run() })
	}
	said, err := exec.Command("mount", "-t", "tmpfs", "-o", option, "none", dir).CombinedOutput()
	if err != nil {
		ts.Fatalf("mount: %v: %s", err, said)
	}
}
