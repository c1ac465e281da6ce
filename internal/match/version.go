package match

import (
	"fmt"
	"hash/crc32"
)

// Version names the engine: the tables that names are read by, the weights, and
// rules, which is raised by hand whenever the same names compare otherwise than
// before for any other reason. What was found under another version may not be
// found again.
func Version() string { return version }

// rules is the number of the rules in code.
const rules = 6

var version = func() string {
	return fmt.Sprintf("%d-%08x-%08x", rules, tablesPrint, crc32.ChecksumIEEE(weightsJSON))
}()
