// Command bureau is a credit-information service in one binary.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"bureau/internal/app"
)

// version is set when a release is built.
var version = "dev"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
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

	Serve    serveCmd    `cmd:"" help:"Answer calls."`
	Customer customerCmd `cmd:"" help:"Firms that pay: add, list, grant."`
	Account  accountCmd  `cmd:"" help:"User keys: add, list, disable, enable, password."`
	Token    tokenCmd    `cmd:"" help:"Tokens: revoke."`
	Key      keyCmd      `cmd:"" help:"Signing keys: list, rotate."`
	Usage    usageCmd    `cmd:"" help:"Calls that were made, by month."`
	Audit    auditCmd    `cmd:"" help:"The audit log: verify."`
	Backup   backupCmd   `cmd:"" help:"Write the whole database to a file, also while serving."`
	Restore  restoreCmd  `cmd:"" help:"Fill an empty database from a backup."`
	Migrate  migrateCmd  `cmd:"" help:"Bring the database's schema up to date."`
	Doctor   doctorCmd   `cmd:"" help:"Say what is set, where it came from, and what is wrong."`
	Version  versionCmd  `cmd:"" help:"Print the version."`
}

// An exit is how kong's help ends a run.
type exit int

// run is the whole program: 0 is done, 1 failed, 2 misused.
func run(ctx context.Context, args []string, in io.Reader, out, errs io.Writer, getenv func(string) string) (code int) {
	defer func() {
		if e, ok := recover().(exit); ok {
			code = int(e)
		} else if p := recover(); p != nil {
			panic(p)
		}
	}()
	fail := func(code int, err error) int {
		fmt.Fprintf(errs, "bureau: %v\n", err)
		return code
	}
	settings, err := app.ReadSettings(getenv, configPath(args, getenv))
	if err != nil {
		return fail(2, err)
	}
	var c commands
	t := &terminal{ctx: ctx, in: in, out: out, err: errs, origins: map[string]string{}}
	parser, err := kong.New(&c,
		kong.Name("bureau"),
		kong.Description("A credit-information service in one binary. 'bureau serve --sandbox' starts it on an invented world."),
		kong.Writers(out, errs),
		kong.Exit(func(code int) { panic(exit(code)) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, FlagsLast: true, NoExpandSubcommands: false}),
		kong.Resolvers(kong.ResolverFunc(func(_ *kong.Context, _ *kong.Path, f *kong.Flag) (any, error) {
			v, origin, ok := settings.Lookup(f.Name)
			if !ok || f.Name == "help" || f.Name == "config" {
				return nil, nil
			}
			t.origins[f.Name] = origin
			return v, nil
		})),
		kong.Bind(t),
	)
	if err != nil {
		return fail(1, err)
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	command, err := parser.Parse(args)
	if err != nil {
		return fail(2, fmt.Errorf("%w (try: bureau %s--help)", err, spaced(words(args))))
	}
	if unknown := settings.Unknown(settingNames(parser)); len(unknown) > 0 {
		return fail(2, fmt.Errorf("the settings file has lines that set nothing: %s", strings.Join(unknown, ", ")))
	}
	t.json, t.flags = c.JSON, command.Flags()
	for _, p := range command.Path {
		if p.Flag != nil {
			t.origins[p.Flag.Name] = "flag"
		}
	}
	if err := command.Run(t); err != nil {
		var misuse misuse
		if errors.As(err, &misuse) {
			return fail(2, err)
		}
		return fail(1, err)
	}
	return 0
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

// words are the command's names among the arguments.
func words(args []string) string {
	var out []string
	for _, a := range args {
		if strings.HasPrefix(a, "-") || len(out) == 2 {
			break
		}
		out = append(out, a)
	}
	return strings.Join(out, " ")
}

func spaced(s string) string {
	if s == "" {
		return ""
	}
	return s + " "
}

// settingNames are all flags of all commands.
func settingNames(k *kong.Kong) []string {
	var names []string
	var visit func(n *kong.Node)
	visit = func(n *kong.Node) {
		for _, f := range n.Flags {
			names = append(names, f.Name)
		}
		for _, child := range n.Children {
			visit(child)
		}
	}
	visit(k.Model.Node)
	slices.Sort(names)
	return slices.Compact(names)
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

// open opens the house for a command on the database.
func (t *terminal) open(p app.Place) (*app.App, error) {
	c := app.ForCommand(p)
	return app.Open(t.ctx, c, c.NewLog(t.err))
}

// with opens the house, uses it and closes it.
func (t *terminal) with(p app.Place, use func(*app.App) error) error {
	a, err := t.open(p)
	if err != nil {
		return err
	}
	return errors.Join(use(a), a.Close())
}

type versionCmd struct{}

func (versionCmd) Run(t *terminal) error {
	return t.print(map[string]string{"version": version}, func(w io.Writer) { fmt.Fprintln(w, "bureau", version) })
}
