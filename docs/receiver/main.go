// Command receiver is a small receiver of webhooks, to start from: it answers
// the challenge, believes only what is signed, and prints each event once.
//
//	go run ./docs/receiver --listen localhost:9100 --key-file webhook.key
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"bureau/client"
)

func main() {
	listen := flag.String("listen", "localhost:9100", "where to listen")
	key := flag.String("key-file", "webhook.key", "holds the webhook's secret (whsec_…) or public key (whpk_…)")
	flag.Parse()
	l, err := net.Listen("tcp", *listen)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("listening on", l.Addr())
	server := &http.Server{Handler: &receiver{keyFile: *key, seen: map[string]bool{}}, ReadTimeout: 10 * time.Second}
	log.Fatal(server.Serve(l))
}

// maxBody is more than any message has.
const maxBody = 1 << 20

type receiver struct {
	keyFile string

	mu   sync.Mutex
	seen map[string]bool // messages by their id; a real receiver keeps them with its data
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, q.Body, maxBody))
	if err != nil {
		http.Error(w, "the body cannot be read", http.StatusBadRequest)
		return
	}
	key, err := os.ReadFile(r.keyFile)
	switch {
	case errors.Is(err, os.ErrNotExist):
		// The challenge comes before we know the secret, which is in the
		// answer to whoever made the webhook. Nothing else is believed yet.
		if m, err := client.ReadWebhook(body); err == nil && m.Type == client.WebhookChallenge {
			answer(w, m)
			return
		}
		http.Error(w, "there is no key yet", http.StatusServiceUnavailable)
		return
	case err != nil:
		http.Error(w, "the key cannot be read", http.StatusServiceUnavailable)
		return
	}
	if err := client.VerifyWebhook(strings.TrimSpace(string(key)), q.Header, body, 0); err != nil {
		http.Error(w, err.Error(), http.StatusUnauthorized)
		return
	}
	m, err := client.ReadWebhook(body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if m.Type == client.WebhookEvent && r.fresh(q.Header.Get("Webhook-Id")) {
		fmt.Printf("event %d: %s: %s\n", m.Sequence, m.Event.Company.Name, m.Event.Summary)
	}
	answer(w, m) // 2xx only when the event is safe with us
}

// fresh reports whether a message was not seen before: the service sends one
// again if it did not hear our answer.
func (r *receiver) fresh(id string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.seen[id] {
		return false
	}
	r.seen[id] = true
	return true
}

// answer takes a message. A challenge gets its text back.
func answer(w http.ResponseWriter, m client.WebhookMessage) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]string{"challenge": m.Challenge})
}
