package sirene_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"bureau/internal/importer"
	"bureau/internal/importer/sirene"
	"bureau/internal/importer/sourcetest"
)

func TestGolden(t *testing.T) {
	for _, file := range []string{"StockUniteLegale.csv", "StockEtablissement.csv"} {
		sourcetest.Golden(t, sirene.Source, file)
	}
}

func TestSample(t *testing.T) { sourcetest.Sample(t, sirene.Source) }

func TestCutShort(t *testing.T) {
	whole := "siren,etatAdministratifUniteLegale,categorieJuridiqueUniteLegale,denominationUniteLegale\n" +
		"999990013,A,5710,UN\n999990021,A,5710,\"DEUX, SARL\"\n"
	for n := range len(whole) {
		var err error
		rows := 0
		for _, e := range sirene.Read(strings.NewReader(whole[:n]), "") {
			if err = e; e == nil {
				rows++
			}
		}
		// A cut in the last column of a row cannot be told from an end.
		lost := rows < 2 && !strings.HasSuffix(whole[:n], "UN\n")
		lastColumn := strings.Contains(whole[:n], "5710,") && !strings.Contains(whole[strings.LastIndexByte(whole[:n], '\n')+1:n], `"`) &&
			strings.Count(whole[strings.LastIndexByte(whole[:n], '\n')+1:n], ",") == 3
		if lost && !lastColumn && err == nil {
			t.Errorf("cut at %d, %q: not noticed", n, whole[max(0, n-20):n])
		}
	}
}

func TestWrongFiles(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"nothing", "", "the file is cut short: there is nothing in it"},
		{"a header only", "siren,etatAdministratifUniteLegale,categorieJuridiqueUniteLegale\n", "the file is cut short: there is a header and no row"},
		{"something else", "name,city\nA,B\n", "this is no SIRENE file: its first line has no column siren"},
		{"half a header", "siren,siret\n", "this is no whole SIRENE file: its first line has no column etatAdministratifEtablissement"},
		{"the past", "siren,nic,siret,dateFin,dateDebut\n", "this is a file of the past (Historique): StockUniteLegale and StockEtablissement say what is"},
	} {
		t.Run(c.name, func(t *testing.T) {
			read := sourcetest.Collect(sirene.Source, strings.NewReader(c.in), "")
			if read.Err == nil || read.Err.Error() != c.want {
				t.Errorf("got %v, want %s", read.Err, c.want)
			}
		})
	}
}

func TestReadFailure(t *testing.T) {
	broken := fmt.Errorf("%w: the compressed data ends too early", importer.ErrCutShort)
	in := io.MultiReader(strings.NewReader(sirene.Source.Sample), failing{broken})
	if read := sourcetest.Collect(sirene.Source, in, ""); !errors.Is(read.Err, importer.ErrCutShort) || len(read.Statements) != 1 {
		t.Errorf("got %d statements and %v", len(read.Statements), read.Err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// Of someone who is not to be shown, nothing of the person is read, wherever
// in the row it stands.
func TestWithheld(t *testing.T) {
	header := "siren,statutDiffusionUniteLegale,etatAdministratifUniteLegale,categorieJuridiqueUniteLegale,nomUniteLegale,prenom1UniteLegale," +
		"denominationUniteLegale,denominationUsuelle1UniteLegale,sigleUniteLegale,pseudonymeUniteLegale,identifiantAssociationUniteLegale\n"
	for _, status := range []string{"P", "N", "X", "p"} {
		in := header + "999990013," + status + ",A,1000,SECRET,SECRET,SECRET,SECRET,SECRET,SECRET,SECRET\n"
		got := sourcetest.Told(sirene.Source, strings.NewReader(in), "")
		if strings.Contains(got, "SECRET") || !strings.Contains(got, `"withheld": true`) {
			t.Errorf("status %s says\n%s", status, got)
		}
	}
	got := sourcetest.Told(sirene.Source, strings.NewReader(header+"999990013,O,A,1000,[ND],SECRET,,,,,\n"), "")
	if strings.Contains(got, "SECRET") || !strings.Contains(got, `"withheld": true`) {
		t.Errorf("a hidden name says\n%s", got)
	}
}

func TestCovers(t *testing.T) {
	units := sirene.Covers([]byte(sirene.Source.Sample))
	if units == nil || !units("") || units("99999001300016") {
		t.Error("a list of companies is not the list of establishments")
	}
	places := sirene.Covers([]byte("siren,nic,siret\n999990013,"))
	if places == nil || places("") || !places("99999001300016") {
		t.Error("a list of establishments is not the list of companies")
	}
	if sirene.Covers([]byte("name\n")) != nil {
		t.Error("anything is a list")
	}
}

func FuzzRead(f *testing.F) {
	sourcetest.Robust(f, sirene.Source, "siren,siret,etatAdministratifEtablissement,etablissementSiege\n999990013,99999001300016,A,\"tr\nue\"\n")
}

// stream is made of rows as the publisher writes them.
func stream(n int) sourcetest.Stream {
	return sourcetest.Stream{
		N: n, Head: "siren,statutDiffusionUniteLegale,unitePurgeeUniteLegale,dateCreationUniteLegale,sigleUniteLegale," +
			"sexeUniteLegale,prenom1UniteLegale,prenom2UniteLegale,prenom3UniteLegale,prenom4UniteLegale,prenomUsuelUniteLegale," +
			"pseudonymeUniteLegale,identifiantAssociationUniteLegale,trancheEffectifsUniteLegale,anneeEffectifsUniteLegale," +
			"dateDernierTraitementUniteLegale,nombrePeriodesUniteLegale,categorieEntreprise,anneeCategorieEntreprise,dateDebut," +
			"etatAdministratifUniteLegale,nomUniteLegale,nomUsageUniteLegale,denominationUniteLegale,denominationUsuelle1UniteLegale," +
			"denominationUsuelle2UniteLegale,denominationUsuelle3UniteLegale,categorieJuridiqueUniteLegale,activitePrincipaleUniteLegale," +
			"nomenclatureActivitePrincipaleUniteLegale,nicSiegeUniteLegale,economieSocialeSolidaireUniteLegale,caractereEmployeurUniteLegale\n",
		Record: func(i int) string {
			return siren(i) + ",O,,2000-09-26,,M,CAMILLE,,,,CAMILLE,,,11,2021,2018-07-10T14:17:15,6,PME,2016,2018-02-07,A,TESTARD,," +
				"SOCIETE D'EXEMPLE,,,,5710,32.12Z,NAFRev2,00065,,N\n"
		},
	}
}

// siren makes a number with a good check digit.
func siren(i int) string {
	base := fmt.Sprintf("%08d", i%100_000_000)
	total := 0
	for k := range 8 {
		d := int(base[7-k] - '0')
		if k%2 == 0 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		total += d
	}
	return base + string(byte('0'+(10-total%10)%10))
}

func TestMemoryIsFlat(t *testing.T) { sourcetest.Flat(t, sirene.Source, stream(300_000)) }

func BenchmarkRead(b *testing.B) { sourcetest.Speed(b, sirene.Source, stream(0)) }
