package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"bureau/internal/lacktest"
)

// The Debian package holds what it promises, and its unit names a program that
// is in it. Built from scratch it is among the long proofs.
func TestDebianPackage(t *testing.T) {
	t.Parallel()
	lacktest.Program(t, "dpkg-deb")
	dir := t.TempDir()
	env := append(os.Environ(), "BUREAU_VERSION=1.2.3")
	run := func(name string, args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Env = env
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %v: %v\n%s", name, args, err, out)
		}
		return string(out)
	}
	if !prove() { // the parts of the program are compiled already, and to press it takes a minute
		program := filepath.Join(dir, "bureau")
		run("go", "build", "-ldflags", "-X main.version=1.2.3", "-o", program, ".")
		env = append(env, "BUREAU_PROGRAM="+program, "DPKG_DEB_COMPRESSOR_TYPE=none")
	}
	file := strings.TrimSpace(run("../../scripts/deb", dir))
	root := filepath.Join(dir, "root")
	run("dpkg-deb", "-x", file, root)
	for _, want := range []string{
		"usr/bin/bureau", "lib/systemd/system/bureau.service", "etc/bureau/bureau.yaml",
		"usr/share/man/man1/bureau.1.gz", "usr/share/man/man1/bureau-serve.1.gz",
		"usr/share/bash-completion/completions/bureau", "usr/share/doc/bureau/copyright",
		"usr/share/doc/bureau/bureau.cdx.json",
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
	// systemd understands every line of it, and finds little that it leaves open.
	verify := lacktest.Program(t, "systemd-analyze")
	unpacked := filepath.Join(dir, "bureau.service")
	moved := strings.Replace(string(unit), "/usr/bin/bureau", filepath.Join(root, "usr/bin/bureau"), 1)
	if err := os.WriteFile(unpacked, []byte(moved), 0o600); err != nil {
		t.Fatal(err)
	}
	if said := run(verify, "verify", "--man=no", unpacked); said != "" {
		t.Errorf("systemd says of the unit:\n%s", said)
	}
	run(verify, "security", "--offline=true", "--threshold=20", unpacked)
	for _, script := range []string{"postinst", "prerm", "postrm"} {
		run("sh", "-n", "../../deploy/debian/"+script)
	}
}
