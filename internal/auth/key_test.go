package auth

import (
	"testing"
	"time"
)

// Two nodes with different settings must not make keys without end.
func TestNodesThatDifferInTheAlgorithm(t *testing.T) {
	m := newMint(t, "EdDSA")
	keys := []Key{m.key}
	schedules := []KeySchedule{DefaultKeySchedule, DefaultKeySchedule}
	schedules[1].Alg = "ES256"
	const hours = 24
	for range hours * 60 { // each takes a look every minute
		for _, s := range schedules {
			if at, due := s.due(keys, m.now); due {
				keys = append(keys, m.newKey(s.Alg, at))
			}
		}
		m.now = m.now.Add(time.Minute)
	}
	if most := hours + 1; len(keys) > most {
		t.Errorf("%d keys in a day, want at most one an hour", len(keys))
	}
}

func TestNewAlgorithmTakesOverAfterTheLead(t *testing.T) {
	m := newMint(t, "EdDSA")
	s := DefaultKeySchedule
	s.Alg = "ES256"
	at, due := s.due([]Key{m.key}, m.now)
	if want := m.now.Add(s.Lead); !due || !at.Equal(want) {
		t.Fatalf("due %t at %s, want at %s", due, at, want)
	}
	if _, again := s.due([]Key{m.key, m.newKey("ES256", at)}, m.now); again {
		t.Error("it is due again at once")
	}
}

// Keys that become active at the same moment are in the same order everywhere,
// or one node would sign with a key that another has retired.
func TestKeysOfTheSameMomentHaveOneOrder(t *testing.T) {
	m := newMint(t, "EdDSA")
	a, b, c := m.newKey("EdDSA", m.now), m.newKey("EdDSA", m.now), m.newKey("EdDSA", m.now)
	var first Key
	for i, keys := range [][]Key{{a, b, c}, {c, b, a}, {b, c, a}, {b, a, c}} {
		got, ok := signingKey(keys, m.now)
		if i == 0 {
			first = got
		}
		if !ok || got.ID != first.ID {
			t.Errorf("the order of arrival decides who signs: %s or %s", first.ID, got.ID)
		}
	}
}

// After an emergency the one key left is used, though by a clock that lags it
// is not active yet.
func TestLaggingClockStillSigns(t *testing.T) {
	m := newMint(t, "EdDSA")
	m.now = m.now.Add(-20 * time.Second)
	token := m.issue()
	if _, _, err := m.tokens.Verify(token); err != nil {
		t.Error(err)
	}
}
