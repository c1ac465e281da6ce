package bench

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"golang.org/x/crypto/argon2"
)

// A bare is what the baseline server is told: it does what Bureau is asked to
// do and nothing else. It knows no accounts, writes nothing down, limits nobody
// and logs nothing.
type bare struct {
	Address           string
	CertFile, KeyFile string
	Me                meBody // what it answers to who-am-I
	Database          string // where the register is
}

// meBody is Bureau's answer to who-am-I.
type meBody struct {
	Username        string `json:"username"`
	EmailAddress    string `json:"emailAddress"`
	OwningEntity    string `json:"owningEntity"`
	DefaultLanguage string `json:"defaultLanguage"`
	PrimaryContact  struct {
		Title     string `json:"title"`
		FirstName string `json:"firstName"`
		Surname   string `json:"surname"`
	} `json:"primaryContact"`
	IETFLanguage  string `json:"ietfLanguage"`
	CountryCode   string `json:"countryCode"`
	IsActive      string `json:"isActive"`
	CorrelationID string `json:"correlationId"`
}

// bareClaims are those of our tokens.
type bareClaims struct {
	jwt.RegisteredClaims
	Username string `json:"username"`
	Customer int64  `json:"customerId"`
	Epoch    int64  `json:"epoch"`
}

// runBaseline is the baseline server's process.
func runBaseline(in io.Reader, _ io.Writer) error {
	var b bare
	if err := takeOrder(in, &b); err != nil {
		return err
	}
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/authenticate", func(w http.ResponseWriter, r *http.Request) {
		var login struct{ Username, Password string }
		if err := json.NewDecoder(r.Body).Decode(&login); err != nil {
			http.Error(w, "unreadable", http.StatusBadRequest)
			return
		}
		token, err := bareToken(private, login.Username)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		writeBare(w, map[string]string{"token": token})
	})
	mux.HandleFunc("GET /v1/access/users/me", func(w http.ResponseWriter, _ *http.Request) {
		writeBare(w, b.Me)
	})
	db, err := openDatabase(context.Background(), b.Database)
	if err != nil {
		return err
	}
	defer db.close()
	mux.HandleFunc("GET /v1/companies/{id}", func(w http.ResponseWriter, r *http.Request) {
		c, err := db.row(r.Context(), r.PathValue("id"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		writeBare(w, c)
	})
	server := &http.Server{
		Addr: b.Address, Handler: mux, ReadHeaderTimeout: time.Minute,
		ErrorLog: log.New(io.Discard, "", 0), // whoever only looks whether it listens
	}
	return server.ListenAndServeTLS(b.CertFile, b.KeyFile)
}

func writeBare(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

func bareToken(private ed25519.PrivateKey, username string) (string, error) {
	id := make([]byte, 16)
	rand.Read(id)
	now := time.Now()
	t := jwt.NewWithClaims(jwt.SigningMethodEdDSA, bareClaims{
		RegisteredClaims: jwt.RegisteredClaims{
			Issuer: "https://127.0.0.1:8443", Subject: "1002", Audience: jwt.ClaimStrings{"bureau"},
			IssuedAt: jwt.NewNumericDate(now), NotBefore: jwt.NewNumericDate(now),
			ExpiresAt: jwt.NewNumericDate(now.Add(time.Hour)), ID: hex.EncodeToString(id),
		},
		Username: username, Customer: 1001, Epoch: 1,
	})
	t.Header["kid"] = "abcdefghijkl"
	t.Header["typ"] = "at+jwt"
	return t.SignedString(private)
}

// A server is the process that is measured, and where it listens.
type server struct {
	address string
	pid     int
	stop    func()
}

// startBaseline starts the baseline server.
func startBaseline(ctx context.Context, w *workshop, me meBody, database string) (*server, error) {
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	c, in, err := start(ctx, "baseline", bare{address, w.certFile, w.keyFile, me, database}, nil)
	if err != nil {
		return nil, err
	}
	ended := wait(c)
	if err := await(ctx, address, ended); err != nil {
		return nil, err
	}
	return &server{address, c.Process.Pid, func() { in.Close(); <-ended }}, nil
}

// wait tells when a process has ended.
func wait(c *exec.Cmd) <-chan error {
	ended := make(chan error, 1)
	go func() { // ends with the process, which ends with the run
		ended <- c.Wait()
		close(ended)
	}()
	return ended
}

// A hashing is how much argon2id a bare process does.
type hashing struct {
	For    time.Duration
	Memory uint32 // KiB
	Time   uint32
}

// hashed is what came of it.
type hashed struct{ Rate, CPU float64 } // per second; seconds of CPU for each

// runHash is the bare process: one worker a core, nothing but hashes.
func runHash(in io.Reader, out io.Writer) error {
	var h hashing
	if err := takeOrder(in, &h); err != nil {
		return err
	}
	salt := make([]byte, 16)
	var done atomic.Int64
	var workers sync.WaitGroup
	begin := time.Now()
	for range runtime.NumCPU() {
		workers.Go(func() {
			for time.Since(begin) < h.For {
				argon2.IDKey([]byte("a password nobody has"), salt, h.Time, h.Memory, 1, 32)
				done.Add(1)
			}
		})
	}
	workers.Wait()
	took, n := time.Since(begin).Seconds(), float64(done.Load())
	r := hashed{Rate: n / took}
	if used, known := cpuOf(os.Getpid()); known {
		r.CPU = used.Seconds() / n
	}
	return json.NewEncoder(out).Encode(r)
}
