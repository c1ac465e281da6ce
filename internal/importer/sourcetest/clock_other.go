//go:build !unix

package sourcetest

import "time"

// processorTime is not known here.
func processorTime() time.Duration { return 0 }
