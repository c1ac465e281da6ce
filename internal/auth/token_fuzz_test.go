package auth

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"

	strictjson "github.com/go-jose/go-jose/v4/json"
)

// FuzzVerify looks for a token that opens the gate and was not issued.
func FuzzVerify(f *testing.F) {
	m := newMint(f, "EdDSA")
	good := m.forge(forgery{})
	for _, seed := range []string{
		good, good + ".", good + "=", good[:len(good)-1], strings.ReplaceAll(good, ".", "\n."), "", "..", "a.b.c",
		m.forge(forgery{member: `"exp":99999999999`}), m.forge(forgery{member: `"sub":"1003"`}),
		m.forge(forgery{header: `{"alg":"none","kid":"%K","typ":"at+jwt"}`, sign: func(string) []byte { return nil }}),
		m.forge(forgery{header: `{"alg":"EdDSA","kid":"%K","typ":"at+jwt","kid":"%K"}`}),
		strings.Repeat(".", maxToken), strings.Repeat("A", maxToken+1),
	} {
		f.Add(seed)
	}
	m.tokens.uncached = true
	f.Fuzz(func(t *testing.T, token string) {
		if _, _, err := m.tokens.Verify(token); err == nil && token != good {
			t.Fatalf("%q is accepted", token)
		}
	})
}

// FuzzDecodeStrict looks for JSON that we accept and another strict reader
// refuses, or reads otherwise.
func FuzzDecodeStrict(f *testing.F) {
	m := newMint(f, "EdDSA")
	good := "{" + strings.Join(m.good(), ",") + "}"
	for _, seed := range []string{
		good, " " + good + "\n", good + good, good + "x", `{"a":1,"a":2}`, `{"iss":"a","ISS":"b"}`,
		"{\"\u017fub\":\"1\"}", `{"\u0069ss":"a"}`, `{"iss":"\ud800"}`, `{"exp":1.0}`, `{"exp":1e3}`, `{}`, `[]`, `null`,
		strings.Replace(good, `"1002"`, `"1\u00302"`, 1), strings.Replace(good, `"1002"`, "\"\xff\"", 1),
		strings.Repeat(`{"iss":`, 100),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var got Claims
		if decodeStrict(b, &got) != nil {
			return
		}
		var want Claims
		if err := strictjson.Unmarshal(b, &want); err != nil || got != want {
			t.Fatalf("we read %+v, another reader %+v, %v", got, want, err)
		}
		var members map[string]any
		if err := json.Unmarshal(b, &members); err != nil || len(members) != 10 {
			t.Fatalf("accepted with %d members, %v; want 10", len(members), err)
		}
	})
}

// A11: a hostile token costs little, and no more if it is longer.
func TestHostileTokensCostLittle(t *testing.T) {
	m := newMint(t, "EdDSA")
	m.tokens.uncached = true
	const long = 3000
	for name, token := range map[string]string{
		"a megabyte":            strings.Repeat("A", 1<<20),
		"a megabyte of dots":    strings.Repeat(".", 1<<20),
		"dots":                  strings.Repeat(".", maxToken),
		"no dots":               strings.Repeat("A", maxToken),
		"junk in the header":    strings.Repeat("!", long) + "..",
		"letters in the header": strings.Repeat("A", long) + "..",
		"a deep header":         b64(strings.Repeat(`{"alg":`, long/10)) + "..",
		"a header of lists":     b64(strings.Repeat("[", long/2)) + "..",
		"a header of members":   b64("{"+manyMembers(100)+"}") + "..",
		"a long kid":            b64(`{"alg":"EdDSA","typ":"at+jwt","kid":"`+strings.Repeat("k", long/2)+`"}`) + "..",
		"long claims":           m.forge(forgery{sign: m.stranger, member: `"username":"` + strings.Repeat("x", 2000) + `"`}),
	} {
		t.Run(name, func(t *testing.T) {
			refuse := func() {
				if _, _, err := m.tokens.Verify(token); err == nil {
					t.Error("accepted")
				}
			}
			if n := testing.AllocsPerRun(100, refuse); n > 80 {
				t.Errorf("%v allocations, want at most 80", n)
			}
			if n := bytesPerRun(100, refuse); n > 64<<10 {
				t.Errorf("%d bytes allocated, want at most 64 KiB", n)
			}
		})
	}
}

func manyMembers(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `%q:1,`, fmt.Sprint("m", i))
	}
	return strings.TrimSuffix(b.String(), ",")
}

func bytesPerRun(runs int, f func()) uint64 {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range runs {
		f()
	}
	runtime.ReadMemStats(&after)
	return (after.TotalAlloc - before.TotalAlloc) / uint64(runs)
}
