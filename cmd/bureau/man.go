package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/kong"
)

type manCmd struct {
	Dir string `arg:"" help:"The folder to write to; it is made if it is not there."`
}

func (manCmd) Help() string {
	return `Writes a manual page for bureau and one for each of its commands.

Example:
  bureau man /usr/local/share/man/man1
  bureau man . && man ./bureau-serve.1`
}

func (c manCmd) Run(t *terminal, k *kong.Context) error {
	pages := manPages(k.Model)
	if err := os.MkdirAll(c.Dir, 0o755); err != nil {
		return err
	}
	var names []string
	for _, p := range pages {
		names = append(names, p.name)
		if err := os.WriteFile(filepath.Join(c.Dir, p.name), []byte(p.text), 0o644); err != nil {
			return err
		}
	}
	return t.print(map[string]any{"dir": c.Dir, "pages": names}, func(w io.Writer) {
		fmt.Fprintf(w, "%d pages are in %s\n", len(pages), c.Dir)
	})
}

// A manPage is a file in the form that man reads.
type manPage struct{ name, text string }

// manPages makes the pages from the table that also makes the help.
func manPages(model *kong.Application) []manPage {
	pages := []manPage{{"bureau.1", overview(model)}}
	for _, n := range model.Children {
		if !n.Hidden {
			pages = append(pages, manPage{"bureau-" + n.Name + ".1", commandPage(n)})
		}
	}
	return pages
}

func overview(model *kong.Application) string {
	var b strings.Builder
	manHead(&b, "bureau", model.Help)
	b.WriteString(".SH SYNOPSIS\n.B bureau\n.I command\n[flags]\n.SH DESCRIPTION\n")
	manText(&b, model.Detail)
	b.WriteString(".SH COMMANDS\n")
	for _, n := range model.Children {
		if !n.Hidden {
			fmt.Fprintf(&b, ".TP\n.BR bureau\\-%s (1)\n%s\n", roff(n.Name), roff(n.Help))
		}
	}
	b.WriteString(".SH FLAGS\n")
	manFlags(&b, model.Node)
	b.WriteString(".SH EXIT STATUS\n0: done. 1: failed. 2: called wrongly; nothing was done.\n")
	return b.String()
}

func commandPage(n *kong.Node) string {
	var b strings.Builder
	manHead(&b, "bureau-"+n.Name, n.Help)
	b.WriteString(".SH SYNOPSIS\n")
	leaves := leavesOf(n)
	for i, leaf := range leaves {
		if i > 0 {
			b.WriteString(".br\n")
		}
		fmt.Fprintf(&b, ".B %s\n", roff("bureau "+words(leaf)))
		for _, p := range leaf.Positional {
			fmt.Fprintf(&b, "%s\n", roff(p.Summary()))
		}
		b.WriteString("[flags]\n")
	}
	b.WriteString(".SH DESCRIPTION\n")
	manText(&b, n.Detail)
	for _, leaf := range leaves {
		if leaf != n {
			fmt.Fprintf(&b, ".SH %s\n%s\n", roff(strings.ToUpper(words(leaf))), roff(leaf.Help))
			manText(&b, leaf.Detail)
		} else {
			b.WriteString(".SH FLAGS\n")
		}
		for _, p := range leaf.Positional {
			fmt.Fprintf(&b, ".TP\n.I %s\n%s\n", roff(p.Summary()), roff(p.Help))
		}
		manFlags(&b, leaf)
	}
	b.WriteString(".SH SEE ALSO\n.BR bureau (1)\n")
	return b.String()
}

// leavesOf are the commands below n that do something, or n itself.
func leavesOf(n *kong.Node) (out []*kong.Node) {
	if len(n.Children) == 0 {
		return []*kong.Node{n}
	}
	for _, child := range n.Children {
		if !child.Hidden {
			out = append(out, leavesOf(child)...)
		}
	}
	return out
}

// words are how a command is called, without the program's name.
func words(n *kong.Node) string {
	if n.Parent == nil || n.Parent.Type == kong.ApplicationNode {
		return n.Name
	}
	return words(n.Parent) + " " + n.Name
}

func manHead(b *strings.Builder, name, help string) {
	fmt.Fprintf(b, ".TH %s 1 \"\" \"bureau %s\" \"Bureau\"\n.SH NAME\n%s \\- %s\n", roff(strings.ToUpper(name)), roff(version), roff(name), roff(help))
}

// manText keeps the lines as they are written: examples must not be filled.
func manText(b *strings.Builder, text string) {
	before, example, found := strings.Cut(text, "Example:\n")
	for p := range strings.SplitSeq(strings.TrimSpace(before), "\n\n") {
		if p != "" {
			fmt.Fprintf(b, ".PP\n%s\n", roff(p))
		}
	}
	if !found {
		return
	}
	shown, after, _ := strings.Cut(example, "\n\n")
	fmt.Fprintf(b, ".PP\nExample:\n.PP\n.nf\n%s\n.fi\n", roff(shown))
	if after != "" {
		fmt.Fprintf(b, ".PP\n%s\n", roff(after))
	}
}

func manFlags(b *strings.Builder, n *kong.Node) {
	for _, group := range n.AllFlags(true) {
		for _, f := range group {
			name := "--" + f.Name
			if !f.IsBool() {
				name += "=" + f.FormatPlaceHolder()
			}
			fmt.Fprintf(b, ".TP\n.B %s\n%s\n", roff(name), roff(f.Help))
		}
	}
}

// roff writes a text so that nothing in it is taken as an instruction.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`).Replace(text)
	var plain strings.Builder
	for _, r := range text {
		if r < utf8.RuneSelf {
			plain.WriteRune(r)
		} else { // not every reader of such pages takes UTF-8
			fmt.Fprintf(&plain, `\[u%04X]`, r)
		}
	}
	lines := strings.Split(plain.String(), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
