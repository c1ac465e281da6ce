package roman

import (
	"strings"
	"testing"
	"unicode"
)

func TestRead(t *testing.T) {
	for _, c := range []struct {
		script Script
		word   string
		want   string // readings, with | between, words with a space
	}{
		{Cyrillic, "щукин", "shchukin"},
		{Cyrillic, "григорій", "hryhoriy"},
		{Greek, "παπανδρεου", "papandreou|papandreu"},
		{Greek, "μπακογιαννης", "bakogiannis"},
		{Greek, "χαλστενμπεκ", "chalstenmpek|halstenbek"},
		{Greek, "γχανι", "nchani|ghani"},
		{Arabic, "محمد", "mhmd"},
		{Arabic, "الحسين", "al hsyn|alhsyn"},
		{Arabic, "جمال", "jmal|gmal"},
		{Arabic, "الجمال", "al jmal|al gmal|algmal"},
		{Hebrew, "נתניהו", "ntnyhv"},
		{Hebrew, "ג׳קסון", "jksvn"},
		{Hebrew, "גקסון", "gksvn|jksvn"},
		{Hebrew, "צרצ׳יל", "tsrchyl|chrchyl"},
		{Hebrew, "וולווו", "vlvv"},
		{Hebrew, "באטס", "bates"},
		{Georgian, "თბილისი", "tbilisi"},
		{Georgian, "ფრანკლინ", "pranklin|franklin"},
		{Armenian, "սարգսյան", "sargsyan"},
		{Indic, "सलमान", "salaman"},
		{Kana, "メルケル", "merukeru"},
		{Kana, "きょうと", "kyouto"},
		{Kana, "ウィリアム", "wiriamu"},
		{Kana, "スウェーデン", "suweden"},
		{Kana, "クォーツ", "kwotsu"},
		{Kana, "イェンセン", "yensen"},
		{Kana, "フィリップ", "firippu"},
		{Hangul, "서울", "seoul|soul"},
		{Hangul, "스미스", "seumiseu|sumisu"},
		{Ethiopic, "አበበ", "ebebe"},
	} {
		var got []string
		for _, r := range Read(c.script, []rune(c.word), Ask{}) {
			got = append(got, strings.Join(r, " "))
		}
		if text := strings.Join(got, "|"); text != c.want {
			t.Errorf("%s: %s, want %s", c.word, text, c.want)
		}
	}
}

// Every letter of the Latin blocks becomes plain letters.
func TestEveryLatinLetter(t *testing.T) {
	for _, block := range [][2]rune{{0x41, 0x24f}, {0x1e00, 0x1eff}} {
		for r := block[0]; r <= block[1]; r++ {
			if !unicode.IsLetter(r) || unicode.Is(unicode.Lm, r) || unicode.Is(unicode.Lo, r) {
				continue
			}
			s := FromLatin(r)
			if s == "" && !strings.ContainsRune("ƄƅƼƽɁɂ", r) || strings.Trim(s, "abcdefghijklmnopqrstuvwxyz") != "" {
				t.Errorf("%c (%U) becomes %q", r, r, s)
			}
		}
	}
}

// Every letter that a table knows is written in plain Latin letters.
func TestTables(t *testing.T) {
	for name, table := range map[string]map[rune]string{
		"cyrillic": cyrillic, "greek": greek, "armenian": armenian, "georgian": georgian, "arabic": arabic, "hebrew": hebrew, "thai": thai,
	} {
		if len(table) < 20 {
			t.Errorf("%s has %d letters", name, len(table))
		}
		for r, s := range table {
			if strings.Trim(s, "abcdefghijklmnopqrstuvwxyz") != "" {
				t.Errorf("%s: %c becomes %q", name, r, s)
			}
		}
	}
}

func TestHan(t *testing.T) {
	readings := Read(Han, []rune("王小明"), Ask{Person: true, Alone: true})
	var all []string
	for _, r := range readings {
		all = append(all, strings.Join(r, " "))
	}
	text := strings.Join(all, "|")
	for _, want := range []string{"wang xiaoming", "wong siu ming"} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is not among %s", want, text)
		}
	}
	if foreign := readings[len(readings)-1]; len(foreign) != 1 {
		t.Errorf("a foreign name is read as %v", foreign)
	}
	if got := Read(Han, []rune("纳尔逊"), Ask{Person: true, Alone: true}); got[len(got)-1][0] != "narshun" {
		t.Errorf("纳尔逊 is read as %v", got)
	}
	if Simplify('張') != '张' || Simplify('张') != '张' {
		t.Error("張 and 张 are not one")
	}
	japanese := Read(Han, []rune("田中"), Ask{Person: true, Beside: Kana})
	if len(japanese) == 0 || japanese[len(japanese)-1][0] != "tanaka" {
		t.Errorf("田中 beside kana is read as %v", japanese)
	}
}
