package listfile

import (
	"strings"

	"github.com/biter777/countries"
)

// names are those that lists use and the library does not know, or takes for
// others. The second part of it is what people of a country are called, which is
// how some lists write nationalities.
var names = map[string]string{
	"dprk": "KP", "north korea": "KP", "korea, north": "KP", "democratic people's republic of korea": "KP", "democratic peoples republic of korea": "KP", "korea (north)": "KP",
	"korea, south": "KR", "south korea": "KR", "republic of korea": "KR", "korea, republic of": "KR",
	"congo, democratic republic of the": "CD", "congo, democratic republic": "CD", "congo (democratic republic)": "CD", "democratic republic of the congo": "CD", "drc": "CD", "democratic republic of congo": "CD",
	"congo, republic of the": "CG", "republic of the congo": "CG", "congo": "CG",
	"the gambia": "GM", "gambia, the": "GM", "bahamas, the": "BS", "the bahamas": "BS",
	"state of palestine": "PS", "palestine, state of": "PS", "palestine": "PS", "palestinian": "PS", "occupied palestinian territories": "PS", "west bank": "PS", "gaza": "PS", "region: gaza": "PS", "region: west bank": "PS", "palestinian territory, occupied": "PS",
	"united republic of tanzania": "TZ", "iran, islamic republic of": "IR", "islamic republic of iran": "IR", "russian federation": "RU", "soviet union": "", "ussr": "", "burma": "MM", "myanmar (burma)": "MM", "türkiye": "TR", "turkiye": "TR",
	"viet nam": "VN", "lao people's democratic republic": "LA", "cote d'ivoire": "CI", "ivory coast": "CI", "syrian arab republic": "SY", "region: crimea": "UA", "crimea": "UA", "region: kafia kingi": "SD",
	"england": "GB", "scotland": "GB", "wales": "GB", "northern ireland": "GB", "great britain": "GB", "uk": "GB", "united kingdom of great britain and northern ireland": "GB", "usa": "US", "united states of america": "US", "uae": "AE",
	"the netherlands": "NL", "czech republic": "CZ", "macedonia": "MK", "north macedonia": "MK", "north macedonia, the republic of": "MK", "bosnia": "BA", "bosnia and herzegovina": "BA", "serbia and montenegro": "", "yugoslavia": "",
	"hong kong (china)": "HK", "taiwan, province of china": "TW", "brunei": "BN", "cape verde": "CV", "swaziland": "SZ", "curacao": "CW", "st. kitts and nevis": "KN", "saint kitts and nevis": "KN", "st kitts and nevis": "KN", "st. vincent and the grenadines": "VC", "cook islands": "CK", "marshall islands": "MH", "virgin islands, british": "VG", "british virgin islands": "VG", "people's republic of china": "CN", "china, people's republic of": "CN", "comoros": "KM", "micronesia": "FM",

	"afghan": "AF", "albanian": "AL", "algerian": "DZ", "american": "US", "armenian": "AM", "australian": "AU", "austrian": "AT", "azerbaijani": "AZ", "bahraini": "BH", "bangladeshi": "BD", "belarusian": "BY", "belarussian": "BY", "belgian": "BE", "bosnian": "BA", "bosnia and herzegovinian": "BA", "brazilian": "BR", "british": "GB", "bulgarian": "BG", "burmese": "MM", "burundian": "BI", "cameroonian": "CM", "canadian": "CA", "central african": "CF", "chadian": "TD", "chinese": "CN", "colombian": "CO", "congolese": "CD", "croatian": "HR", "cuban": "CU", "cypriot": "CY", "czech": "CZ", "danish": "DK", "djiboutian": "DJ", "dominican": "DO", "dutch": "NL", "egyptian": "EG", "eritrean": "ER", "estonian": "EE", "ethiopian": "ET", "filipino": "PH", "finnish": "FI", "french": "FR", "georgian": "GE", "german": "DE", "ghanaian": "GH", "greek": "GR", "guatemalan": "GT", "guinean": "GN", "haitian": "HT", "hungarian": "HU", "indian": "IN", "indonesian": "ID", "iranian": "IR", "iraqi": "IQ", "irish": "IE", "israeli": "IL", "italian": "IT", "ivorian": "CI", "japanese": "JP", "jordanian": "JO", "kazakh": "KZ", "kazakhstani": "KZ", "kenyan": "KE", "korean": "KR", "north korean": "KP", "south korean": "KR", "kuwaiti": "KW", "kyrgyz": "KG", "kyrgyzstani": "KG", "latvian": "LV", "lebanese": "LB", "liberian": "LR", "libyan": "LY", "lithuanian": "LT", "macedonian": "MK", "malaysian": "MY", "malian": "ML", "maltese": "MT", "mauritanian": "MR", "mexican": "MX", "moldovan": "MD", "montenegrin": "ME", "moroccan": "MA", "namibian": "NA", "nicaraguan": "NI", "nigerian": "NG", "nigerien": "NE", "norwegian": "NO", "omani": "OM", "pakistani": "PK", "panamanian": "PA", "peruvian": "PE", "philippine": "PH", "polish": "PL", "portuguese": "PT", "qatari": "QA", "romanian": "RO", "russian": "RU", "rwandan": "RW", "saudi": "SA", "saudi arabian": "SA", "senegalese": "SN", "serbian": "RS", "singaporean": "SG", "slovak": "SK", "slovenian": "SI", "somali": "SO", "south african": "ZA", "south sudanese": "SS", "spanish": "ES", "sri lankan": "LK", "sudanese": "SD", "swedish": "SE", "swiss": "CH", "syrian": "SY", "taiwanese": "TW", "tajik": "TJ", "tajikistani": "TJ", "tanzanian": "TZ", "thai": "TH", "tunisian": "TN", "turkish": "TR", "turkmen": "TM", "ugandan": "UG", "ukrainian": "UA", "emirati": "AE", "uzbek": "UZ", "uzbekistani": "UZ", "venezuelan": "VE", "vietnamese": "VN", "yemeni": "YE", "zambian": "ZM", "zimbabwean": "ZW",
}

// Code is the ISO 3166 alpha-2 code of a country that is called by its name, by
// what its people are called, or by a code. It is empty for what is none.
func Code(text string) string {
	s := strings.ToLower(strings.Join(strings.Fields(strings.NewReplacer("’", "'", "‘", "'").Replace(text)), " "))
	s = strings.Trim(s, " .,;")
	if code, ok := names[s]; ok {
		return code
	}
	if s == "" || len(s) == 1 || s == "00" {
		return ""
	}
	c := countries.ByName(s)
	if c == countries.Unknown || c == countries.None || !c.IsValid() {
		// "Pakistan (as at Apr 2009)", "Libya, probably"
		if i := strings.IndexAny(s, "(["); i > 3 {
			return Code(s[:i])
		}
		return ""
	}
	code := c.Alpha2()
	if len(code) != 2 || code == "YU" || code == "SU" {
		return ""
	}
	return code
}

// Country is a country's code, or the text as it is where it is none.
func Country(text string) string {
	if code := Code(text); code != "" {
		return code
	}
	return strings.TrimSpace(text)
}
