package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The Debian package holds what it promises, and its unit names a program that
// is in it. It is built from scratch, so this is among the long proofs.
func TestDebianPackage(t *testing.T) {
	if !prove() {
		t.Skip("building a package takes a minute: make prove does it")
	}
	if _, err := exec.LookPath("dpkg-deb"); err != nil {
		t.Skip("there is no dpkg-deb here")
	}
	dir := t.TempDir()
	run := func(name string, args ...string) string {
		t.Helper()
		out, err := exec.CommandContext(t.Context(), name, args...).CombinedOutput()
		if err != nil {
			t.Fatalf("%s %v: %v\n%s", name, args, err, out)
		}
		return string(out)
	}
	file := strings.TrimSpace(run("../../scripts/deb", dir))
	root := filepath.Join(dir, "root")
	run("dpkg-deb", "-x", file, root)
	for _, want := range []string{
		"usr/bin/bureau", "lib/systemd/system/bureau.service", "etc/bureau/bureau.yaml",
		"usr/share/man/man1/bureau.1.gz", "usr/share/man/man1/bureau-serve.1.gz",
		"usr/share/bash-completion/completions/bureau", "usr/share/doc/bureau/copyright",
	} {
		if _, err := os.Stat(filepath.Join(root, want)); err != nil {
			t.Errorf("the package has no %s", want)
		}
	}
	if got := run(filepath.Join(root, "usr/bin/bureau"), "version"); !strings.Contains(file, strings.Fields(got)[1]) {
		t.Errorf("%s holds version %s", file, got)
	}
	unit, err := os.ReadFile(filepath.Join(root, "lib/systemd/system/bureau.service"))
	if err != nil || !strings.Contains(string(unit), "ExecStart=/usr/bin/bureau serve ") {
		t.Errorf("the unit starts another program: %v\n%s", err, unit)
	}
	for _, script := range []string{"postinst", "prerm", "postrm"} {
		run("sh", "-n", "../../deploy/debian/"+script)
	}
}
