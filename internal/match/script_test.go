package match_test

import (
	"testing"

	"bureau/internal/match"
)

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
	} {
		v := match.Compare(match.NewSubject(c.kind, c.a), match.NewSubject(c.kind, c.b))
		if v.Alert() != c.alerts {
			t.Errorf("%s and %s: %.3f, %v", c.a, c.b, v.Score, v.Why)
		}
	}
}
