package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"bureau/internal/app"
	"bureau/internal/lacktest"
)

func TestCompletion(t *testing.T) {
	for _, c := range []struct {
		words, want string
		not         string
	}{
		{"", "serve customer company completion", "--json"},
		{"comp", "company completion", "serve"},
		{"company ", "report search match", "add"},
		{"company search x --cou", "--country", "--city"},
		{"serve --", "--sandbox --listen --json", "company"},
		{"serve --log-level ", "debug info warn error", "--sandbox"},
		{"serve --log-level w", "warn", "debug"},
		{"serve --listen ", "", "--sandbox serve"},
		{"import ", "gleif companies-house un-sanctions", "serve"},
		{"import un-", "un-sanctions", "gleif"},
		{"completion ", "bash zsh fish", "--json"},
		{"completion f", "fish", "bash"},
		{"account add 1001 --oper", "--operator", "--first"},
		{"nonsense ", "", "company-"},
	} {
		code, out, errs := call(t, append([]string{completeWord}, strings.Split(c.words, " ")...)...)
		if code != 0 || errs != "" {
			t.Errorf("%q: exit %d, %s", c.words, code, errs)
		}
		var got []string
		for line := range strings.Lines(out) {
			word, _, _ := strings.Cut(line, "\t")
			got = append(got, word)
		}
		all := " " + strings.Join(got, " ") + " "
		for want := range strings.FieldsSeq(c.want) {
			if !strings.Contains(all, " "+want+" ") {
				t.Errorf("%q: got %v, want %s", c.words, got, want)
			}
		}
		for not := range strings.FieldsSeq(c.not) {
			if strings.Contains(all, " "+not+" ") {
				t.Errorf("%q: got %v, want no %s", c.words, got, not)
			}
		}
	}
}

// Every command and every flag is completed: they come from the table that makes
// the help.
func TestCompletionKnowsEveryCommandAndFlag(t *testing.T) {
	all := everyCommand(t)
	ask := func(words ...string) string {
		var out strings.Builder
		complete(&kong.Application{Node: all[""]}, words, &out)
		return "\n" + out.String()
	}
	for words, n := range all {
		out := ask(append(strings.Fields(words), "--")...)
		for _, f := range n.Flags {
			if !f.Hidden && !strings.Contains(out, "\n--"+f.Name+"\t") {
				t.Errorf("bureau %s: --%s is not completed", words, f.Name)
			}
		}
		out = ask(append(strings.Fields(words), "")...)
		for _, child := range n.Children {
			if !strings.Contains(out, "\n"+child.Name+"\t") {
				t.Errorf("bureau %s: the command %s is not completed", words, child.Name)
			}
		}
	}
}

// The script does its work in a real bash: it is loaded, and asked as the shell
// asks when somebody presses the key.
func TestCompletionInBash(t *testing.T) {
	script := `source /dev/stdin
COMP_WORDS=(bureau company se) COMP_CWORD=2
_bureau
echo "${COMPREPLY[*]}"
COMP_WORDS=(bureau import --check "") COMP_CWORD=3
_bureau
echo "${#COMPREPLY[@]}"
complete -p bureau`
	out := inShell(t, "bash", "--norc", "--noprofile", "-c", script)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != 3 || lines[0] != "search" || lines[1] == "0" || !strings.Contains(lines[2], "-F _bureau bureau") {
		t.Errorf("got %q", lines)
	}
}

func TestCompletionInZsh(t *testing.T) {
	inShell(t, "zsh", "-f", "-c", "autoload -Uz compinit && compinit -u -D && source /dev/stdin && whence _bureau")
}

func TestCompletionInFish(t *testing.T) {
	out := inShell(t, "fish", "--no-config", "-c", "source -; complete -C 'bureau company se'")
	if !strings.HasPrefix(out, "search") {
		t.Errorf("got %q", out)
	}
}

// inShell runs a shell that finds bureau and gets its script on standard input.
func inShell(t *testing.T, shell string, args ...string) string {
	t.Helper()
	path := lacktest.Program(t, shell)
	code, script, errs := call(t, "completion", shell)
	if code != 0 {
		t.Fatal(errs)
	}
	cmd := exec.CommandContext(t.Context(), path, args...)
	cmd.Stdin = strings.NewReader(script)
	cmd.Env = os.Environ() // testscript put bureau into PATH
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil || said.Len() > 0 {
		t.Fatalf("%s: %v\n%s", shell, err, said.String())
	}
	return out.String()
}

// There is a page for the program and for each command, and a reader of such
// pages finds nothing wrong with them.
func TestManPages(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "man1")
	if code, _, errs := call(t, "man", dir); code != 0 {
		t.Fatal(errs)
	}
	for words, n := range everyCommand(t) {
		top, _, _ := strings.Cut(words, " ")
		name := "bureau.1"
		if top != "" {
			name = "bureau-" + top + ".1"
		}
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(b), roff(n.Help)) {
			t.Errorf("%s says nothing of 'bureau %s'", name, words)
		}
	}
	groff := lacktest.Program(t, "groff")
	pages, _ := filepath.Glob(filepath.Join(dir, "*.1"))
	for _, page := range pages {
		if out, err := exec.CommandContext(t.Context(), groff, "-man", "-ww", "-z", page).CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v %s", filepath.Base(page), err, out)
		}
	}
}

// In a file or a pipe progress is one line, at the end; where somebody looks it
// is a bar.
func TestProgress(t *testing.T) {
	var file, screen strings.Builder
	half := app.Progress{Records: 10, Read: 50, Size: 100, Took: time.Second}
	for _, p := range []*progressLine{{w: &file}, {w: &screen, live: true}} {
		p.tell(half)
		p.tell(half)
		p.end()
	}
	if got, want := file.String(), "reading: 10 records, 10 a second, 1s left\n"; got != want {
		t.Errorf("in a file: got %q, want %q", got, want)
	}
	if got, want := screen.String(), "\r[##########..........]  50 % reading: 10"; !strings.HasPrefix(got, want) {
		t.Errorf("on a screen: got %q, want %q at first", got, want)
	}
}
