package main

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// patience is how long a story waits for another process. It only ends what hangs: a
// machine that others use as well may stand still for minutes.
const patience = 5 * time.Minute

// storyCommands are what our stories can do beside what all testscripts can.
func storyCommands() map[string]func(*testscript.TestScript, bool, []string) {
	return map[string]func(*testscript.TestScript, bool, []string){
		"fails":   storyFails,
		"sandbox": storySandbox,
		"up":      storyUp,
		"serving": storyServing,
		"await":   storyAwait,
		"term":    storyTerm,
		"login":   storyLogin,
		"get":     storyGet,
		"keep":    storyKeep,
		"isjson":  storyIsJSON,
		"mode":    storyMode,
		"flip":    storyFlip,
		"sql":     storySQL,
		"disk":    storyDisk,
	}
}

// fails CODE PROGRAM ARG…: the program exits with CODE and says why in one
// line.
func storyFails(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok {
		ts.Fatalf("got %v, want exit status %d", err, want)
	}
	if exit.ExitCode() != want {
		ts.Fatalf("got exit status %d, want %d", exit.ExitCode(), want)
	}
	said := ts.ReadFile("stderr")
	var complaints []string
	for line := range strings.Lines(said) {
		if strings.HasPrefix(line, "bureau: ") {
			complaints = append(complaints, line)
		}
	}
	if len(complaints) != 1 || !strings.HasSuffix(said, complaints[0]) || strings.Contains(said, "goroutine ") {
		ts.Fatalf("want one line that says why, at the end; got:\n%s", said)
	}
}

// up FOLDER: waits until the sandbox of that data folder answers, and keeps
// BASE, CERT, USERNAME and PASSWORD.
func storyUp(ts *testscript.TestScript, _ bool, args []string) {
	ts.Setenv("CERT", ts.MkAbs(args[0]+"/cert.pem"))
	storyPoll(ts, "the sandbox in "+args[0]+" answers", func() error {
		var card map[string]any
		b, err := os.ReadFile(ts.MkAbs(args[0] + "/sandbox.json"))
		if err != nil {
			return err
		}
		if err := json.Unmarshal(b, &card); err != nil {
			return err
		}
		for name, key := range map[string]string{"BASE": "baseUrl", "USERNAME": "username", "PASSWORD": "password"} {
			ts.Setenv(name, fmt.Sprint(card[key]))
		}
		return storyReady(ts)
	})
}

var servingOn = regexp.MustCompile(`msg=serving address=(\S+)`)

// serving LOG FOLDER: waits until the server that writes LOG answers, and keeps
// BASE and CERT.
func storyServing(ts *testscript.TestScript, _ bool, args []string) {
	ts.Setenv("CERT", ts.MkAbs(args[1]+"/cert.pem"))
	storyPoll(ts, "the server of "+args[0]+" answers", func() error {
		b, err := os.ReadFile(ts.MkAbs(args[0]))
		if err != nil {
			return err
		}
		m := servingOn.FindSubmatch(b)
		if m == nil {
			return fmt.Errorf("so far it says: %s", b)
		}
		ts.Setenv("BASE", "https://"+string(m[1]))
		return storyReady(ts)
	})
}

func storyReady(ts *testscript.TestScript) error {
	res, err := storyClient(ts).Get(ts.Getenv("BASE") + "/readyz")
	if err != nil {
		return err
	}
	res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return errors.New(res.Status)
	}
	return nil
}

// storyPoll looks until all is well. What another process does takes time.
func storyPoll(ts *testscript.TestScript, what string, look func() error) {
	for deadline := time.Now().Add(patience); ; {
		err := look()
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			ts.Fatalf("it did not come to this: %s: %v", what, err)
		}
		time.Sleep(20 * time.Millisecond) // between two looks
	}
}

func storyClient(ts *testscript.TestScript) *http.Client {
	roots := x509.NewCertPool()
	if b, err := os.ReadFile(ts.Getenv("CERT")); err == nil {
		roots.AppendCertsFromPEM(b)
	}
	return &http.Client{
		Timeout:   patience,
		Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, DisableKeepAlives: true},
	}
}

// await FILE TEXT: waits until another process has written TEXT.
func storyAwait(ts *testscript.TestScript, _ bool, args []string) {
	storyPoll(ts, args[1]+" is in "+args[0], func() error {
		b, err := os.ReadFile(ts.MkAbs(args[0]))
		if err == nil && !strings.Contains(string(b), args[1]) {
			err = errors.New("it is not there yet")
		}
		return err
	})
}

// term: tells what runs in the background to stop.
func storyTerm(ts *testscript.TestScript, _ bool, _ []string) {
	for _, c := range ts.BackgroundCmds() {
		ts.Check(c.Process.Signal(syscall.SIGTERM))
	}
}

// login STATUS USER PASSWORD: keeps the token as TOKEN.
func storyLogin(ts *testscript.TestScript, _ bool, args []string) {
	body, err := json.Marshal(map[string]string{"username": args[1], "password": args[2]})
	ts.Check(err)
	res, err := storyClient(ts).Post(ts.Getenv("BASE")+"/v1/authenticate", "application/json", bytes.NewReader(body))
	ts.Check(err)
	defer res.Body.Close()
	var answer struct{ Token string }
	_ = json.NewDecoder(res.Body).Decode(&answer)
	if strconv.Itoa(res.StatusCode) != args[0] {
		ts.Fatalf("login as %s: got %d, want %s", args[1], res.StatusCode, args[0])
	}
	ts.Setenv("TOKEN", answer.Token)
}

// get STATUS PATH: the answer to a call with TOKEN is standard output. What
// another process changed shows within a second; a busy machine gets longer.
func storyGet(ts *testscript.TestScript, _ bool, args []string) {
	storyPoll(ts, "GET "+args[1]+" gets "+args[0], func() error {
		req, err := http.NewRequest(http.MethodGet, ts.Getenv("BASE")+args[1], nil)
		ts.Check(err)
		req.Header.Set("Authorization", "Bearer "+ts.Getenv("TOKEN"))
		res, err := storyClient(ts).Do(req)
		ts.Check(err)
		defer res.Body.Close()
		body, err := io.ReadAll(res.Body)
		ts.Check(err)
		if strconv.Itoa(res.StatusCode) != args[0] {
			return fmt.Errorf("got %d: %s", res.StatusCode, body)
		}
		_, _ = ts.Stdout().Write(body)
		return nil
	})
}

// keep NAME KEY FILE: keeps a member of a JSON object.
func storyKeep(ts *testscript.TestScript, _ bool, args []string) {
	var object map[string]any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[2])), &object))
	v, ok := object[args[1]]
	if !ok {
		ts.Fatalf("%s has no %s", args[2], args[1])
	}
	if n, ok := v.(float64); ok {
		v = int64(n)
	}
	ts.Setenv(args[0], fmt.Sprint(v))
}

// isjson FILE [KEY…]: the file is one JSON value, with at least these keys.
func storyIsJSON(ts *testscript.TestScript, _ bool, args []string) {
	var v any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &v))
	object, _ := v.(map[string]any)
	for _, key := range args[1:] {
		if _, ok := object[key]; !ok {
			ts.Fatalf("%s has no %s", args[0], key)
		}
	}
}

// mode PERMISSIONS FILE…: who may read and write.
func storyMode(ts *testscript.TestScript, _ bool, args []string) {
	for _, f := range args[1:] {
		info, err := os.Stat(ts.MkAbs(f))
		ts.Check(err)
		if got := fmt.Sprintf("%04o", info.Mode().Perm()); got != args[0] {
			ts.Fatalf("%s has mode %s, want %s", f, got, args[0])
		}
	}
}

// flip FILE TEXT: changes one bit of the first place where TEXT is.
func storyFlip(ts *testscript.TestScript, _ bool, args []string) {
	b, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	at := bytes.Index(b, []byte(args[1]))
	if at < 0 {
		ts.Fatalf("%q is not in %s", args[1], args[0])
	}
	b[at] ^= 1
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), b, 0o600))
}

// sql FILE STATEMENT: what someone does to the database behind our back.
func storySQL(ts *testscript.TestScript, _ bool, args []string) {
	db, err := sql.Open("sqlite", ts.MkAbs(args[0]))
	ts.Check(err)
	_, err = db.Exec(args[1])
	ts.Check(errors.Join(err, db.Close()))
}
