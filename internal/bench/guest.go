package bench

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"bureau/internal/store"
)

// A guest makes databases of its own on somebody's PostgreSQL and leaves it as it
// was. In the database whose address it was given it reads and writes nothing:
// not even a schema of its own would do, since locks and wake-up calls are
// shared by a whole database.
type guest struct {
	address string
	made    []string // names of databases that are there
}

// openGuest sees whether databases can be made, before anything is measured.
func openGuest(ctx context.Context, address string) (*guest, error) {
	if !store.IsPostgres(address) {
		return nil, Misuse{fmt.Errorf("--db is a postgres:// URL here; without it, files in a temporary folder are measured")}
	}
	g := &guest{address: address}
	at, err := g.create(ctx)
	if err != nil {
		g.close()
		return nil, err
	}
	return g, g.drop(ctx, at)
}

// notAllowed is PostgreSQL's code for insufficient privilege.
const notAllowed = "42501"

// create makes an empty database and returns its address.
func (g *guest) create(ctx context.Context) (string, error) {
	u, err := url.Parse(g.address)
	if err != nil {
		return "", Misuse{fmt.Errorf("--db cannot be read as an address")} // it may hold a password
	}
	name := "bureau_bench_" + strings.ToLower(rand.Text())
	// The plainest template: another may hold somebody's tables.
	err = g.exec(ctx, "CREATE DATABASE "+name+" TEMPLATE template0")
	if refused, ok := errors.AsType[*pgconn.PgError](err); ok && refused.Code == notAllowed {
		return "", fmt.Errorf("bench needs databases of its own and may not make one there: give its user the right CREATEDB (%w)", err)
	}
	if err != nil {
		return "", fmt.Errorf("bench needs databases of its own and cannot make one there: %w", err)
	}
	g.made = append(g.made, name)
	u.Path, u.RawPath = "/"+name, ""
	q := u.Query()
	q.Del("dbname")
	q.Del("search_path") // its schema is not in the new one
	u.RawQuery = q.Encode()
	return u.String(), nil
}

// drop throws away what create made, and nothing else.
func (g *guest) drop(ctx context.Context, address string) error {
	u, err := url.Parse(address)
	if err != nil {
		return err
	}
	name := strings.TrimPrefix(u.Path, "/")
	for i, n := range g.made {
		if n == name {
			g.made = append(g.made[:i], g.made[i+1:]...)
			return g.exec(ctx, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)")
		}
	}
	return fmt.Errorf("the database %s is not ours", name)
}

// close throws everything away, also when the run was broken off.
func (g *guest) close() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for _, name := range g.made {
		_ = g.exec(ctx, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)")
	}
	g.made = nil
}

func (g *guest) exec(ctx context.Context, statement string) error {
	c, err := pgx.Connect(ctx, g.address)
	if err != nil {
		return err
	}
	defer c.Close(context.WithoutCancel(ctx))
	_, err = c.Exec(ctx, statement)
	return err
}
