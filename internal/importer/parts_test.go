package importer_test

import (
	"testing"

	"bureau/internal/importer"
)

func TestAWholeListNeedsAllItsParts(t *testing.T) {
	for _, test := range []struct {
		name  string
		paths []string
		ok    bool
	}{
		{"one file", []string{"list.csv"}, true},
		{"all parts", []string{"a/Data-2018-02-01-part2_2.zip", "a/Data-2018-02-01-part1_2.zip"}, true},
		{"one part of two", []string{"Data-2018-02-01-part1_2.zip"}, false},
		{"one of thirty-two", []string{"snapshot_1of32.txt"}, false},
		{"all of three", []string{"s_1of3.txt", "s_2of3.txt", "s_3of3.txt"}, true},
		{"parts of two lists", []string{"s_1of2.txt", "s_2of3.txt"}, false},
	} {
		if err := importer.CheckParts(test.paths); (err == nil) != test.ok {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}
