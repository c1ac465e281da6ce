package app

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"bureau/internal/auth"
	"bureau/internal/bank"
	"bureau/internal/company"
	"bureau/internal/identity"
	"bureau/internal/kyc"
	"bureau/internal/monitor"
	"bureau/internal/sandbox"
	"bureau/internal/store"
)

// An App is the house with its lights on: the database open and every door in
// place. The commands use it as it is; Serve also answers calls.
type App struct {
	Config     Config
	Log        *slog.Logger
	DB         *store.DB
	Vault      *auth.Vault
	Directory  *auth.Directory
	Journal    *auth.Journal
	Office     *auth.Office
	Tokens     *auth.Tokens
	Login      *auth.Login
	Sessions   *auth.Sessions
	Calls      *auth.Calls
	Gate       *auth.Gate
	Usage      *auth.Usages
	Register   *company.Register
	Finder     *company.Finder
	Bank       *bank.Desk
	Identity   *identity.Desk
	Screener   *kyc.Screener
	KYC        *kyc.Searches
	Trail      *kyc.Trail
	Profiles   *kyc.Profiles
	Reports    *kyc.Reports
	Batches    *kyc.Batches
	Portfolios *monitor.Portfolios
	Imports    *monitor.Imports

	world       sandbox.World // what the sandbox is filled with
	sandboxOpen atomic.Bool   // it is filled, and can be used

	stop func()
	done sync.WaitGroup
}

// Open opens the database, brings it up to date and wires the doors.
func Open(ctx context.Context, c Config, log *slog.Logger) (*App, error) {
	return open(ctx, c, log, store.Open)
}

// OpenExisting is Open for a house that must be there already: a command on the
// wrong folder or the wrong database would otherwise find an empty one there, and
// be content. Where there is none, nothing is made, not even a key file.
func OpenExisting(ctx context.Context, c Config, log *slog.Logger) (*App, error) {
	if err := c.mustExist(); err != nil {
		return nil, err
	}
	return open(ctx, c, log, store.OpenExisting)
}

func open(ctx context.Context, c Config, log *slog.Logger, how func(context.Context, string) (*store.DB, error)) (*App, error) {
	if err := c.Place.check(); err != nil {
		return nil, err
	}
	db, err := how(ctx, c.database())
	if err != nil {
		return nil, err
	}
	if err := db.UseReplicas(c.replicas(), c.DBReplicaLag); err != nil {
		db.Close()
		return nil, err
	}
	a, err := wire(ctx, c, log, db)
	if err != nil {
		db.Close()
		return nil, err
	}
	return a, nil
}

func wire(ctx context.Context, c Config, log *slog.Logger, db *store.DB) (*App, error) {
	now := time.Now
	vault, err := openVault(ctx, c.Place, db)
	if err != nil {
		return nil, err
	}
	dir, err := auth.NewDirectory(ctx, db, vault, c.loginRules(), now)
	if err != nil {
		return nil, err
	}
	a := &App{Config: c, Log: log, DB: db, Vault: vault, Directory: dir, world: sandbox.DefaultWorld}
	a.Journal = auth.NewJournal(dir)
	a.Office = &auth.Office{Journal: a.Journal, Schedule: c.keySchedule(), Cost: c.cost()}
	a.Tokens = &auth.Tokens{Directory: dir, Issuer: c.issuer(), Audience: c.Audience, Now: now}
	a.Login = &auth.Login{
		Directory: dir, Checker: auth.NewChecker(vault, c.cost(), now), Journal: a.Journal, Tokens: a.Tokens,
	}
	a.Sessions = &auth.Sessions{
		Store: db, Login: a.Login, Office: a.Office, Now: now,
		Idle: cmp.Or(c.SessionIdle, auth.DefaultIdle), Whole: cmp.Or(c.SessionWhole, auth.DefaultWhole),
	}
	a.Calls = &auth.Calls{
		Rules: auth.CallRules{Burst: c.CallBurst, Sustained: c.CallSustained},
		Store: db, Node: nodeName(), Now: now,
	}
	a.Gate = &auth.Gate{Tokens: a.Tokens, Directory: dir, Calls: a.Calls, Journal: a.Journal, Now: now}
	a.Usage = &auth.Usages{Store: db, Directory: dir, Now: now}
	a.Register = &company.Register{Store: db, Now: now, Temp: c.Data}
	a.Finder = a.newFinder()
	a.Bank = a.newDesk(now)
	a.Identity = a.newIdentity(now)
	a.Finder.Veil = a.Identity.Veiled
	db.Cover = a.Finder.Cover
	a.Screener = &kyc.Screener{Index: &kyc.Index{Store: db, Folder: c.Data}, Store: db, Now: now}
	a.KYC = &kyc.Searches{
		Screener: a.Screener, Store: db, Directory: dir, Now: now, Fingerprint: vault.Subject, Named: vault.Person,
	}
	a.Trail = &kyc.Trail{Store: db, Journal: a.Journal}
	a.Profiles = &kyc.Profiles{Store: db, Links: db, Directory: dir, Trail: a.Trail, Now: now}
	a.Portfolios = &monitor.Portfolios{Store: db, Companies: a.Register, Directory: dir, Gate: a.Gate}
	a.Imports = a.newImports()
	a.Reports = a.newReports()
	a.Batches = a.newBatches()

	run, stop := context.WithCancel(context.WithoutCancel(ctx))
	a.stop = stop
	a.done.Go(func() { a.Journal.Run(run) })
	if err := a.Office.StepKeys(ctx); err != nil {
		a.stop()
		a.done.Wait()
		return nil, fmt.Errorf("make the first keys: %w", err)
	}
	return a, nil
}

// Close finishes what is being written and gives the database back.
func (a *App) Close() error {
	a.stop()
	a.done.Wait()
	return a.DB.Close()
}

// nodeName tells this process from every other.
func nodeName() string {
	host, err := os.Hostname()
	if err != nil {
		host = "node"
	}
	return fmt.Sprintf("%s-%d-%d", host, os.Getpid(), time.Now().UnixNano())
}

// VerifyAudit reads the whole audit log and says what is wrong with it.
func (a *App) VerifyAudit(ctx context.Context) (auth.Finding, error) {
	return auth.VerifyAudit(ctx, a.DB, a.Vault, a.Directory.Keys())
}
