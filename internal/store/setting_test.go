package store

import (
	"errors"
	"testing"

	"bureau/internal/fault"
)

func TestSettings(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		db := open(t, url)
		if got, err := db.Setting(t.Context(), "tea"); !errors.Is(err, fault.Missing) {
			t.Errorf("a setting that nobody saved: got %q, %v", got, err)
		}
		for _, want := range []string{"first", "second"} {
			must(t, db.SaveSetting(t.Context(), "tea", []byte(want)))
			if got, err := db.Setting(t.Context(), "tea"); err != nil || string(got) != want {
				t.Errorf("got %q, %v; want %q", got, err, want)
			}
		}
	})
}
