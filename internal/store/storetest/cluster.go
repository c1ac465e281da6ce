package storetest

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
)

// oldest is the first major version that we support.
const oldest = 15

// absent says why there is no PostgreSQL to be had on this machine.
type absent string

func (a absent) Error() string { return string(a) }

// A cluster is a PostgreSQL in a temporary folder, which holds its data, its
// socket and its log.
type cluster struct {
	dir     string
	keeper  *exec.Cmd
	orders  io.WriteCloser // held open for as long as the server should live
	answers *bufio.Reader
	made    atomic.Int64 // databases so far
}

// keep is the shell that owns a server. It obeys one word a line on its
// standard input and repeats the word when it is done. When its input ends,
// since the test closed it or died, it throws the server and the folder away.
//
// A shell starts background processes deaf to INT and QUIT, and the server stays
// so until it has set itself up. TERM is heard from the first moment, so it goes
// ahead of those two.
//
// The server and its children write through a pipe to the log. The cat at the
// far end ends with the last of them, so that waiting for it is waiting for all.
const keep = `
trap '' PIPE
bin=$1 dir=$2 pg=
shift 2
exec 3>&1 >>"$dir/log" 2>&1

end() {
	[ "$pg" ] || return 0
	for signal; do kill -"$signal" "$pg"; done
	wait "$pg" "$log"
	pg=
}

make() {
	if [ "$BASE" ]; then
		cp -a "$BASE" "$dir/data" && touch "$dir/data/recovery.signal"
	elif [ "$COPY_OF" ]; then
		"$bin/pg_basebackup" --host="$COPY_OF" --port=5432 --username=postgres --pgdata="$dir/data" \
			--write-recovery-conf --checkpoint=fast --no-sync
	else
		"$bin/initdb" --pgdata="$dir/data" --username=postgres --auth=trust \
			--encoding=UTF8 --locale=C --no-sync --no-instructions
	fi
}

if make 3>&- && mkfifo "$dir/pipe"
then echo ready >&3
else echo broken >&3
fi

while read -r order; do
	case $order in
	start)
		cat <"$dir/pipe" 3>&- &
		log=$!
		exec 4>"$dir/pipe"
		"$bin/postgres" -D "$dir/data" "$@" </dev/null >&4 2>&4 3>&- 4>&- &
		pg=$!
		exec 4>&-
		;;
	stop) end TERM INT ;;
	kill) end KILL ;;
	esac
	echo "$order" >&3
done
end TERM QUIT
rm -rf "$dir"
`

// newCluster makes the folder and the keeper of a server that is not started
// yet, with these settings on top of our own.
func newCluster(settings ...string) (*cluster, error) { return makeCluster("/tmp", "", settings...) }

// copyCluster does the same with a copy of the server whose socket is in a
// folder, which it will follow.
func copyCluster(of string, settings ...string) (*cluster, error) {
	return makeCluster("/tmp", "COPY_OF="+of, settings...)
}

// makeCluster makes a cluster in a folder, from nothing or from what the variable
// names.
func makeCluster(in, from string, settings ...string) (*cluster, error) {
	bin, err := findPostgres()
	if err != nil {
		return nil, err
	}
	// Never in TMPDIR: a socket's path may have no more than about a hundred bytes,
	// and root's own folder may be closed to the user that runs the server.
	dir, err := os.MkdirTemp(in, fmt.Sprintf("bureau-postgres-%d-", os.Getpid()))
	if err != nil {
		return nil, err
	}
	who, err := ordinaryUser(dir)
	if err != nil {
		os.Remove(dir)
		return nil, err
	}

	args := []string{"-c", keep, "sh", bin, dir}
	for _, s := range append([]string{
		"listen_addresses=",
		"port=5432", // of the socket's name: nothing listens on the network
		"unix_socket_directories=" + dir,
		"unix_socket_permissions=0700",
		"max_connections=200",
		"log_checkpoints=off",
	}, settings...) {
		args = append(args, "-c", s)
	}
	c := &cluster{dir: dir, keeper: exec.Command("/bin/sh", args...)}
	c.keeper.Dir = dir
	c.keeper.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", from} // and no PGDATA
	c.keeper.SysProcAttr = who
	if err := c.open(); err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	if err := c.answer("ready"); err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

func (c *cluster) open() error {
	orders, err := c.keeper.StdinPipe()
	if err != nil {
		return err
	}
	answers, err := c.keeper.StdoutPipe()
	if err != nil {
		return err
	}
	c.orders, c.answers = orders, bufio.NewReader(answers)
	return c.keeper.Start()
}

// start starts the server and returns when it takes calls.
func (c *cluster) start() error {
	if err := c.order("start"); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for {
		conn, err := pgx.Connect(ctx, c.url("postgres"))
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("PostgreSQL does not answer: %w\n%s", err, c.log())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// order has the keeper do one thing and waits until it is done.
func (c *cluster) order(word string) error {
	if _, err := fmt.Fprintln(c.orders, word); err != nil {
		return fmt.Errorf("%s PostgreSQL: %w", word, err)
	}
	return c.answer(word)
}

func (c *cluster) answer(want string) error {
	got, err := c.answers.ReadString('\n')
	if got = strings.TrimSpace(got); got != want {
		return fmt.Errorf("PostgreSQL's keeper said %q (%v), want %q\n%s", got, err, want, c.log())
	}
	return nil
}

// close throws the server and its folder away, and returns when they are gone.
func (c *cluster) close() error {
	c.orders.Close()
	return c.keeper.Wait()
}

func (c *cluster) log() string {
	text, err := os.ReadFile(filepath.Join(c.dir, "log"))
	if err != nil {
		return err.Error()
	}
	return string(text[max(0, len(text)-4096):])
}

// findPostgres returns the folder with the programs of the newest PostgreSQL on
// this machine. Debian keeps them off the PATH, a folder for each version.
func findPostgres() (string, error) {
	dirs, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
	if path, err := exec.LookPath("postgres"); err == nil {
		dirs = append(dirs, filepath.Dir(path))
	}
	best, version := "", oldest-1
	for _, dir := range dirs {
		out, err := exec.Command(filepath.Join(dir, "postgres"), "--version").Output()
		if err != nil {
			continue
		}
		if v := major(string(out)); v > version {
			best, version = dir, v
		}
	}
	if best == "" {
		return "", absent(fmt.Sprintf("PostgreSQL %d or newer is not installed", oldest))
	}
	return best, nil
}

// major reads the version from a line such as "postgres (PostgreSQL) 15.19
// (Debian 15.19-0+deb12u1)" or "postgres (PostgreSQL) 19beta1". It is zero where
// there is none.
func major(line string) int {
	_, rest, _ := strings.Cut(line, "(PostgreSQL) ")
	end := strings.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' })
	if end < 0 {
		end = len(rest)
	}
	v, _ := strconv.Atoi(rest[:end])
	return v
}
