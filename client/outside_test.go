package client_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A program outside the repository is built with the lines that the package's
// documentation names, without a network, and calls the service.
func TestAProgramOutsideUsesTheClient(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	lines := regexp.MustCompile(`(?m)^//\t(require bureau .*)\n//\t(replace bureau => )\.\./bureau$`).FindSubmatch(doc)
	if lines == nil {
		t.Fatal("doc.go does not say how a program of its own uses the package")
	}
	here, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	version, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": fmt.Sprintf("module mine.example/reader\n\n%s\n\n%s\n%s%s\n",
			regexp.MustCompile(`(?m)^go .*$`).Find(version), lines[1], lines[2], here),
		"main.go": `package main

import (
	"context"
	"fmt"
	"os"

	"bureau/client"
)

func main() {
	c := &client.Client{BaseURL: os.Args[1], Username: "u", Password: "p"}
	me, err := c.Me(context.Background())
	if err != nil {
		panic(err)
	}
	fmt.Println("I am", me.Username)
}
`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := func(name string, args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=", "GOWORK=off", "PWD="+dir)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %v: %v\n%s", name, args, err, out)
		}
		return string(out)
	}
	run("go", "build", "-o", "reader", ".")

	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/authenticate") {
			fmt.Fprint(w, `{"token":"opaque"}`)
			return
		}
		fmt.Fprint(w, `{"username":"somebody"}`)
	}))
	defer service.Close()
	if got := run(filepath.Join(dir, "reader"), service.URL); got != "I am somebody\n" {
		t.Errorf("got %q", got)
	}
}
