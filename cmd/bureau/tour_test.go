package main

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"bureau/internal/lacktest"
)

// tourCommands are the commands of README's tour, in order. A line that ends
// with a backslash goes on in the next.
func tourCommands(t *testing.T) []string {
	t.Helper()
	b, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, tour, _ := strings.Cut(string(b), "\n## A five-minute tour\n")
	tour, _, ok := strings.Cut(tour, "\n## ")
	if !ok {
		t.Fatal("README has no tour")
	}
	var out []string
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(tour, -1) {
		command := ""
		for line := range strings.Lines(block[1]) {
			command += line
			if !strings.HasSuffix(line, "\\\n") {
				out = append(out, strings.TrimSpace(command))
				command = ""
			}
		}
	}
	return out
}

// The tour works as it is written: each command succeeds on a fresh sandbox, and
// those that show something do.
func TestTour(t *testing.T) {
	commands := tourCommands(t)
	if len(commands) < 12 || commands[0] != "make run" {
		t.Fatalf("got the commands %q, want the tour from 'make run' on", commands)
	}
	for _, tool := range []string{"bash", "curl"} {
		lacktest.Program(t, tool)
	}
	dir, address := t.TempDir(), freeAddress(t)
	serve(t, dir, address)

	// Said between the commands, so that each one's output is known.
	script := "set -uo pipefail\n"
	for i, c := range commands[1:] {
		c = strings.ReplaceAll(c, "localhost:8443", address)
		script += fmt.Sprintf("%s\nstatus=$?\necho \"=== %d $status\"\n", c, i+1)
	}
	bash := exec.CommandContext(t.Context(), "bash", "--norc", "-c", script)
	bash.Dir = dir
	var said bytes.Buffer
	bash.Stderr = &said
	out, err := bash.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, said.String())
	}
	rest := string(out)
	for i, c := range commands[1:] {
		got, after, ok := strings.Cut(rest, fmt.Sprintf("=== %d ", i+1))
		status, next, _ := strings.Cut(after, "\n")
		if rest = next; !ok || status != "0" {
			t.Fatalf("%s\nended with %q\n%s%s", c, status, got, said.String())
		}
		silent := strings.HasPrefix(c, "export ") || regexp.MustCompile(`^[a-z]+=`).MatchString(c)
		if !silent && strings.TrimSpace(got) == "" {
			t.Errorf("%s\nshows nothing", c)
		}
		if strings.Contains(c, "curl") && !silent && !strings.Contains(got, `"correlationId"`) {
			t.Errorf("%s\ngot %s", c, got)
		}
		if strings.Contains(c, "--why") && !strings.Contains(got, "reason") {
			t.Errorf("%s\ngot %s", c, got)
		}
	}
}

// freeAddress is where nobody listened a moment ago.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return fmt.Sprintf("localhost:%d", l.Addr().(*net.TCPAddr).Port)
}

// serve does what 'make run' does, in a folder of its own and with the sandbox's
// clock stopped, and waits for the sandbox.
func serve(t *testing.T, dir, address string) {
	t.Helper()
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil || !strings.Contains(string(makefile), "exec bin/bureau serve --sandbox\n") {
		t.Fatalf("'make run' runs something else: %v", err)
	}
	program, err := exec.LookPath("bureau") // testscript put it into PATH
	if err != nil {
		t.Fatal(err)
	}
	if err := copySandbox(filepath.Join(dir, "data")); err != nil {
		t.Fatal(err)
	}
	server := exec.Command(program, "serve", "--sandbox")
	server.Dir = dir
	server.Env = append(os.Environ(), "BUREAU_LISTEN="+address, "BUREAU_SANDBOX_SPEED=0", "BUREAU_LOG_LEVEL=warn")
	var said bytes.Buffer
	server.Stderr = &said
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Signal(syscall.SIGTERM)
		if err := server.Wait(); err != nil {
			t.Errorf("the server: %v\n%s", err, said.String())
		}
	})
	if err := awaitFile(filepath.Join(dir, "data", "sandbox.json")); err != nil {
		t.Fatalf("the sandbox was not full in time: %v\n%s", err, said.String())
	}
}
