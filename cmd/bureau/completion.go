package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"bureau/internal/app"
)

type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

func (completionCmd) Help() string {
	return `Prints a script that completes commands, flags and their values. It asks this
program what there is, so it need not be made again after an upgrade.

Example:
  bureau completion bash > /etc/bash_completion.d/bureau
  bureau completion zsh > "${fpath[1]}/_bureau"
  bureau completion fish > ~/.config/fish/completions/bureau.fish`
}

func (c completionCmd) Run(t *terminal) error {
	script := completionScripts[c.Shell]
	return t.print(map[string]string{"shell": c.Shell, "script": script}, func(w io.Writer) { fmt.Fprint(w, script) })
}

// completeWord is what the scripts call, with the words so far; the last one is
// being written. It is no command: it must understand half a command line.
const completeWord = "__complete"

var completionScripts = map[string]string{
	"bash": `# Completes bureau in bash.
_bureau() {
	local word about
	COMPREPLY=()
	while IFS=$'\t' read -r word about; do
		COMPREPLY+=("$word")
	done < <("${COMP_WORDS[0]}" ` + completeWord + ` "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _bureau bureau
`,
	"zsh": `#compdef bureau
# Completes bureau in zsh.
_bureau() {
	local word about
	local -a found
	while IFS=$'\t' read -r word about; do
		found+=("${word//:/\\:}:$about")
	done < <("${words[1]}" ` + completeWord + ` "${(@)words[2,CURRENT]}" 2>/dev/null)
	if (( ${#found} )); then
		_describe bureau found
	else
		_files
	fi
}
if [ "$funcstack[1]" = "_bureau" ]; then
	_bureau "$@"
else
	compdef _bureau bureau
fi
`,
	"fish": `# Completes bureau in fish.
function __bureau_complete
	set -l words (commandline -opc) (commandline -ct)
	set -l found ($words[1] ` + completeWord + ` $words[2..-1] 2>/dev/null)
	if test (count $found) -gt 0
		printf '%s\n' $found
	else
		__fish_complete_path (commandline -ct)
	end
end
complete -c bureau -f -a '(__bureau_complete)'
`,
}

// A candidate is a word that may come next, and what it means.
type candidate struct{ word, about string }

// complete writes what the last of some words may become. Nothing is written
// where a file is meant: shells complete those themselves.
func complete(model *kong.Application, words []string, w io.Writer) {
	if len(words) == 0 {
		words = []string{""}
	}
	last := words[len(words)-1]
	at := place{node: model.Node}
	for _, word := range words[:len(words)-1] {
		at.pass(word)
	}
	for _, c := range at.candidates() {
		if strings.HasPrefix(c.word, last) && (last != "" || !strings.HasPrefix(c.word, "-")) {
			about, _, _ := strings.Cut(c.about, "\n")
			fmt.Fprintf(w, "%s\t%s\n", c.word, about)
		}
	}
}

// A place is how far a command line has come.
type place struct {
	node  *kong.Node
	value *kong.Flag // that the next word belongs to
	args  int        // positional words so far
}

// pass reads one word.
func (p *place) pass(word string) {
	switch {
	case p.value != nil:
		p.value = nil
		return
	case strings.HasPrefix(word, "--") && !strings.Contains(word, "="):
		for _, f := range p.flags() {
			if "--"+f.Name == word && !f.IsBool() {
				p.value = f
			}
		}
		return
	case strings.HasPrefix(word, "-"):
		return
	}
	for _, n := range p.node.Children {
		if n.Name == word || slices.Contains(n.Aliases, word) {
			p.node, p.args = n, 0
			return
		}
	}
	if p.node.DefaultCmd != nil && len(p.node.Positional) == 0 {
		p.node = p.node.DefaultCmd
	}
	p.args++
}

// flags are those that may come here.
func (p *place) flags() (out []*kong.Flag) {
	for _, group := range p.node.AllFlags(true) {
		out = append(out, group...)
	}
	return out
}

func (p *place) candidates() (out []candidate) {
	if p.value != nil {
		return values(p.value.Value)
	}
	for _, n := range p.node.Children {
		if !n.Hidden {
			out = append(out, candidate{n.Name, n.Help})
		}
	}
	if list := p.node.Positional; len(list) > 0 {
		out = append(out, values(list[min(p.args, len(list)-1)])...)
	}
	var flags []candidate
	for _, f := range p.flags() {
		flags = append(flags, candidate{"--" + f.Name, f.Help})
		if f.Tag.Negatable != "" {
			flags = append(flags, candidate{"--no-" + f.Name, f.Help})
		}
	}
	slices.SortFunc(flags, func(a, b candidate) int { return cmp.Compare(a.word, b.word) })
	return append(out, flags...)
}

// values are the words that a flag or an argument takes, where they are few.
func values(v *kong.Value) (out []candidate) {
	if v.Name == "source" {
		for _, s := range app.Sources() {
			out = append(out, candidate{s.Name, s.Title})
		}
		return out
	}
	if v.Enum == "" {
		return nil
	}
	for _, word := range v.EnumSlice() {
		out = append(out, candidate{word, ""})
	}
	return out
}
