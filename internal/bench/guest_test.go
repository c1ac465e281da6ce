package bench

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"bureau/internal/store/storetest"
)

// databasesAt are the names of a server's databases that are ours.
func databasesAt(t *testing.T, address string) (out []string) {
	t.Helper()
	c, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(context.WithoutCancel(t.Context()))
	rows, err := c.Query(t.Context(), `SELECT datname FROM pg_database WHERE datname LIKE 'bureau_bench_%'`)
	if err != nil {
		t.Fatal(err)
	}
	if out, err = pgx.CollectRows(rows, pgx.RowTo[string]); err != nil {
		t.Fatal(err)
	}
	return out
}

// A guest leaves the server as it was, also when it is broken off.
func TestGuestLeavesNothing(t *testing.T) {
	host := storetest.PostgresServer(t).URL("postgres")
	ctx, cancel := context.WithCancel(t.Context())
	g, err := openGuest(ctx, host)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		at, err := g.create(ctx)
		if err != nil {
			t.Fatal(err)
		}
		db, err := openDatabase(ctx, at)
		if err != nil {
			t.Fatal(err)
		}
		defer db.close()
		if err := db.exec(ctx, `CREATE TABLE mine (id BIGINT)`); err != nil {
			t.Fatal(err)
		}
	}
	if got := databasesAt(t, host); len(got) != 2 {
		t.Errorf("made %q", got)
	}
	if err := g.drop(ctx, host); err == nil {
		t.Error("it dropped the database that it is a guest of")
	}
	cancel()
	g.close()
	if got := databasesAt(t, host); len(got) != 0 {
		t.Errorf("left %q behind", got)
	}
}

func TestGuestWithoutTheRightIsRefused(t *testing.T) {
	// The owner of a database may do nothing but with that.
	if _, err := openGuest(t.Context(), storetest.Postgres(t)); err == nil || !strings.Contains(err.Error(), "CREATEDB") {
		t.Errorf("got %v, want the right that is missing", err)
	}
	if _, err := openGuest(t.Context(), "data/bureau.db"); !errors.As(err, new(Misuse)) {
		t.Errorf("got %v for a file, want a misuse", err)
	}
}
