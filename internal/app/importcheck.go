package app

import (
	"context"
	"errors"
	"io"

	"bureau/internal/store"
)

// CheckImport reads files of a source and reports, and writes nothing: no
// database is made, and one that is there keeps its schema and its key as they
// are. Only documents are held against it, since only they name companies that
// must be there; without a database that is left out.
func CheckImport(ctx context.Context, p Place, source string, paths []string, stdin io.Reader, o ImportOptions) (res ImportResult, err error) {
	if err := p.check(); err != nil {
		return res, err
	}
	o.Check = true
	a := &App{Config: ForCommand(p)}
	if source == documentsView().Name && p.mustExist() == nil {
		db, failed := store.Connect(ctx, p.database())
		if failed != nil {
			return res, failed
		}
		defer func() { err = errors.Join(err, db.Close()) }()
		ok, failed := db.IsSetUp(ctx)
		if failed != nil {
			return res, failed
		}
		if ok {
			a.DB = db
		}
	}
	return a.Import(ctx, source, paths, stdin, o)
}
