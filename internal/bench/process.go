package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// A role is what this program does when it starts itself again: each side of a
// measurement has a process of its own, so that their CPU can be told apart.
type role struct {
	name string
	run  func(in io.Reader, out io.Writer) error
}

var roles = []role{
	{"load", runLoad},
	{"baseline", runBaseline},
	{"hash", runHash},
	{"insert", runInsert},
	{"page", runPage},
	{"search", runSearch},
	{"find", runFind},
	{"sink", runSink},
	{"post", runPost},
	{"change", runChange},
	{"hold", runHold},
	{"listen", runListen},
	{"hear", runHear},
	{"screening server", runScreeningServer},
	{"screen", onScreener(screenNames)},
	{"lists", runLists},
	{"watch", onScreener(watchLists)},
	{"quality", onScreener(judge)},
}

// roleWord comes before the name of a role on a command line. No command is
// called so.
const roleWord = "__bench"

// Play plays the role that a command line names, if it names one: whatever
// program measures must ask this before it reads its command line.
func Play(args []string, in io.Reader, out io.Writer) (played bool, err error) {
	if len(args) != 2 || args[0] != roleWord {
		return false, nil
	}
	for _, r := range roles {
		if r.name == args[1] {
			return true, r.run(in, out)
		}
	}
	return true, fmt.Errorf("there is no role %q", args[1])
}

// start starts this program in a role and hands it its order as JSON. It ends
// with ctx, or when its standard input does: a dead parent leaves nothing
// behind.
func start(ctx context.Context, name string, order any, out io.Writer) (*exec.Cmd, io.Closer, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, nil, err
	}
	c := exec.CommandContext(ctx, self, roleWord, name)
	c.Stdout, c.Stderr = out, os.Stderr
	in, err := c.StdinPipe()
	if err != nil {
		return nil, nil, err
	}
	if err := c.Start(); err != nil {
		return nil, nil, fmt.Errorf("start %s: %w", name, err)
	}
	if err := json.NewEncoder(in).Encode(order); err != nil {
		return nil, nil, fmt.Errorf("order %s: %w", name, err)
	}
	return c, in, nil
}

// ask starts this program in a role and waits for its answer.
func ask[A any](ctx context.Context, name string, order any) (answer A, err error) {
	var out bytes.Buffer
	c, in, err := start(ctx, name, order, &out)
	if err != nil {
		return answer, err
	}
	defer in.Close()
	if err := c.Wait(); err != nil {
		return answer, fmt.Errorf("%s: %w", name, err)
	}
	if err := json.Unmarshal(out.Bytes(), &answer); err != nil {
		return answer, fmt.Errorf("read what %s answered: %w", name, err)
	}
	return answer, nil
}

// takeOrder is the other end of start: it reads the order, and ends the process
// when the parent goes away.
func takeOrder(in io.Reader, order any) error {
	d := json.NewDecoder(in)
	if err := d.Decode(order); err != nil {
		return fmt.Errorf("read the order: %w", err)
	}
	go func() { // ends with the process
		_, _ = io.Copy(io.Discard, in)
		os.Exit(1)
	}()
	return nil
}

// freeAddress is a loopback address that nobody listens on.
func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// await waits until something listens on an address, or the process that should
// has ended.
func await(ctx context.Context, address string, ended <-chan error) error {
	for {
		c, err := net.DialTimeout("tcp", address, time.Second)
		if err == nil {
			return c.Close()
		}
		select {
		case err := <-ended:
			return fmt.Errorf("it ended before it served: %w", err)
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// ticks is the unit in which Linux tells CPU time to programs.
const ticks = 100

// cpuOf is the CPU time that a process has used, with its system calls. It is
// unknown where there is no /proc.
func cpuOf(pid int) (used time.Duration, known bool) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, false
	}
	// The second field is the program's name, which may hold anything.
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(fields) < 13 {
		return 0, false
	}
	var sum time.Duration
	for _, f := range fields[11:13] {
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			return 0, false
		}
		sum += time.Duration(n) * time.Second / ticks
	}
	return sum, true
}

// awaitRest waits until a server has nothing more to do by itself: after a large
// import its readers go through the log, which is not what is to be measured.
func (s *server) awaitRest(ctx context.Context, own bool) error {
	const every = 500 * time.Millisecond
	calm := 4
	if own {
		calm = 2 // what was imported is little
	}
	before, known := cpuOf(s.pid)
	for quiet := 0; known && quiet < calm; quiet++ {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(every):
		}
		now, _ := cpuOf(s.pid)
		if now-before > every/10 {
			quiet = -1
		}
		before = now
	}
	return nil
}
