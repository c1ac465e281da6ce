package storetest

import (
	"errors"
	"fmt"
	"testing"
)

func TestMajor(t *testing.T) {
	for line, want := range map[string]int{
		"postgres (PostgreSQL) 15.19 (Debian 15.19-0+deb12u1)\n": 15,
		"postgres (PostgreSQL) 19beta1\n":                        19,
		"postgres (PostgreSQL) 17":                               17,
		"postgres (PostgreSQL) 9.6.24":                           9,
		"something else 15.1":                                    0,
		"":                                                       0,
	} {
		if got := major(line); got != want {
			t.Errorf("major(%q) = %d, want %d", line, got, want)
		}
	}
}

// verdict is a test that notes how it was ended.
type verdict struct {
	testing.TB
	said string
}

func (*verdict) Helper() {}

func (v *verdict) Skipf(format string, args ...any) {
	v.said = "skip: " + fmt.Sprintf(format, args...)
	panic(v)
}

func (v *verdict) Fatalf(format string, args ...any) {
	v.said = "fail: " + fmt.Sprintf(format, args...)
	panic(v)
}

func TestWithoutPostgresTestsAreSkippedButNotInCI(t *testing.T) {
	for _, c := range []struct {
		name, ci string
		err      error
		want     string
	}{
		{"absent, on a laptop", "", absent("none here"), "skip: left out: PostgreSQL: none here"},
		{"absent, in CI", "1", absent("none here"), "fail: in CI no test is left out: PostgreSQL: none here"},
		{"broken, on a laptop", "", errors.New("disk full"), "fail: start PostgreSQL: disk full"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("BUREAU_CI", c.ci)
			v := &verdict{}
			defer func() {
				if recover() != any(v) || v.said != c.want {
					t.Errorf("got %q, want %q", v.said, c.want)
				}
			}()
			giveUp(v, c.err)
		})
	}
}
