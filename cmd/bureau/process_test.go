package main

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestStopFinishesWhatItAccepted stops a server that is in the middle of a
// request. The request gets its answer; a new one is refused.
func TestStopFinishesWhatItAccepted(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	if code, _, errs := call(t, "customer", "add", "Example Ltd", "--data", data); code != 0 {
		t.Fatal(errs)
	}
	code, out, errs := call(t, "account", "add", "1001", "--user-key", "caller", "--data", data, "--json")
	if code != 0 {
		t.Fatal(errs)
	}
	var account struct{ Password string }
	if err := json.Unmarshal([]byte(out), &account); err != nil {
		t.Fatal(err)
	}
	said, err := os.Create(filepath.Join(data, "log.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer said.Close()
	serve := exec.Command("bureau", "serve", "--data", data, "--listen", "localhost:0")
	serve.Stderr = said
	if err := serve.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- serve.Wait() }()
	t.Cleanup(func() { _ = serve.Process.Kill() })
	address := awaitAddress(t, said.Name())
	cert, err := os.ReadFile(filepath.Join(data, "cert.pem"))
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(cert)
	conn, err := tls.Dial("tcp", address, &tls.Config{RootCAs: roots, ServerName: "localhost"})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	body := fmt.Sprintf(`{"username":"caller","password":%q}`, account.Password)
	// The server says 100 when it has read the header and wants the body.
	_, err = fmt.Fprintf(conn, "POST /v1/authenticate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"+
		"Expect: 100-continue\r\nContent-Length: %d\r\n\r\n", len(body))
	if err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(conn)
	if line, err := in.ReadString('\n'); err != nil || !strings.Contains(line, "100 Continue") {
		t.Fatalf("got %q, %v; want 100 Continue", line, err)
	}
	if _, err := in.ReadString('\n'); err != nil {
		t.Fatal(err)
	}

	if err := serve.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	awaitRefusal(t, address)
	if _, err := io.WriteString(conn, body); err != nil {
		t.Fatal(err)
	}
	res, err := http.ReadResponse(in, nil)
	if err != nil {
		t.Fatalf("the request that was accepted got no answer: %v", err)
	}
	defer res.Body.Close()
	var answer struct{ Token string }
	if err := json.NewDecoder(res.Body).Decode(&answer); err != nil || res.StatusCode != http.StatusOK || answer.Token == "" {
		t.Errorf("got %s, %v; want 200 and a token", res.Status, err)
	}
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("the server ended with %v", err)
		}
	case <-time.After(patience):
		t.Error("the server did not end")
	}
}

// awaitAddress finds in its log where a server serves.
func awaitAddress(t *testing.T, log string) string {
	t.Helper()
	for deadline := time.Now().Add(patience); ; {
		b, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		if m := servingOn.FindSubmatch(b); m != nil {
			return string(m[1])
		}
		if time.Now().After(deadline) {
			t.Fatalf("the server does not come up: %s", b)
		}
		time.Sleep(10 * time.Millisecond) // between two looks
	}
}

func awaitRefusal(t *testing.T, address string) {
	t.Helper()
	for deadline := time.Now().Add(patience); ; {
		conn, err := net.Dial("tcp", address)
		if errors.Is(err, syscall.ECONNREFUSED) {
			return
		}
		if err == nil {
			conn.Close()
		}
		if time.Now().After(deadline) {
			t.Fatal("new connections are still taken")
		}
		time.Sleep(5 * time.Millisecond) // between two looks
	}
}

// TestFolderOfSomeoneElse runs as a user who may not read the data.
func TestFolderOfSomeoneElse(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	if code, _, errs := call(t, "customer", "add", "Example Ltd", "--data", data); code != 0 {
		t.Fatal(errs)
	}
	program, err := exec.LookPath("bureau")
	if err != nil {
		t.Fatal(err)
	}
	attr := &syscall.SysProcAttr{}
	if os.Getuid() == 0 {
		// Root may read everything, so it is nobody who asks: with a copy of
		// the program that nobody can reach.
		open, err := os.MkdirTemp("", "bureau")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.RemoveAll(open) })
		b, err := os.ReadFile(program)
		if err != nil {
			t.Fatal(err)
		}
		program = filepath.Join(open, "bureau")
		if err := errors.Join(os.Chmod(open, 0o755), os.WriteFile(program, b, 0o755)); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(os.Chmod(filepath.Dir(data), 0o755), os.Chmod(data, 0o700)); err != nil {
			t.Fatal(err)
		}
		attr.Credential = &syscall.Credential{Uid: 65534, Gid: 65534}
	} else {
		if err := os.Chmod(data, 0); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(data, 0o700) })
	}
	for _, args := range [][]string{{"serve", "--listen", "localhost:0"}, {"customer", "list"}, {"doctor", "--listen", "localhost:0"}, {"migrate"}} {
		c := exec.Command(program, append(args, "--data", data)...)
		c.SysProcAttr, c.Dir = attr, "/"
		var said strings.Builder
		c.Stderr = &said
		err := c.Run()
		exit, ok := errors.AsType[*exec.ExitError](err)
		if !ok || exit.ExitCode() != 1 || strings.Count(said.String(), "\n") != 1 ||
			!strings.Contains(said.String(), "permission denied") || !strings.Contains(said.String(), "see who may read and write it") {
			t.Errorf("bureau %s: got %v and %q; want exit status 1 and one line about the permission", args[0], err, said.String())
		}
	}
}
