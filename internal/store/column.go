package store

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"time"
)

// stamp keeps a time as milliseconds since 1970, the one form in which both
// engines store, sort and return it alike. The zero time is 0.
type stamp struct{ t *time.Time }

func (s stamp) Value() (driver.Value, error) {
	if s.t.IsZero() {
		return int64(0), nil
	}
	return s.t.UnixMilli(), nil
}

func (s stamp) Scan(from any) error {
	ms, ok := from.(int64)
	if !ok {
		return fmt.Errorf("read a time from %T", from)
	}
	if ms == 0 {
		*s.t = time.Time{}
		return nil
	}
	*s.t = time.UnixMilli(ms).UTC()
	return nil
}

// list keeps a slice as JSON text. An empty one is "[]".
type list[T any] struct{ of *[]T }

func (l list[T]) Value() (driver.Value, error) {
	if len(*l.of) == 0 {
		return "[]", nil
	}
	b, err := json.Marshal(*l.of)
	return string(b), err
}

func (l list[T]) Scan(from any) error {
	var text string
	switch v := from.(type) {
	case string:
		text = v
	case []byte:
		text = string(v)
	default:
		return fmt.Errorf("read a list from %T", from)
	}
	if text == "[]" || text == "" {
		*l.of = nil
		return nil
	}
	return json.Unmarshal([]byte(text), l.of)
}

// flag keeps a bool as 0 or 1.
type flag struct{ b *bool }

func (f flag) Value() (driver.Value, error) {
	if *f.b {
		return int64(1), nil
	}
	return int64(0), nil
}

func (f flag) Scan(from any) error {
	n, ok := from.(int64)
	if !ok {
		return fmt.Errorf("read a flag from %T", from)
	}
	*f.b = n != 0
	return nil
}

// sum keeps a hash of fixed length as bytes.
type sum struct{ b *[32]byte }

func (s sum) Value() (driver.Value, error) { return s.b[:], nil }

func (s sum) Scan(from any) error {
	b, ok := from.([]byte)
	if !ok || (len(b) != 32 && len(b) != 0) {
		return fmt.Errorf("read a hash from %T of %d bytes", from, len(b))
	}
	*s.b = [32]byte{}
	copy(s.b[:], b)
	return nil
}
