package match_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"bureau/internal/match"
	"bureau/internal/match/fit"
)

// Words that are alike are never turned away by how they look, in whatever script.
func TestWordsThatAreAlikeLookIt(t *testing.T) {
	r, d := rand.New(rand.NewPCG(3, 9)), fit.NewDamager(5)
	abroad := strings.Fields(`ワトソン セシル سيسيل واتسون ססיל ווטסון Сесил Уотсон Максим Трейдинг Μαξιμος 渡辺 王 홀딩스 Cecil Watson Maxim Tsakiris
		Betz Mhmd Intl Internat. Trading Müller Mueller Schultz Schulz Sasha Alexander Bob Robert Zwei II V 5 05 x zz aa ab abc`)
	alike, away := 0, 0
	for range 20_000 {
		k, name := match.Person, d.Person()
		if r.IntN(2) == 0 {
			k, name = match.Company, d.Company()
		}
		other := name + " " + abroad[r.IntN(len(abroad))]
		if text, ok := d.Damage(fit.Damages[r.IntN(len(fit.Damages))], name); ok {
			other = text
		}
		name += " " + abroad[r.IntN(len(abroad))]
		is, not, missed := match.LookAlike(k, name, other)
		if missed != "" {
			t.Fatalf("%s of %q and %q are alike, and are turned away", missed, name, other)
		}
		alike += is
		away += not
	}
	if alike < 10_000 || away < 100_000 {
		t.Errorf("%d alike, %d turned away: the test sees nothing", alike, away)
	}
}
