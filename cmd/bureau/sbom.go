package main

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/url"
	"runtime/debug"
	"strings"
)

// An sbom is what a program is made of, in the words of CycloneDX 1.6. It is
// made from what the compiler wrote into the program, so it cannot speak of
// another one. Licences are not in there, and nothing is guessed.
type sbom struct {
	Format       string          `json:"bomFormat"`
	Spec         string          `json:"specVersion"`
	Version      int             `json:"version"`
	Metadata     sbomMetadata    `json:"metadata"`
	Components   []sbomComponent `json:"components"`
	Dependencies []sbomNeeds     `json:"dependencies"`
}

type sbomMetadata struct {
	Timestamp string        `json:"timestamp,omitempty"` // of the commit, so that the same tree says the same
	Component sbomComponent `json:"component"`
}

type sbomComponent struct {
	Ref        string         `json:"bom-ref"`
	Type       string         `json:"type"`
	Name       string         `json:"name"`
	Version    string         `json:"version"`
	Purl       string         `json:"purl"`
	Hashes     []sbomHash     `json:"hashes,omitempty"`
	Properties []sbomProperty `json:"properties,omitempty"`
}

type sbomHash struct {
	Alg     string `json:"alg"`
	Content string `json:"content"`
}

type sbomProperty struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type sbomNeeds struct {
	Ref       string   `json:"ref"`
	DependsOn []string `json:"dependsOn,omitempty"`
}

func newSBOM(version string, built *debug.BuildInfo) (*sbom, error) {
	bom := &sbom{Format: "CycloneDX", Spec: "1.6", Version: 1}
	self := newComponent("application", built.Main.Path, version)
	for _, s := range built.Settings {
		switch s.Key {
		case "vcs.time":
			bom.Metadata.Timestamp = s.Value
		case "GOOS", "GOARCH", "CGO_ENABLED", "vcs.revision", "vcs.modified":
			self.Properties = append(self.Properties, sbomProperty{"go:" + s.Key, s.Value})
		}
	}
	bom.Metadata.Component = self
	std := newComponent("library", "std", strings.TrimPrefix(built.GoVersion, "go"))
	bom.Components = []sbomComponent{std}
	for _, m := range built.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		c := newComponent("library", m.Path, m.Version)
		if m.Sum != "" {
			if err := c.addSum(m.Sum); err != nil {
				return nil, fmt.Errorf("the checksum of %s: %w", m.Path, err)
			}
		}
		bom.Components = append(bom.Components, c)
	}
	// Which module needs which is not written into the program: it needs them all.
	all := sbomNeeds{Ref: self.Ref}
	for _, c := range bom.Components {
		all.DependsOn = append(all.DependsOn, c.Ref)
	}
	bom.Dependencies = []sbomNeeds{all}
	return bom, nil
}

func newComponent(kind, path, version string) sbomComponent {
	purl := modulePurl(path, version)
	return sbomComponent{Ref: purl, Type: kind, Name: path, Version: version, Purl: purl}
}

// modulePurl is the package URL of a Go module, whose type wants small letters.
func modulePurl(path, version string) string {
	parts := strings.Split(strings.ToLower(path), "/")
	for i, p := range parts {
		parts[i] = url.PathEscape(p)
	}
	return "pkg:golang/" + strings.Join(parts, "/") + "@" + strings.ReplaceAll(url.PathEscape(version), "+", "%2B")
}

// addSum adds what go.sum says of a module: SHA-256 over the names and sums of its
// files, which begins with h1 there.
func (c *sbomComponent) addSum(sum string) error {
	text, ok := strings.CutPrefix(sum, "h1:")
	b, err := base64.StdEncoding.DecodeString(text)
	if !ok || err != nil || len(b) != 32 {
		return fmt.Errorf("%q is no sum of go.sum", sum)
	}
	c.Hashes = []sbomHash{{"SHA-256", hex.EncodeToString(b)}}
	c.Properties = append(c.Properties, sbomProperty{"go:sum", sum})
	return nil
}
