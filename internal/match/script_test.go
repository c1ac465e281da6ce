package match_test

import (
	"testing"

	"bureau/internal/match"
)

// A word that has one consonant is found by all of its sound.
func TestShortSoundsAreFound(t *testing.T) {
	x := match.BuildIndex(2, func(i int) (uint64, match.Subject) {
		return uint64(i), match.NewSubject(match.Person, []string{"Josephine Johnen", "Josephine Rosenbaum"}[i])
	})
	found := x.Search(match.NewSubject(match.Person, "Джохнен"), 1, match.Filter{})
	if len(found) != 1 || found[0].ID != 0 {
		t.Errorf("Джохнен finds %v", found)
	}
}

// Nothing is more like a name than the name itself, however rare a reading of it looks.
func TestCharactersAreNoRarerThanThemselves(t *testing.T) {
	alike := func(a, b string) float64 {
		return match.Compare(match.NewSubject(match.Person, a), match.NewSubject(match.Person, b)).Score
	}
	if self, other := alike("李", "李"), alike("李", "d李"); other > self {
		t.Errorf("李 is like d李 (%.3f) more than like itself (%.3f)", other, self)
	}
}

// A name is known again in another script, as people write it there.
func TestAcrossScripts(t *testing.T) {
	for _, c := range []struct {
		kind   match.Kind
		a, b   string
		alerts bool
	}{
		{match.Person, "Jennifer Watson", "ジェニファー・ワトソン", true},
		{match.Person, "William Jenkinson", "ウィリアム・ジェンキンソン", true},
		{match.Person, "Jordan Maxwell", "ג'ורדן מקסוול", true},
		{match.Person, "Jordan Maxwell", "ג׳ורדן מקסוול", true},
		{match.Person, "Jordan Maxwell", "גורדן מקסוול", true},
		{match.Person, "Richard Bates", "ריצ׳ארד באטס", true},
		{match.Person, "Cornelis van Houten", "كورنيليس فان هوتن", true},
		{match.Person, "Benjamin Simpson", "벤자민 심프슨", true},
		{match.Person, "Yury Shavey", "جورج شاوي", false},
		{match.Company, "Wilkinson Services Ltd", "ウィルキンソン・サービス", true},
		{match.Company, "Marsden Brothers Holding", "مارسدن برذرز هولدينج", true},
		{match.Company, "Marsden Ferrero", "מרסדן פררו", true},
		{match.Company, "Wilhelm Ziellenbach", "ウィルヘルム・ジエレンバチ", true},
		{match.Company, "W & P Havelland Schiffswerft", "в & п хавелланд шиффсверфт", true},
		{match.Person, "Donna Lindqvist Rosenbaum", "ドナ・リンドクヴィスト・ローゼンバウム", true},
	} {
		v := match.Compare(match.NewSubject(c.kind, c.a), match.NewSubject(c.kind, c.b))
		if v.Alert() != c.alerts {
			t.Errorf("%s and %s: %.3f, %v", c.a, c.b, v.Score, v.Why)
		}
	}
}

// What has a word in common and none against it is more alike than what has none,
// however far the scripts are apart.
func TestAGuessIsMoreThanNothing(t *testing.T) {
	chance := func(a, b string) float64 {
		return match.Compare(match.NewSubject(match.Person, a), match.NewSubject(match.Person, b)).Probability
	}
	none := chance("Skelton", "帕菲特")
	for _, c := range [][2]string{{"Urpo", "烏波"}, {"Eldon", "艾爾登"}, {"Harkavy", "霍克偉"}, {"Krizhevsky", "كريجفسكي"}, {"Sprecher", "شبرخر"}} {
		if p := chance(c[0], c[1]); p <= none {
			t.Errorf("%s and %s: %.3f, no more than nothing in common (%.3f)", c[0], c[1], p, none)
		}
	}
}
