package brreg_test

import (
	"fmt"
	"strings"
	"testing"

	"bureau/internal/importer/brreg"
	"bureau/internal/importer/sourcetest"
)

func TestGolden(t *testing.T) {
	for _, file := range []string{"enheter.json.gz", "underenheter.json", "roller.json", "oppdateringer.json", "enhet.json"} {
		sourcetest.Golden(t, brreg.Source, file)
	}
}

func TestSample(t *testing.T) { sourcetest.Sample(t, brreg.Source) }

func TestCutShort(t *testing.T) {
	for _, file := range []string{"enheter.json.gz", "roller.json"} {
		sourcetest.CutShort(t, brreg.Source, file)
	}
}

// The day of birth of someone in a role goes no further than this reader.
func TestBirthDay(t *testing.T) {
	in := `{"organisasjonsnummer":"310000019","rollegrupper":[{"type":{"kode":"DAGL"},"roller":[` +
		`{"type":{"kode":"DAGL"},"person":{"fodselsdato":"1970-05-17","navn":{"fornavn":"Kari","etternavn":"Nordmann"}}}]}]}`
	got := sourcetest.Told(brreg.Source, strings.NewReader(in), "")
	if strings.Contains(got, "1970-05-17") || !strings.Contains(got, `"birth": "1970-05"`) {
		t.Errorf("got\n%s", got)
	}
}

// Two saved pages of roles: the one says in its links whose it is, the other
// only in its name.
func TestWhoseRoles(t *testing.T) {
	for name, in := range map[string]string{
		"roller.json":          `{"rollegrupper":[],"_links":{"self":{"href":"https://data.example/enheter/310000019/roller"}}}`,
		"roles_310000019.json": `{"rollegrupper":[]}`,
	} {
		read := sourcetest.Collect(brreg.Source, strings.NewReader(in), name)
		if len(read.Statements) != 1 || read.Statements[0].Number != "310000019" || read.Statements[0].Part != "roles" {
			t.Errorf("%s: got %+v, bad %v", name, read.Statements, read.Bad)
		}
	}
}

func TestCovers(t *testing.T) {
	unit := `{"organisasjonsnummer":"310000019","navn":"A"}`
	for _, c := range []struct {
		name, head string
		want       string // the parts that the file is a list of
	}{
		{"the list of units", "[" + unit + `,{"organisa`, ", update"},
		{"the list of roles", `[{"organisasjonsnummer":"310000019","rollegrupper":[]},`, "roles"},
		{"the list of sub-units", `[{"organisasjonsnummer":"310000019","organisasjonsform":{"kode":"BEDR"}},`, "310000027"},
		{"one unit", unit, "none"},
		{"a page", `{"_embedded":{"enheter":[` + unit + `]}}`, "none"},
		{"updates", `[{"organisasjonsnummer":"310000019","endringstype":"Ny"}]`, "none"},
		{"a first record that is longer than the head", `[{"organisasjonsnummer":"3100`, "none"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := "none"
			if covers := brreg.Covers([]byte(c.head)); covers != nil {
				var parts []string
				for _, p := range []string{"", "roles", "update", "310000027"} {
					if covers(p) {
						parts = append(parts, p)
					}
				}
				got = strings.Join(parts, ", ")
			}
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	sourcetest.Robust(f, brreg.Source,
		`{"organisasjonsnummer":"310000019","rollegrupper":[{"roller":[{"enhet":{"navn":["A"]}}]}]}`,
		`{"_embedded":{"oppdaterteEnheter":[{"organisasjonsnummer":"310000019","endringstype":"Sletting"}]}}`,
		`{"organisasjonsnummer":"310000019","navn":"<U+00E5><U+"}`)
}

func stream(n int) sourcetest.Stream {
	return sourcetest.Stream{N: n, Head: "[ {\n", Tail: "}\n]\n", Record: func(i int) string {
		comma := "},{\n"
		if i == 0 {
			comma = ""
		}
		return comma + fmt.Sprintf(`"organisasjonsnummer":"%s","navn":"EKSEMPEL NR %d AS","organisasjonsform":{"kode":"AS","beskrivelse":"Aksjeselskap",`+
			`"_links":{"self":{"href":"https://data.example/organisasjonsformer/AS"}}},"registreringsdatoEnhetsregisteret":"2015-04-20",`+
			`"registrertIMvaregisteret":true,"naeringskode1":{"kode":"10.710","beskrivelse":"Produksjon av brød"},"antallAnsatte":12,`+
			`"harRegistrertAntallAnsatte":true,"forretningsadresse":{"land":"Norge","landkode":"NO","postnummer":"9999","poststed":"BY",`+
			`"adresse":["Storgata %d"],"kommune":"BY","kommunenummer":"9999"},"konkurs":false,"underAvvikling":false`, number(i), i, i)
	}}
}

// number makes an organisation number with a good check digit.
func number(i int) string {
	for ; ; i++ {
		base := fmt.Sprintf("3%07d", i%5_000_000*2)
		total := 0
		for k, w := range []int{3, 2, 7, 6, 5, 4, 3, 2} {
			total += w * int(base[k]-'0')
		}
		if check := (11 - total%11) % 11; check < 10 {
			return base + string(byte('0'+check))
		}
	}
}

func TestMemoryIsFlat(t *testing.T) { sourcetest.Flat(t, brreg.Source, stream(60_000)) }

func BenchmarkRead(b *testing.B) { sourcetest.Speed(b, brreg.Source, stream(0)) }
