package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// A house is a server with its sandbox, and a browser to look at it.
type house struct {
	binary, data string
	server       *exec.Cmd
	card         card
	browser      context.Context
	signing      sync.Mutex
	session      *network.Cookie // of who signed in first
	listed       []string        // on the operator's own list
}

// card is what sandbox.json holds, as far as the tests use it.
type card struct {
	BaseURL       string `json:"baseUrl"`
	Email         string `json:"email"`
	EmailPassword string `json:"emailPassword"`
	CompanyID     string `json:"companyId"`
	IBAN          string `json:"iban"`
	ListedPerson  string `json:"listedPerson"`
	Consumer      struct {
		Forename string `json:"forename"`
		Surname  string `json:"surname"`
		Born     string `json:"dateOfBirth"`
		House    string `json:"buildingNo"`
		PostCode string `json:"postCode"`
	} `json:"consumer"`
}

var home *house

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		fmt.Println("e2e: there is no chromium: the browser tests are skipped")
		if os.Getenv("BUREAU_CI") == "1" {
			return 1
		}
		return 0
	}
	h, stop, err := open(chromium)
	defer stop()
	if err != nil {
		fmt.Println("e2e:", err)
		return 1
	}
	home = h
	// Most of a test is waiting for the page: more of them than there are cores
	// go on at once, if nobody said how many.
	if !slices.ContainsFunc(os.Args, func(a string) bool { return strings.HasPrefix(a, "-test.parallel") }) {
		if err := flag.Set("test.parallel", "4"); err != nil {
			fmt.Println("e2e:", err)
			return 1
		}
	}
	return m.Run()
}

// open builds Bureau, serves the sandbox with its clock stopped, and starts a
// browser. stop ends what was started, also when open failed.
func open(chromium string) (h *house, stop func(), err error) {
	var ends []func()
	stop = func() {
		for i := len(ends) - 1; i >= 0; i-- {
			ends[i]()
		}
	}
	dir, err := os.MkdirTemp("", "bureau-e2e-")
	if err != nil {
		return nil, stop, err
	}
	ends = append(ends, func() { _ = os.RemoveAll(dir) })
	h = &house{binary: filepath.Join(dir, "bureau"), data: filepath.Join(dir, "data")}
	if url := os.Getenv("BUREAU_E2E_DATA"); url != "" { // a server that somebody runs already
		h.data, h.binary = url, os.Getenv("BUREAU_E2E_BINARY")
	} else {
		build := exec.Command("go", "build", "-o", h.binary, "./cmd/bureau")
		build.Dir = ".."
		if out, err := build.CombinedOutput(); err != nil {
			return nil, stop, fmt.Errorf("build: %w\n%s", err, out)
		}
		h.server = exec.Command(h.binary, "serve", "--sandbox", "--sandbox-speed", "0", "--data", h.data, "--listen", "localhost:0", "--log-level", "warn")
		h.server.Stdout, h.server.Stderr = io.Discard, os.Stderr
		if err := h.server.Start(); err != nil {
			return nil, stop, err
		}
		ends = append(ends, func() {
			_ = h.server.Process.Signal(syscall.SIGTERM)
			_ = h.server.Wait()
		})
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium), chromedp.NoSandbox, chromedp.Headless, chromedp.IgnoreCertErrors)
	alloc, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	ends = append(ends, cancel)
	browser, cancel2 := chromedp.NewContext(alloc)
	ends = append(ends, cancel2)
	h.browser = browser
	if err := chromedp.Do(browser, chromedp.Navigate("about:blank")); err != nil { // while the sandbox fills
		return nil, stop, err
	}
	return h, stop, h.readCard(2 * time.Minute)
}

// readCard waits for the sandbox to be full.
func (h *house) readCard(most time.Duration) error {
	for end := time.Now().Add(most); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		b, err := os.ReadFile(filepath.Join(h.data, "sandbox.json"))
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		return json.Unmarshal(b, &h.card)
	}
	return errors.New("the sandbox was not full in time")
}

// bureau runs a command on the sandbox.
func (h *house) bureau(t *testing.T, args ...string) string {
	t.Helper()
	return h.bureauWith(t, "", args...)
}

func (h *house) bureauWith(t *testing.T, input string, args ...string) string {
	t.Helper()
	cmd := exec.Command(h.binary, append(args, "--data", h.data)...)
	cmd.Stdin = strings.NewReader(input)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("bureau %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}
