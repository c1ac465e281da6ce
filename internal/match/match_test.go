package match

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func pair(k Kind, a, b string) Verdict { return Compare(NewSubject(k, a), NewSubject(k, b)) }

// What a user may rely on: these alert, and those do not.
func TestPeople(t *testing.T) {
	for _, c := range []struct {
		what, a, b string
		alert      bool
	}{
		{"case and order", "SMITH, John", "john smith", true},
		{"a slip", "Margaret Thatcher", "Margaret Thatchar", true},
		{"two letters swapped", "Ferdinand Porsche", "Ferdinand Posrche", true},
		{"another first letter", "Katharina Vogelsang", "Katharina Fogelsang", true},
		{"a middle name dropped", "Robert Gabriel Mugabe", "Robert Mugabe", true},
		{"an initial", "J. Rosenbaum", "Joshua Rosenbaum", true},
		{"another initial", "K. Rosenbaum", "Joshua Rosenbaum", false},
		{"a nickname", "Bill Rosenbaum", "William Rosenbaum", true},
		{"the same name in another language", "Mykhailo Saakashvili", "Mikheil Saakashvili", true},
		{"Belarusian and Russian", "Aliaksandr Lukashenka", "Alexander Lukashenko", true},
		{"umlauts", "Jürgen Größmann", "Juergen Groessmann", true},
		{"a title", "Dr. Jürgen Größmann", "Juergen Groessmann", true},
		{"particles", "Ludwig van Beethoven", "Beethoven, Ludwig", true},
		{"words joined", "Abdul Rahman Siddiqui", "Abdulrahman Siddiqui", true},
		{"words joined otherwise", "Abd ar-Rahman Siddiqui", "Abdurrahman Siddiqui", true},
		{"a slip in a servant's name", "Abudl Rahman Siddiqui", "Abdulrahman Siddiqui", true},
		{"a slip in one that is written in one", "Abudlaziz Siddiqui", "Abdulaziz Siddiqui", true},
		{"one vowel too many", "Abdouulaziz Siddiqui", "Abdulaziz Siddiqui", true},
		{"a servant without an article", "Abdirahman Siddiqui", "Abd ar-Rahman Siddiqui", true},
		{"a servant of God", "Abd Allah Siddiqui", "Abdullah Siddiqui", true},
		{"a name made of God's servant's", "Rostam Abdollahi", "Rostam Abdlolahi", true},
		{"servants of two", "Abdulhadi Siddiqui", "Abdulhamid Siddiqui", false},
		{"two slips in words joined", "Ali Soltan Mohammadi", "Ali Soltanmohmmady", true},
		{"a servant in another script", "אבדול רחמן סידיקי", "Abdul Rahman Siddiqui", true},
		{"a slip in both, across which they are alike too", "Jamiel Hamieh", "Jamil Hamiel", true},
		{"short for a name", "Geoffrey Lindqvist", "Jeff Lindqvist", true},
		{"short for one of four", "Herbert Lindqvist", "Bert Lindqvist", true},
		{"a name in two spellings", "Kristopher Lindqvist", "Christopher Lindqvist", true},
		{"a short name in two spellings", "Nils Lindqvist", "Niels Lindqvist", true},
		{"short for another", "Geoffrey Lindqvist", "Bert Lindqvist", false},
		{"two short forms", "Eddie Lindqvist", "Ed Lindqvist", true},
		{"a common name in three letters", "Mhd Lindqvist", "Mohammed Lindqvist", true},
		{"a name as Somalis spell it", "Maxamed Lindqvist", "Mohammed Lindqvist", true},
		{"another given name", "Peter Rosenbaum", "Joshua Rosenbaum", false},
		{"another family name", "Joshua Rosenbaum", "Joshua Lindqvist", false},
		{"father and son", "Robert Downey Sr.", "Robert Downey Jr.", false},
		{"kings", "Henry Tudor II", "Henry Tudor III", false},
		{"the first of them", "Henry Tudor I", "Henry Tudor II", false},
		{"one common word", "Ali", "Ali Rosenbaum", false},
		{"one rare word of two", "Rosenbaum", "Joshua Rosenbaum", false},
		{"a name cut short", "Josh. Rosenbaum", "Joshua Rosenbaum", true},
		{"vowels left out", "Mhmd Rosenbaum", "Mohamed Rosenbaum", true},
		{"letters borrowed from Cyrillic", "Jоshua Rоsenbaum", "Joshua Rosenbaum", true},
		{"letters borrowed from Latin", "Вiктор Розенбаум", "Viktor Rosenbaum", true},
		{"a patronymic and no family name", "Sergei Ivanovich", "Sergei Ivanovich Rosenbaum", false},
		{"two words respelt", "Osama bin Laden", "Usama Bin Ladin", true},
		{"two words respelt as neighbours do", "Aleksandr Lukashenko", "Alyaksandr Lukashenka", true},
		{"the fifth of them", "James Boyd V", "James Boyd IV", false},
		{"a grandson", "Carlos Rosenbaum Silva Filho", "Carlos Rosenbaum Silva Neto", false},
		{"a family name that is an heir's", "Carlos Neto", "Carlos Neto", true},
		{"brother and sister", "Christian Lindqvist", "Christina Lindqvist", false},
		{"two names in one script", "محمد حسن", "محمد حسين", false},
		{"two given names that look alike", "Ahmed Hassan", "Ahmed Hussein", false},
		{"a family name that is a rank", "Charles King", "Charles King", true},
		{"two of them", "Elvira King", "Elvira Bishop", false},
		{"two of them behind two names", "Charles Edward King", "Charles Edward Prince", false},
		{"one of them left out", "Stephen King", "Stephen", false},
		{"one of them before a suffix", "Robert King Jr.", "Robert Bishop Jr.", false},
		{"a rank before a name", "Sheikh Ahmed Salim", "Ahmed Salim", true},
		{"nothing in common", "Peter Rosenbaum", "Li Wei", false},
	} {
		if v := pair(Person, c.a, c.b); v.Alert() != c.alert {
			t.Errorf("%s: %q and %q: score %.2f, alert %v, want %v (%v)", c.what, c.a, c.b, v.Score, v.Alert(), c.alert, v.Why)
		}
	}
}

// manyAlike has more words that are alike than there is room for.
const manyAlike = "Alpha1 Alpha2 Alpha3 Alpha4 Alpha5 Alpha6 Alpha7 Alpha8 Alpha9 Alpha10 Alpha11 Alpha12 Alpha13"

func TestCompanies(t *testing.T) {
	for _, c := range []struct {
		what, a, b string
		alert      bool
	}{
		{"forms spelt out", "Nordwind GmbH", "Nordwind Gesellschaft mit beschränkter Haftung", true},
		{"a form mistyped", "Nordwind Gesellschaft mit beschränkter Hafftung", "Nordwind GmbH", true},
		{"a form left out", "Nordwind Bau GmbH", "Nordwind Bau", true},
		{"forms of one class", "Nordwind Trading LLC", "Nordwind Trading Ltd", true},
		{"forms of two classes", "Nordwind Verwaltungs GmbH", "Nordwind Verwaltungs GmbH & Co. KG", false},
		{"and", "Meyer & Söhne OHG", "Meyer und Soehne OHG", true},
		{"words of the trade translated", "Nordwind Handels GmbH", "Nordwind Trading GmbH", true},
		{"words of the trade cut short", "Nordwind International Ltd", "Nordwind Intl Ltd", true},
		{"a word cut short a little", "Turn- und Sportverein Vollnkirchen", "Turn- und Sportverein Vollnkirc.", true},
		{"words joined", "Nord Wind Energie AG", "Nordwind Energie AG", true},
		{"a slip", "Dampfschiffahrt Havelland AG", "Dampfschifahrt Havelland AG", true},
		{"another script", "ООО Северсталь", "Severstal LLC", true},
		{"and in another script", "Brückl Stahl- und Maschinenbau GmbH", "بروكل ستاهل اوند ماشيننباو", true},
		{"for in another script", "Forum für Internationale Sicherheit e.V.", "フォルム・フル・インテルナティオナレ・シヘルヘイト", true},
		{"a Japanese form", "任天堂", "任天堂株式会社", true},
		{"a Japanese form, in Latin letters", "パナソニック株式会社", "Panasonic Corporation", true},
		{"a Korean form in brackets", "삼성전자", "(주)삼성전자", true},
		{"a Chinese form left out", "华为技术有限公司", "华为技术", true},
		{"forms of two classes in Han", "任天堂有限公司", "任天堂株式会社", false},
		{"a page of spaces", strings.Repeat(" .", 1000) + "Siemens Handels AG", "Siemens Handels AG", true},
		{"words apart by a page", "Siemens" + strings.Repeat(" .", 1000) + "Handels AG", "Siemens Handels AG", true},
		{"a heap of accents", strings.Join(strings.Split("Siemens Handels AG", ""), strings.Repeat("\u0301", 300)), "Siemens Handels AG", true},
		{"small capitals", "ꜱɪᴇᴍᴇɴꜱ ʜᴀɴᴅᴇʟꜱ ᴀɢ", "Siemens Handels AG", true},
		{"many words that are nearly the same", manyAlike, manyAlike, true},
		{"numbers in other figures", "Kapitalfonds II KG", "Kapitalfonds 2 KG", true},
		{"other numbers", "Kapitalfonds II KG", "Kapitalfonds III KG", false},
		{"other letters", "Kestrel Fund Series A LP", "Kestrel Fund Series B LP", false},
		{"the same letter", "Kestrel Fund A", "KESTREL FUND A", true},
		{"sisters", "Nordwind Shipping Ltd", "Nordwind Insurance Ltd", false},
		{"sisters on two coasts", "East Coast Shipping Ltd", "West Coast Shipping Ltd", false},
		{"sisters on two seas", "Nordsee Oil GmbH", "Südsee Oil GmbH", false},
		{"sisters in two languages", "Northern Rail Ltd", "Rail Süd GmbH", false},
		{"a side and no form", "North Sea Oil Ltd", "North Sea Oil", true},
		{"the side in another language", "Nordwind Nord Reederei", "Nordwind North Reederei", true},
		{"sides within words", "Westfalen Bau GmbH", "Ostfalen Bau GmbH", false},
		{"nothing but words of the trade in common", "Marine Training Works", "Federal Marine Works SA", false},
		{"a form of Venezuela", "Cabrock Financial", "Financial Corporation, C.A.", false},
		{"a form of Venezuela or none", "Techno Kestrel, C.A.", "Techno Kestrel", true},
		{"the same letters before a name", "CA Lornwell", "Lornwell", false},
		{"a form of Lebanon", "Kestrel Life S.A.L. Offshore", "Kestrel Life", true},
		{"the trade in two languages", "Nauchno-Issledovatelskiy Institut Vostrikov", "Vostrikov Research Institute", true},
		{"sisters of two trades", "Kestrel Capital Partners LLP", "Kestrel Capital Management LLP", false},
		{"a trade that looks alike", "Kestrel Printing Ltd", "Kestrel Painting Ltd", false},
		{"a country that looks alike", "Kestrel Austria Ltd", "Kestrel Australia Ltd", false},
		{"a town that looks alike", "Kestrel Manchester Ltd", "Kestrel Winchester Ltd", false},
		{"a given name in another spelling", "Hinrich Sachs Reederei", "Heinrich Sachs Reederei", true},
		{"one and several", "Kestrel Garden Ltd", "Kestrel Gardens Ltd", true},
		{"a saint cut short", "St Mary Hospital", "Saint Mary Hospital", true},
		{"an ordinal at the beginning", "1st Choice Foods Ltd", "First Choice Foods Ltd", true},
		{"the old and the new", "Old Mill Foods Ltd", "New Mill Foods Ltd", false},
		{"a number at the beginning", "Three Rivers Dairy Ltd", "3 Rivers Dairy Ltd", true},
		{"sisters by place", "Caritasverband Würzburg e.V.", "Caritasverband Regensburg e.V.", false},
		{"another lead", "Nordwind Shipping Ltd", "Südstern Shipping Ltd", false},
		{"only common words", "General Trading", "General Services", false},
		{"a form mistyped within the name", "Nordwind GmbbH & Co. KG", "Nordwind GmbH & Co. KG", true},
		{"a form written onto the name", "Havelland NordwindKG", "Havelland Nordwind KG", true},
		{"a form written onto the only word", "NordwindCorporation", "Nordwind Corporation", true},
		{"a form written before the name in one", "LLCRuschemtrade", "LLC Ruschemtrade", true},
		{"a common word cut short that is no form", "Nordwind Partn. OOD", "Nordwind Partners OOD", true},
		{"a numeral that comes first", "XV Bicentenario", "Bicentenario XV", true},
		{"another numeral that comes first", "XV Bicentenario", "Bicentenario X", false},
		{"a short name that is like a form", "Heinz Knor", "Heinz Vogelsang", false},
		{"trades that are near, not the same", "Havel Systems", "Havel Digital", false},
		{"names of one making, another end", "Fennelford Logistics Ltd", "Fennelmere Logistics Ltd", false},
		{"names of one making, another beginning", "Quillhurst Textiles LLP", "Nettlehurst Textiles LLP", false},
		{"a form cut short", "Nordwind Gesellschaft mit beschr. Haftung", "Nordwind GmbH", true},
		{"a form cut short at the end", "Nordwind Havelland Kommanditgesell.", "Nordwind Havelland KG", true},
		{"letters swapped in a short word", "Kral Scheibengruber", "Karl Scheibengruber", true},
		{"as Greeks write a foreign name", "Σουρφ ουνδ Σαιλ Κλουμπ Χαλστενμπεκ", "Surf und Sail Club Halstenbek", true},
		{"a word joined that comes twice", "Semmler Getränke EllaSemmler", "Semmler Getränke Ella Semmler", true},
	} {
		if v := pair(Company, c.a, c.b); v.Alert() != c.alert {
			t.Errorf("%s: %q and %q: score %.2f, alert %v, want %v (%v)", c.what, c.a, c.b, v.Score, v.Alert(), c.alert, v.Why)
		}
	}
}

// Petroff is Petrov, to the last letter.
func TestEndingsSoundAlike(t *testing.T) {
	if a, b := sound("petroff"), sound("petrov"); a != b {
		t.Errorf("petroff sounds %s, petrov %s", a, b)
	}
}

// An acronym is more like its name than a stranger is, and too short to alert.
func TestAcronyms(t *testing.T) {
	for _, c := range []struct{ name, short string }{
		{"United Instrument Manufacturing Corporation of Nordwind", "UIMN"},
		{"Popular Front for the Liberation of Havelland", "PFLH"},
		{"Nordische Papierwerke Havelland", "Norpahav"},
	} {
		v, other := pair(Company, c.name, c.short), pair(Company, c.name, "Xyqz")
		if v.Alert() || v.Score <= other.Score {
			t.Errorf("%s, %s: score %.2f (%v), a stranger %.2f", c.name, c.short, v.Score, v.Why, other.Score)
		}
	}
}

// A name in its own script alerts for the same in Latin letters, and not for
// another.
func TestScripts(t *testing.T) {
	others := []string{"Peter Rosenbaum", "Ingrid Lindqvist"}
	for _, c := range []struct{ script, own, latin string }{
		{"Cyrillic", "Михаил Сергеевич Горбачёв", "Mikhail Sergeyevich Gorbachev"},
		{"Ukrainian", "Володимир Зеленський", "Volodymyr Zelenskyy"},
		{"Serbian", "Новак Ђоковић", "Novak Djokovic"},
		{"Greek", "Αλέξης Τσίπρας", "Alexis Tsipras"},
		{"Arabic", "جمال عبد الناصر", "Gamal Abdel Nasser"},
		{"Arabic for a foreign name", "الكسندر جريجورييف", "Aleksandr Grigoryev"},
		{"Persian", "محمود احمدی\u200cنژاد", "Mahmoud Ahmadinejad"},
		{"Hebrew", "בנימין נתניהו", "Benjamin Netanyahu"},
		{"Armenian", "Սերժ Սարգսյան", "Serzh Sargsyan"},
		{"Georgian", "ედუარდ შევარდნაძე", "Eduard Shevardnadze"},
		{"Georgian for a foreign name", "ფილიპე ფერნანდეს", "Filipe Fernandes"},
		{"Devanagari", "नरेन्द्र मोदी", "Narendra Modi"},
		{"Thai", "ทักษิณ ชินวัตร", "Thaksin Shinawatra"},
		{"Katakana", "アンゲラ・メルケル", "Angela Merkel"},
		{"Han, Mandarin", "邓小平", "Deng Xiaoping"},
		{"Han, traditional", "鄧小平", "Deng Xiaoping"},
		{"Han, Cantonese", "黃之鋒", "Wong Chi Fung"},
		{"Han, Japanese", "田中角栄", "Tanaka Kakuei"},
		{"Han, Japanese, in two parts", "鈴木 一郎", "Suzuki Ichiro"},
		{"Arabic with God's name apart", "حسن نصر الله", "Hassan Nasrallah"},
		{"Han, Japanese, with readings of its own", "岸田文雄", "Fumio Kishida"},
		{"Han, Cantonese, in three words", "陈大文", "Chan Tai Man"},
		{"Hangul in three words", "반기문", "Ban Ki-moon"},
		{"Arabic, two common names", "محمد علي", "Muhammad Ali"},
		{"Arabic, as Persian types it", "علی حسین", "Ali Hussein"},
		{"Hangul, as its bearer spells it", "조현우", "Cho Hyun-woo"},
		{"Han, Cantonese, as its bearer spells it", "陳子華", "Chan Tsz Wa"},
		{"Hebrew, two common names", "דוד כהן", "David Cohen"},
		{"Cyrillic for another language", "Джордж Буш", "George Bush"},
		{"Kana for another language", "マイケル・ジャクソン", "Michael Jackson"},
		{"Hangul", "김대중", "Kim Dae-jung"},
		{"Hangul with a usual surname", "박근혜", "Park Geun-hye"},
	} {
		if v := pair(Person, c.own, c.latin); !v.Alert() {
			t.Errorf("%s: %s and %s: score %.2f (%v)", c.script, c.own, c.latin, v.Score, v.Why)
		}
		for _, o := range others {
			if v := pair(Person, c.own, o); v.Alert() {
				t.Errorf("%s: %s and %s: score %.2f (%v)", c.script, c.own, o, v.Score, v.Why)
			}
		}
	}
	if v := pair(Person, "張學良", "张学良"); v.Score != 1 {
		t.Errorf("traditional and simplified characters: score %.2f", v.Score)
	}
	if v := pair(Person, "王小明", "王晓刚"); v.Alert() {
		t.Errorf("other characters alert: score %.2f", v.Score)
	}
}

var nameRunes = []rune("abcdefghijklmnopqrstuvwxyzäöüßøłéç ABC'-.,&0123абвгдежАБ محمدعلي王李小明たなかキム김이박שלוםดนमनთბ\u0301\u202e\u200b")

func anyName(t *rapid.T, label string) string {
	if rapid.Bool().Draw(t, label+" is words") {
		words := rapid.SliceOfN(rapid.SampledFrom([]string{
			"john", "smith", "mohammed", "al", "van", "gmbh", "trading", "II", "jr", "x", "Иванов", "محمد", "李", "nordwind", "holding", "&", "Co.", "KG",
		}), 1, 6).Draw(t, label)
		return strings.Join(words, " ")
	}
	return rapid.StringOfN(rapid.SampledFrom(nameRunes), 0, 40, -1).Draw(t, label)
}

func TestProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := Kind(rapid.IntRange(0, 1).Draw(t, "kind"))
		a, b := anyName(t, "a"), anyName(t, "b")
		v, w := pair(k, a, b), pair(k, b, a)
		if v.Score != w.Score || v.Probability != w.Probability || v.Grades != w.Grades {
			t.Fatalf("%q and %q: %v one way, %v the other", a, b, v, w)
		}
		for _, x := range []float64{v.Score, v.Probability} {
			if !(x >= 0 && x <= 1) {
				t.Fatalf("%q and %q: %v is out of range", a, b, x)
			}
		}
		if self := pair(k, a, a); !Read(k, a).Empty() && self.Score < v.Score {
			t.Fatalf("%q is like %q (%v) more than like itself (%v)", a, b, v.Score, self.Score)
		}
	})
}

func FuzzCompare(f *testing.F) {
	f.Add("John Smith", "Jon Smyth", true)
	f.Add("Nordwind GmbH & Co. KG", "Nordwind", false)
	f.Add("\xff\xfe", "e\u0301\u0301\u0301", true)
	f.Add("王小明", "Wang Xiaoming", true)
	f.Fuzz(func(t *testing.T, a, b string, person bool) {
		k := Company
		if person {
			k = Person
		}
		if v, w := pair(k, a, b), pair(k, b, a); v.Score != w.Score || !(v.Score >= 0 && v.Score <= 1) {
			t.Errorf("%q and %q: %v, %v", a, b, v.Score, w.Score)
		}
	})
}

// Whatever is sent, only so much of it is looked at.
func TestHostileNames(t *testing.T) {
	long := strings.Repeat
	for what, name := range map[string]string{
		"a megabyte of one letter":   long("a", 1<<20),
		"a megabyte of words":        long("ab cd ", 1<<18),
		"marks upon marks":           "a" + long("\u0301", 1<<18),
		"right-to-left overrides":    long("\u202e", 1<<16) + "john",
		"broken bytes":               long("\xff\xfe", 1<<18),
		"punctuation":                long("!?.,;", 1<<16),
		"Han without end":            long("王", 1<<16),
		"Hangul without end":         long("김", 1<<16),
		"ligatures that grow":        long("ﷺ", 1<<16),
		"a legal form without end":   long("gesellschaft mit ", 1<<14),
		"single letters without end": long("a b c ", 1<<14),
		"initials with stops":        long("a.", 1<<15),
		"nothing":                    "",
	} {
		for k := range kinds {
			n := Read(k, name)
			for _, r := range n.readings {
				if len(r.tokens) > maxTokens {
					t.Errorf("%s: %d words", what, len(r.tokens))
				}
				for _, w := range r.tokens {
					if len(w.text) > 4*maxWord {
						t.Errorf("%s: a word of %d bytes", what, len(w.text))
					}
				}
			}
			pair(k, name, name)
			pair(k, name, "John Smith")
		}
	}
}
