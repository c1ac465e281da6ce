// Command bureau is a credit-information service in one binary.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"bureau/internal/app"
	"bureau/internal/bench"
)

// version is set when a release is built.
var version = "dev"

func main() {
	// What 'bureau bench' measures with is this program again, in other roles.
	if played, err := bench.Play(os.Args[1:], os.Stdin, os.Stdout); played {
		if err != nil {
			fmt.Fprintf(os.Stderr, "bureau: %v\n", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // whoever asks twice does not want to wait
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv))
}

// A terminal is what a command talks to.
type terminal struct {
	ctx      context.Context
	in       io.Reader
	out, err io.Writer
	json     bool
	origins  map[string]string // setting → where it came from
	flags    []*kong.Flag
}

type commands struct {
	Config string `help:"Settings file (YAML, the names of the flags)." placeholder:"FILE"`
	JSON   bool   `name:"json" help:"Print JSON."`

	Serve     serveCmd     `cmd:"" help:"Answer calls."`
	Customer  customerCmd  `cmd:"" help:"Firms that pay: add, list, grant."`
	Account   accountCmd   `cmd:"" help:"User keys: add, list, disable, enable, password."`
	Token     tokenCmd     `cmd:"" help:"Tokens: revoke."`
	Key       keyCmd       `cmd:"" help:"Signing keys: list, rotate."`
	Usage     usageCmd     `cmd:"" help:"Calls that were made, by month."`
	Audit     auditCmd     `cmd:"" help:"The audit log: verify."`
	Company   companyCmd   `cmd:"" help:"Companies: report, search, match, through the API."`
	People    peopleCmd    `cmd:"" help:"Directors and their companies: search, show, through the API."`
	Portfolio portfolioCmd `cmd:"" help:"Lists of companies that are watched: add, companies, rules, share and more, through the API."`
	Events    eventsCmd    `cmd:"" help:"What happened to the companies in your portfolios, through the API."`
	Check     checkCmd     `cmd:"" help:"Check a bank account, an IBAN or an identity, through the API."`
	Screen    screenCmd    `cmd:"" help:"Screen people and businesses against the lists, through the API."`
	KYC       kycCmd       `cmd:"" help:"What was screened: replay a search, purge a subject."`
	Webhook   webhookCmd   `cmd:"" help:"Have events posted to you: add, list, test, replay and more, through the API."`
	Register  registerCmd  `cmd:"" help:"The operator's own word about a company: correct, suppress, forget."`
	Sandbox   sandboxCmd   `cmd:"" help:"The invented world: advance its clock, change a company."`
	Import    importCmd    `cmd:"" help:"Take a publisher's file into the register."`
	List      listCmd      `cmd:"" help:"Screening lists: which are loaded, their versions and entries."`
	Match     matchCmd     `cmd:"" help:"Compare names, or search a file of them."`
	Person    personCmd    `cmd:"" help:"What a person may ask: a report, a correction, an objection."`
	Score     scoreCmd     `cmd:"" help:"Hold scores against your own experience."`
	Backup    backupCmd    `cmd:"" help:"Write the whole database to a file, also while serving."`
	Restore   restoreCmd   `cmd:"" help:"Fill an empty database from a backup."`
	Migrate   migrateCmd   `cmd:"" help:"Bring the database's schema up to date."`
	Doctor    doctorCmd    `cmd:"" help:"Say what is set, where it came from, and what is wrong."`
	Bench     benchCmd     `cmd:"" help:"Measure this program on this machine, and whether it loses anything."`
	Version   versionCmd   `cmd:"" help:"Print the version, or what the program is made of."`

	Completion completionCmd `cmd:"" help:"Print a script that completes command lines: bash, zsh, fish."`
	Man        manCmd        `cmd:"" help:"Write manual pages to a folder."`
}

func (commands) Help() string {
	return `Example:
  bureau serve --sandbox
  bureau customer add "Example Ltd" --product all

Every setting of 'bureau serve' can also be a variable (--listen is BUREAU_LISTEN)
or a line of the settings file (listen: localhost:8443), in that order.`
}

// An exit is how kong's help ends a run.
type exit int

// run is the whole program: 0 is done, 1 failed, 2 misused.
func run(ctx context.Context, args []string, in io.Reader, out, errs io.Writer, getenv func(string) string) (code int) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case exit:
			code = int(p)
		default:
			panic(p)
		}
	}()
	fail := func(code int, text string) int {
		fmt.Fprintf(errs, "bureau: %s\n", text)
		return code
	}
	settings, err := app.ReadSettings(getenv, configPath(args, getenv))
	if err != nil {
		return fail(2, app.Explain(err))
	}
	t := &terminal{ctx: ctx, in: in, out: out, err: errs, origins: map[string]string{}}
	parser, c, err := t.parser(settings)
	if err != nil {
		return fail(1, app.Explain(err))
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	if args[0] == "--version" { // where many look for it
		args[0] = "version"
	}
	if helpWithSource(args, out) {
		return 0
	}
	if args[0] == completeWord {
		complete(parser.Model, args[1:], out)
		return 0
	}
	command, err := parser.Parse(args)
	if err != nil {
		return fail(2, fmt.Sprintf("%s (try: %s)", t.blame(err), helpFor(err)))
	}
	if unknown := settings.Unknown(settingNames(parser)); len(unknown) > 0 {
		return fail(2, "the settings file has lines that set nothing: "+strings.Join(unknown, ", "))
	}
	t.json, t.flags = c.JSON, command.Flags()
	for _, p := range command.Path {
		if p.Flag != nil && !p.Resolved {
			t.origins[p.Flag.Name] = "flag"
		}
	}
	if err := command.Run(t); err != nil {
		if _, ok := errors.AsType[misuse](err); ok || app.IsMisuse(err) {
			return fail(2, app.Explain(err))
		}
		return fail(1, app.Explain(err))
	}
	return 0
}

// parser reads command lines, and asks the settings for what they leave open.
func (t *terminal) parser(settings *app.Settings) (*kong.Kong, *commands, error) {
	var c commands
	var names []string
	parser, err := kong.New(&c,
		kong.Name("bureau"),
		kong.Description("A credit-information service in one binary. 'bureau serve --sandbox' starts it on an invented world."),
		kong.Writers(t.out, t.err),
		kong.Exit(func(code int) { panic(exit(code)) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, FlagsLast: true}),
		kong.Resolvers(kong.ResolverFunc(func(_ *kong.Context, _ *kong.Path, f *kong.Flag) (any, error) {
			v, origin, ok := settings.Lookup(f.Name)
			if !ok || !slices.Contains(names, f.Name) {
				return nil, nil
			}
			t.origins[f.Name] = origin
			return v, nil
		})),
		kong.Bind(t),
	)
	if err != nil {
		return nil, nil, err
	}
	names = settingNames(parser)
	return parser, &c, nil
}

// blame says where a bad setting came from, if not from the command line.
func (t *terminal) blame(err error) string {
	text := app.Explain(err)
	for name, origin := range t.origins {
		if strings.HasPrefix(text, "--"+name+":") || strings.HasPrefix(text, "--"+name+" ") {
			return text + ", from " + origin
		}
	}
	return text
}

// helpFor names the help that belongs to a mistake.
func helpFor(err error) string {
	words := "bureau "
	if e, ok := errors.AsType[*kong.ParseError](err); ok {
		for _, p := range e.Context.Path {
			if p.Command != nil {
				words += p.Command.Name + " "
			}
		}
	}
	return words + "--help"
}

// misuse is an error in how a command was called.
type misuse struct{ error }

// configPath finds the settings file before anything else is read.
func configPath(args []string, getenv func(string) string) string {
	for i, a := range args {
		if v, ok := strings.CutPrefix(a, "--config="); ok {
			return v
		}
		if a == "--config" && i+1 < len(args) {
			return args[i+1]
		}
	}
	return getenv(app.Variable("config"))
}

// settingNames are what can be set outside the command line: whatever 'serve'
// takes, --json, and how a service is reached. What a single command is told to do (--take, --force) can
// not: a variable that someone forgot must not take anything away.
func settingNames(k *kong.Kong) []string {
	names := []string{"json", "url", "username", "password", "cacert"}
	for _, n := range k.Model.Children {
		if n.Name == "serve" {
			for _, f := range n.Flags {
				names = append(names, f.Name)
			}
		}
	}
	return names
}

// print writes v as JSON, or calls plain.
func (t *terminal) print(v any, plain func(w io.Writer)) error {
	if !t.json {
		plain(t.out)
		return nil
	}
	e := json.NewEncoder(t.out)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// with opens the house, uses it and closes it. There must be one.
func (t *terminal) with(p app.Place, use func(*app.App) error) error {
	return t.withConfig(app.ForCommand(p), use)
}

func (t *terminal) withConfig(c app.Config, use func(*app.App) error) error {
	return t.open(c, use, app.OpenExisting)
}

// withNew makes the house where there is none.
func (t *terminal) withNew(c app.Config, use func(*app.App) error) error {
	return t.open(c, use, app.Open)
}

func (t *terminal) open(c app.Config, use func(*app.App) error, how func(context.Context, app.Config, *slog.Logger) (*app.App, error)) error {
	a, err := how(t.ctx, c, c.NewLog(t.err))
	if err != nil {
		return err
	}
	return errors.Join(use(a), a.Close())
}
