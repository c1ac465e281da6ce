package storetest

import (
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"bureau/internal/lacktest"
)

// Pooled is the address of a database of this server through a PgBouncer that
// gives each client a connection for as long as it is there, as
// docs/operations.md asks. It is gone when the test ends.
func (s *Server) Pooled(db string) string {
	s.tb.Helper()
	program := lacktest.Program(s.tb, "pgbouncer")
	dir := s.c.dir // of the user that both run as
	settings := fmt.Sprintf(`[databases]
* = host=%s port=5432 user=postgres
[pgbouncer]
unix_socket_dir = %s
listen_port = 6432
auth_type = any
pool_mode = session
default_pool_size = 50
`, dir, dir)
	file := filepath.Join(dir, "pgbouncer.ini")
	if err := os.WriteFile(file, []byte(settings), 0o644); err != nil {
		s.tb.Fatal(err)
	}
	c := exec.Command(program, "--quiet", file)
	c.SysProcAttr, c.Dir = s.c.keeper.SysProcAttr, dir // it refuses to be root
	if err := c.Start(); err != nil {
		s.tb.Fatal(err)
	}
	s.tb.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait() // it was killed
	})
	for began := time.Now(); ; time.Sleep(20 * time.Millisecond) { // between two looks
		conn, err := net.Dial("unix", filepath.Join(dir, ".s.PGSQL.6432"))
		if err == nil {
			conn.Close()
			break
		}
		if time.Since(began) > time.Minute {
			s.tb.Fatalf("PgBouncer does not answer: %v", err)
		}
	}
	q := url.Values{"host": {dir}, "port": {"6432"}, "user": {"postgres"}, "sslmode": {"disable"}}
	return "postgres:///" + url.PathEscape(db) + "?" + q.Encode()
}
