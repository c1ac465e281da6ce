package match_test

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"bureau/internal/match"
	"bureau/internal/match/fit"
)

// A reader reads every name as Read does, whatever it remembers of its words.
func TestAReaderReadsAsRead(t *testing.T) {
	r, d := rand.New(rand.NewPCG(7, 7)), fit.NewDamager(7)
	reader := match.NewReader()
	reader.Bound(500)
	texts := []string{
		"", " ", ".", "&", "Müller & Söhne GmbH & Co. KG", "GmbH & Co. KG", "I B M Ltd", "A. B. Volvo", "Fund V", "V", "St.John's Trading Co.", "U.S.A. Inc",
		"Smith, John", "Junior", "Jr John", "Abdul Rahman", "Abdulrahman al-Sayed III", "van der Berg", "Dr", "O'Brien", "Acme Trading,Ltd.", "2000 Ltd",
		"Baugesellschaft mit beschraenkter Haftung", "Baugmbh", "Limitd Co", strings.Repeat("x", 50) + " Ltd", strings.Repeat("long name ", 120), "Ivan\u00a0Petrov", "Иван Петров",
		"A+B Partners", "Holding-Gesellschaft (Nord) AG", "AG", "The And Of", "Petrovich Ivan Ivanovich", "Co. Ltd", "007", "Fund 2 II", "Acme Fund A", "Series B Ltd", "Stephen King", "John Paul I", "King",
	}
	signs := strings.Split(" |.|&|+|'|\"|-|  | & |. |.A|.Ab|.é|.aé|é|ß|Å|Ø|æ|Þ|ÿ|×|ł|'é|,|, |(|)|/|\t|`|'s|.1|\u0301|\xc3|ª", "|")
	for range 20_000 {
		k := match.Kind(r.IntN(2))
		text := d.Person()
		if k == match.Company {
			text = d.Company()
		}
		if other, ok := d.Damage(fit.Damages[r.IntN(len(fit.Damages))], text); ok && r.IntN(2) == 0 {
			text = other
		}
		if r.IntN(3) == 0 {
			at := r.IntN(len(text) + 1)
			text = text[:at] + signs[r.IntN(len(signs))] + text[at:]
		}
		texts = append(texts, text)
	}
	for _, text := range texts {
		for _, k := range []match.Kind{match.Person, match.Company} {
			if got, want := reader.Read(k, text).Forgotten(), match.Read(k, text); !reflect.DeepEqual(got, want) {
				t.Fatalf("%q is read as\n%+v, want\n%+v", text, got, want)
			}
		}
	}
}
