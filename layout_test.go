// Package bureau_test is the plan of the house: who may import whom, and the
// few habits that a program can check. The checks are in layout_check_test.go,
// and layout_proof_test.go shows that each of them can fail.
package bureau_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"strings"
	"testing"
)

// mayImport is the plan of the house: each room and the rooms it opens onto. A
// room that is not on the plan fails the test too. A room is the first folder
// under internal/, with all that is in it; bench, changelog, cmd, client and docs
// are rooms of their own, the first one with internal/bench. Tests may reach
// anywhere, except those of client.
var mayImport = map[string]string{
	"fault":    "",
	"match":    "",
	"pdf":      "fault match",
	"job":      "fault",
	"auth":     "fault",
	"company":  "fault match",
	"monitor":  "fault job auth company",
	"kyc":      "fault match pdf job auth company",
	"bank":     "fault match auth company",
	"identity": "fault match auth company",
	"national": "fault match auth company identity",
	"importer": "fault match company kyc bank identity",
	"notify":   "fault job auth company monitor kyc",
	"sandbox":  "fault match job auth company monitor kyc bank identity national",
	"store":    "fault job auth company monitor kyc bank identity national importer lacktest",
	"api":      "fault pdf auth company monitor kyc bank identity national",
	"look":     "",
	"console":  "fault look pdf job auth company monitor kyc bank identity national importer",
	"handbook": "look changelog",
	"bench":    "app auth client company importer kyc match monitor notify store",
	"app":      "fault match pdf job auth company monitor kyc bank identity national importer notify sandbox store api console handbook changelog",
	"cmd":      "app bench client",
	"client":   "",
	"docs":     "client",

	"proof":     "",
	"changelog": "",
	"lacktest":  "",
}

// onlyIn keeps the big packages, and all that is below them, at the edges.
var onlyIn = map[string]string{
	"database/sql":             "store bench",
	"github.com/jackc/pgx":     "store bench",
	"github.com/pressly/goose": "store",
	"github.com/riverqueue":    "store",
	"modernc.org/sqlite":       "store bench",
	"net/http":                 "api console handbook look importer notify app client bench docs",
}

// maxLines is the length at which a file has more than one subject.
const maxLines = 500

// badPackages are names that say nothing of what a package holds, or that hide
// a package of the standard library.
const badPackages = "http sql image log " +
	"util utils common helper helpers model models type types dto base manager impl service"

// vendors are names that occur nowhere in this tree, in any case. They are cut
// in two so that this file may stay in it.
var vendors = []string{
	wireVendor,
	"dun & brad" + "street",
	"dnb" + ".com",
	"expe" + "rian",
	"equi" + "fax",
	"moo" + "dy",
	"comply" + "advantage",
	"refin" + "itiv",
	"world" + "-check",
}

// wireVendor is part of a few keys of a wire that we did not design. Where the
// wire is spoken, and only there, those keys may be spelt out.
const (
	wireVendor = "credit" + "safe"
	wirePlaces = "internal/api/ client/ openapi/openapi.json"
)

func TestLayout(t *testing.T) {
	files := tree(t)
	for _, complaint := range survey(files) {
		t.Error(complaint)
	}
}

// tree reads every file that git tracks or would track. It opens each folder
// itself, so that the test cache notices a new file.
func tree(t *testing.T) []file {
	t.Helper()
	ignored := ignored(t)
	root := os.DirFS(".")
	var files []file
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil // someone tidied up while we walked
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || ignored[name]):
			return fs.SkipDir
		case !d.Type().IsRegular() || d.Name() == ".git" || ignored[name]:
			return nil
		}
		text, err := fs.ReadFile(root, name)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		files = append(files, file{path: name, text: text})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// ignored asks git what it ignores. A tree without git, unpacked from an
// archive, holds nothing but the folders that our own commands make.
func ignored(t *testing.T) map[string]bool {
	t.Helper()
	out, err := exec.Command("git", "ls-files", "-z",
		"--others", "--ignored", "--exclude-standard", "--directory").Output()
	if err != nil {
		t.Logf("git does not say what it ignores (%v)", err)
		return map[string]bool{"bin": true, "data": true, ".tools": true}
	}
	set := map[string]bool{}
	for name := range bytes.SplitSeq(out, []byte{0}) {
		set[path.Clean(string(name))] = len(name) > 0
	}
	return set
}

// A file is a path from the root, with slashes, and what is in it.
type file struct {
	path string
	text []byte
}

func (f file) in(dir string) bool { return strings.HasPrefix(f.path, dir+"/") }
