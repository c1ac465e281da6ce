package storetest

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// archive is where an archiving server puts its log, seen from its data.
const archive = "../archive"

// ArchivingServer is a PostgresServer that keeps every finished piece of its log
// beside its data, as docs/operations.md tells.
func ArchivingServer(tb testing.TB) *Server {
	tb.Helper()
	return serverWith(tb, "archive_mode=on",
		fmt.Sprintf("archive_command=mkdir -p %s && test ! -f %[1]s/%%f && cp %%p %[1]s/%%f", archive))
}

// A BaseBackup is a copy of a server's files, to begin a recovery with.
type BaseBackup struct {
	of  *Server
	dir string
}

// BaseBackup copies the server while it runs.
func (s *Server) BaseBackup() *BaseBackup {
	s.tb.Helper()
	bin, err := findPostgres()
	if err != nil {
		s.tb.Fatal(err)
	}
	b := &BaseBackup{of: s, dir: filepath.Join(s.c.dir, "base")}
	c := exec.CommandContext(s.tb.Context(), filepath.Join(bin, "pg_basebackup"),
		"--host="+s.c.dir, "--port=5432", "--username=postgres", "--pgdata="+b.dir, "--checkpoint=fast", "--no-sync")
	c.SysProcAttr, c.Dir = s.c.keeper.SysProcAttr, s.c.dir
	if out, err := c.CombinedOutput(); err != nil {
		s.tb.Fatalf("pg_basebackup: %v\n%s", err, out)
	}
	return b
}

// Now is the server's own time.
func (s *Server) Now() (now time.Time) {
	s.tb.Helper()
	s.ask(`SELECT clock_timestamp()`, &now)
	return now
}

// Archive returns when all that was committed is in the archive.
func (s *Server) Archive() {
	s.tb.Helper()
	var last string
	s.ask(`SELECT pg_walfile_name(pg_switch_wal())`, &last)
	for began := time.Now(); ; time.Sleep(20 * time.Millisecond) { // between two looks
		var there bool
		s.ask(fmt.Sprintf(`SELECT COALESCE(last_archived_wal >= '%s', false) FROM pg_stat_archiver`, last), &there)
		if there {
			return
		}
		if time.Since(began) > time.Minute {
			s.tb.Fatalf("%s is not archived\n%s", last, s.c.log())
		}
	}
}

// RecoverTo makes a server of the copy and of the archive up to a time, which
// takes writes when it returns. The server that was copied may be dead.
func (b *BaseBackup) RecoverTo(at time.Time) *Server {
	tb := b.of.tb
	tb.Helper()
	c, err := makeCluster("/tmp", "BASE="+b.dir,
		fmt.Sprintf("restore_command=cp %s/%%f %%p", filepath.Join(b.of.c.dir, "archive")),
		"recovery_target_time="+at.UTC().Format("2006-01-02 15:04:05.000000+00"),
		"recovery_target_action=promote")
	if err != nil {
		tb.Fatal(err)
	}
	s := newServer(tb, c)
	for began := time.Now(); ; time.Sleep(20 * time.Millisecond) { // between two looks
		recovering := true
		s.ask(`SELECT pg_is_in_recovery()`, &recovering)
		if !recovering {
			return s
		}
		if time.Since(began) > time.Minute {
			tb.Fatalf("it is still recovering\n%s", c.log())
		}
	}
}

// ask reads one value.
func (s *Server) ask(query string, into any) {
	s.tb.Helper()
	ctx, cancel := context.WithTimeout(s.tb.Context(), time.Minute)
	defer cancel()
	conn, err := pgx.Connect(ctx, s.c.url("postgres"))
	if err == nil {
		defer conn.Close(ctx)
		err = conn.QueryRow(ctx, query).Scan(into)
	}
	if err != nil {
		s.tb.Fatalf("%s: %v\n%s", query, err, s.c.log())
	}
}
