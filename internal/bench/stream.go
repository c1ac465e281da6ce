package bench

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"
)

// streamRows are the rows of streams: what it takes to hold a reader, and how
// soon one hears of a change.
func streamRows() []row {
	return []row{{
		name: "stream", what: "memory of the server's process for each of 10,000 streams that are followed, over TLS",
		against: "a handler that writes a line and waits, over the same TLS", unit: inKilobytes, goal: atMost(1.5), both: true, offline: true,
		baseline: holdBare,
		ours:     holdStreams,
		also: []also{
			{"stream: memory for each of 10,000", inKilobytes, atMost(30)},
			{"stream: p50 from the commit of a change to its first byte, 100 changes/s", inMillis, atMost(20)},
			{"stream: p99 from the commit of a change to its first byte, 100 changes/s", inMillis, atMost(250)},
		},
	}}
}

func inKilobytes(v float64) string { return figure(v) + " KB" }

// streamCount is how many follow.
func (t *site) streamCount() int {
	if t.s.Small {
		return 1000
	}
	return 10_000
}

// holdStreams lets many follow a server, and then measures how soon one hears.
func holdStreams(ctx context.Context, t *site, _ sample) (sample, error) {
	p, err := t.w.newPlace(ctx, "stream", t.engine)
	if err != nil {
		return sample{}, err
	}
	defer p.remove(ctx)
	accounts, err := p.fill(ctx, 1, false)
	if err != nil {
		return sample{}, err
	}
	p.extra = []string{"--streams", "1000000", "--conns-per-source", "0"}
	server, err := p.serve(ctx)
	if err != nil {
		return sample{}, err
	}
	defer server.stop()
	site := &site{w: t.w, s: t.s, engine: t.engine, bureau: server, accounts: accounts}
	if _, err := site.signIn(); err != nil {
		return sample{}, err
	}
	each, err := t.held(ctx, server, head("GET /v1/monitoring/notificationEvents/stream")+"Authorization: Bearer "+site.token+"\r\n\r\n")
	if err != nil {
		return sample{}, err
	}
	heard, err := t.hearOfChanges(ctx)
	if err != nil {
		return sample{}, err
	}
	return sample{value: each, also: []float64{each, percentile(heard, 50), percentile(heard, 99)}}, nil
}

// holdBare does the same with the bare handler.
func holdBare(ctx context.Context, t *site, _ sample) (sample, error) {
	address, err := freeAddress()
	if err != nil {
		return sample{}, err
	}
	c, in, err := start(ctx, "hold", bare{Address: address, CertFile: t.w.certFile, KeyFile: t.w.keyFile}, io.Discard)
	if err != nil {
		return sample{}, err
	}
	defer func() {
		in.Close()
		_ = c.Wait()
	}()
	if err := await(ctx, address, nil); err != nil {
		return sample{}, err
	}
	each, err := t.held(ctx, &server{address: address, pid: c.Process.Pid}, head("GET /")+"\r\n")
	return sample{value: each}, err
}

// runHold is the bare handler's process.
func runHold(in io.Reader, _ io.Writer) error {
	var b bare
	if err := takeOrder(in, &b); err != nil {
		return err
	}
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, ": following\n\n")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	s := &http.Server{Addr: b.Address, Handler: h, ReadHeaderTimeout: time.Minute, ErrorLog: log.New(io.Discard, "", 0)}
	return s.ListenAndServeTLS(b.CertFile, b.KeyFile)
}

// held is how many kilobytes of a server's memory each of many streams takes.
// The first few pay for what is there once.
func (t *site) held(ctx context.Context, on *server, request string) (float64, error) {
	order := listening{Address: on.address, CertFile: t.w.certFile, Request: request, Count: 100}
	stop, err := listen(ctx, order)
	if err != nil {
		return 0, err
	}
	defer stop()
	before, err := memoryOf(on.pid)
	if err != nil {
		return 0, err
	}
	order.Count = t.streamCount()
	stopAll, err := listen(ctx, order)
	if err != nil {
		return 0, err
	}
	defer stopAll()
	after, err := memoryOf(on.pid)
	return float64(after-before) / float64(order.Count) / 1024, err
}

// A listening is what the process of many readers is told.
type listening struct {
	Address, CertFile, Request string
	Count                      int
}

// listen starts readers in a process of their own, and returns when each has
// its first line.
func listen(ctx context.Context, o listening) (stop func(), err error) {
	out, in := io.Pipe()
	c, order, err := start(ctx, "listen", o, in)
	if err != nil {
		return nil, err
	}
	ended := make(chan error, 1)
	go func() { // ends with the process
		err := c.Wait()
		in.CloseWithError(io.EOF)
		ended <- err
	}()
	stop = func() {
		order.Close()
		<-ended
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		stop()
		return nil, fmt.Errorf("the readers ended with %q: %w", line, err)
	}
	return stop, nil
}

// runListen is the readers' process.
func runListen(in io.Reader, out io.Writer) error {
	var o listening
	if err := takeOrder(in, &o); err != nil {
		return err
	}
	config, err := clientTLS(o.CertFile)
	if err != nil {
		return err
	}
	var all sync.WaitGroup
	var mu sync.Mutex
	var failed error
	held := make([]*conn, o.Count)
	for n := range 32 {
		all.Go(func() {
			for i := n; i < o.Count; i += 32 {
				c, err := dial(o.Address, config)
				if err == nil {
					held[i] = c
					err = c.begin(o.Request)
				}
				if err != nil {
					mu.Lock()
					failed = errors.Join(failed, err)
					mu.Unlock()
					return
				}
			}
		})
	}
	all.Wait()
	if failed != nil {
		return failed
	}
	if _, err := fmt.Fprintln(out, "all follow"); err != nil {
		return err
	}
	select {} // until the parent ends us
}

// begin asks for a stream and reads up to its first line.
func (c *conn) begin(request string) error {
	if err := c.net.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		return err
	}
	if _, err := io.WriteString(c.net, request); err != nil {
		return err
	}
	status, err := c.in.ReadSlice('\n')
	if err != nil {
		return err
	}
	if !bytes.HasPrefix(status, []byte("HTTP/1.1 200")) {
		return fmt.Errorf("asked for a stream, it answers %q", status)
	}
	for {
		line, err := c.in.ReadSlice('\n')
		if err != nil {
			return err
		}
		if bytes.HasPrefix(line, []byte(": following")) {
			return c.net.SetDeadline(time.Time{})
		}
	}
}

// memoryOf is how many bytes of memory a process holds.
func memoryOf(pid int) (int64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, fmt.Errorf("how much memory a process holds is known on Linux only: %w", err)
	}
	for line := range bytes.Lines(text) {
		if rest, ok := bytes.CutPrefix(line, []byte("VmRSS:")); ok {
			kb, err := strconv.ParseInt(string(bytes.Fields(rest)[0]), 10, 64)
			return kb << 10, err
		}
	}
	return 0, errors.New("the system does not say how much memory a process holds")
}

// hearOfChanges lets companies change and returns how many milliseconds went
// from each commit to the event's first byte on a stream.
func (t *site) hearOfChanges(ctx context.Context) ([]float64, error) {
	p, err := t.w.newPlace(ctx, "hear", t.engine)
	if err != nil {
		return nil, err
	}
	defer p.remove(ctx)
	return ask[[]float64](ctx, "hear", hearing{Data: p.data, DB: p.db, For: max(5*time.Second, t.s.window())})
}

// writeJSON answers the parent.
func writeJSON(out io.Writer, v any) error { return json.NewEncoder(out).Encode(v) }
