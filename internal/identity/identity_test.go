package identity

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"bureau/internal/company"
)

var today = time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC)

func TestSwedishNumbers(t *testing.T) {
	for _, c := range []struct {
		text, want   string // "" is refused
		coordination bool
		birth        company.Date
	}{
		{"700531-7719", "197005317719", false, "1970-05-31"},
		{"197005317719", "197005317719", false, "1970-05-31"},
		{"19700531-7719", "197005317719", false, "1970-05-31"},
		{"7005317719", "197005317719", false, "1970-05-31"},
		{"700531+7719", "187005317719", false, "1870-05-31"},
		{"7005917708", "197005917708", true, "1970-05-31"},
		{"197005917708", "197005917708", true, "1970-05-31"},
		{"0101010014", "", false, ""},
		{"5597770006", "5597770006", false, ""},
		{"165597770006", "5597770006", false, ""},
		{"559777-0006", "5597770006", false, ""},
		{"7005317718", "", false, ""},   // the check digit
		{"197013317718", "", false, ""}, // the month
		{"70053177", "", false, ""},     // the length
		{"19700531771a", "", false, ""}, // a letter
		{"203005317719", "", false, ""}, // to come
		{"", "", false, ""},
	} {
		n, err := ParseSwedishNumber(c.text, today)
		if n.Digits != c.want || n.Coordination != c.coordination || n.Birth() != c.birth || (err != nil) != (c.want == "") {
			t.Errorf("%q: %+v born %s (%v), want %q", c.text, n, n.Birth(), err, c.want)
		}
	}
}

func TestAddresses(t *testing.T) {
	mill := Address{BuildingNo: "7", Street: "Mill Lane", City: "Testford", PostCode: "TE1 1ST"}
	for _, c := range []struct {
		what string
		with Address
		want Grade
	}{
		{"the same", mill, Same},
		{"written otherwise", Address{Street: "7, MILL LN.", PostCode: "te11st"}, Same},
		{"the number in the name of the building", Address{BuildingName: "7 The Cottage", PostCode: "TE1 1ST"}, Same},
		{"no house", Address{PostCode: "TE1 1ST"}, Close},
		{"another house", Address{BuildingNo: "8", PostCode: "TE1 1ST"}, Differs},
		{"a flat of it", Address{SubBuilding: "Flat 2", BuildingNo: "7", PostCode: "TE1 1ST"}, Close},
		{"a letter of the postcode is wrong", Address{BuildingNo: "7", Street: "Mill Lane", PostCode: "TE1 1SX"}, Close},
		{"no postcode", Address{BuildingNo: "7", Street: "Mill Lane", City: "Testford"}, Same},
		{"no postcode and another town", Address{BuildingNo: "7", Street: "Mill Lane", City: "Elsewhere"}, Differs},
		{"another postcode", Address{BuildingNo: "7", Street: "Mill Lane", PostCode: "ZZ9 9ZZ"}, Differs},
		{"nothing", Address{}, Unknown},
	} {
		if got := mill.Compare(c.with); got != c.want {
			t.Errorf("%s: %s, want %s", c.what, got, c.want)
		}
		if mill.Compare(c.with) != c.with.Compare(mill) {
			t.Errorf("%s: the order matters", c.what)
		}
	}
	one, two := Address{SubBuilding: "Flat 1", BuildingNo: "7", PostCode: "TE1 1ST"}, Address{Abode: "Apt 2", BuildingNo: "7", PostCode: "TE1 1ST"}
	if one.Compare(two) != Differs {
		t.Error("two flats of a house are one")
	}
}

func TestBirths(t *testing.T) {
	for _, c := range []struct {
		a, b company.Date
		want Grade
	}{
		{"1970-05-31", "1970-05-31", Same},
		{"1970-05-31", "1970-05", Close},
		{"1970-05-31", "1970-05-30", Close}, // a slip
		{"1970-05-03", "1970-03-05", Close}, // day and month
		{"1970-05-31", "1981-01-02", Differs},
		{"1970-05", "1970-06-01", Differs},
		{"", "1970-05-31", Unknown},
	} {
		if got := compareBirth(c.a, c.b); got != c.want {
			t.Errorf("%s and %s: %s, want %s", c.a, c.b, got, c.want)
		}
	}
}

// Every field of a consumer belongs to a category of changes, but for those that
// name the consumer.
func TestEveryFieldCanChange(t *testing.T) {
	var zero Consumer
	for i := range reflect.TypeFor[Consumer]().NumField() {
		f := reflect.TypeFor[Consumer]().Field(i)
		if slices.Contains([]string{"Country", "Number"}, f.Name) {
			continue
		}
		c := zero
		v := reflect.ValueOf(&c).Elem().Field(i)
		switch v.Kind() {
		case reflect.Slice:
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		case reflect.Pointer:
			v.Set(reflect.New(v.Type().Elem()))
		case reflect.Bool:
			v.SetBool(true)
		case reflect.Struct:
			v.Field(0).SetString("x")
		default:
			v.SetString("x")
		}
		if got := Compare(&zero, &c); len(got) != 1 {
			t.Errorf("a change of %s is told as %v", f.Name, got)
		}
	}
}

// Who may not be shown is found by nothing, and veiled on boards.
func TestHiddenPeopleHaveNoKeysButAVeil(t *testing.T) {
	h := Held{Consumer: Consumer{Country: "GB", Number: "1", Name: Name{First: "Ada", Surname: "Brook"}, Birth: "1970-05-31"}}
	if len(h.keys()) != 4 {
		t.Errorf("keys %v", h.keys())
	}
	for _, hide := range []func(*Held){
		func(h *Held) { h.Protected = true },
		func(h *Held) { h.Rights = []Right{{Kind: Objected}} },
		func(h *Held) {
			yes := true
			h.Rights = []Right{{Kind: Corrected, Correction: Correction{Protected: &yes}}}
		},
	} {
		hidden := h
		hide(&hidden)
		if _, ok := hidden.Shown(); ok || !slices.Equal(hidden.keys(), []string{"veil GB-1"}) {
			t.Errorf("%+v is found by %v", hidden.Rights, hidden.keys())
		}
	}
	h.Rights = []Right{{Kind: Objected}, {Kind: Allowed}}
	if _, ok := h.Shown(); !ok {
		t.Error("an objection that was taken back still holds")
	}
	swede := Held{Consumer: Consumer{Country: "SE", Number: "197005317719", Person: "SE-9000001", Protected: true}}
	if want := []string{"veil SE-197005317719", "veil SE-7005317719", "veil SE-9000001"}; !slices.Equal(swede.keys(), want) {
		t.Errorf("a Swede is veiled by %v, want %v", swede.keys(), want)
	}
}

func TestCorrectionsThatMakeNoSense(t *testing.T) {
	for text, says := range map[string]string{
		"{}": "it changes nothing", "x": "correction:", `{"birthDate":"1970-02-30"}`: "birthDate", `{"colour":"red"}`: "colour",
	} {
		if _, err := ParseCorrection(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
