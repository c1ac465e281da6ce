package app

import (
	"net/url"
	"regexp"
	"strings"

	"bureau/internal/store"
)

// HidePasswords shows a setting, or an argument of a command, without the
// passwords in it. Whatever prints or logs one asks this first: an address may be
// the value of any setting, alone or behind a name, as in ofac=https://….
func HidePasswords(text string) string {
	if isConnectionString(text) || lameAddress.MatchString(text) {
		return "***" // its password may stand anywhere, in quotes or not
	}
	if store.IsPostgres(text) {
		return hideAddress(text)
	}
	return addresses.ReplaceAllStringFunc(text, hideAddress)
}

// addresses finds them in a text.
var addresses = regexp.MustCompile(`[A-Za-z][A-Za-z0-9+.-]*://[^\s"]+`)

// hideAddress takes the secrets out of one address. It works on the text: what
// url.Parse refuses, such as several hosts with ports, is shown to people too.
func hideAddress(address string) string {
	scheme, rest, _ := strings.Cut(address, "://")
	user := ""
	// A password may hold what ends a host, though it should not: it goes on to the
	// last @. Only an address of the web has one in its path, with a host before it.
	if at := strings.LastIndexByte(rest, '@'); at >= 0 && (store.IsPostgres(address) || !isHost.MatchString(rest)) {
		user, rest = hideUser(scheme, rest[:at]), rest[at:]
	}
	rest, fragment, hasFragment := strings.Cut(rest, "#")
	rest, query, hasQuery := strings.Cut(rest, "?")
	out := scheme + "://" + user + rest
	if hasQuery {
		out += "?" + hideQuery(query)
	}
	if hasFragment {
		out += "#" + fragment
	}
	return out
}

// isHost knows an address that begins with its hosts, without a user before them.
var isHost = regexp.MustCompile(`^` + oneHost + `(,` + oneHost + `)*([/?#]|$)`)

const oneHost = `(\[[0-9A-Fa-f:.]+\]|[^\[\]:@/?#,]*)(:[0-9]*)?`

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

// lameAddress is one of PostgreSQL without its slashes, which would be the name of a
// file.
var lameAddress = regexp.MustCompile(`(?i)^postgres(ql)?:(/?[^/]|$)`)

// isConnectionString reports whether a text is such a string and no address.
func isConnectionString(text string) bool {
	before, _, _ := strings.Cut(text, "://")
	return connectionWords.MatchString(before)
}
