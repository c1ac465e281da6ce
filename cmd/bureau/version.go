package main

import (
	"fmt"
	"io"
	"runtime/debug"
)

type versionCmd struct {
	SBOM bool `name:"sbom" help:"Print what the program is made of, as CycloneDX 1.6 (JSON)."`
}

func (versionCmd) Help() string {
	return "Example:\n  bureau version --json\n  bureau version --sbom > bureau.cdx.json\n\n'bureau --version' is the same as 'bureau version'."
}

func (c versionCmd) Run(t *terminal) error {
	if !c.SBOM {
		return t.print(map[string]string{"version": version}, func(w io.Writer) { fmt.Fprintln(w, "bureau", version) })
	}
	built, ok := debug.ReadBuildInfo()
	if !ok {
		return fmt.Errorf("this program was built without its list of modules")
	}
	bom, err := newSBOM(version, built)
	if err != nil {
		return err
	}
	t.json = true // it is nothing else
	return t.print(bom, nil)
}
