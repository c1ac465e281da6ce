package sandbox

import (
	"math/rand/v2"
	"strings"
)

// A land is what the invented companies of a country have in common.
type land struct {
	code     string
	currency string
	register string
	forms    []form
	heads    []string // how invented names begin
	tails    []string // and end
	trades   []trade
	firsts   []string
	cities   []place
	streets  []string // endings of street names
	house    bool     // the number stands before the street
	nation   string
	phone    string
}

type form struct{ code, text, suffix, kind string }

type trade struct{ word, code, text string }

type place struct{ city, post, region string }

// pick chooses one at random.
func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// compound makes an invented word.
func (l land) compound(r *rand.Rand) string { return pick(r, l.heads) + pick(r, l.tails) }

// companyName makes a name with its legal form.
func (l land) companyName(r *rand.Rand, f form, t trade) string {
	name := l.compound(r)
	switch r.IntN(4) {
	case 0:
		name += " & " + l.compound(r)
	case 1:
		name += " " + l.compound(r)
	}
	return strings.TrimSpace(name + " " + t.word + " " + f.suffix)
}

func (l land) street(r *rand.Rand) string {
	name := l.compound(r)
	end := pick(r, l.streets)
	if strings.HasPrefix(end, "-") {
		return name + end[1:]
	}
	if strings.HasSuffix(end, "-") {
		return strings.TrimSuffix(end, "-") + " " + name
	}
	return name + " " + end
}

var trades = []trade{
	{"Foods", "10890", "Manufacture of other food products"},
	{"Textiles", "13960", "Manufacture of technical textiles"},
	{"Timber", "16230", "Manufacture of builders' carpentry"},
	{"Tools", "25730", "Manufacture of tools"},
	{"Instruments", "26510", "Manufacture of measuring instruments"},
	{"Build", "41202", "Construction of domestic buildings"},
	{"Motors", "45112", "Sale of used cars"},
	{"Trading", "46900", "Non-specialised wholesale trade"},
	{"Freight", "49410", "Freight transport by road"},
	{"Hotels", "55100", "Hotels and similar accommodation"},
	{"Software", "62012", "Business and domestic software development"},
	{"Capital", "64209", "Activities of other holding companies"},
	{"Estates", "68209", "Letting of own real estate"},
	{"Design", "74100", "Specialised design activities"},
	{"Care", "86900", "Other human health activities"},
}

var (
	northHeads = []string{"Brim", "Calder", "Dunnock", "Ember", "Fennel", "Garrow", "Hollin", "Kestrel", "Lorn", "Marrow", "Nettle", "Orrin", "Pellow", "Quill", "Rowan", "Sorrel", "Tansy", "Umber", "Varrow", "Wend"}
	northTails = []string{"wick", "mere", "dale", "combe", "hurst", "ford", "garth", "stow", "leigh", "well", "thorpe", "by"}
	scandHeads = []string{"Alm", "Bjärk", "Drag", "Ekla", "Fjäll", "Grön", "Hult", "Kvarn", "Lind", "Myra", "Norr", "Rönn", "Skog", "Tall", "Vass", "Ål", "Öster"}
	scandTails = []string{"berga", "holma", "vika", "näset", "hagen", "strömma", "tuna", "fallet", "dalen", "bruk"}
	germHeads  = []string{"Auer", "Birk", "Dorn", "Eller", "Falken", "Grau", "Hasel", "Kiesel", "Linden", "Moor", "Nebel", "Quell", "Rauten", "Silber", "Tannen", "Ulmen", "Wacholder"}
	germTails  = []string{"brunn", "feld", "grund", "hof", "kamp", "lohe", "moos", "rode", "stein", "tal", "winkel"}
	latinHeads = []string{"Aubre", "Belvo", "Cervo", "Delma", "Estri", "Fiora", "Gravel", "Lumi", "Marvi", "Novel", "Oriva", "Perlo", "Rovi", "Salvo", "Tarvi", "Ulve", "Verdo"}
	latinTails = []string{"lline", "ntal", "nzia", "reto", "ssane", "tier", "vaux", "zana", "lmar", "nelle"}
)

var firsts = map[string][]string{
	"north": {"Ada", "Basil", "Clara", "Dora", "Edwin", "Flora", "Giles", "Hester", "Ivor", "Joan", "Kit", "Lydia", "Miles", "Nora", "Otis", "Pearl", "Rufus", "Stella", "Toby", "Vera"},
	"scand": {"Alva", "Bo", "Disa", "Einar", "Freja", "Gösta", "Hilma", "Ivar", "Jonna", "Knut", "Liv", "Mats", "Nils", "Oda", "Pelle", "Runa", "Sten", "Tyra", "Ulf", "Ylva"},
	"germ":  {"Anke", "Bodo", "Clemens", "Dirk", "Elke", "Falk", "Gesa", "Heiko", "Imke", "Jens", "Karla", "Lutz", "Meike", "Nele", "Otto", "Petra", "Rolf", "Silke", "Tilo", "Uwe"},
	"latin": {"Aline", "Bruno", "Chiara", "Dario", "Elena", "Fabien", "Giulia", "Hugo", "Inès", "Jules", "Lucia", "Marco", "Noa", "Olivia", "Pablo", "Rosa", "Sofia", "Théo", "Vera", "Xavier"},
}

// lands are the countries of the sandbox.
var lands = []land{
	{
		"GB", "GBP", "RA000585",
		[]form{{"ltd", "Private limited company", "Ltd", "Ltd"}, {"plc", "Public limited company", "PLC", "Ltd"}, {"llp", "Limited liability partnership", "LLP", "NonLtd"}},
		northHeads, northTails, trades, firsts["north"],
		[]place{{"Leeds", "LS1 4XX", ""}, {"Bristol", "BS1 6XX", ""}, {"Cardiff", "CF10 1XX", "Wales"}, {"York", "YO1 7XX", ""}},
		[]string{"Road", "Lane", "Street", "Row"},
		true, "British", "+44 1632 960",
	},
	{
		"IE", "EUR", "RA000402",
		[]form{{"ltd", "Private company limited by shares", "Limited", "Ltd"}, {"dac", "Designated activity company", "DAC", "Ltd"}},
		northHeads, northTails, trades, firsts["north"],
		[]place{{"Dublin", "D02 XX00", ""}, {"Cork", "T12 XX00", ""}, {"Galway", "H91 XX00", ""}},
		[]string{"Quay", "Road", "Street"},
		true, "Irish", "+353 20 910",
	},
	{
		"US", "USD", "RA000602",
		[]form{{"inc", "Corporation", "Inc.", "Ltd"}, {"llc", "Limited liability company", "LLC", "NonLtd"}},
		northHeads, northTails, trades, firsts["north"],
		[]place{{"Portland", "97200", "OR"}, {"Austin", "73300", "TX"}, {"Albany", "12200", "NY"}},
		[]string{"Avenue", "Street", "Drive"},
		true, "American", "+1 202 555 01",
	},
	{
		"SE", "SEK", "RA000544",
		[]form{{"49", "Aktiebolag", "AB", "Ltd"}, {"31", "Handelsbolag", "HB", "NonLtd"}},
		scandHeads, scandTails, trades, firsts["scand"],
		[]place{{"Stockholm", "111 00", ""}, {"Göteborg", "411 00", ""}, {"Malmö", "211 00", ""}},
		[]string{"-gatan", "-vägen"},
		false, "Swedish", "+46 31 390 06",
	},
	{
		"NO", "NOK", "RA000472",
		[]form{{"AS", "Aksjeselskap", "AS", "Ltd"}, {"ASA", "Allmennaksjeselskap", "ASA", "Ltd"}},
		scandHeads, scandTails, trades, firsts["scand"],
		[]place{{"Oslo", "0150", ""}, {"Bergen", "5003", ""}, {"Trondheim", "7010", ""}},
		[]string{"-gata", "-veien"},
		false, "Norwegian", "+47 99 00 00",
	},
	{
		"DE", "EUR", "RA000242",
		[]form{{"GmbH", "Gesellschaft mit beschränkter Haftung", "GmbH", "Ltd"}, {"AG", "Aktiengesellschaft", "AG", "Ltd"}, {"KG", "Kommanditgesellschaft", "KG", "NonLtd"}},
		germHeads, germTails, trades, firsts["germ"],
		[]place{{"Hamburg", "20095", "Hamburg"}, {"Köln", "50667", "Nordrhein-Westfalen"}, {"Leipzig", "04109", "Sachsen"}},
		[]string{"-straße", "-weg", "-allee"},
		false, "German", "+49 30 23125",
	},
	{
		"NL", "EUR", "RA000463",
		[]form{{"bv", "Besloten vennootschap", "B.V.", "Ltd"}, {"nv", "Naamloze vennootschap", "N.V.", "Ltd"}},
		germHeads, germTails, trades, firsts["germ"],
		[]place{{"Utrecht", "3511 XX", ""}, {"Groningen", "9711 XX", ""}},
		[]string{"-straat", "-laan"},
		false, "Dutch", "+31 85 000",
	},
	{
		"FR", "EUR", "RA000189",
		[]form{{"5710", "Société par actions simplifiée", "SAS", "Ltd"}, {"5499", "Société à responsabilité limitée", "SARL", "Ltd"}},
		latinHeads, latinTails, trades, firsts["latin"],
		[]place{{"Lyon", "69001", ""}, {"Nantes", "44000", ""}, {"Lille", "59000", ""}},
		[]string{"rue-", "avenue-"},
		true, "French", "+33 1 99 00",
	},
	{
		"BE", "EUR", "RA000025",
		[]form{{"BV", "Besloten vennootschap", "BV", "Ltd"}, {"NV", "Naamloze vennootschap", "NV", "Ltd"}},
		latinHeads, germTails, trades, firsts["latin"],
		[]place{{"Gent", "9000", ""}, {"Liège", "4000", ""}},
		[]string{"-straat", "-laan"},
		false, "Belgian", "+32 460 00",
	},
	{
		"ES", "EUR", "RA000533",
		[]form{{"SL", "Sociedad limitada", "SL", "Ltd"}, {"SA", "Sociedad anónima", "SA", "Ltd"}},
		latinHeads, latinTails, trades, firsts["latin"],
		[]place{{"Sevilla", "41001", ""}, {"Bilbao", "48001", ""}},
		[]string{"calle-", "avenida-"},
		false, "Spanish", "+34 900 000",
	},
	{
		"IT", "EUR", "RA000407",
		[]form{{"SRL", "Società a responsabilità limitata", "S.r.l.", "Ltd"}, {"SPA", "Società per azioni", "S.p.A.", "Ltd"}},
		latinHeads, latinTails, trades, firsts["latin"],
		[]place{{"Torino", "10121", ""}, {"Bologna", "40121", ""}},
		[]string{"via-", "viale-"},
		false, "Italian", "+39 06 000",
	},
}

// Countries are where the sandbox's companies are.
func Countries() []string {
	var out []string
	for _, l := range lands {
		out = append(out, l.code)
	}
	return out
}
