package listfile_test

import (
	"slices"
	"testing"

	"bureau/internal/company"
	"bureau/internal/importer/listfile"
)

func TestDatesInTheWordsOfPublishers(t *testing.T) {
	for text, want := range map[string]string{
		"12 Jan 1970": "1970-01-12", "Jan 1970": "1970-01", "1962": "1962", "circa 1970": "1970~", "approximately 1970": "1970~",
		"c. 1970": "1970~", "1958 to 1962": "1958/1962", "circa 1958 to 1962": "1958~/1962~", "between 1958 and 1962": "1958/1962",
		"1963-1964": "1963/1964", "1970 to 1970": "1970", "00/00/1980": "1980", "00/05/1980": "1980-05", "01/08/1979": "1979-08-01", "dd/mm/1957": "1957",
		"11.8.1960": "1960-08-11", "1979-08-01": "1979-08-01", "1979-08-01T00:00:00": "1979-08-01", "1979-08": "1979-08", "Sep-99": "1999-09",
		"in the early 1970s": "1970/1979", "born in the early 1970s": "1970/1979", "20 September 1970": "1970-09-20", "1st March 1965": "1965-03-01",
		"March 1, 1965": "1965-03-01", "11 Jun 1970 to 12 Mar 1971": "1970-06-11/1971-03-12", " (1970). ": "1970", "31/13/1970": "1970",
		"": "", "unknown": "", "1970 or so": "", "12": "", "Foo 1970": "",
	} {
		d, ok := listfile.Date(text)
		if d.String() != want || ok != (want != "") {
			t.Errorf("%q: %q (%v), want %q", text, d, ok, want)
		}
	}
	if got := listfile.Dates("1965-07-15 OR 1969-09-28"); len(got) != 2 || got[1].On != "1969-09-28" {
		t.Errorf("two dates: %v", got)
	}
	for text, want := range map[string]company.Date{"11/30/2026": "2026-11-30", "30/11/2026": "", "": ""} {
		if got := listfile.AmericanDay(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestCountriesByAnyName(t *testing.T) {
	for text, want := range map[string]string{
		"Russia": "RU", "DPRK": "KP", "Korea, North": "KP", "Korea, South": "KR", "Iran (Islamic Republic of)": "IR", "Burma": "MM",
		"Congo, Democratic Republic of the": "CD", "Congo (Democratic Republic)": "CD", "Congo, Republic of the": "CG",
		"Yemeni": "YE", "German": "DE", "Pakistan (as at Apr 2009)": "PK", "Côte d’Ivoire": "CI", "State of Palestine": "PS",
		"The Gambia": "GM", "gb": "GB", "Türkiye": "TR", "": "", "00": "", "Atlantis": "", "Soviet Union": "", "undetermined": "",
		"Niger": "NE", "Nigeria": "NG", "Guinea": "GN", "Georgia": "GE", "Dominica": "DM", "Dominican": "DO",
	} {
		if got := listfile.Code(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := listfile.Country(" Atlantis "); got != "Atlantis" {
		t.Errorf("what is no country stays as it is: %q", got)
	}
}

func TestNumberedTexts(t *testing.T) {
	for text, want := range map[string][]string{
		"(1) German (2) Moroccan":              {"German", "Moroccan"},
		"1) Saudi Arabia 2) Qatar":             {"Saudi Arabia", "Qatar"},
		"a) Syrian Arab Republic b) Palestine": {"Syrian Arab Republic", "Palestine"},
		"plain":                                {"plain"},
		"X123 (2) lost":                        {"X123 (2) lost"},
		"Group (b) of companies":               {"Group (b) of companies"},
		"":                                     nil,
		"(1) only":                             {"only"},
	} {
		if got := listfile.Numbered(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
