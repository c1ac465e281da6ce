package app

import (
	"fmt"
	"log/slog"
	"net/netip"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"bureau/internal/auth"
)

// A Secret prints as stars wherever it turns up.
type Secret string

func (Secret) String() string       { return "***" }
func (Secret) LogValue() slog.Value { return slog.StringValue("***") }

// Place says where the data is. Every command on the database takes it. Each
// setting is a flag, a variable (BUREAU_DATA, BUREAU_DB, …) or a line of the
// settings file, in that order.
type Place struct {
	Data    string `help:"Folder for the embedded database, the certificate and the key." default:"./data" placeholder:"DIR"`
	DB      Secret `name:"db" help:"A postgres:// URL, or the path of an SQLite file (default: bureau.db in the data folder)." placeholder:"URL"`
	KeyFile string `help:"The key that encrypts secrets at rest, the same on every node (default: made once in the data folder)." placeholder:"FILE"`
}

// Config is everything that can be set.
type Config struct {
	Place `embed:""`

	Listen        string   `help:"Address to serve on." default:"localhost:8443" placeholder:"HOST:PORT"`
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
	SandboxSpeed float64  `help:"How fast the sandbox's clock runs; 0 stops it." default:"1"`
	WebhookAllow []string `help:"Networks that webhooks may go to although they are not public." placeholder:"CIDR"`

	TokenAlg  string        `help:"What signs tokens: EdDSA, ES256 or RS256." default:"EdDSA"`
	KeyEvery  time.Duration `help:"How long a signing key is used before the next takes over." default:"720h"`
	Audience  string        `help:"The audience of tokens." default:"bureau"`
	HashMemKB uint32        `name:"hash-memory" help:"Memory for hashing a chosen password, in KiB." default:"19456"`

	LoginTotal     int `help:"Authenticate requests in 5 minutes from one source address; 0 is no limit." default:"10000"`
	LoginTotalPair int `help:"The same for one user key from one source address." default:"10000"`
	CallBurst      int `help:"Protected calls of one account in a second; 0 is no limit." default:"2000"`
	CallSustained  int `help:"Protected calls of one account in 5 minutes; 0 is no limit." default:"300000"`
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

// Check refuses settings that cannot work, in one sentence each, before
// anything is opened or written.
func (c Config) Check() error {
	host, _, found := strings.Cut(c.Listen, ":")
	if !found {
		return fmt.Errorf("--listen %q has no port: write HOST:PORT", c.Listen)
	}
	if c.HTTP && !c.BehindProxy && !isLoopback(host, c.Listen) {
		return fmt.Errorf("--http serves in the clear and so only on loopback, not on %s: use HTTPS, or --behind-proxy if a proxy does", c.Listen)
	}
	if (c.TLSCert == "") != (c.TLSKey == "") {
		return fmt.Errorf("--tls-cert and --tls-key go together")
	}
	if c.TLSCert != "" && len(c.ACMEHost) > 0 {
		return fmt.Errorf("choose --tls-cert or --acme-host, not both")
	}
	if !slices.Contains(auth.Algs(), c.TokenAlg) {
		return fmt.Errorf("--token-alg %q: choose one of %s", c.TokenAlg, strings.Join(auth.Algs(), ", "))
	}
	if c.KeyEvery < 2*auth.DefaultKeySchedule.Lead {
		return fmt.Errorf("--key-every %s is too short: at least %s", c.KeyEvery, 2*auth.DefaultKeySchedule.Lead)
	}
	if c.HashMemKB < 8*1024 || c.HashMemKB > 256*1024 {
		return fmt.Errorf("--hash-memory %d: between 8192 and 262144 KiB", c.HashMemKB)
	}
	if c.LoginTotal < 0 || c.LoginTotalPair < 0 || c.CallBurst < 0 || c.CallSustained < 0 || c.ConnsPerSource < 0 {
		return fmt.Errorf("a limit cannot be negative; 0 switches it off")
	}
	if c.PublicURL != "" {
		u, err := url.Parse(c.PublicURL)
		if err != nil || u.Host == "" || (u.Scheme != "https" && u.Scheme != "http") {
			return fmt.Errorf("--public-url %q is not an address such as https://api.example.com", c.PublicURL)
		}
	}
	if _, err := prefixes(c.WebhookAllow); err != nil {
		return fmt.Errorf("--webhook-allow: %w", err)
	}
	if _, err := prefixes(c.TrustedProxy); err != nil {
		return fmt.Errorf("--trusted-proxy: %w", err)
	}
	return nil
}

// isLoopback reports whether an address can be reached from this machine only.
func isLoopback(host, listen string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ap, err := netip.ParseAddrPort(listen)
	return err == nil && ap.Addr().Unmap().IsLoopback()
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

// publicURL is what clients know us by.
func (c Config) publicURL() string {
	if c.PublicURL != "" {
		return strings.TrimRight(c.PublicURL, "/")
	}
	if c.HTTP && !c.BehindProxy {
		return "http://" + c.Listen
	}
	return "https://" + c.Listen
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

func (c Config) keySchedule() auth.KeySchedule {
	return auth.KeySchedule{Alg: c.TokenAlg, Every: c.KeyEvery, Lead: auth.DefaultKeySchedule.Lead}
}

func (c Config) cost() auth.Cost {
	cost := auth.DefaultCost
	cost.Memory = c.HashMemKB
	return cost
}
