package auth

import (
	"slices"
	"strings"

	"bureau/internal/fault"
)

// A Role says what an account may do in the console with what its customer has.
// Each may do all that those before it may. Operator is no role but a flag:
// operators look after all customers.
type Role string

const (
	Reader  Role = "reader"  // sees
	Analyst Role = "analyst" // also works: portfolios, events, checks
	Admin   Role = "admin"   // also sets up: webhooks, the customer's accounts
)

var roles = []Role{Reader, Analyst, Admin}

// Roles are all of them, in their order.
func Roles() []Role { return slices.Clone(roles) }

// rank is a role's place, from 1. An account from before there were roles reads.
func (r Role) rank() int {
	if r == "" {
		r = Reader
	}
	return slices.Index(roles, r) + 1
}

// ParseRole reads a role as it is written on the command line.
func ParseRole(s string) (Role, error) {
	r := Role(strings.ToLower(strings.TrimSpace(s)))
	if r == "" || r.rank() == 0 {
		return "", fault.Invalid.Errorf("%q is not a role; the roles are %s", s, roleNames())
	}
	return r, nil
}

// MayAct reports whether an account has a role or a higher one. Operators have
// every role with their own customer.
func (a *Account) MayAct(r Role) bool { return a.Operator || a.Role.rank() >= r.rank() }

func roleNames() string {
	var names []string
	for _, r := range roles {
		names = append(names, string(r))
	}
	return strings.Join(names, ", ")
}
