package match

// A Kind is what a name belongs to. People and companies are named by different
// rules, and are never compared with each other.
type Kind uint8

const (
	Person Kind = iota
	Company
	kinds
)

func (k Kind) String() string {
	if k == Company {
		return "company"
	}
	return "person"
}

// ParseKind reads what String writes.
func ParseKind(s string) (Kind, bool) {
	switch s {
	case "person":
		return Person, true
	case "company":
		return Company, true
	}
	return Person, false
}
