package store

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"bureau/internal/company"
	"bureau/internal/job"
	"bureau/internal/monitor"
)

// The power fails while a process writes: what was not synced is cut off, zeros
// or rubbish, and pages that were being moved from the log into the file are torn.
// The database opens, nothing in it is broken, and all that was acknowledged is
// there.
//
// The process is stopped at moments of chance, so that its files are those of one
// instant. SQLite notes in its shared memory how much of the log is synced, and
// only then goes on.
func TestPowerLoss(t *testing.T) {
	if path := os.Getenv("BUREAU_POWER_CHILD"); path != "" {
		writeUnderPower(t, path)
	}
	t.Parallel()
	databases, stops, losses := 1, 8, 3
	if os.Getenv("BUREAU_PROVE") == "1" {
		databases, stops, losses = 20, 15, 5
	}
	for range databases {
		losePower(t, filepath.Join(t.TempDir(), "test.db"), stops, losses)
	}
}

func losePower(t *testing.T, path string, stops, losses int) {
	prepareForPower(t, path)
	child := exec.Command(os.Args[0], "-test.run=^TestPowerLoss$")
	child.Env = append(os.Environ(), "BUREAU_POWER_CHILD="+path)
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = child.Process.Kill()
		_ = child.Wait()
	}()
	awaitWritten(t, path)
	tails, moved := 0, 0
	for range stops {
		time.Sleep(time.Duration(rand.IntN(80)) * time.Millisecond) // when the power fails is left to chance
		f := stopAndCopy(t, child.Process.Pid, path)
		if len(f.log) > f.synced {
			tails++
		}
		for range losses {
			at, files := f.lose(t)
			moved += at.moved
			checkAfterLoss(t, at.says, files, f.acknowledged)
			os.RemoveAll(filepath.Dir(files))
		}
	}
	t.Logf("%d stops, %d of them with something behind the last sync; %d pages torn", stops, tails, moved)
}

// prepareForPower makes a database in which a change becomes events and
// deliveries.
func prepareForPower(t *testing.T, path string) {
	t.Helper()
	db := open(t, path)
	ctx := t.Context()
	must(t, db.write(ctx, func(x tx) error {
		_, err := x.Exec(ctx, `
			INSERT INTO customer (id, name, grants, created_at, access) VALUES (1, 'Acme', '[]', 0, 1);
			INSERT INTO account (id, customer, user_key, title, first_name, surname, language, operator, disabled, epoch, password, console, created_at, access)
			VALUES (1, 1, 'ada', '', 'Ada', '', 'en', 0, 0, 0, '', '', 0, 1);`)
		return err
	}))
	must(t, db.Write(ctx, func(company.View) (u company.Update, _ error) {
		for i := range 50 {
			id := powerFirm(i)
			u.Companies = append(u.Companies, company.Saved{Held: company.Held{ID: id}, New: true, Name: "Example " + string(id), Country: "GB", Status: company.Active})
		}
		return u, nil
	}))
	p, err := db.CreatePortfolio(ctx, ledgerOwner, monitor.Portfolio{Name: "Watched"})
	must(t, err)
	var members []monitor.Member
	for i := range 50 {
		members = append(members, monitor.Member{Company: powerFirm(i)})
	}
	_, err = db.AddMembers(ctx, ledgerOwner, p.ID, members)
	must(t, err)
	must(t, db.SwitchRules(ctx, ledgerOwner, p.ID, monitor.Everywhere, []monitor.Switch{{Code: 5001, On: true}}))
	_, err = db.CreateWebhook(ctx, ledgerOwner, monitor.Webhook{URL: "https://example.com/"}, 1)
	must(t, err)
	must(t, db.Close())
}

func powerFirm(i int) company.ID { return company.NewID("GB", fmt.Sprintf("%08d", i)) }

// writeUnderPower is the process: it writes until it is killed, and notes what
// was acknowledged.
func writeUnderPower(t *testing.T, path string) {
	db := open(t, path)
	ctx := t.Context()
	notes, err := os.OpenFile(path+"-acknowledged", os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	must(t, err)
	engine := &monitor.Engine{
		Store: db, Jobs: db, Log: db.Changes, Past: db.ChangesOf, Owner: "writer", Wake: &job.Signal{}, Now: time.Now,
	}
	var work sync.WaitGroup
	work.Go(func() {
		for n := 0; ; {
			batch := 1 + rand.IntN(60)
			must(t, db.Write(ctx, func(company.View) (u company.Update, _ error) {
				for range batch {
					n++
					u.Changes = append(u.Changes, company.Change{
						Company: powerFirm(rand.IntN(50)), Field: company.FieldName, Old: fmt.Sprint(n - 1), New: fmt.Sprint(n), Source: "writer", At: time.Now(),
					})
				}
				return u, nil
			}))
			fmt.Fprintln(notes, "change", n)
			for {
				steps, err := engine.Step(ctx)
				must(t, err)
				if steps == 0 {
					break
				}
			}
			fmt.Fprintln(notes, "event", n)
		}
	})
	work.Go(func() {
		for i := int64(1); ; i++ {
			addAttempt(t, db, i)
			fmt.Fprintln(notes, "attempt", i)
		}
	})
	work.Wait()
}

// awaitWritten waits until the process is at work.
func awaitWritten(t *testing.T, path string) {
	t.Helper()
	for began := time.Now(); len(readAcknowledged(path)) < 3; time.Sleep(5 * time.Millisecond) { // between two looks
		if time.Since(began) > time.Minute {
			t.Fatal("the process writes nothing")
		}
	}
}

// readAcknowledged returns the last of each kind that was acknowledged.
func readAcknowledged(path string) map[string]int64 {
	text, _ := os.ReadFile(path + "-acknowledged")
	whole := text[:bytes.LastIndexByte(text, '\n')+1]
	out := map[string]int64{}
	for line := range strings.Lines(string(whole)) {
		var what string
		var n int64
		if _, err := fmt.Sscan(line, &what, &n); err == nil {
			out[what] = n
		}
	}
	return out
}

// frozen are the files of a database at one instant.
type frozen struct {
	file, log    []byte
	page         int
	frames       int // of the log that are synced
	synced       int // bytes of it
	acknowledged map[string]int64
}

// The sizes of what a write-ahead log is made of.
const (
	logHeader   = 32
	frameHeader = 24
)

// stopAndCopy stops the process, copies what there is, and lets it go on.
func stopAndCopy(t *testing.T, pid int, path string) frozen {
	t.Helper()
	must(t, syscall.Kill(pid, syscall.SIGSTOP))
	defer func() { must(t, syscall.Kill(pid, syscall.SIGCONT)) }()
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(pid, &status, syscall.WUNTRACED, nil); err != nil || !status.Stopped() {
		t.Fatalf("the process did not stop, but ended: %v, %v", status, err)
	}
	read := func(name string) []byte {
		b, err := os.ReadFile(name)
		must(t, err)
		return b
	}
	f := frozen{file: read(path), log: read(path + "-wal"), acknowledged: readAcknowledged(path)}
	f.page = int(binary.BigEndian.Uint16(f.file[16:]))
	f.synced = len(f.log)
	// The first of two equal headers: 16 the last frame, 32 the salts of the log.
	index := read(path + "-shm")[:48]
	if len(f.log) >= logHeader && bytes.Equal(index[32:40], f.log[16:24]) {
		f.frames = int(binary.NativeEndian.Uint32(index[16:]))
		f.synced = logHeader + f.frames*(frameHeader+f.page)
	} // else the log is about to begin anew: all of the old one is synced
	return f
}

// A loss is what happened to the files.
type loss struct {
	says  string
	moved int // pages
}

// lose writes the files as a loss of power may leave them.
func (f *frozen) lose(t *testing.T) (at loss, path string) {
	t.Helper()
	dir, err := os.MkdirTemp(t.TempDir(), "loss")
	must(t, err)
	path = filepath.Join(dir, "test.db")
	file, log := bytes.Clone(f.file), bytes.Clone(f.log)
	cut := f.synced + rand.IntN(len(log)-f.synced+1)
	switch rand.IntN(3) {
	case 0:
		at.says = fmt.Sprintf("%d bytes cut off behind %d", len(log)-cut, f.synced)
		log = log[:cut]
	case 1:
		at.says = fmt.Sprintf("%d zeros behind %d", len(log)-cut, f.synced)
		clear(log[cut:])
	case 2:
		at.says = fmt.Sprintf("%d bytes of rubbish behind %d", len(log)-cut, f.synced)
		for i := range log[cut:] {
			log[cut+i] = byte(rand.Uint32())
		}
	}
	if f.frames > 0 {
		at.moved = rand.IntN(min(20, f.frames))
		for range at.moved {
			frame := log[logHeader+rand.IntN(f.frames)*(frameHeader+f.page):][:frameHeader+f.page]
			place := (int(binary.BigEndian.Uint32(frame)) - 1) * f.page
			if place+f.page > len(file) {
				file = append(file, make([]byte, place+f.page-len(file))...)
			}
			copy(file[place:], frame[frameHeader:][:rand.IntN(f.page/512+1)*512]) // disks write sectors
		}
		at.says += fmt.Sprintf(", %d pages torn", at.moved)
	}
	must(t, os.WriteFile(path, file, 0o600))
	must(t, os.WriteFile(path+"-wal", log, 0o600))
	return at, path
}

// checkAfterLoss opens what is left.
func checkAfterLoss(t *testing.T, says, path string, acknowledged map[string]int64) {
	t.Helper()
	ctx := t.Context()
	db, err := Connect(ctx, path)
	if err != nil {
		t.Fatalf("%s: %v", says, err)
	}
	defer db.Close()
	list, err := db.Inspect(ctx, func(string) {})
	if err != nil {
		t.Fatalf("%s: %v", says, err)
	}
	for _, c := range list {
		for _, wrong := range c.Wrong {
			t.Errorf("%s: %s: %s", says, c.Subject, wrong)
		}
	}
	for what, query := range map[string]string{
		"change": `SELECT COUNT(*) FROM change WHERE source = 'writer'`,
		"event":  `SELECT COUNT(*) FROM event`,
	} {
		var n int64
		if err := db.QueryRow(ctx, query).Scan(&n); err != nil || n < acknowledged[what] {
			t.Errorf("%s: %d of %s were acknowledged, and %d are there (%v)", says, acknowledged[what], what, n, err)
		}
	}
	if n := attemptsIn(t, db); n < acknowledged["attempt"] {
		t.Errorf("%s: %d attempts were acknowledged, and %d are there", says, acknowledged["attempt"], n)
	}
	var events, deliveries int64
	must(t, db.QueryRow(ctx, `SELECT (SELECT COUNT(*) FROM event), (SELECT COUNT(*) FROM delivery)`).Scan(&events, &deliveries))
	if events != deliveries {
		t.Errorf("%s: there are %d events and %d deliveries", says, events, deliveries)
	}
}
