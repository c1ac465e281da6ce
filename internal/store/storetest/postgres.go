package storetest

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"bureau/internal/lacktest"
)

// Postgres returns the URL of a fresh, empty database on a PostgreSQL that this
// test process starts for itself at the first call. The database goes when tb
// ends, and the server when the process does, however it ends.
//
// Where PostgreSQL is not installed the test is skipped; under BUREAU_CI=1 it
// fails.
func Postgres(tb testing.TB) string {
	tb.Helper()
	return fresh(tb, (*cluster).create)
}

// PostgresLike returns the URL of a fresh copy of a database, for whom an empty
// one is of no use yet: to copy the tables takes less than to make them. model is
// such a database, which nobody is connected to.
func PostgresLike(tb testing.TB, model string) string {
	tb.Helper()
	u, err := url.Parse(model)
	if err != nil {
		tb.Fatal(err)
	}
	return fresh(tb, func(c *cluster) (string, error) { return c.createLike(strings.TrimPrefix(u.Path, "/")) })
}

// fresh has a database made, which goes when tb ends.
func fresh(tb testing.TB, create func(*cluster) (string, error)) string {
	tb.Helper()
	c, err := shared()
	if err != nil {
		giveUp(tb, err)
	}
	db, err := create(c)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := c.drop(db); err != nil {
			tb.Error(err)
		}
	})
	return c.urlAs(owner, db)
}

// shared is the one server of this process. It is lazy about syncing: a test
// that pulls the plug needs PostgresServer. A database is a thousand files, so that
// it is made many times as fast in memory.
var shared = sync.OnceValues(func() (*cluster, error) {
	c, err := makeCluster(inMemory(), "", "fsync=off", "full_page_writes=off", "synchronous_commit=off")
	if err != nil {
		return nil, err
	}
	if err := c.start(); err != nil {
		return c, err
	}
	for _, sql := range []string{
		"CREATE ROLE " + owner + " LOGIN",
		"CREATE ROLE " + owner + "_walled NOLOGIN",
		"GRANT " + owner + "_walled TO " + owner,
	} {
		if err := c.admin(sql); err != nil {
			return c, err
		}
	}
	return c, nil
})

// owner has the databases of tests: as docs/operations.md has it, a role that may
// do nothing but with its own.
const owner = "bureau"

// A Server is a PostgreSQL that belongs to one test, which may stop it, kill it
// and start it again. It syncs to disk as a real one does.
type Server struct {
	tb testing.TB
	c  *cluster
}

// PostgresServer starts a Server. It is gone when tb ends. It skips and fails
// as Postgres does.
func PostgresServer(tb testing.TB) *Server {
	tb.Helper()
	return serverWith(tb)
}

// serverWith starts a Server with settings on top of our own.
func serverWith(tb testing.TB, settings ...string) *Server {
	tb.Helper()
	c, err := newCluster(settings...)
	if err != nil {
		giveUp(tb, err)
	}
	return newServer(tb, c)
}

// newServer starts the server of a cluster, which is gone when tb ends.
func newServer(tb testing.TB, c *cluster) *Server {
	tb.Helper()
	s := &Server{tb: tb, c: c}
	tb.Cleanup(func() {
		if err := c.close(); err != nil {
			tb.Error(err)
		}
	})
	s.Start()
	return s
}

// URL is the address of the database db. A new server has one called postgres,
// which is empty.
func (s *Server) URL(db string) string { return s.c.url(db) }

// Start starts a stopped or killed server and returns when it takes calls.
func (s *Server) Start() {
	s.tb.Helper()
	if err := s.c.start(); err != nil {
		s.tb.Fatal(err)
	}
}

// Stop ends the server in good order, cutting off whoever is connected.
func (s *Server) Stop() {
	s.tb.Helper()
	if err := s.c.order("stop"); err != nil {
		s.tb.Fatal(err)
	}
}

// Kill ends the server as a crash does, and returns when its last process is
// gone.
func (s *Server) Kill() {
	s.tb.Helper()
	if err := s.c.order("kill"); err != nil {
		s.tb.Fatal(err)
	}
}

// giveUp ends a test that cannot have its PostgreSQL.
func giveUp(tb testing.TB, err error) {
	tb.Helper()
	if _, ok := errors.AsType[absent](err); ok {
		lacktest.Skip(tb, "PostgreSQL: %v", err)
	}
	tb.Fatalf("start PostgreSQL: %v", err)
}

// url names the port and the user as well, so that no PGPORT or PGUSER of the
// person who runs the tests leads elsewhere.
func (c *cluster) url(db string) string { return c.urlAs("postgres", db) }

func (c *cluster) urlAs(user, db string) string {
	q := url.Values{"host": {c.dir}, "port": {"5432"}, "user": {user}, "sslmode": {"disable"}}
	return "postgres:///" + url.PathEscape(db) + "?" + q.Encode()
}

// create makes a database that sorts words as a dictionary does, as most real
// ones do: a query that relies on the order of bytes fails here.
func (c *cluster) create() (string, error) {
	return c.createLike("template0 LOCALE_PROVIDER icu ICU_LOCALE 'en-US'")
}

func (c *cluster) createLike(model string) (string, error) {
	db := fmt.Sprintf("test_%d", c.made.Add(1))
	return db, c.admin("CREATE DATABASE " + db + " OWNER " + owner + " TEMPLATE " + model)
}

func (c *cluster) drop(db string) error {
	return c.admin("DROP DATABASE IF EXISTS " + db + " WITH (FORCE)")
}

// admin runs one statement beside the tests' databases. It has a context of its
// own, since a test's is already over when its cleanup runs.
func (c *cluster) admin(sql string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	conn, err := pgx.Connect(ctx, c.url("postgres"))
	if err != nil {
		return fmt.Errorf("%s: %w", sql, err)
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, sql); err != nil {
		return fmt.Errorf("%s: %w", sql, err)
	}
	return nil
}

// OwnedBy makes an ordinary role, which may do nothing but with what it owns, and
// a database of the same name that it owns, and returns its address.
func (s *Server) OwnedBy(role string) string {
	s.tb.Helper()
	for _, sql := range []string{"CREATE ROLE " + role + " LOGIN", "CREATE DATABASE " + role + " OWNER " + role} {
		if err := s.c.admin(sql); err != nil {
			s.tb.Fatal(err)
		}
	}
	return s.c.urlAs(role, role)
}
