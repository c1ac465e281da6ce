package consumers_test

import (
	"errors"
	"strings"
	"testing"

	"bureau/internal/importer"
	"bureau/internal/importer/consumers"
)

// FuzzRead holds that whatever a file says, reading it ends, nobody without a
// country comes out of it, and what is kept of a refusal repeats nobody's data.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		consumers.Source.Sample,
		"country,number,surname,onElectoralRoll\nGB,1,Example,yes\n",
		"\ufeffcountry,number,formerSurname,surname,sortCode\r\nSE,2,Before,\"A \"\"B\"\" C\",990001\r\n",
		"country,number\nGB\n\"\n", "{\n[]\nnull\n{}\n", "{\"country\":\"GB\"}\n{", "\x00", " \ufeff {",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for rec, err := range consumers.Source.Read(strings.NewReader(text), "fuzz") {
			var bad *importer.Bad
			switch {
			case errors.As(err, &bad) && bad.Raw != "":
				t.Errorf("a refusal keeps %q", bad.Raw)
			case err == nil && (rec.Country == "" || rec.Number == ""):
				t.Errorf("a person without a country or a number: %+v", rec)
			}
		}
	})
}
