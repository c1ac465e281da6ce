package app

import (
	"net/url"
	"regexp"
	"strings"
)

// HidePasswords shows a setting, or an argument of a command, without the
// passwords in it. Whatever prints or logs one asks this first: an address may be
// the value of any setting, alone or behind a name, as in ofac=https://….
func HidePasswords(text string) string {
	if isConnectionString(text) {
		return "***" // its password may stand anywhere, in quotes or not
	}
	return addresses.ReplaceAllStringFunc(text, hideAddress)
}

// addresses finds them in a text. One of a database may name several hosts, with
// commas between them, and a password may hold nearly anything.
var addresses = regexp.MustCompile(`[A-Za-z][A-Za-z0-9+.-]*://[^\s"]+`)

// hideAddress takes the secrets out of one address. It works on the text: what
// url.Parse refuses, such as several hosts with ports, is shown to people too.
func hideAddress(address string) string {
	scheme, rest, _ := strings.Cut(address, "://")
	rest, fragment, hasFragment := strings.Cut(rest, "#")
	rest, query, hasQuery := strings.Cut(rest, "?")
	// A password with a slash in it is a mistake, and still nobody's business.
	if at := strings.LastIndexByte(rest, '@'); at >= 0 {
		rest = hideUser(scheme, rest[:at]) + rest[at:]
	}
	out := scheme + "://" + rest
	if hasQuery {
		out += "?" + hideQuery(query)
	}
	if hasFragment {
		out += "#" + fragment
	}
	return out
}

const hidden = "xxxxx"

// hideUser keeps the name that a database is used under, which people look for
// when they cannot get in. Elsewhere a name is often a key in disguise.
func hideUser(scheme, user string) string {
	name, _, hasPassword := strings.Cut(user, ":")
	switch {
	case !strings.HasPrefix(scheme, "postgres"):
		return hidden
	case hasPassword:
		return name + ":" + hidden
	}
	return name
}

// secretNames are what parameters with secrets are called.
var secretNames = regexp.MustCompile(`(?i)pass|pwd|secret|token|api.?key|access.?key|signature|^(key|sig|auth)$`)

func hideQuery(query string) string {
	parts := strings.Split(query, "&")
	for i, part := range parts {
		name, _, _ := strings.Cut(part, "=")
		if plain, err := url.QueryUnescape(name); err != nil || secretNames.MatchString(plain) {
			parts[i] = name + "=" + hidden
		}
	}
	return strings.Join(parts, "&")
}

// connectionWords begin the parts of a connection string as PostgreSQL's own
// tools take it: host=db user=bureau password=… dbname=bureau.
var connectionWords = regexp.MustCompile(
	`(?i)(^|\s)(host|hostaddr|port|dbname|user|password|passfile|service|servicefile|options|application_name|connect_timeout|target_session_attrs|ssl[a-z]+)\s*=`)

// isConnectionString reports whether a text is such a string and no address.
func isConnectionString(text string) bool {
	before, _, _ := strings.Cut(text, "://")
	return connectionWords.MatchString(before)
}
