package app

import (
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/store"
)

// A Secret prints as stars wherever it turns up.
type Secret string

func (Secret) String() string       { return "***" }
func (Secret) LogValue() slog.Value { return slog.StringValue("***") }

// Place says where the data is. Every command on the database takes it. Each
// setting is a flag, a variable (BUREAU_DATA, BUREAU_DB, …) or a line of the
// settings file, in that order.
type Place struct {
	Data    string `help:"Folder for the embedded database, the certificate and the key (default: ${default})." default:"./data" placeholder:"DIR"`
	DB      Secret `name:"db" help:"A postgres:// URL, or the path of an SQLite file (default: bureau.db in the data folder)." placeholder:"URL"`
	KeyFile string `help:"The key that encrypts secrets at rest, the same on every node (default: made once in the data folder)." placeholder:"FILE"`
}

// Embedded reports whether the database is one in this process.
func (p Place) Embedded() bool { return !store.IsPostgres(string(p.DB)) }

// Config is everything that can be set.
type Config struct {
	Place `embed:""`

	DBReplica    []Secret      `name:"db-replica" help:"A postgres:// URL of a replica that answers what customers read of the register; several, with commas between them." placeholder:"URL"`
	DBReplicaLag time.Duration `name:"db-replica-lag" help:"How old what a replica answers may be." default:"1s"`

	Listen        string   `help:"Address to serve on; port 0 is any free one (default: ${default})." default:"localhost:8443" placeholder:"HOST:PORT"`
	HTTP          bool     `name:"http" help:"Serve plain HTTP. Only on loopback, unless behind a proxy."`
	BehindProxy   bool     `help:"A proxy in front does HTTPS: plain HTTP may be served on any address."`
	TrustedProxy  []string `help:"Networks whose forwarded client addresses are believed." placeholder:"CIDR"`
	PublicURL     string   `name:"public-url" help:"The address that clients know: links, issuer and redirects are made from it." placeholder:"URL"`
	MetricsListen string   `help:"A second address for /metrics; without it they are on the main one, for loopback only." placeholder:"HOST:PORT"`

	TLSCert       string   `name:"tls-cert" help:"Certificate chain (PEM). Without one, Bureau makes its own." placeholder:"FILE"`
	TLSKey        string   `name:"tls-key" help:"Its private key (PEM)." placeholder:"FILE"`
	ACMEHost      []string `name:"acme-host" help:"Get a certificate for this name by ACME." placeholder:"NAME"`
	ACMEDirectory string   `name:"acme-directory" help:"The ACME directory, if not the usual one." placeholder:"URL"`
	ACMEEmail     string   `name:"acme-email" help:"Whom the certificate authority may write to." placeholder:"ADDRESS"`

	Sandbox      bool     `help:"Fill an empty database with an invented world to try things on."`
	KeepEvents   int      `help:"For how many days events are kept." default:"400"`
	KeepSearches int      `help:"After how many days whom a customer screened is purged, if nobody screened or changed anything since and no schedule repeats it; 0 is never." default:"0"`
	KeepAudit    int      `help:"For how many days the audit log is kept, in whole months; 0 is for ever." default:"0"`
	SandboxSpeed float64  `help:"How fast the sandbox's clock runs; 0 stops it." default:"1"`
	Refresh      []string `help:"Fetch this source on its schedule: a name, or name=URL for another address than the publisher's." placeholder:"SOURCE"`
	FetchMost    int      `help:"How many gigabytes a publisher's file may have." default:"32"`
	WebhookAllow []string `help:"Networks that webhooks may go to although they are not public." placeholder:"CIDR"`
	Fonts        string   `help:"A folder with further TrueType fonts (.ttf) for PDFs: for Chinese, Japanese, Korean and others." placeholder:"DIR"`

	SMTPHost         string `name:"smtp-host" help:"The server that takes our mail. Without one, no mail is sent." placeholder:"HOST"`
	SMTPPort         int    `name:"smtp-port" help:"Its port." default:"587"`
	SMTPUser         string `name:"smtp-user" help:"Who we are to it, if it asks." placeholder:"NAME"`
	SMTPPasswordFile string `name:"smtp-password-file" help:"A file with the password for it." placeholder:"FILE"`
	SMTPFrom         string `name:"smtp-from" help:"The sender of our mail." placeholder:"ADDRESS"`
	SMTPTLS          string `name:"smtp-tls" help:"How the connection to it is protected: starttls, tls (from the first byte) or none." default:"starttls" enum:"starttls,tls,none"`
	OperatorMail     string `help:"Whom to write to when something needs a look." placeholder:"ADDRESS"`

	TokenAlg  string        `help:"What signs tokens: EdDSA, ES256 or RS256." default:"EdDSA"`
	KeyEvery  time.Duration `help:"How long a signing key is used before the next takes over." default:"720h"`
	Audience  string        `help:"The audience of tokens." default:"bureau"`
	HashMemKB uint32        `name:"hash-memory" help:"Memory for hashing a chosen password, in KiB." default:"19456"`

	SessionIdle  time.Duration `help:"How long somebody may be signed in to the console without using it." default:"2h"`
	SessionWhole time.Duration `help:"How long somebody may be signed in to the console at all." default:"12h"`

	LoginTotal     int `help:"Authenticate requests in 5 minutes from one source address; 0 is no limit." default:"10000"`
	LoginTotalPair int `help:"The same for one user key from one source address." default:"10000"`
	CallBurst      int `help:"Protected calls of one account in a second; 0 is no limit." default:"2000"`
	CallSustained  int `help:"Protected calls of one account in 5 minutes; 0 is no limit." default:"300000"`
	Streams        int `help:"Streams of events that one customer may follow at once." default:"1000"`
	WebhookReplays int `help:"Events that may be sent again to one webhook in a day; 0 is no limit." default:"1000000"`
	ConnsPerSource int `help:"Open connections from one source address; 0 is no limit." default:"1000"`

	OTLPEndpoint string        `name:"otlp-endpoint" help:"Send traces to this OpenTelemetry collector (OTLP over HTTP)." placeholder:"URL"`
	LogFormat    string        `help:"text or json." default:"text" enum:"text,json"`
	LogLevel     string        `help:"debug, info, warn or error." default:"info" enum:"debug,info,warn,error"`
	StopWithin   time.Duration `help:"How long a stop waits for what was accepted." default:"30s"`
}

func (p Place) database() string {
	if p.DB != "" {
		return string(p.DB)
	}
	return filepath.Join(p.Data, "bureau.db")
}

func (p Place) keyFile() string {
	if p.KeyFile != "" {
		return p.KeyFile
	}
	return filepath.Join(p.Data, "bureau.key")
}

// check refuses a database that is neither of the two: anything else would be
// taken for the name of a file.
func (p Place) check() error {
	const instead = "give a postgres:// URL or the path of a file"
	switch scheme, _, found := strings.Cut(string(p.DB), "://"); {
	case store.IsPostgres(string(p.DB)):
		return nil
	case isConnectionString(string(p.DB)): // with a password in it, more often than not
		return fault.Invalid.Errorf("--db cannot be a connection string: " + instead)
	case found && isScheme.MatchString(scheme):
		return fault.Invalid.Errorf("--db cannot be a %s:// address: "+instead, scheme)
	case found, lameAddress.MatchString(string(p.DB)):
		return fault.Invalid.Errorf("--db is no address that Bureau knows: " + instead)
	}
	return nil
}

var isScheme = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*$`)

// Check refuses settings that cannot work, in one sentence each, before
// anything is opened or written.
func (c Config) Check() error {
	for _, check := range []func() error{c.Place.check, c.checkReplicas, c.checkAddress, c.checkCertificate, c.checkNumbers, c.checkNetworks, c.checkMail} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (c Config) checkReplicas() error {
	for _, url := range c.DBReplica {
		if !store.IsPostgres(string(url)) {
			return fmt.Errorf("--db-replica takes postgres:// URLs, with commas between them")
		}
	}
	if len(c.DBReplica) > 0 && c.Embedded() {
		return fmt.Errorf("--db-replica needs --db to be a postgres:// URL: an SQLite file has no replicas")
	}
	if len(c.DBReplica) > 0 && (c.DBReplicaLag < 100*time.Millisecond || c.DBReplicaLag > time.Minute) {
		return fmt.Errorf("--db-replica-lag %s: from 100ms to 1m", c.DBReplicaLag)
	}
	return nil
}

func (c Config) replicas() (out []string) {
	for _, url := range c.DBReplica {
		out = append(out, string(url))
	}
	return out
}

func (c Config) checkAddress() error {
	if err := checkListen(c.Listen); err != nil {
		return fmt.Errorf("--listen %w", err)
	}
	if err := checkListen(c.MetricsListen); err != nil && c.MetricsListen != "" {
		return fmt.Errorf("--metrics-listen %w", err)
	}
	if c.HTTP && !c.BehindProxy && !isLoopback(c.Listen) {
		return fmt.Errorf("--http serves in the clear and so only on loopback, not on %s: use HTTPS, or --behind-proxy if a proxy does", c.Listen)
	}
	for _, a := range []struct{ flag, url, such string }{
		{"--public-url", c.PublicURL, "https://api.example.com"},
		{"--otlp-endpoint", c.OTLPEndpoint, "http://localhost:4318"},
		{"--acme-directory", c.ACMEDirectory, "https://ca.example.com/directory"},
	} {
		if a.url != "" && !isWebAddress(a.url) {
			return fmt.Errorf("%s %q is not an address such as %s", a.flag, HidePasswords(a.url), a.such)
		}
	}
	for _, text := range c.Refresh {
		if name, address, found := strings.Cut(text, "="); found && !isWebAddress(address) {
			return fmt.Errorf("--refresh %s: %q is not an address such as https://example.com/list.xml", name, HidePasswords(address))
		}
	}
	return nil
}

func isWebAddress(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Host != "" && (u.Scheme == "https" || u.Scheme == "http")
}

func (c Config) checkCertificate() error {
	switch {
	case (c.TLSCert == "") != (c.TLSKey == ""):
		return fmt.Errorf("--tls-cert and --tls-key go together")
	case c.TLSCert != "" && len(c.ACMEHost) > 0:
		return fmt.Errorf("choose --tls-cert or --acme-host, not both")
	case c.HTTP && (c.TLSCert != "" || len(c.ACMEHost) > 0):
		return fmt.Errorf("--http needs no certificate: leave out --tls-cert and --acme-host, or --http")
	}
	for _, host := range c.ACMEHost {
		if !strings.Contains(host, ".") || strings.ContainsAny(host, ":/*") {
			return fmt.Errorf("--acme-host %q is not a name that an authority can look up, such as api.example.com", host)
		}
	}
	return nil
}

func (c Config) checkNumbers() error {
	if !(c.SandboxSpeed == 0 || c.SandboxSpeed >= 0.001 && c.SandboxSpeed <= 10_000) {
		return fmt.Errorf("--sandbox-speed %v: 0 to stop the clock, or from 0.001 to 10000", c.SandboxSpeed)
	}
	if c.Audience == "" {
		return fmt.Errorf("--audience cannot be empty: tokens are made for it")
	}
	if !slices.Contains(auth.Algs(), c.TokenAlg) {
		return fmt.Errorf("--token-alg %q: choose one of %s", c.TokenAlg, strings.Join(auth.Algs(), ", "))
	}
	if c.KeyEvery < 2*auth.DefaultKeySchedule.Lead {
		return fmt.Errorf("--key-every %s is too short: at least %s", c.KeyEvery, 2*auth.DefaultKeySchedule.Lead)
	}
	if c.HashMemKB < minHashMemory || c.HashMemKB > maxHashMemory {
		return fmt.Errorf("--hash-memory %d: between %d and %d KiB", c.HashMemKB, minHashMemory, maxHashMemory)
	}
	if c.LoginTotal < 0 || c.LoginTotalPair < 0 || c.CallBurst < 0 || c.CallSustained < 0 || c.WebhookReplays < 0 || c.ConnsPerSource < 0 {
		return fmt.Errorf("a limit cannot be negative; 0 switches it off")
	}
	if c.KeepSearches < 0 || c.KeepSearches > 36500 {
		return fmt.Errorf("--keep-searches %d: days, from 1 to 36500, or 0 for ever", c.KeepSearches)
	}
	if c.KeepAudit < 0 || c.KeepAudit > 36500 {
		return fmt.Errorf("--keep-audit %d: days, from 1 to 36500, or 0 for ever", c.KeepAudit)
	}
	if c.KeepEvents < 1 || c.KeepEvents > 36500 {
		return fmt.Errorf("--keep-events %d: days, from 1 to 36500", c.KeepEvents)
	}
	if c.FetchMost < 1 || c.FetchMost > 1<<20 {
		return fmt.Errorf("--fetch-most %d: gigabytes, from 1 to %d", c.FetchMost, 1<<20)
	}
	if c.SessionIdle < time.Minute || c.SessionWhole < c.SessionIdle || c.SessionWhole > 30*24*time.Hour {
		return fmt.Errorf("--session-idle and --session-whole: from a minute to 30 days, the whole not shorter than the idle time")
	}
	if c.SandboxSpeed < 0 || c.StopWithin < 0 {
		return fmt.Errorf("--sandbox-speed and --stop-within cannot be negative")
	}
	return nil
}

const (
	minHashMemory = 8 * 1024
	maxHashMemory = 256 * 1024
)

func (c Config) checkNetworks() error {
	if _, err := prefixes(c.WebhookAllow); err != nil {
		return fmt.Errorf("--webhook-allow: %w", err)
	}
	if _, err := prefixes(c.TrustedProxy); err != nil {
		return fmt.Errorf("--trusted-proxy: %w", err)
	}
	return nil
}

// isLoopback reports whether an address can be reached from this machine only.
func isLoopback(listen string) bool {
	host, _, _ := net.SplitHostPort(listen)
	addr, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && addr.Unmap().IsLoopback()
}

func prefixes(texts []string) ([]netip.Prefix, error) {
	var out []netip.Prefix
	for _, s := range texts {
		p, err := netip.ParsePrefix(s)
		if err != nil {
			a, aerr := netip.ParseAddr(s)
			if aerr != nil {
				return nil, fmt.Errorf("%q is not a network such as 10.0.0.0/8", s)
			}
			p = netip.PrefixFrom(a, a.BitLen())
		}
		out = append(out, p)
	}
	return out, nil
}

// publicURL is what clients know us by. Where nobody says, it is the address
// that we listen on; one that means "every address" cannot be called.
func (c Config) publicURL() string {
	if c.PublicURL != "" {
		return strings.TrimRight(c.PublicURL, "/")
	}
	host, port, _ := net.SplitHostPort(c.Listen)
	if addr, err := netip.ParseAddr(host); host == "" || err == nil && addr.IsUnspecified() {
		host = "localhost"
	}
	scheme := "https://"
	if c.HTTP && !c.BehindProxy {
		scheme = "http://"
	}
	return scheme + net.JoinHostPort(host, port)
}

// issuer is the issuer of tokens. Without a public address it is the same word
// on every node, or a token of one would be refused by the others.
func (c Config) issuer() string {
	if c.PublicURL != "" {
		return c.publicURL()
	}
	return "bureau"
}

func (c Config) loginRules() auth.LoginRules {
	r := auth.DefaultLoginRules
	r.TotalSource, r.TotalPair = c.LoginTotal, c.LoginTotalPair
	return r
}

// ForCommand are the settings of a command that works on the database beside
// the servers, whose settings it does not know.
func ForCommand(p Place) Config {
	return Config{Place: p, HashMemKB: auth.DefaultCost.Memory}
}

// Hashing is what else a command needs that keeps a chosen password: all are
// hashed alike, or the time a login takes would tell them apart.
type Hashing struct {
	HashMemory uint32 `help:"Memory for hashing a chosen password, in KiB; the same as the servers have." default:"19456"`
}

// ForPasswords are the settings of a command that keeps a chosen password.
func ForPasswords(p Place, h Hashing) (Config, error) {
	c := ForCommand(p)
	c.HashMemKB = h.HashMemory
	if c.HashMemKB < minHashMemory || c.HashMemKB > maxHashMemory {
		return c, fault.Invalid.Errorf("--hash-memory %d: between %d and %d KiB", c.HashMemKB, minHashMemory, maxHashMemory)
	}
	return c, nil
}

func (c Config) keySchedule() auth.KeySchedule {
	return auth.KeySchedule{Alg: c.TokenAlg, Every: c.KeyEvery, Lead: auth.DefaultKeySchedule.Lead}
}

func (c Config) cost() auth.Cost {
	cost := auth.DefaultCost
	cost.Memory = c.HashMemKB
	return cost
}
