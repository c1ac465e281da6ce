package importer

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
)

// Publishers split large lists: "…-part3_7.zip", "…_3of32.txt".
var partOf = regexp.MustCompile(`(?i)(?:part(\d+)_(\d+)|_(\d+)of(\d+))`)

// CheckParts refuses some parts of a whole list without the others, which would
// take away all that the missing ones hold.
func CheckParts(paths []string) error {
	have := map[int]bool{}
	total := 0
	for _, p := range paths {
		m := partOf.FindStringSubmatch(filepath.Base(p))
		if m == nil {
			continue
		}
		n, _ := strconv.Atoi(m[1] + m[3])
		of, _ := strconv.Atoi(m[2] + m[4])
		if total != 0 && of != total {
			return fmt.Errorf("%s is a part of another list than the files before it", filepath.Base(p))
		}
		have[n], total = true, of
	}
	for n := 1; n <= total; n++ {
		if !have[n] {
			return fmt.Errorf("part %d of %d is missing: name all parts in one command, or take these alone with --partial", n, total)
		}
	}
	return nil
}
