package app

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"bureau/internal/sandbox"
)

// Nodes that start together on an empty database make one sandbox, and one that
// comes later takes what is there: whoever was given a password can still use it.
func TestNodesShareASandbox(t *testing.T) {
	t.Parallel()
	one, two := twoNodes(t)
	var welcomes [2]Welcome
	var errs [2]error
	var both sync.WaitGroup
	for i, h := range []*house{one, two} {
		h.world = sandbox.World{Seed: 1, PerCountry: 10}
		both.Go(func() { welcomes[i], errs[i] = h.OpenSandbox(t.Context()) })
	}
	both.Wait()
	for i := range errs {
		if errs[i] != nil {
			t.Fatalf("node %d: %v", i+1, errs[i])
		}
	}
	if welcomes[0].Password != welcomes[1].Password || welcomes[0].EmailPassword != welcomes[1].EmailPassword {
		t.Error("the nodes were given different passwords: one of them no longer holds")
	}
	if (welcomes[0].Note == "") == (welcomes[1].Note == "") {
		t.Errorf("one made it and the other was told so: got %q and %q", welcomes[0].Note, welcomes[1].Note)
	}
	for i, w := range welcomes {
		if got, _ := one.login(t, w.Username, w.Password); got != http.StatusOK {
			t.Errorf("the password of node %d: got %d", i+1, got)
		}
	}
}

// Of two cards the one that opens the account is taken, wherever it lies.
func TestTheCardThatHoldsIsTaken(t *testing.T) {
	t.Parallel()
	c := config(t)
	a, _ := openHouse(t, c)
	path := filepath.Join(c.Data, "sandbox.json")
	first, note, err := a.admitToSandbox(t.Context(), path)
	if err != nil || note != "" {
		t.Fatalf("a new sandbox: %q, %v", note, err)
	}
	if _, first.Password, err = a.Office.ResetPassword(t.Context(), first.Username); err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(first)
	if err == nil {
		err = os.WriteFile(path, b, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []bool{true, false} { // by now the database has it too
		got, note, err := a.admitToSandbox(t.Context(), path)
		if err != nil || got.Password != first.Password || (note == "") != file {
			t.Errorf("with a file (%t): another password: %t, note %q, %v", file, got.Password != first.Password, note, err)
		}
		_ = os.Remove(path)
	}
}
