package app

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"time"

	"bureau/internal/auth"
	"bureau/internal/store"
)

// A Symptom is one thing that the doctor looked at.
type Symptom struct {
	Subject string `json:"subject"`
	State   string `json:"state"` // "ok", "note" or "bad"
	Says    string `json:"says"`
}

// Examine looks at everything a server needs, and changes nothing.
//
// With whole it reads the database through as well; progress hears what is looked
// at.
func Examine(ctx context.Context, c Config, whole bool, progress func(subject string)) []Symptom {
	var out []Symptom
	say := func(subject, state, format string, args ...any) {
		out = append(out, Symptom{subject, state, fmt.Sprintf(format, args...)})
	}
	if err := c.Check(); err != nil {
		say("settings", "bad", "%v", err)
		if c.Place.check() != nil {
			return out // there is no such database to look at
		}
	} else {
		say("settings", "ok", "they fit together")
	}
	if examineDatabase(ctx, c, say) && whole {
		examineContent(ctx, c, say, progress)
	}
	examineCertificate(c, say)
	examineMail(ctx, c, say)
	if l, err := net.Listen("tcp", c.Listen); err != nil {
		say("address", "note", "%s is taken or not ours: %v (a running server is one reason)", c.Listen, unwrapListen(err))
	} else {
		l.Close()
		say("address", "ok", "%s is free", c.Listen)
	}
	return out
}

func examineDatabase(ctx context.Context, c Config, say func(subject, state, format string, args ...any)) (usable bool) {
	url := c.database()
	if !store.IsPostgres(url) {
		if _, err := os.Stat(url); errors.Is(err, fs.ErrNotExist) {
			say("database", "note", "%s does not exist yet; 'bureau serve' makes it", url)
			return false
		}
	}
	db, err := store.Connect(ctx, url)
	if err != nil {
		say("database", "bad", "%s", Explain(err))
		return false
	}
	defer db.Close()
	schema, err := db.Schema(ctx)
	newest, nerr := db.Newest()
	switch {
	case err != nil || nerr != nil:
		say("database", "note", "%s, not set up yet; 'bureau serve' or 'bureau migrate' does it", db.Engine())
		return false
	case schema > newest && db.Fits(ctx) != nil:
		say("database", "bad", "schema %d is from a newer Bureau; this one knows up to %d", schema, newest)
		return false
	case schema > newest:
		say("database", "note", "schema %d is from a newer Bureau, and this one, which knows up to %d, gets along with it: upgrade it too", schema, newest)
	case schema < newest:
		say("database", "note", "schema %d; 'bureau migrate' brings it to %d", schema, newest)
		return false
	}
	if schema == newest {
		say("database", "ok", "%s, schema %d", db.Engine(), schema)
	}
	examineWall(ctx, db, schema == newest, say)
	if c.checkReplicas() == nil {
		examineReplicas(ctx, c, db, say)
	}
	if err := matchKey(ctx, c.Place, db); err != nil {
		say("key file", "bad", "%s", Explain(err))
		return false
	}
	say("key file", "ok", "%s fits the database", c.keyFile())
	return true
}

// examineWall looks at the second wall between customers, which PostgreSQL alone
// has. That there is none is for the operator to decide. One with a hole is bad: those
// who raised it rely on it. What it must be is known of our own schema.
func examineWall(ctx context.Context, db *store.DB, ours bool, say func(subject, state, format string, args ...any)) {
	if db.Engine() != "postgres" {
		return
	}
	var holes []string
	w, err := db.Wall(ctx)
	if err == nil && ours {
		holes, err = db.WallHoles(ctx)
	}
	switch {
	case err != nil:
		say("wall", "bad", "%s", Explain(err))
	case len(holes) > 0:
		for _, h := range holes {
			say("wall", "bad", "%s", h)
		}
	case w.Up:
		say("wall", "ok", "row-level security holds the calls of customers, as %s, to their own rows", w.Role)
	default:
		say("wall", "note", "row-level security does not hold the calls of customers: %s (docs/operations.md, PostgreSQL)", w.Why)
	}
}

// examineContent reads a database that can be used through.
func examineContent(ctx context.Context, c Config, say func(subject, state, format string, args ...any), progress func(string)) {
	db, err := store.Connect(ctx, c.database())
	if err != nil {
		say("database", "bad", "%s", Explain(err))
		return
	}
	defer db.Close()
	checks, err := db.Inspect(ctx, progress)
	if err != nil {
		say("database", "bad", "it cannot be read through: %s", Explain(err))
	}
	for _, k := range checks {
		for _, w := range k.Wrong {
			say(k.Subject, "bad", "%s", w)
		}
		if len(k.Wrong) == 0 {
			say(k.Subject, "ok", "%s", k.Says)
		}
		for _, n := range k.Notes {
			say(k.Subject, "note", "%s", n)
		}
	}
	progress("audit log")
	switch f, err := verifyAudit(ctx, c, db); {
	case err != nil:
		say("audit log", "bad", "%s", Explain(err))
	case f.Problem != "":
		say("audit log", "bad", "%s", f.Problem)
	default:
		say("audit log", "ok", "%d entries, whole; %d signed heads hold", f.Entries, f.Signed)
	}
}

func verifyAudit(ctx context.Context, c Config, db *store.DB) (auth.Finding, error) {
	vault, err := openVault(ctx, c.Place, db) // which has its key: that was looked at
	if err != nil {
		return auth.Finding{}, err
	}
	dir, err := auth.NewDirectory(ctx, db, vault, c.loginRules(), time.Now)
	if err != nil {
		return auth.Finding{}, err
	}
	return auth.VerifyAudit(ctx, db, vault, dir.Keys())
}

func examineCertificate(c Config, say func(subject, state, format string, args ...any)) {
	path := c.TLSCert
	switch {
	case c.HTTP:
		say("certificate", "note", "none: plain HTTP")
		return
	case len(c.ACMEHost) > 0:
		say("certificate", "ok", "by ACME for %v", c.ACMEHost)
		return
	case path == "":
		path = filepath.Join(c.Data, "cert.pem")
	}
	cert, err := readCertificate(path)
	if err == nil && c.TLSKey != "" {
		_, err = tls.LoadX509KeyPair(c.TLSCert, c.TLSKey)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist) && c.TLSCert == "":
		say("certificate", "note", "none yet; 'bureau serve' makes one in %s", path)
	case err != nil:
		say("certificate", "bad", "%s: %v", path, err)
	case cert.NotAfter.Before(time.Now()):
		say("certificate", "bad", "%s expired on %s", path, cert.NotAfter.Format(time.DateOnly))
	default:
		say("certificate", "ok", "%s, until %s", path, cert.NotAfter.Format(time.DateOnly))
	}
}
