package bench

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// A postgres is a server of our own in a temporary folder. It syncs to disk as
// a real one does, and speaks only through a socket in that folder.
type postgres struct {
	bin, dir string
	keeper   *exec.Cmd
	leash    io.Closer
	made     int
}

// errNoPostgres says that the machine has none.
var errNoPostgres = errors.New("PostgreSQL 15 or newer is not installed")

// keep makes a database and serves it until its standard input ends, which it
// also does when we die. Then it throws everything away.
const keep = `
bin=$1 dir=$2
exec 3>&1 >>"$dir/log" 2>&1
"$bin/initdb" --pgdata="$dir/data" --username=postgres --auth=trust --encoding=UTF8 --locale=C --no-instructions 3>&- || exit
"$bin/postgres" -D "$dir/data" -c listen_addresses= -c unix_socket_directories="$dir" -c max_connections=100 </dev/null 3>&- &
pg=$!
echo started >&3
read -r _
kill -INT "$pg"
wait "$pg"
rm -rf "$dir"
`

func startPostgres(ctx context.Context) (*postgres, error) {
	bin := findPostgres()
	if bin == "" {
		return nil, errNoPostgres
	}
	// Not TMPDIR: a socket's path may have no more than about a hundred bytes.
	dir, err := os.MkdirTemp("/tmp", "bureau-bench-")
	if err != nil {
		return nil, err
	}
	p := &postgres{bin: bin, dir: dir, keeper: exec.Command("/bin/sh", "-c", keep, "sh", bin, dir)}
	p.keeper.Dir = dir
	p.keeper.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C"}
	if p.keeper.SysProcAttr, err = ordinaryUser(dir); err != nil {
		os.Remove(dir)
		return nil, err
	}
	in, err := p.keeper.StdinPipe()
	if err != nil {
		return nil, err
	}
	p.leash = in
	out, err := p.keeper.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.keeper.Start(); err != nil {
		return nil, fmt.Errorf("start PostgreSQL: %w", err)
	}
	if said, _ := bufio.NewReader(out).ReadString('\n'); said != "started\n" {
		return nil, fmt.Errorf("start PostgreSQL: %s", p.log())
	}
	return p, p.await(ctx)
}

func (p *postgres) await(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for p.sql(ctx, "SELECT 1") != nil {
		select {
		case <-ctx.Done():
			return fmt.Errorf("PostgreSQL does not answer: %s", p.log())
		case <-time.After(100 * time.Millisecond):
		}
	}
	return nil
}

// create makes an empty database and returns its URL.
func (p *postgres) create(ctx context.Context) (string, error) {
	p.made++
	db := fmt.Sprintf("bench_%d", p.made)
	if err := p.sql(ctx, "CREATE DATABASE "+db); err != nil {
		return "", err
	}
	q := url.Values{"host": {p.dir}, "port": {"5432"}, "user": {"postgres"}, "sslmode": {"disable"}}
	return "postgres:///" + db + "?" + q.Encode(), nil
}

// drop throws away what create made.
func (p *postgres) drop(ctx context.Context, address string) error {
	u, err := url.Parse(address)
	if err != nil {
		return err
	}
	return p.sql(ctx, "DROP DATABASE "+strings.TrimPrefix(u.Path, "/")+" WITH (FORCE)")
}

func (p *postgres) sql(ctx context.Context, statement string) error {
	c := exec.CommandContext(ctx, filepath.Join(p.bin, "psql"), "--no-psqlrc", "--quiet", "--host", p.dir,
		"--port", "5432", "--username", "postgres", "--dbname", "postgres", "--command", statement)
	if said, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", statement, err, said)
	}
	return nil
}

func (p *postgres) log() string {
	text, _ := os.ReadFile(filepath.Join(p.dir, "log"))
	return string(text[max(0, len(text)-2000):])
}

func (p *postgres) stop() {
	p.leash.Close()
	_ = p.keeper.Wait()
}

// findPostgres returns the folder of the newest PostgreSQL of at least 15.
func findPostgres() string {
	dirs, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
	if path, err := exec.LookPath("postgres"); err == nil {
		dirs = append(dirs, filepath.Dir(path))
	}
	best, newest := "", 14
	for _, dir := range dirs {
		out, err := exec.Command(filepath.Join(dir, "postgres"), "--version").Output()
		if err != nil {
			continue
		}
		var version int
		_, rest, _ := strings.Cut(string(out), "(PostgreSQL) ")
		if _, err := fmt.Sscanf(rest, "%d", &version); err == nil && version > newest {
			best, newest = dir, version
		}
	}
	return best
}
