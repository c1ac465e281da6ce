package job

import "sync"

// A Signal wakes whoever waits for it. The zero Signal is ready.
type Signal struct {
	mu   sync.Mutex
	next chan struct{}
}

// Wait returns a channel that is closed by the next Raise.
func (s *Signal) Wait() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.next == nil {
		s.next = make(chan struct{})
	}
	return s.next
}

// Raise wakes all who wait.
func (s *Signal) Raise() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.next != nil {
		close(s.next)
		s.next = nil
	}
}
