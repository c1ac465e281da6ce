package storetest_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"bureau/internal/store/storetest"
)

func TestPostgresGivesAFreshEmptyDatabase(t *testing.T) {
	for range 2 {
		conn := connect(t, storetest.Postgres(t))
		if n := count(t, conn, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"); n != 0 {
			t.Fatalf("a fresh database has %d tables, want none", n)
		}
		// The second turn finds no trace of this.
		if _, err := conn.Exec(t.Context(), "CREATE TABLE trace (n INT)"); err != nil {
			t.Fatal(err)
		}
	}
}

func TestPostgresLikeGivesACopyOfItsOwn(t *testing.T) {
	model := storetest.Postgres(t)
	conn := connect(t, model)
	if _, err := conn.Exec(t.Context(), "CREATE TABLE trace (n INT)"); err != nil {
		t.Fatal(err)
	}
	if err := conn.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		like := connect(t, storetest.PostgresLike(t, model))
		if n := count(t, like, "SELECT count(*) FROM trace"); n != 0 {
			t.Fatalf("a copy holds %d rows that another wrote", n)
		}
		if _, err := like.Exec(t.Context(), "INSERT INTO trace VALUES (1)"); err != nil {
			t.Fatal(err)
		}
	}
}

func TestPostgresGivesADatabaseOfItsOwnToEachCall(t *testing.T) {
	a, b := storetest.Postgres(t), storetest.Postgres(t)
	if a == b {
		t.Fatalf("two calls gave the same database: %s", a)
	}
	if folder(t, a) != folder(t, b) {
		t.Fatalf("two calls started two servers: %s and %s", a, b)
	}
}

func TestPostgresDropsTheDatabaseThoughSomeoneIsConnected(t *testing.T) {
	var gone string
	t.Run("inner", func(inner *testing.T) {
		gone = storetest.Postgres(inner)
		connect(t, gone) // and stays connected until the outer test ends
	})
	if gone == "" {
		return // the inner test said why
	}
	if conn, err := pgx.Connect(t.Context(), gone); err == nil {
		conn.Close(t.Context())
		t.Fatalf("%s is still there", gone)
	}
}

func TestServerKeepsWhatItHeldThroughAStopAndAKill(t *testing.T) {
	s := storetest.PostgresServer(t)
	at := s.URL("postgres")
	conn := connect(t, at)
	if _, err := conn.Exec(t.Context(), "CREATE TABLE kept (n INT)"); err != nil {
		t.Fatal(err)
	}
	for i, end := range []func(){s.Stop, s.Kill, s.Kill} {
		if _, err := conn.Exec(t.Context(), "INSERT INTO kept VALUES ($1)", i); err != nil {
			t.Fatal(err)
		}
		end()
		if err := conn.Ping(t.Context()); err == nil {
			t.Fatalf("turn %d: the server still answers", i)
		}
		s.Start()
		conn = connect(t, at)
		if n := count(t, conn, "SELECT count(*) FROM kept"); n != i+1 {
			t.Fatalf("turn %d: %d rows, want %d", i, n, i+1)
		}
	}
	if s := text(t, conn, "SHOW fsync"); s != "on" {
		t.Fatalf("fsync is %s, want on", s)
	}
}

func TestServerLeavesNoFolderBehind(t *testing.T) {
	var dir string
	t.Run("inner", func(t *testing.T) {
		dir = folder(t, storetest.PostgresServer(t).URL("postgres"))
	})
	if dir == "" {
		return // the inner test said why
	}
	if there(dir) {
		t.Fatalf("%s is still there after its test", dir)
	}
}

func TestKilledProcessLeavesNothingBehind(t *testing.T) {
	if playing() {
		fmt.Println(storetest.Postgres(t))
		_, _ = io.Copy(io.Discard, os.Stdin) // until we are killed
		return
	}
	storetest.Postgres(t) // skips where there is no PostgreSQL

	child, out := play(t)
	line, err := out.ReadString('\n')
	at := strings.TrimSpace(line)
	if err != nil || !strings.HasPrefix(at, "postgres://") {
		t.Fatalf("the child said %q, %v; want the address of its database", line, err)
	}
	dir := folder(t, at)
	conn := connect(t, at) // a client that stays must not hold the end up

	kill(t, child)
	eventually(t, "the folder is gone", func() bool { return !there(dir) })
	if err := conn.Ping(t.Context()); err == nil {
		t.Fatal("the folder is gone, but the server still answers")
	}
}

func TestKilledWhileStartingLeavesNothingBehind(t *testing.T) {
	if playing() {
		storetest.Postgres(t)
		_, _ = io.Copy(io.Discard, os.Stdin)
		return
	}
	beside := filepath.Dir(folder(t, storetest.Postgres(t)))

	// Each is the first sign of another state that the server may be in.
	for _, sign := range []string{"log", "data/PG_VERSION", "pipe", "data/postmaster.pid"} {
		child, _ := play(t)
		folders := filepath.Join(beside, fmt.Sprintf("bureau-postgres-%d-*", child.Process.Pid))
		eventually(t, sign+" is there", func() bool {
			found, _ := filepath.Glob(filepath.Join(folders, sign))
			return len(found) > 0
		})
		kill(t, child)
		eventually(t, "the folder is gone", func() bool {
			found, _ := filepath.Glob(folders)
			return len(found) == 0
		})
	}
}

// playing reports whether this process is the child that play started.
func playing() bool { return os.Getenv("BUREAU_STORETEST_CHILD") == "1" }

// play runs the calling test in a process of its own, and returns what it says.
func play(t *testing.T) (*exec.Cmd, *bufio.Reader) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.timeout=2m")
	cmd.Env = append(os.Environ(), "BUREAU_STORETEST_CHILD=1")
	if _, err := cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd, bufio.NewReader(out)
}

func kill(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
}

func there(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

func connect(t *testing.T, at string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.Background()) })
	return conn
}

func count(t *testing.T, conn *pgx.Conn, sql string) (n int) {
	t.Helper()
	if err := conn.QueryRow(t.Context(), sql).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func text(t *testing.T, conn *pgx.Conn, sql string) (s string) {
	t.Helper()
	if err := conn.QueryRow(t.Context(), sql).Scan(&s); err != nil {
		t.Fatal(err)
	}
	return s
}

func folder(t *testing.T, at string) string {
	t.Helper()
	u, err := url.Parse(at)
	if err != nil {
		t.Fatal(err)
	}
	return u.Query().Get("host")
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	deadline := time.Now().Add(time.Minute)
	for !ok() {
		if time.Now().After(deadline) {
			t.Fatalf("after a minute it is still not so that %s", what)
		}
		time.Sleep(10 * time.Millisecond)
	}
}
