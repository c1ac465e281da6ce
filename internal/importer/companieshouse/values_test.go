package companieshouse

import (
	"slices"
	"testing"

	"bureau/internal/company"
)

func TestNumber(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"08209948", "08209948"},
		{"8209948", "08209948"},
		{" 2119 ", "00002119"},
		{"SC313991", "SC313991"},
		{"sc 12345", "SC012345"},
		{"R836", "R0000836"},
		{"SP29395R", "SP29395R"},
		{"", "there is no company number"},
		{"0123456789", "that is not a company number"},
		{"SC", "that is not a company number"},
		{"ABC12345", "that is not a company number"},
		{"SP295R", "that is not a company number"},
		{"12-45678", "that is not a company number"},
		{"1234567é", "that is not a company number"},
	} {
		got, err := number(tt.in)
		if err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("number(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestAmount(t *testing.T) {
	for _, tt := range []struct {
		printed, format string
		scale, digits   int
		want            int64
		ok              bool
	}{
		{"1,234", "numdotdecimal", 0, 2, 123400, true},
		{"1,234.5", "num-dot-decimal", 0, 2, 123450, true},
		{"1.234,5", "numcommadecimal", 0, 2, 123450, true},
		{"1.234,5", "num-comma-decimal", 0, 2, 123450, true},
		{"1 234", "numspacedot", 0, 2, 123400, true},
		{"1,234", "", 3, 2, 123400000, true},
		{"1234", "", -2, 2, 1234, true},
		{"0.005", "", 0, 2, 1, true},
		{"0.0049", "", 0, 2, 0, true},
		{"0.5", "", 0, 0, 1, true},
		{"-762", "", 0, 2, -76200, true},
		{"(762)", "", 0, 2, -76200, true},
		{"£ 5", "", 0, 2, 500, true},
		{"-", "zerodash", 0, 2, 0, true},
		{"–", "", 0, 2, 0, true},
		{"nil", "", 0, 2, 0, true},
		{"", "", 0, 2, 0, false},
		{"n/a", "nocontent", 0, 2, 0, false},
		{"n/a", "", 0, 2, 0, false},
		{"see note 4", "", 0, 2, 0, false},
		{"99999999999999999", "", 0, 2, 0, false},
		{"9999999999999999", "", 0, 2, 999999999999999900, true},
		{"1234", "", 0, 0, 1234, true},
		{"1234", "", 0, 3, 1234000, true},
	} {
		got, ok, _ := amount(tt.printed, tt.format, tt.scale, tt.digits)
		if got != tt.want || ok != tt.ok {
			t.Errorf("amount(%q, %q, %d, %d) = %d, %v; want %d, %v",
				tt.printed, tt.format, tt.scale, tt.digits, got, ok, tt.want, tt.ok)
		}
	}
}

func TestDates(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want company.Date
	}{
		{"2023-01-31", "2023-01-31"},
		{"2023-01-31T00:00:00", "2023-01-31"},
		{"31 January 2023", "2023-01-31"},
		{"31st august 2023", "2023-08-31"},
		{"1 Feb 2023", "2023-02-01"},
		{"January 31, 2023", "2023-01-31"},
		{"31/1/2023", "2023-01-31"},
		{"31.01.23", "2023-01-31"},
		{"the end of time", ""},
		{"", ""},
	} {
		if got := longDay(tt.in); got != tt.want {
			t.Errorf("longDay(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
	for in, want := range map[string]company.Date{
		"05/06/2018": "2018-06-05", "5/6/2018": "", "": "", "00/00/0000": "", "32/01/2018": "", "aa/bb/cccc": "",
	} {
		if got := day(in); got != want {
			t.Errorf("day(%q) = %q, want %q", in, got, want)
		}
	}
	for _, tt := range []struct{ day, month, want string }{
		{"31", "3", "03-31"},
		{"29", "2", "02-29"},
		{"30", "2", ""},
		{"31", "04", ""},
		{"99", "99", ""},
		{"", "", ""},
		{"0", "1", ""},
	} {
		if got := yearEnd(tt.day, tt.month); got != tt.want {
			t.Errorf("yearEnd(%q, %q) = %q, want %q", tt.day, tt.month, got, tt.want)
		}
	}
	for _, tt := range []struct {
		start, end company.Date
		want       int
	}{
		{"2022-02-01", "2023-01-31", 12},
		{"2023-02-01", "2024-01-31", 12},
		{"2022-10-01", "2023-03-31", 6},
		{"2022-01-15", "2023-06-30", 17},
	} {
		if got := months(tt.start, tt.end); got != tt.want {
			t.Errorf("months(%s, %s) = %d, want %d", tt.start, tt.end, got, tt.want)
		}
	}
}

func TestCountry(t *testing.T) {
	for in, want := range map[string]string{
		"ENGLAND": "GB", "England & Wales": "GB", "United Kingdom (England And Wales)": "GB", "UK": "GB",
		"U.K.": "GB", "N IRELAND": "GB", "London, United Kingdom": "GB", "Republic Of Ireland": "IE",
		"The Netherlands": "NL", "Minnesota, Usa": "US", "UNITED STATES": "US", "CAYMAN ISLANDS": "KY",
		"JERSEY": "JE", "": "", "Atlantis": "", "NOT SPECIFIED": "",
	} {
		if got := countryCode(in); got != want {
			t.Errorf("countryCode(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestStatus(t *testing.T) {
	for in, want := range map[string]company.Status{
		"Active": company.Active, "Registered": company.Active, "Dissolved": company.NonActive,
		"Converted/Closed": company.NonActive, "": "", "something new": company.Other,
		"Active - Proposal to Strike off": company.Pending, "ADMINISTRATION ORDER": company.Pending,
		"ADMINISTRATIVE RECEIVER": company.Pending, "RECEIVERSHIP": company.Pending, "Liquidation": company.Pending,
		"Voluntary Arrangement": company.Pending, "VOLUNTARY ARRANGEMENT / RECEIVER MANAGER": company.Pending,
		"In Administration/Administrative Receiver": company.Pending,
	} {
		if got := status(in); got != want {
			t.Errorf("status(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestNatures(t *testing.T) {
	for in, want := range map[string]nature{
		"ownership-of-shares-25-to-50-percent":                                         {"shares 25-50%", 25, 50, true, false},
		"ownership-of-shares-75-to-100-percent-as-firm":                                {"shares 75-100% through a firm", 75, 100, true, true},
		"ownership-of-shares-more-than-25-percent-as-trust-registered-overseas-entity": {"shares 25-100% through a trust", 25, 100, true, true},
		"voting-rights-50-to-75-percent-limited-liability-partnership":                 {"votes 50-75%", 0, 0, false, false},
		"right-to-appoint-and-remove-directors-as-control-over-firm-registered-overseas-entity": {
			"appoints directors through control over a firm", 0, 0, false, true,
		},
		"part-right-to-share-surplus-assets-25-to-50-percent": {"surplus assets 25-50%", 25, 50, false, false},
		"right-to-appoint-and-remove-person":                  {"appoints managers", 0, 0, false, false},
		"significant-influence-or-control":                    {"significant influence or control", 0, 0, false, false},
	} {
		if got := natureOf(in); got != want {
			t.Errorf("natureOf(%q) = %+v, want %+v", in, got, want)
		}
	}
}

// TestControl sees to it that shares count before surplus assets, and the
// higher band before the lower.
func TestControl(t *testing.T) {
	r := &pscReader{natures: newMemo(natureOf)}
	for _, tt := range []struct {
		what     string
		natures  []string
		min, max float64
		indirect bool
	}{
		{"two bands", []string{"ownership-of-shares-25-to-50-percent", "ownership-of-shares-50-to-75-percent-as-trust"}, 50, 75, false},
		{"shares last", []string{"right-to-share-surplus-assets-75-to-100-percent", "ownership-of-shares-25-to-50-percent"}, 25, 50, false},
		{"shares first", []string{"ownership-of-shares-25-to-50-percent", "right-to-share-surplus-assets-75-to-100-percent"}, 25, 50, false},
		{"only votes", []string{"voting-rights-75-to-100-percent-as-firm"}, 0, 0, true},
		{"none", nil, 0, 0, false},
	} {
		var o company.Owner
		r.control(&o, tt.natures)
		if o.ShareMin != tt.min || o.ShareMax != tt.max || o.Indirect != tt.indirect {
			t.Errorf("%s: got %v-%v, indirect %v; want %v-%v, %v", tt.what, o.ShareMin, o.ShareMax, o.Indirect, tt.min, tt.max, tt.indirect)
		}
	}
}

func TestSplit(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want []string
		open bool
	}{
		{`a,b`, []string{"a", "b"}, false},
		{`a,`, []string{"a", ""}, false},
		{`,`, []string{"", ""}, false},
		{``, []string{""}, false},
		{`"a","b"`, []string{"a", "b"}, false},
		{`"a,b",c`, []string{"a,b", "c"}, false},
		{`"""a""",b`, []string{`"a"`, "b"}, false},
		{`"a "b" c",d`, []string{`a "b" c`, "d"}, false},
		{`"",""`, []string{"", ""}, false},
		{`a,"b`, []string{"a", "b"}, true},
		{`"a""`, []string{`a"`}, true},
		{`a,"`, []string{"a", ""}, true},
	} {
		got, open := split(tt.in, nil)
		if !slices.Equal(got, tt.want) || open != tt.open {
			t.Errorf("split(%s) = %q, %v; want %q, %v", tt.in, got, open, tt.want, tt.open)
		}
	}
}
