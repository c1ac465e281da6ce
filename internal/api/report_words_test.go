package api

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"bureau/internal/company"
)

// Everything that a report says by itself is said in every language, with its
// value where it has one.
func TestWordsAreThereInEveryLanguage(t *testing.T) {
	check := func(what string, p phrase) {
		t.Helper()
		for i, text := range p {
			if text == "" || strings.Contains(text, "{}") != strings.Contains(p[0], "{}") || strings.Count(text, "%s") != strings.Count(p[0], "%s") {
				t.Errorf("%s in %s is %q", what, Languages()[i], text)
			}
		}
	}
	for key, p := range paperWords {
		check(key, p)
	}
	for _, l := range itemWords {
		check(l.item, l.words)
	}
	for _, rule := range company.Rules() {
		check("the rule "+rule, scoreWords[rule])
	}
	for rule := range scoreWords {
		if !slices.Contains(company.Rules(), rule) {
			t.Errorf("%s is no rule", rule)
		}
	}
	for f, p := range changeWords {
		check("a change of "+string(f), p)
	}
	if reflect.TypeFor[phrase]().Len() != len(Languages()) {
		t.Error("a phrase has another number of languages than we speak")
	}
}
