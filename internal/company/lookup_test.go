package company_test

import (
	"errors"
	"strings"
	"testing"

	"bureau/internal/company"
	"bureau/internal/fault"
)

// Many texts mean what each means alone.
func TestLookupAllIsLookup(t *testing.T) {
	onBoth(t, func(t *testing.T, d desk) {
		d.take(t, "src", false,
			company.Statement{Country: "GB", Number: "00000001", Facts: company.Facts{Name: "One", SafeNo: "UK00000001"}},
			company.Statement{Country: "GB", Number: "00000002", Facts: company.Facts{Name: "Two", RegNo: "NEW2"}},
			company.Statement{Country: "DE", Number: "X1_HRB7", Facts: company.Facts{Name: "Sieben", SafeNo: "GB00000002"}},
			company.Statement{Country: "FR", Number: "3", Facts: company.Facts{Name: "Trois"}},
			company.Statement{Country: "FR", Number: "ANCE", Facts: company.Facts{Name: "A word"}},
		)
		texts := []string{
			"GB-0-00000001", "gb-0-00000001", "GB001-0-00000001", "GB-X-00000001", " GB-0-00000001 ", "UK00000001", "uk00000001",
			"GB00000001", "GB00000002", "gb00000002", "GB-0-NEW2", "GB-0-00000002", "DE-0-X1_HRB7", "DEX1_HRB7", "FR3", "fr3", "FR-0-3", "FR-0-4", "FR4", "FRANCE", "FR-0-ANCE",
			"", " ", "!", "FR", "F", "F3", "-", "GB-0-", "\x00", "GB-0-\xff", "GB-0-1\n", "nobody", "日本",
		}
		all, err := d.LookupAll(t.Context(), append(texts, texts...))
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for _, text := range texts {
			c, err := d.Lookup(t.Context(), text)
			if err != nil && !errors.Is(err, fault.Missing) && !errors.Is(err, fault.Invalid) {
				t.Fatal(err)
			}
			if all[text] != c.ID {
				t.Errorf("%q means %q among many, %q alone", text, all[text], c.ID)
			}
			if c.ID != "" {
				found++
			}
		}
		for _, text := range []string{"uk00000001", "gb00000002"} { // letters in any case, as in a connectId
			if want := all[strings.ToUpper(text)]; want == "" || all[text] != want {
				t.Errorf("%q means %q, want %q", text, all[text], want)
			}
		}
		if found < 12 || len(all) != found {
			t.Errorf("%d texts mean somebody among many, %d alone", len(all), found)
		}
	})
}
