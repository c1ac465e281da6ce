package bureau_test

import "testing"

// safetyExceptions are where the program does what a rule refuses, by rule and
// file, and why that is right there.
var safetyExceptions = map[string]string{
	"weak cipher internal/auth/totp.go": "RFC 6238 asks for SHA-1 in an HMAC, which its collisions do not touch",

	"guessable chance client/retry.go":          "spreads out pauses",
	"guessable chance internal/app/http.go":     "correlation ids, which nobody is let in by",
	"guessable chance internal/app/mail.go":     "spreads out pauses",
	"guessable chance internal/app/webhooks.go": "spreads out pauses",
	"guessable chance internal/notify/mail.go":  "spreads out pauses",
	"unsafe memory internal/match/memory.go":    "compares bytes that never change as a string",
	"unsafe memory internal/match/save.go":      "writes slices of numbers as they lie in memory",
	"shared client client/client.go":            "what a program that uses our client has chosen for itself, unless it gives another",
	"shared client client/stream.go":            "as client.go",
	"secret in a log cmd/bureau/account.go":     "the one time that a new password is shown, to who asked for it",
	"secret in a log cmd/bureau/serve.go":       "the invented accounts of the sandbox",
	"secret in a log cmd/bureau/webhook.go":     "the one time that a new secret is shown, to who asked for it",
	"raw HTML internal/console/qr.go":           "numbers, and a label that is escaped",
	"raw HTML internal/console/rail.go":         "our own drawings",
	"raw HTML internal/console/settings.go":     "an otpauth: address that we made ourselves",
	"raw HTML internal/handbook/server.go":      "our own text, escaped before the marks go in",
	"raw HTML internal/notify/digest.go":        "the plain half of a mail",

	"another program internal/bench/process.go":           "'bureau bench' starts itself again, in other roles",
	"another program internal/bench/bureau.go":            "as process.go: the server that is measured, and its commands",
	"another program internal/bench/baseline.go":          "as process.go",
	"another program internal/bench/postgres.go":          "PostgreSQL, for make bench; 'bureau bench' starts none",
	"packed without bound internal/bench/match_corpus.go": "files beside the repository, for make bench",

	"packed without bound internal/importer/open.go":                    "streamed: an import holds one record, whatever comes",
	"packed without bound internal/importer/companieshouse/accounts.go": "read through a limit of 64 MB",
	"packed without bound internal/kyc/encode.go":                       "read through a limit, and packed by us",
	"packed without bound internal/match/gen/common.go":                 "a tool that we run on files of our own choosing",
	"packed without bound internal/match/roman/han.go":                  "a table inside the program",
	"packed without bound internal/store/backupreader.go":               "streamed line by line; a backup is the operator's own",
	"packed without bound internal/store/pack.go":                       "rows that we packed",
}

// TestSafety holds the program to the rules of safety_rules_test.go.
func TestSafety(t *testing.T) {
	for _, complaint := range checkSafety(tree(t), safetyExceptions) {
		t.Error(complaint)
	}
}
