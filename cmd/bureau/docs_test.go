package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"bureau/internal/app"
)

// TestSettingsTable holds the table in docs/operations.md against the flags of
// 'serve'. With BUREAU_UPDATE=1 (make golden) it is written anew.
func TestSettingsTable(t *testing.T) {
	const path = "../../docs/operations.md"
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(b), "<!-- settings: ")
	head, _, ok2 := strings.Cut(rest, "\n")
	_, after, ok3 := strings.Cut(rest, "<!-- /settings -->")
	if !ok || !ok2 || !ok3 {
		t.Fatalf("%s has no place for the settings", path)
	}
	want := before + "<!-- settings: " + head + "\n" + settingsTable(everyCommand(t)["serve"]) + "<!-- /settings -->" + after
	if string(b) == want {
		return
	}
	if os.Getenv("BUREAU_UPDATE") != "1" {
		t.Fatalf("%s does not list the settings as they are: run make golden", path)
	}
	if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}

func settingsTable(serve *kong.Node) string {
	var b strings.Builder
	b.WriteString("| flag | variable | default | what it is |\n|---|---|---|---|\n")
	for _, f := range serve.Flags {
		if f.Name == "help" {
			continue
		}
		help, _, _ := strings.Cut(f.Help, " (default: ")
		help = strings.TrimSuffix(help, ".") + "."
		def := f.Default
		if _, words, ok := strings.Cut(f.Help, " (default: "); ok && def == "" {
			def = strings.TrimSuffix(strings.TrimSuffix(words, "."), ")")
		} else if def != "" {
			def = "`" + def + "`"
		}
		fmt.Fprintf(&b, "| `--%s` | `%s` | %s | %s |\n", f.Name, app.Variable(f.Name), def, strings.ReplaceAll(help, "|", "\\|"))
	}
	return b.String()
}

// TestDocumentedCommandsExist reads every command line in our documents the way
// the program would, and looks for every make target in the Makefile.
func TestDocumentedCommandsExist(t *testing.T) {
	files := []string{"../../README.md", "../../CONTRIBUTING.md"}
	for _, pattern := range []string{"../../docs/*.md", "../../docs/decisions/*.md"} {
		more, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, more...)
	}
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range codeIn(string(b)) {
			switch words := shellWords(line); {
			case len(words) > 1 && words[0] == "make":
				found++
				if !regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(words[1]) + `:`).Match(makefile) {
					t.Errorf("%s: there is no %q", f, line)
				}
			case len(words) > 1 && words[0] == "bureau":
				found++
				for i, word := range words {
					if strings.HasPrefix(word, "$") { // a number that an earlier line found
						words[i] = "1"
					}
				}
				if err := parses(t, words[1:]); err != nil {
					t.Errorf("%s: %s: %v", f, line, err)
				}
			}
		}
	}
	if found < 20 {
		t.Errorf("found %d commands only; are they read as they are written?", found)
	}
}

// TestMapNamesEveryRoom keeps the map in the README complete.
func TestMapNamesEveryRoom(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	rooms, err := os.ReadDir("../../internal")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rooms {
		if !strings.Contains(string(readme), "\n  "+r.Name()+"/ ") {
			t.Errorf("the map in README.md does not name internal/%s", r.Name())
		}
	}
}

var inline = regexp.MustCompile("`([^`\n]+)`")

// codeIn is every line of a code block, and every piece of code in a sentence.
func codeIn(text string) (out []string) {
	inBlock := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "```"):
			inBlock = !inBlock
		case inBlock:
			out = append(out, line)
		default:
			for _, m := range inline.FindAllStringSubmatch(line, -1) {
				out = append(out, m[1])
			}
		}
	}
	return out
}

// shellWords splits a line as a shell does, up to a pipe, a redirection or a
// comment.
func shellWords(line string) (words []string) {
	for _, m := range regexp.MustCompile(`"[^"]*"|'[^']*'|[^\s"']+`).FindAllString(line, -1) {
		if strings.ContainsAny(m[:1], "|>#;") {
			break
		}
		words = append(words, strings.Trim(m, `"'`))
	}
	return words
}

// parses reports whether a command line can be read. Words in capitals stand
// for something, and a command may be named without its arguments.
func parses(t *testing.T, args []string) error {
	t.Helper()
	settings, err := app.ReadSettings(func(string) string { return "" }, "")
	if err != nil {
		return err
	}
	term := &terminal{origins: map[string]string{}, out: &strings.Builder{}, err: &strings.Builder{}}
	parser, _, err := term.parser(settings)
	if err != nil {
		return err
	}
	defer func() { _ = recover() }() // help ends a run
	_, err = parser.Parse(args)
	if err != nil && (strings.Contains(err.Error(), "COMMAND") || strings.HasPrefix(err.Error(), `expected "<`)) {
		return nil
	}
	return err
}
