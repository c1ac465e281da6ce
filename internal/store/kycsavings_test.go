package store

import (
	"strings"
	"testing"

	"bureau/internal/auth"
	"bureau/internal/kyc"
	"bureau/internal/store/storetest"
)

// What a turn carries is written behind the wall of the call that handed it in, and
// the turn itself is not.
func TestATurnGoesBehindTheWall(t *testing.T) {
	db := one(t, storetest.Postgres(t))
	ctx := t.Context()
	keep := func(wall, of auth.CustomerID, id kyc.SearchID) error {
		row, err := newSavingRow(&kyc.Saving{Search: kyc.Search{ID: id, Sought: "hash of " + string(id), Secret: []byte{1}}})
		if err != nil {
			t.Fatal(err)
		}
		return db.write(ctx, func(t tx) error {
			return t.Together(ctx, append(db.within(wall), db.keepSearches(of, []*savingRow{row})...))
		})
	}
	if err := keep(7, 7, "mine"); err != nil {
		t.Error(err)
	}
	if err := keep(7, 9, "not mine"); err == nil || !strings.Contains(err.Error(), "row-level security") {
		t.Errorf("behind the wall of 7 a search of 9 was kept: %v", err)
	}
	who := func(t tx) (is, was string, err error) {
		err = t.QueryRow(ctx, `SELECT current_user::text, session_user::text`).Scan(&is, &was)
		return is, was, err
	}
	err := db.write(ctx, func(to tx) error {
		if err := to.Together(ctx, db.within(7)); err != nil {
			return err
		}
		if is, was, err := who(to); err != nil || is == was {
			t.Errorf("behind the wall it is %s, who logged in as %s (%v)", is, was, err)
		}
		if err := to.Together(ctx, db.without()); err != nil {
			return err
		}
		if is, was, err := who(to); err != nil || is != was {
			t.Errorf("back from it it is %s, who logged in as %s (%v)", is, was, err)
		}
		return to.Together(ctx, db.within(9))
	})
	if err != nil {
		t.Error(err)
	}
	if is, was, err := who(db); err != nil || is != was {
		t.Errorf("the next is %s, who logged in as %s (%v)", is, was, err)
	}
}
