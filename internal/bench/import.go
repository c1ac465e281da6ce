package bench

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"bureau/internal/importer/invented"
)

// importRows is how many companies the file has that is imported.
const importRows = 200_000

func (t *site) importRows() int { return t.s.part(importRows, importRows, ownImport) }

// companyFile is a file of n made-up companies in the form of the British
// register, made once.
func (w *workshop) companyFile(n int) (string, error) {
	path := filepath.Join(w.dir, fmt.Sprintf("companies-%d.csv", n))
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	f, err := create(path)
	if err != nil {
		return "", err
	}
	_, err = io.Copy(f, invented.CompaniesHouse(n, 0))
	return path, errors.Join(err, f.Close())
}

// An inserting is what the bare process is told: which rows go where.
type inserting struct {
	File     string
	Database string
}

// inserted is what came of it.
type inserted struct {
	Rows         int
	Seconds, CPU float64
}

// runInsert is the bare process: it puts the rows of a file, as they are and
// all their columns, into one table with one key. Reading the file is not on
// its clock.
func runInsert(in io.Reader, out io.Writer) error {
	var o inserting
	if err := takeOrder(in, &o); err != nil {
		return err
	}
	ctx := context.Background()
	columns, rows, err := readRows(o.File)
	if err != nil {
		return err
	}
	db, err := openDatabase(ctx, o.Database)
	if err != nil {
		return err
	}
	defer db.close()
	table := strings.Join(columns, " TEXT NOT NULL, ")
	table = strings.Replace(table, numberColumn+" TEXT NOT NULL", numberColumn+" TEXT PRIMARY KEY", 1) + " TEXT NOT NULL"
	if err := db.exec(ctx, "CREATE TABLE bare ("+table+")"); err != nil {
		return err
	}
	before, _ := cpuOf(os.Getpid())
	began := time.Now()
	if err := db.insert(ctx, "bare", columns, rows); err != nil {
		return err
	}
	took := time.Since(began)
	after, _ := cpuOf(os.Getpid())
	return json.NewEncoder(out).Encode(inserted{len(rows), took.Seconds(), (after - before).Seconds()})
}

// numberColumn is the key of the file.
const numberColumn = "companynumber"

func readRows(file string) (columns []string, rows [][]string, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	in := csv.NewReader(f)
	if columns, err = in.Read(); err != nil {
		return nil, nil, err
	}
	for i, c := range columns {
		columns[i] = strings.ToLower(strings.NewReplacer(".", "_", " ", "").Replace(c))
	}
	rows, err = in.ReadAll()
	return columns, rows, err
}

// insertBare has the bare process fill an empty database.
func insertBare(ctx context.Context, t *site, _ sample) (sample, error) {
	file, err := t.w.companyFile(t.importRows())
	if err != nil {
		return sample{}, err
	}
	p, err := t.w.newPlace(ctx, "insert", t.engine)
	if err != nil {
		return sample{}, err
	}
	defer p.remove(ctx)
	done, err := ask[inserted](ctx, "insert", inserting{File: file, Database: p.address()})
	if err != nil {
		return sample{}, err
	}
	n := float64(done.Rows)
	return sample{value: n / done.Seconds, cpu: done.CPU / n * 1e6}, nil
}

// importTwice imports the file into an empty database, and then once more.
func importTwice(ctx context.Context, t *site, _ sample) (sample, error) {
	file, err := t.w.companyFile(t.importRows())
	if err != nil {
		return sample{}, err
	}
	p, err := t.w.newPlace(ctx, "import", t.engine)
	if err != nil {
		return sample{}, err
	}
	defer p.remove(ctx)
	if _, err := p.timed(ctx, nil, "migrate"); err != nil {
		return sample{}, err
	}
	var first, second struct{ Changes, Unchanged int }
	one, err := p.timed(ctx, &first, "import", "companies-house", file, "--json")
	if err != nil {
		return sample{}, err
	}
	two, err := p.timed(ctx, &second, "import", "companies-house", file, "--json")
	if err != nil {
		return sample{}, err
	}
	rows := t.importRows()
	if first.Changes != rows || second.Changes != 0 || second.Unchanged != rows {
		return sample{}, fmt.Errorf("the imports came to %+v and %+v", first, second)
	}
	if err := t.w.kept.look(ctx, p.address(), leftCompany, int64(first.Changes)); err != nil {
		return sample{}, err
	}
	n := float64(rows)
	return sample{
		value: n / one.wall.Seconds(), cpu: one.cpu.Seconds() / n * 1e6,
		also: []float64{one.wall.Seconds() / two.wall.Seconds()},
	}, nil
}

// asked is how many companies the load asks for. They are in no order, like
// those of a real day.
const asked = 1000

// fillCompanies imports n companies and returns the connectIds of some.
func (p place) fillCompanies(ctx context.Context, n int) ([]string, error) {
	file, err := p.w.companyFile(n)
	if err != nil {
		return nil, err
	}
	if err := p.run(ctx, "", nil, "import", "companies-house", file); err != nil {
		return nil, err
	}
	columns, rows, err := readRows(file)
	if err != nil {
		return nil, err
	}
	at := slices.Index(columns, numberColumn)
	var out []string
	for i := 0; i < n; i += max(1, n/asked) {
		out = append(out, "GB-0-"+rows[i][at])
	}
	return out, nil
}
