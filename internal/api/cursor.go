package api

import (
	"encoding/json"
	"fmt"

	"bureau/internal/auth"
	"bureau/internal/fault"
)

// sealCursor writes where a list broke off, so that its reader goes on exactly
// there. of names the operation and everything that decides which list it is:
// a cursor of another list, another account or another maker is refused.
func (s *Server) sealCursor(by auth.Caller, of string, v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("write a cursor of %T: %v", v, err)) // our own types
	}
	return s.Vault.SealCursor(by, of, b)
}

// openCursor reads what sealCursor wrote.
func (s *Server) openCursor(by auth.Caller, of, text string, into any) error {
	place, ok := s.Vault.OpenCursor(by, of, text)
	if !ok || json.Unmarshal(place, into) != nil {
		return fault.Invalid.Details("Bad request",
			"after: this is not a cursor of this list: use the one of the last answer, with the same filters, or leave it out to begin anew")
	}
	return nil
}
