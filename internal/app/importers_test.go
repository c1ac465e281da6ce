package app

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/store/storetest"
)

// A registrar imports files, on a database of its own.
type registrar struct {
	*App
	t   *testing.T
	dir string
}

// onBoth runs a test on each engine.
func onBoth(t *testing.T, test func(t *testing.T, r registrar)) {
	t.Helper()
	for name, db := range map[string]func() string{
		"sqlite":   func() string { return "" },
		"postgres": func() string { return storetest.Postgres(t) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, _ := openHouse(t, config(t, func(c *Config) { c.DB = Secret(db()) }))
			test(t, registrar{a, t, t.TempDir()})
		})
	}
}

// take imports files as they are.
func (r registrar) take(source string, o ImportOptions, paths ...string) ImportResult {
	r.t.Helper()
	res, err := r.Import(r.t.Context(), source, paths, nil, o)
	if err != nil {
		r.t.Fatalf("import %s %s: %v", source, filepath.Base(paths[0]), err)
	}
	return res
}

// write makes a file of what an importer's own tests read.
func (r registrar) write(name, text string) string {
	r.t.Helper()
	path := filepath.Join(r.dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		r.t.Fatal(err)
	}
	return path
}

func (r registrar) company(id company.ID) company.Company {
	r.t.Helper()
	c, err := r.Register.Company(r.t.Context(), id)
	if err != nil {
		r.t.Fatal(err)
	}
	return c
}

func (r registrar) isGone(id company.ID) {
	r.t.Helper()
	if _, err := r.Register.Company(r.t.Context(), id); !errors.Is(err, fault.Missing) {
		r.t.Errorf("%s is still there (%v)", id, err)
	}
}

// changes are those after a number.
func (r registrar) changes(after int64) []company.Change {
	r.t.Helper()
	list, err := r.DB.Changes(r.t.Context(), after, 100_000)
	if err != nil {
		r.t.Fatal(err)
	}
	return list
}

func (r registrar) lastChange() int64 {
	r.t.Helper()
	n, err := r.DB.LastChange(r.t.Context())
	if err != nil {
		r.t.Fatal(err)
	}
	return n
}

const (
	unitsHead  = "siren,statutDiffusionUniteLegale,etatAdministratifUniteLegale,categorieJuridiqueUniteLegale,denominationUniteLegale\n"
	placesHead = "siren,siret,statutDiffusionEtablissement,etatAdministratifEtablissement,etablissementSiege,libelleVoieEtablissement,libelleCommuneEtablissement\n"

	unitOne   = "999990013,O,A,5710,UN\n"
	unitTwo   = "999990021,O,A,5710,DEUX\n"
	seatOne   = "999990013,99999001300016,O,A,true,RUE UNE,ICI\n"
	branchOne = "999990013,99999001300024,O,A,false,RUE DEUX,AILLEURS\n"
	seatTwo   = "999990021,99999002100019,O,A,true,RUE TROIS,ICI\n"
)

// TestListOfUnitsLeavesEstablishments: the French register is published as
// lists of two kinds, and each takes away only what it is the list of.
func TestListOfUnitsLeavesEstablishments(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, r registrar) {
		units := r.write("units.csv", unitsHead+unitOne+unitTwo)
		places := r.write("places.csv", placesHead+seatOne+branchOne+seatTwo)
		r.take("sirene", ImportOptions{}, units)
		r.take("sirene", ImportOptions{}, places)
		one := r.company("FR-0-999990013")
		if one.Name != "UN" || len(one.Addresses) != 2 {
			t.Fatalf("after both lists: %+v", one.Facts)
		}
		for _, same := range []string{units, places} {
			if res := r.take("sirene", ImportOptions{}, same); res.Changes != 0 || res.Companies != 0 || res.Removed != 0 {
				t.Errorf("%s again: %+v", filepath.Base(same), res)
			}
		}
		from := r.lastChange()
		r.take("sirene", ImportOptions{}, r.write("places2.csv", placesHead+seatOne+seatTwo))
		if got := r.changes(from); len(got) != 1 || got[0].Field != company.FieldAddress || !strings.Contains(got[0].Old, "AILLEURS") {
			t.Errorf("without the branch: %+v", got)
		}
		r.take("sirene", ImportOptions{}, r.write("units2.csv", unitsHead+unitOne))
		two := r.company("FR-0-999990021")
		if two.Name != "" || len(two.Addresses) != 1 {
			t.Errorf("the establishment of a unit that is gone: %+v", two.Facts)
		}
		if one := r.company("FR-0-999990013"); one.Name != "UN" || len(one.Addresses) != 1 {
			t.Errorf("the unit that stays: %+v", one.Facts)
		}
		r.take("sirene", ImportOptions{}, r.write("places3.csv", placesHead+seatOne))
		r.isGone("FR-0-999990021")

		// Both in one command are the list of both.
		r.take("sirene", ImportOptions{}, units, places)
		r.take("sirene", ImportOptions{}, r.write("u.csv", unitsHead+unitTwo), r.write("p.csv", placesHead+seatTwo))
		r.isGone("FR-0-999990013")
		if c := r.company("FR-0-999990021"); c.Name != "DEUX" || len(c.Addresses) != 1 {
			t.Errorf("the other: %+v", c.Facts)
		}
	})
}

// TestListOfUnitsLeavesRoles does the same with the Norwegian register, where a
// single document is no list at all.
func TestListOfUnitsLeavesRoles(t *testing.T) {
	t.Parallel()
	unit := func(number, name string) string {
		return `{"organisasjonsnummer":"` + number + `","navn":"` + name + `","organisasjonsform":{"kode":"AS"}}`
	}
	roles := func(number, person string) string {
		return `{"organisasjonsnummer":"` + number + `","rollegrupper":[{"type":{"kode":"DAGL"},"roller":[{"type":{"kode":"DAGL"},` +
			`"person":{"fodselsdato":"1970-05-17","navn":{"fornavn":"Kari","etternavn":"` + person + `"}},"fratraadt":false}]}]}`
	}
	onBoth(t, func(t *testing.T, r registrar) {
		r.take("brreg", ImportOptions{}, r.write("units.json", "["+unit("310000019", "EN AS")+","+unit("310000027", "TO AS")+"]"))
		r.take("brreg", ImportOptions{}, r.write("roles.json", "["+roles("310000019", "En")+","+roles("310000027", "To")+"]"))
		r.take("brreg", ImportOptions{}, r.write("document.json", unit("310000019", "EN NY AS")))
		if c := r.company("NO-0-310000027"); c.Name != "TO AS" || len(c.Officers) != 1 {
			t.Fatalf("a single document is no list: %+v", c.Facts)
		}
		r.take("brreg", ImportOptions{}, r.write("units2.json", "["+unit("310000019", "EN AS")+"]"))
		if c := r.company("NO-0-310000027"); c.Name != "" || len(c.Officers) != 1 {
			t.Errorf("a list of units leaves roles: %+v", c.Facts)
		}
		r.take("brreg", ImportOptions{}, r.write("roles2.json", "["+roles("310000019", "En")+"]"))
		r.isGone("NO-0-310000027")
		if c := r.company("NO-0-310000019"); c.Name != "EN AS" || len(c.Officers) != 1 {
			t.Errorf("what both lists still hold: %+v", c.Facts)
		}
		_, err := r.Import(t.Context(), "brreg", []string{filepath.Join(r.dir, "document.json")}, nil, ImportOptions{Whole: true})
		if err == nil || !strings.Contains(err.Error(), "not the whole list of anything") {
			t.Errorf("--whole with a single document: %v", err)
		}
	})
}

// TestOneCompanyOfThreeSources: a company that three publishers know is one
// company; one of them that lets go of it leaves the facts of the others.
func TestOneCompanyOfThreeSources(t *testing.T) {
	t.Parallel()
	const lei = "984500B0REAU00000135"
	const id = company.ID("GB-0-99000001")
	house := func(numbers ...string) string {
		text := "CompanyName, CompanyNumber,RegAddress.PostTown,RegAddress.PostCode,CompanyCategory,CompanyStatus,IncorporationDate,URI\n"
		for _, n := range numbers {
			text += "MARROWBY & FINCH LTD," + n + ",LEEDS,LS1 9ZZ,Private Limited Company,Active,04/03/2019,http://business.data.gov.uk/id/company/" + n + "\n"
		}
		return text
	}
	owned := `[{"statementId":"s1","recordId":"e1","recordType":"entity","recordStatus":"new","statementDate":"2026-01-01",` +
		`"publicationDetails":{"bodsVersion":"0.4"},"recordDetails":{"isComponent":false,"entityType":{"type":"registeredEntity"},` +
		`"name":"Marrowby & Finch","jurisdiction":{"code":"GB"},"identifiers":[{"id":"99000001","scheme":"GB-COH"}]}},` +
		`{"statementId":"s2","recordId":"p1","recordType":"person","recordStatus":"new","statementDate":"2026-01-01",` +
		`"publicationDetails":{"bodsVersion":"0.4"},"recordDetails":{"isComponent":false,"personType":"knownPerson","names":[{"type":"legal","fullName":"Ida Quill"}]}},` +
		`{"statementId":"s3","recordId":"r1","recordType":"relationship","recordStatus":"new","statementDate":"2026-01-01",` +
		`"publicationDetails":{"bodsVersion":"0.4"},"recordDetails":{"isComponent":false,"subject":"e1","interestedParty":"p1",` +
		`"interests":[{"type":"shareholding","share":{"exact":60}}]}}]`
	onBoth(t, func(t *testing.T, r registrar) {
		i := slices.IndexFunc(Sources(), func(s SourceView) bool { return s.Name == "gleif" })
		r.take("gleif", ImportOptions{}, r.write("lei.xml", Sources()[i].Sample))
		r.take("companies-house", ImportOptions{}, r.write("house.csv", house("99000001", "99000002")))
		r.take("bods", ImportOptions{}, r.write("owners.json", owned))
		c := r.company(id)
		want := []string{"companies-house", "gleif", "bods"}
		if !slices.Equal(c.Sources, want) {
			t.Fatalf("sources %v, want %v", c.Sources, want)
		}
		if n, err := r.DB.Count(t.Context()); n != 2 || err != nil {
			t.Errorf("%d companies (%v), want two", n, err)
		}
		if c.Name != "MARROWBY & FINCH LTD" || c.From["name"] != "companies-house" || c.LEI != lei || len(c.Owners) != 1 {
			t.Errorf("together they say %+v", c.Facts)
		}
		// Each in turn is taken away by a list without the company, and comes
		// back: the other two's facts stay.
		sample := strings.Replace(Sources()[i].Sample, "_DELTA_", "_FULL_", 1)
		elsewhere := strings.NewReplacer(lei, "984500B0REAU00000232", "99000001", "99000003")
		for _, without := range []struct {
			source, file, gone, whole string
			sources                   []string
			name, lei                 string
			owners                    int
		}{
			{
				"companies-house", "house.csv", house("99000002"), house("99000001", "99000002"),
				[]string{"gleif", "bods"},
				"MARROWBY & FINCH LIMITED", lei, 1,
			},
			{
				"gleif", "lei.xml", elsewhere.Replace(sample), sample,
				[]string{"companies-house", "bods"},
				"MARROWBY & FINCH LTD", "", 1,
			},
			{
				"bods", "owners.json", elsewhere.Replace(owned), owned,
				[]string{"companies-house", "gleif"},
				"MARROWBY & FINCH LTD", lei, 0,
			},
		} {
			o := ImportOptions{Whole: true}
			r.take(without.source, o, r.write("gone-"+without.file, without.gone))
			c := r.company(id)
			if !slices.Equal(c.Sources, without.sources) || c.Name != without.name || c.LEI != without.lei || len(c.Owners) != without.owners {
				t.Errorf("without %s: %v, %+v", without.source, c.Sources, c.Facts)
			}
			r.take(without.source, o, r.write("back-"+without.file, without.whole))
			if c := r.company(id); !slices.Equal(c.Sources, want) || c.LEI != lei || len(c.Owners) != 1 {
				t.Errorf("with %s again: %v, %+v", without.source, c.Sources, c.Facts)
			}
		}
	})
}
