package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// fullSandbox is a data folder with a sandbox that nobody has used. To fill one
// takes seconds, so that a test which only needs it gets a copy.
var fullSandbox = sync.OnceValues(func() (string, error) {
	var err error
	if shelf, err = os.MkdirTemp("", "bureau-shelf-"); err != nil {
		return "", err
	}
	data := filepath.Join(shelf, "sandbox")
	serve := exec.Command("bureau", "serve", "--sandbox", "--sandbox-speed", "0", "--data", data, "--listen", "localhost:0")
	if err := serve.Start(); err != nil {
		return "", err
	}
	card := filepath.Join(data, "sandbox.json")
	err = awaitFile(card)
	// It is made again by whoever serves a copy, at another address.
	return data, errors.Join(err, serve.Process.Signal(syscall.SIGTERM), serve.Wait(), os.Remove(card))
})

// awaitFile waits until another process has made a file.
func awaitFile(path string) error {
	for deadline := time.Now().Add(patience); ; {
		_, err := os.Stat(path)
		if err == nil || time.Now().After(deadline) {
			return err
		}
		time.Sleep(20 * time.Millisecond) // between two looks
	}
}

// copySandbox makes a data folder with a full sandbox.
func copySandbox(data string) error {
	full, err := fullSandbox()
	if err != nil {
		return err
	}
	said, err := exec.Command("cp", "-a", full, data).CombinedOutput() // with who may read what
	if err != nil {
		return fmt.Errorf("%w: %s", err, said)
	}
	return nil
}

// sandbox FOLDER: makes a data folder with a full sandbox, which still has to be
// served.
func storySandbox(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(copySandbox(ts.MkAbs(args[0])))
}

// shelf is a folder for what the tests share, once one of them needs it.
var shelf string

// shelved are tests with a shelf, which is thrown away after them.
type shelved struct{ *testing.M }

func (m shelved) Run() int {
	defer func() {
		if shelf != "" {
			os.RemoveAll(shelf)
		}
	}()
	return m.M.Run()
}
