package auth

// A table holds what is counted under each key. It is bounded: once it is full
// newcomers are counted under a coarser key, so that a full table is not an
// open door.
type table[T any] struct {
	of   map[uint64]*T
	room int // how many keys it takes before it is full
	peak int // the most keys since the map was made
}

// coarseKeys is how many coarser keys there are, on top of the room.
const coarseKeys = 1 << 12

func newTable[T any](room int) table[T] { return table[T]{of: map[uint64]*T{}, room: room} }

// look finds the entry of a key, or that of the coarser key if the table is
// full. It is nil if there is none.
func (t *table[T]) look(key, coarser uint64) *T {
	e := t.of[key]
	if e == nil && len(t.of) >= t.room {
		e = t.of[coarser%coarseKeys]
	}
	return e
}

// find is like look, but makes an entry where there is none.
func (t *table[T]) find(key, coarser uint64) *T {
	e := t.look(key, coarser)
	if e != nil {
		return e
	}
	if len(t.of) >= t.room {
		key = coarser % coarseKeys
	}
	e = new(T)
	t.of[key] = e
	t.peak = max(t.peak, len(t.of))
	return e
}

// sweep drops a few entries that are past. A map is walked from a random place,
// so every entry's turn comes, and nobody waits long.
func (t *table[T]) sweep(past func(*T) bool) {
	const few = 3
	n := 0
	for k, e := range t.of {
		if past(e) {
			delete(t.of, k)
		}
		if n++; n == few {
			break
		}
	}
	// A map never shrinks, and a walk through one that is nearly empty looks
	// at all its empty places: after a flood each login would pay for it.
	if t.peak > 1024 && len(t.of) < t.peak/4 {
		small := make(map[uint64]*T, len(t.of))
		for k, e := range t.of {
			small[k] = e
		}
		t.of, t.peak = small, len(small)
	}
}
