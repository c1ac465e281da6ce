package fault

import "strings"

// quoted is how much of what somebody sent an error says back to them: enough to
// know it again.
const quoted = 60

// Clip shortens what somebody sent, to be quoted in an error.
func Clip(s string) string {
	if len(s) > quoted {
		return strings.ToValidUTF8(s[:quoted], "") + "…"
	}
	return s
}
