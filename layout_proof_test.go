package bureau_test

import (
	"strings"
	"testing"
)

// TestLayoutChecksCanFail feeds the survey one house at a time, each with one
// thing wrong or with something that only looks wrong.
func TestLayoutChecksCanFail(t *testing.T) {
	const lead = "// Package kyc screens.\npackage kyc\n"
	for _, c := range []struct {
		name  string
		files []file
		want  string // a part of the one complaint; empty for none
	}{
		{
			"room opens onto another", house("internal/kyc/a.go", `import _ "bureau/internal/company"`), "",
		},
		{
			"room does not open onto another", house("internal/kyc/a.go", `import _ "bureau/internal/monitor"`),
			"internal/kyc/a.go: kyc may not import bureau/internal/monitor",
		},
		{
			"folder of a room counts as the room", house("internal/importer/gleif/lei.go", `import _ "bureau/internal/auth"`),
			"importer may not import bureau/internal/auth",
		},
		{
			"room and its own folder", house("internal/importer/gleif/lei.go", `import _ "bureau/internal/importer"`), "",
		},
		{
			"command reaches past app", house("cmd/bureau/main.go", `import _ "bureau/internal/store"`),
			"cmd may not import bureau/internal/store",
		},
		{
			"test reaches anywhere", house("internal/kyc/a_test.go", `import _ "bureau/internal/store/storetest"`), "",
		},
		{
			"program imports the test suite", house("internal/app/a.go", `import _ "bureau/internal/store/storetest"`),
			"only tests may import bureau/internal/store/storetest",
		},
		{
			"client imports something of ours", house("client/a.go", `import _ "bureau/internal/fault"`),
			"client may not import bureau/internal/fault",
		},
		{
			"client's test does too", house("client/a_test.go", `import _ "bureau/internal/app"`),
			"client may not import bureau/internal/app",
		},
		{
			"client's test uses the client", house("client/a_test.go", `import _ "bureau/client"; import _ "net/http"`), "",
		},
		{
			"room that is not on the plan", house("internal/shared/a.go", ""),
			"shared is not on the plan",
		},
		{
			"room that is not on the plan, with a test alone", house("internal/shared/a_test.go", ""),
			"shared is not on the plan",
		},
		{
			"program at the root", house("a.go", ""), ". is not on the plan",
		},
		{
			"program right under internal", house("internal/a.go", ""), "internal is not on the plan",
		},
		{
			"test left out by itself", house("internal/kyc/a_test.go", `func f(t T) { t.Skip("not now") }`),
			"internal/kyc/a_test.go: a test is left out",
		},
		{
			"test left out in a suite", house("internal/store/storetest/a.go", `func f(t T) { t.SkipNow() }`),
			"internal/store/storetest/a.go: a test is left out",
		},
		{
			"test left out as it should", house("internal/kyc/a_test.go", `func f(t T) { lacktest.Skip(t, "no shell") }`), "",
		},
		{
			"module of its own", append(house("e2e/a.go", ""), file{"e2e/go.mod", []byte("module e2e\n")}), "",
		},
		{
			"database outside the store", house("internal/kyc/a.go", `import _ "database/sql"`),
			"database/sql belongs in: store",
		},
		{
			"driver outside the store", house("internal/app/a.go", `import _ "github.com/jackc/pgx/v5/pgxpool"`),
			"github.com/jackc/pgx/v5/pgxpool belongs in: store",
		},
		{
			"driver in the store", house("internal/store/a.go", `import _ "github.com/jackc/pgx/v5"`), "",
		},
		{
			"web in a rule", house("internal/monitor/a.go", `import _ "net/http"`), "net/http belongs in: api",
		},
		{
			"web in the command", house("cmd/bureau/main.go", `import _ "net/http"`), "net/http belongs in: api",
		},
		{
			"web in a rule's test", house("internal/monitor/a_test.go", `import _ "net/http"`), "",
		},
		{
			"file of exactly the limit", house("internal/kyc/a.go", strings.Repeat("\n", maxLines-1)), "",
		},
		{
			"file one line longer", house("internal/kyc/a.go", strings.Repeat("\n", maxLines)), "501 lines, at most 500",
		},
		{
			"test one line longer", house("internal/kyc/a_test.go", strings.Repeat("\n", maxLines)), "501 lines, at most 500",
		},
		{
			"last line without an end", []file{{"cmd/a.go", []byte("package a" + strings.Repeat("\n", maxLines) + "//")}}, "501 lines, at most 500",
		},
		{
			"name ends in a system", house("internal/kyc/list_ios.go", ""), "drops out of the build",
		},
		{
			"name of a test ends in a processor", house("internal/kyc/list_arm_test.go", ""), "drops out of the build",
		},
		{
			"name ends in a system on purpose",
			append(house("internal/kyc/a.go", ""), file{"internal/kyc/a_linux.go", []byte("//go:build linux\n\npackage kyc\n")}), "",
		},
		{
			"package that hides the standard library", house("internal/api/log/a.go", ""), "a package called log says nothing",
		},
		{
			"package without a subject", house("internal/api/utils/a_test.go", ""), "a package called utils says nothing",
		},
		{
			"package without a doc.go", []file{{"internal/kyc/kyc.go", []byte(lead)}}, "internal/kyc: no doc.go",
		},
		{
			"doc.go without a comment", []file{{"internal/kyc/doc.go", []byte("package kyc\n")}}, "internal/kyc: no doc.go",
		},
		{
			"doc.go that talks of another",
			[]file{{"internal/kyc/doc.go", []byte("// Package kycs screens.\npackage kyc\n")}},
			"internal/kyc: no doc.go",
		},
		{
			"doc.go with a comment", []file{{"internal/kyc/doc.go", []byte(lead)}}, "",
		},
		{
			"Go file in testdata is data", []file{{"internal/kyc/testdata/a.go", []byte("not Go")}}, "",
		},
		{
			"file that is not Go", house("internal/kyc/a.go", "import ("), "internal/kyc/a.go:",
		},
	} {
		t.Run(c.name, func(t *testing.T) { expect(t, survey(c.files), c.want) })
	}
}

func TestVendorCheckCanFail(t *testing.T) {
	key := wireVendor + "Id"
	for _, c := range []struct {
		name, path, text string
		want             string
	}{
		{"key where the wire is spoken", "internal/api/a.go", "`json:\"" + key + "\"`", ""},
		{"key in the client", "client/a.go", key, ""},
		{"key in the document", "openapi/openapi.json", key, ""},
		{"key in a rule", "internal/company/a.go", key, "internal/company/a.go:1: names a vendor"},
		{"key beside the document", "openapi/README.md", key, "names a vendor"},
		{"room whose name only begins alike", "internal/apix/a.go", key, "names a vendor"},
		{"plain name where the wire is spoken", "internal/api/a.go", "\n" + wireVendor + " says", "internal/api/a.go:2: names a vendor"},
		{"capital name where the wire is spoken", "internal/api/a.go", strings.ToUpper(key), "names a vendor"},
		{"name in a path", "docs/" + wireVendor + ".md", "", "names a vendor"},
		{"nothing to see", "docs/a.md", "We name nobody.", ""},
	} {
		t.Run(c.name, func(t *testing.T) { expect(t, checkVendors(file{c.path, []byte(c.text)}), c.want) })
	}
	for _, v := range vendors {
		expect(t, checkVendors(file{"README.md", []byte("Like " + strings.ToUpper(v) + ", but free.")}), "names a vendor: "+v)
	}
}

// house is a package with one file at that path and all that belongs beside it.
func house(name, body string) []file {
	parts := strings.Split(name, "/")
	pkg := "p"
	if len(parts) > 1 {
		pkg = parts[len(parts)-2]
	}
	dir := strings.Join(parts[:len(parts)-1], "/")
	files := []file{{name, []byte("package " + pkg + ";" + body + "\n")}}
	if strings.HasPrefix(dir, "internal") {
		files = append(files, file{dir + "/doc.go", []byte("// Package " + pkg + " is.\npackage " + pkg + "\n")})
	}
	return files
}

// expect wants every complaint to be about the one thing, or none at all.
func expect(t *testing.T, got []string, want string) {
	t.Helper()
	if want == "" && len(got) > 0 || want != "" && len(got) == 0 {
		t.Fatalf("complaints %q, want %q", got, want)
	}
	for _, g := range got {
		if !strings.Contains(g, want) {
			t.Errorf("complaint %q, want %q", g, want)
		}
	}
}
