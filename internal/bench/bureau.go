package bench

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"bureau/internal/app"
)

// A workshop is what all rows share: the program as it was built, and one
// certificate for both sides.
type workshop struct {
	dir               string
	program           string
	certFile, keyFile string
	postgres          databases // nil where there is none
	books             []*book
	kept              Statement // of places that are gone already
	say               func(format string, args ...any)
	places            int                 // made so far
	numbers           int64               // given out to loads so far
	watched           map[string]*watched // by engine
	told              map[string]string   // databases full of events
	named             map[string]*named   // servers full of names
	mailrooms         map[string]*mailroom
	screened          map[string]*screened // servers with lists
	lists, watching   map[string]string    // databases with many entries, or many who are watched
	bare              *sample              // of find-name's baseline, once it was asked
	stops             []func()             // of what ends with the run
}

// openWorkshop builds the program, unless the one that runs is what is measured.
func openWorkshop(ctx context.Context, dir string, s Settings) (w *workshop, err error) {
	w = &workshop{
		dir: dir, program: filepath.Join(dir, "bureau"),
		certFile: filepath.Join(dir, "cert.pem"), keyFile: filepath.Join(dir, "cert-key.pem"),
	}
	w.say = func(format string, args ...any) {
		if s.Say != nil {
			s.Say(fmt.Sprintf(format, args...))
		}
	}
	if s.Own {
		if w.program, err = os.Executable(); err != nil {
			return nil, err
		}
		return w, w.makeCertificate()
	}
	w.say("building")
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", w.program, "bureau/cmd/bureau")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if said, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build the program: %w\n%s", err, said)
	}
	return w, w.makeCertificate()
}

// create makes a file that nobody else may read.
func create(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
}

func (w *workshop) makeCertificate() error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{"localhost"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return err
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	return errors.Join(
		os.WriteFile(w.certFile, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600),
		os.WriteFile(w.keyFile, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: pkcs8}), 0o600))
}

// databases makes databases on a PostgreSQL, and throws them away.
type databases interface {
	create(ctx context.Context) (address string, err error)
	drop(ctx context.Context, address string) error
}

// A place is one database for one row: a fresh file, or a fresh database of a
// PostgreSQL.
type place struct {
	w     *workshop
	data  string
	db    string   // "" is the embedded one
	extra []string // flags of serve
}

// newPlace makes a place of an engine.
func (w *workshop) newPlace(ctx context.Context, name, engine string) (p place, err error) {
	w.places++
	p = place{w: w, data: filepath.Join(w.dir, fmt.Sprintf("%s-%d", name, w.places))}
	if err := os.Mkdir(p.data, 0o700); err != nil {
		return p, err
	}
	if engine == postgreSQL {
		p.db, err = w.postgres.create(ctx)
	}
	return p, err
}

// address is where a baseline finds the same database.
func (p place) address() string {
	if p.db != "" {
		return p.db
	}
	return filepath.Join(p.data, "bureau.db")
}

// remove throws a place away before the run ends: some are large.
func (p place) remove(ctx context.Context) {
	if p.db != "" {
		_ = p.w.postgres.drop(context.WithoutCancel(ctx), p.db)
	}
	os.RemoveAll(p.data)
}

// run runs one of the program's commands and reads the JSON that it prints.
func (p place) run(ctx context.Context, input string, into any, args ...string) error {
	c := exec.CommandContext(ctx, p.w.program, append(args, p.flags()...)...)
	c.Stdin = strings.NewReader(input)
	return read(c, into)
}

// A took is what a command took: the clock, and the processors of its process.
type took struct{ wall, cpu time.Duration }

// timed runs a command and says how long it took, from its start to its end.
func (p place) timed(ctx context.Context, into any, args ...string) (took, error) {
	c := exec.CommandContext(ctx, p.w.program, append(args, p.flags()...)...)
	began := time.Now()
	if err := read(c, into); err != nil {
		return took{}, err
	}
	return took{time.Since(began), c.ProcessState.UserTime() + c.ProcessState.SystemTime()}, nil
}

func read(c *exec.Cmd, into any) error {
	c.Env = environment()
	var said bytes.Buffer
	c.Stderr = &said
	out, err := c.Output()
	if err != nil {
		var told []string
		for _, arg := range c.Args[1:] {
			told = append(told, app.HidePasswords(arg))
		}
		return fmt.Errorf("bureau %s: %w\n%s", strings.Join(told, " "), err, said.Bytes())
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(out, into)
}

func (p place) flags() []string {
	flags := []string{"--data", p.data}
	if p.db != "" {
		flags = append(flags, "--db", p.db)
	}
	return flags
}

// environment is ours without the settings of whoever runs the bench.
func environment() []string {
	var out []string
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "BUREAU_") {
			out = append(out, v)
		}
	}
	return out
}

// An account is one that the load signs in with.
type account struct {
	UserKey  string `json:"userKey"`
	Password string `json:"password"`
}

// chosenPassword is what accounts with a chosen password have.
const chosenPassword = "a sentence of my own choice"

// fill makes a customer with accounts, whose passwords are issued or chosen.
func (p place) fill(ctx context.Context, accounts int, chosen bool) ([]account, error) {
	var customer struct {
		ID int64 `json:"id"`
	}
	err := p.run(ctx, "", &customer, "customer", "add", "Example Trading", "--product", "all", "--json")
	if err != nil {
		return nil, err
	}
	out := make([]account, accounts)
	for i := range out {
		err := p.run(ctx, "", &out[i], "account", "add", strconv.FormatInt(customer.ID, 10),
			"--first", "Ada", "--surname", "Brook", "--email", fmt.Sprintf("ada%d@example.com", i), "--json")
		if err != nil {
			return nil, err
		}
		if !chosen {
			continue
		}
		out[i].Password = chosenPassword
		if err := p.run(ctx, chosenPassword+"\n", nil, "account", "password", out[i].UserKey, "--chosen"); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// The limits are on, and count everything; they are only too high to be met.
var highLimits = []string{
	"--login-total", "1000000000", "--login-total-pair", "1000000000",
	"--call-burst", "1000000000", "--call-sustained", "1000000000",
}

// serve starts Bureau as an operator would, with its log going to a file.
func (p place) serve(ctx context.Context) (*server, error) {
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	log, err := create(filepath.Join(p.data, "bureau.log"))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	args := append([]string{"serve", "--listen", address, "--tls-cert", p.w.certFile, "--tls-key", p.w.keyFile}, append(p.flags(), p.extra...)...)
	c := exec.CommandContext(ctx, p.w.program, append(args, highLimits...)...)
	c.Env = environment()
	c.Stdout, c.Stderr = log, log
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) }
	c.WaitDelay = 10 * time.Second
	if err := c.Start(); err != nil {
		return nil, fmt.Errorf("start the program: %w", err)
	}
	ended := wait(c)
	if err := await(ctx, address, ended); err != nil {
		said, _ := os.ReadFile(log.Name())
		return nil, fmt.Errorf("serve: %w\n%s", err, said[max(0, len(said)-2000):])
	}
	stop := func() {
		_ = c.Process.Signal(syscall.SIGTERM)
		<-ended
	}
	return &server{address, c.Process.Pid, stop}, nil
}
