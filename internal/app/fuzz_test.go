package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bureau/internal/company"
	"bureau/internal/match"
)

// FuzzSettings holds that whatever stands in the settings file, it is read or
// refused, and every line of it is known or told.
func FuzzSettings(f *testing.F) {
	for _, seed := range []string{
		"listen: 0.0.0.0:8443\ntrusted-proxy: [10.0.0.0/8]\n", "a: {b: c}\n", "- a\n", "a: &x [*x]\n", "a: !!binary x", "\t", "\xff", "a: 1\na: 2\n", "? [a]\n: b\n",
		"listen: null\n", "",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "bureau.yaml")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := ReadSettings(func(string) string { return "" }, path)
		if err != nil {
			return
		}
		_, _, set := s.Lookup("listen")
		for _, name := range s.Unknown([]string{"listen"}) {
			if name == "listen" {
				t.Fatalf("%q: listen is not known", text)
			}
		}
		if _, _, ok := s.Lookup("listen"); ok != set {
			t.Fatalf("%q says two things of listen", text)
		}
	})
}

// FuzzLines holds that the files that commands read line by line are read or
// refused with the number of a line.
func FuzzLines(f *testing.F) {
	for _, seed := range []string{
		"id,date,defaulted\nGB-0-1,2026-01-02,yes\n", "\ufeffdate,id,defaulted\n", "id\n", "id,date,defaulted\nGB-0-1\n", "Ada Example\n{\"name\":\"Example Ltd\",\"id\":7}\n",
		"{\"names\":[\"A\",7]}\n", "{", "{\"name\":null,\"dob\":\"x\"}\n\n", "\x00\n\xff",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		err := readTrials(strings.NewReader(text), func(trial company.Trial) error {
			if _, err := company.ParseID(string(trial.Company)); err != nil || trial.From == "" {
				t.Errorf("%q makes %+v", text, trial)
			}
			return nil
		})
		if err != nil && err.Error() == "" {
			t.Error("an error without words")
		}
		m := &MatchSearch{Kind: match.Person}
		if err := m.Read(strings.NewReader(text)); err != nil && !strings.Contains(err.Error(), "line ") && !strings.Contains(err.Error(), "too long") {
			t.Errorf("%q: %v", text, err)
		}
	})
}
