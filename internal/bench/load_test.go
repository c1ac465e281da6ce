package bench

import (
	"bufio"
	"io"
	"net"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestTally(t *testing.T) {
	got := tally([]answer{
		{status: 200, took: 3, asked: true, done: true},
		{status: 429, took: 40, asked: true, done: true},
		{status: 200, took: 1, asked: true, done: true},
		{status: 200, took: 2, asked: true, done: true},
		{status: 200, took: 900, done: true},  // asked before it counted
		{status: 200, took: 50, asked: true},  // answered after it counted
		{status: 401, took: 700, asked: true}, // likewise
	})
	if got.Answers[200] != 4 || got.Answers[429] != 1 || got.Answers[401] != 0 {
		t.Errorf("answers %v, want four of 200 and one of 429", got.Answers)
	}
	if q := got.Millis[200]; q.P50 != 2e-6 || q.P99 != 5e-5 {
		t.Errorf("200 took %v, want a median of 2 ns and a p99 of 50 ns, in ms", q)
	}
	if q := got.Millis[429]; q.P50 != 4e-5 {
		t.Errorf("429 took %v, want a median of 40 ns: other answers must not count", q)
	}
}

func TestNumber(t *testing.T) {
	text := `{"password":"wrong ` + numbered + `"}`
	request := []byte(text)
	for n, want := range map[int64]string{7: "wrong 000000000007", 1_234_567_890_123: "wrong 234567890123"} {
		number(request, text, n)
		if got := string(request); !strings.Contains(got, want) || len(got) != len(text) {
			t.Errorf("number %d made %s, want %s in it", n, got, want)
		}
	}
}

// A paced load that finds its connection busy counts from when it was due.
func TestALateAnswerIsPaidForByTheNext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server, client := net.Pipe()
		defer client.Close()
		go func() { // ends when the pipe does
			in := bufio.NewReader(server)
			for first := true; ; first = false {
				for line := ""; line != "\r\n"; {
					var err error
					if line, err = in.ReadString('\n'); err != nil {
						return
					}
				}
				if first {
					time.Sleep(320 * time.Millisecond)
				}
				_, _ = io.WriteString(server, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
			}
		}()
		l := load{Requests: []string{"GET / HTTP/1.1\r\n\r\n"}, Conns: 1, Rate: 10, Expect: []int{200}}
		begin := time.Now()
		var next atomic.Int64
		answers, err := l.drive(&conn{client, bufio.NewReader(client)}, 0, &next, begin, begin, begin.Add(550*time.Millisecond))
		if err != nil {
			t.Fatal(err)
		}
		var got []time.Duration
		for _, a := range answers {
			if a.asked {
				got = append(got, a.took/time.Millisecond)
			}
		}
		if want := []time.Duration{320, 220, 120, 20, 0, 0}; !slices.Equal(got, want) {
			t.Errorf("they took %v ms, want %v", got, want)
		}
	})
}
