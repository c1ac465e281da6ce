package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/term"
)

// readPassword reads a password from standard input, exactly as it is but for
// the end of the line. At a terminal it asks, and shows nothing of what is
// typed.
func (t *terminal) readPassword(prompt string) (string, error) {
	if f, ok := t.in.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		fmt.Fprint(t.err, prompt)
		b, err := term.ReadPassword(int(f.Fd()))
		fmt.Fprintln(t.err)
		if err != nil {
			return "", fmt.Errorf("read the password: %w", err)
		}
		return notEmpty(string(b))
	}
	line, err := bufio.NewReader(t.in).ReadString('\n')
	if err != nil && line == "" {
		return "", misuse{errors.New("there is no password on standard input")}
	}
	return notEmpty(strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r"))
}

func notEmpty(password string) (string, error) {
	if password == "" {
		return "", misuse{errors.New("the password is empty")}
	}
	return password, nil
}
