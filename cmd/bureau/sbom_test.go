package main

import (
	"encoding/json"
	"os"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
)

// What the program says that it is made of is what go.mod asks for and go.sum
// vouches for, and every required field of the format is there.
func TestSBOM(t *testing.T) {
	code, out, errs := call(t, "version", "--sbom")
	if code != 0 {
		t.Fatal(errs)
	}
	var bom sbom
	in := json.NewDecoder(strings.NewReader(out))
	in.DisallowUnknownFields()
	if err := in.Decode(&bom); err != nil {
		t.Fatal(err)
	}
	self := bom.Metadata.Component
	if bom.Format != "CycloneDX" || bom.Spec != "1.6" || bom.Version != 1 || self.Type != "application" || self.Name != "bureau" || self.Version != version {
		t.Errorf("it is %s %s of %+v", bom.Format, bom.Spec, self)
	}
	asked, sums := wanted(t, "../../go.mod"), wanted(t, "../../go.sum")
	purl := regexp.MustCompile(`^pkg:golang/[a-z0-9._~/-]+@v?[0-9][A-Za-z0-9.%-]*$`)
	var refs []string
	for _, c := range bom.Components {
		if !purl.MatchString(c.Purl) || c.Ref != c.Purl || c.Type != "library" || slices.Contains(refs, c.Ref) {
			t.Errorf("%+v is no library with an address of its own", c)
		}
		refs = append(refs, c.Ref)
		if c.Name == "std" {
			continue
		}
		if asked[c.Name] != c.Version {
			t.Errorf("%s is %s here and %q in go.mod", c.Name, c.Version, asked[c.Name])
		}
		if len(c.Hashes) != 1 || len(c.Hashes[0].Content) != 64 || sums[c.Name+" "+c.Version] != c.Properties[0].Value {
			t.Errorf("%s has the sums %v %v, and %q in go.sum", c.Name, c.Hashes, c.Properties, sums[c.Name+" "+c.Version])
		}
	}
	for _, needed := range []string{"modernc.org/sqlite", "github.com/jackc/pgx/v5", "std"} {
		if !slices.ContainsFunc(bom.Components, func(c sbomComponent) bool { return c.Name == needed }) {
			t.Errorf("%s is missing", needed)
		}
	}
	if len(bom.Dependencies) != 1 || bom.Dependencies[0].Ref != self.Ref || !slices.Equal(bom.Dependencies[0].DependsOn, refs) {
		t.Errorf("what needs what is %+v", bom.Dependencies)
	}
}

// wanted reads the modules of go.mod, or the sums of go.sum.
func wanted(t *testing.T, file string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		switch {
		case strings.HasSuffix(file, ".sum") && len(words) == 3:
			found[words[0]+" "+words[1]] = words[2]
		case strings.HasPrefix(line, "\t") && len(words) >= 2:
			found[words[0]] = words[1]
		}
	}
	return found
}

func TestSBOMOfOtherBuilds(t *testing.T) {
	if got := modulePurl("github.com/Example/Thing", "v2.0.0+incompatible"); got != "pkg:golang/github.com/example/thing@v2.0.0%2Bincompatible" {
		t.Error(got)
	}
	built := &debug.BuildInfo{GoVersion: "go1.26.0", Main: debug.Module{Path: "bureau"}, Deps: []*debug.Module{
		{Path: "example.com/a", Version: "v1.0.0", Replace: &debug.Module{Path: "example.com/fork", Version: "v1.0.1"}},
	}}
	bom, err := newSBOM("1.2.3", built)
	if err != nil || len(bom.Components) != 2 || bom.Components[1].Name != "example.com/fork" || bom.Components[1].Hashes != nil {
		t.Errorf("got %+v, %v", bom, err)
	}
	built.Deps[0] = &debug.Module{Path: "example.com/a", Version: "v1.0.0", Sum: "h2:AAAA"}
	if _, err := newSBOM("1.2.3", built); err == nil {
		t.Error("a sum that is none was taken")
	}
}

func TestVersionFlag(t *testing.T) {
	_, word, _ := call(t, "version")
	for _, args := range [][]string{{"--version"}, {"--version", "--json"}} {
		code, out, errs := call(t, args...)
		if code != 0 || len(args) == 1 && out != word || !strings.Contains(out, version) {
			t.Errorf("%v: %d %q %q, want %q", args, code, out, errs, word)
		}
	}
}
