package storetest

import (
	"sync"
	"sync/atomic"
	"testing"
)

// keys are the promises of CheckKey and HasKeyCheck.
var keys = []promise{
	{"a database belongs to the first key that it meets", firstKey},
	{"of two nodes with new keys one is refused", oneKey},
}

func firstKey(t *testing.T, s nodes) {
	if has, err := s.HasKeyCheck(t.Context()); err != nil || has {
		t.Errorf("a new database has a key: %v, %v", has, err)
	}
	noError(t, s.CheckKey(t.Context(), []byte("one")))
	noError(t, s.other.CheckKey(t.Context(), []byte("one")))
	if has, err := s.other.HasKeyCheck(t.Context()); err != nil || !has {
		t.Errorf("the database has no key: %v, %v", has, err)
	}
	if err := s.other.CheckKey(t.Context(), []byte("two")); err == nil {
		t.Error("another key was taken")
	}
	noError(t, s.CheckKey(t.Context(), []byte("one")))
}

func oneKey(t *testing.T, s nodes) {
	var refused atomic.Int64
	var wg sync.WaitGroup
	for key, node := range map[string]Store{"one": s.Store, "two": s.other} {
		wg.Go(func() {
			if node.CheckKey(t.Context(), []byte(key)) != nil {
				refused.Add(1)
			}
		})
	}
	wg.Wait()
	if n := refused.Load(); n != 1 {
		t.Errorf("%d were refused, want 1", n)
	}
}
