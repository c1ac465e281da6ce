package main

import (
	"strings"
	"testing"

	"bureau/internal/store/storetest"
)

// The drill of docs/operations.md, for real: somebody makes a mistake, the server
// is lost as well, and the database comes back as it stood before the mistake.
func TestPointInTimeRecovery(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	server := storetest.ArchivingServer(t)
	bureau := func(on *storetest.Server, args ...string) string {
		t.Helper()
		code, out, errs := call(t, append(args, "--data", data, "--db", on.URL("postgres"))...)
		if code != 0 {
			t.Fatalf("bureau %s: %d %s %s", strings.Join(args, " "), code, out, errs)
		}
		return out
	}
	bureau(server, "customer", "add", "Before the backup")
	base := server.BaseBackup()
	bureau(server, "customer", "add", "After the backup")
	noted := server.Now()
	bureau(server, "customer", "add", "A mistake")
	server.Archive()
	server.Kill()

	restored := base.RecoverTo(noted)
	got := bureau(restored, "customer", "list")
	for name, want := range map[string]bool{"Before the backup": true, "After the backup": true, "A mistake": false} {
		if strings.Contains(got, name) != want {
			t.Errorf("%q is there: %v, want %v", name, !want, want)
		}
	}
	if got := bureau(restored, "doctor", "--listen", "localhost:0"); strings.Contains(got, "bad ") {
		t.Errorf("the doctor says\n%s", got)
	}
	bureau(restored, "audit", "verify")
	bureau(restored, "customer", "add", "Afterwards")
	if got := bureau(restored, "customer", "list"); !strings.Contains(got, "Afterwards") {
		t.Errorf("it takes no writes:\n%s", got)
	}
}
