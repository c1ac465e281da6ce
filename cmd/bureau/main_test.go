package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/rogpeppe/go-internal/testscript"

	"bureau/internal/app"
	"bureau/internal/store/storetest"
)

func TestMain(m *testing.M) {
	testscript.Main(shelved{m}, map[string]func(){"bureau": main})
}

// TestStories runs testdata/*.txtar: what each command does, as a terminal
// shows it.
func TestStories(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no stories: %v", err)
	}
	for _, f := range files {
		t.Run(strings.TrimSuffix(filepath.Base(f), ".txtar"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			testscript.Run(t, testscript.Params{
				Files: []string{f}, Cmds: storyCommands(), Condition: storyCondition,
				RequireExplicitExec: true, RequireUniqueNames: true,
				Setup: func(e *testscript.Env) error {
					for _, name := range []string{"POSTGRES", "POSTGRES2"} {
						if strings.Contains(string(text), "$"+name+"\n") || strings.Contains(string(text), "$"+name+" ") {
							e.Setenv(name, storetest.Postgres(t))
						}
					}
					return nil
				},
			})
		})
	}
}

// everyCommand is what a user can call: the words of each command.
func everyCommand(t *testing.T) map[string]*kong.Node {
	t.Helper()
	settings, err := app.ReadSettings(func(string) string { return "" }, "")
	if err != nil {
		t.Fatal(err)
	}
	term := &terminal{origins: map[string]string{}}
	parser, _, err := term.parser(settings)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]*kong.Node{}
	var visit func(words string, n *kong.Node)
	visit = func(words string, n *kong.Node) {
		found[words] = n
		for _, child := range n.Children {
			visit(strings.TrimSpace(words+" "+child.Name), child)
		}
	}
	visit("", parser.Model.Node)
	return found
}

func TestHelpShowsAnExample(t *testing.T) {
	all := everyCommand(t)
	if len(all) < 20 {
		t.Fatalf("found %d commands only", len(all))
	}
	for words := range all {
		code, out, errs := call(t, append(strings.Fields(words), "--help")...)
		if code != 0 || errs != "" {
			t.Errorf("bureau %s --help: exit %d, said %q", words, code, errs)
		}
		_, example, found := strings.Cut(out, "Example:")
		if !found || !strings.Contains(example, "bureau "+words) {
			t.Errorf("bureau %s --help shows no example of itself:\n%s", words, out)
		}
		if !strings.Contains(out, "--json") {
			t.Errorf("bureau %s --help does not offer --json", words)
		}
	}
}

// TestOneVersionOfEverySetting holds the commands that share a setting with
// 'serve' to the same default: one that differs would be a trap.
func TestOneVersionOfEverySetting(t *testing.T) {
	all := everyCommand(t)
	serve := map[string]*kong.Flag{}
	for _, f := range all["serve"].Flags {
		serve[f.Name] = f
	}
	for words, n := range all {
		for _, f := range n.Flags {
			if s := serve[f.Name]; s != nil && (s.Default != f.Default || s.Target.Type() != f.Target.Type()) {
				t.Errorf("bureau %s: --%s has default %q and type %s; 'serve' has %q and %s",
					words, f.Name, f.Default, f.Target.Type(), s.Default, s.Target.Type())
			}
		}
	}
}

// call runs a command line in this process, without any setting from outside.
func call(t *testing.T, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, e strings.Builder
	code = run(context.WithoutCancel(t.Context()), args, strings.NewReader(""), &o, &e, func(string) string { return "" })
	return code, o.String(), e.String()
}

// TestPanicIsNotSwallowed guards the way in which help ends a run.
func TestPanicIsNotSwallowed(t *testing.T) {
	defer func() {
		if p := recover(); p != "a bug" {
			t.Errorf("got %v, want the panic of a command", p)
		}
	}()
	run(t.Context(), []string{"version"}, nil, panics{}, panics{}, func(string) string { return "" })
	t.Error("the panic of a command was swallowed")
}

type panics struct{}

func (panics) Write([]byte) (int, error) { panic("a bug") }
