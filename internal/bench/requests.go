package bench

import (
	"fmt"
	"strings"
)

// head is what every request begins with. Both sides are sent the same bytes.
func head(line string) string {
	return line + " HTTP/1.1\r\nHost: localhost\r\nUser-Agent: bench\r\nAccept: application/json\r\n"
}

func login(userKey, password string) string {
	body := fmt.Sprintf(`{"username":%q,"password":%q}`, userKey, password)
	return head("POST /v1/authenticate") +
		fmt.Sprintf("Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
}

// logins are right ones, an account after the other.
func (t *site) logins() []string {
	var out []string
	for _, a := range t.accounts {
		out = append(out, login(a.UserKey, a.Password))
	}
	return out
}

// wrongs are refused ones, never the same twice: of every account, and, where
// passwords are issued, as many of names that nobody has.
func (t *site) wrongs() []string {
	var out []string
	for _, a := range t.accounts {
		out = append(out, login(a.UserKey, "wrong "+numbered))
		if t.token != "" {
			out = append(out, login("nobody "+numbered, strings.Repeat("x", 30)))
		}
	}
	return out
}

func (t *site) whoAmI() []string {
	return []string{head("GET /v1/access/users/me") + "Authorization: Bearer " + t.token + "\r\n\r\n"}
}

// reports ask for one company after the other.
func (t *site) reports() []string {
	var out []string
	for _, id := range t.companies {
		out = append(out, head("GET /v1/companies/"+id)+"Authorization: Bearer "+t.token+"\r\n\r\n")
	}
	return out
}
