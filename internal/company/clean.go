package company

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// clean takes out what a database does not keep as text: bytes that are no
// characters, and zeros. They come from broken files and mean nothing.
func (s *Said) clean() {
	raw := s.encode() // which writes both as escapes
	if !bytes.Contains(raw, []byte(`\u0000`)) && !bytes.Contains(raw, []byte(`\ufffd`)) {
		return
	}
	var all any
	in := json.NewDecoder(bytes.NewReader(raw))
	in.UseNumber()
	err := in.Decode(&all)
	if err == nil {
		raw, err = json.Marshal(cleaned(all))
	}
	s.Facts, s.raw = Facts{}, nil
	if err == nil {
		err = json.Unmarshal(raw, &s.Facts)
	}
	if err != nil {
		panic(fmt.Sprintf("clean facts: %v", err)) // we wrote them ourselves
	}
}

func cleaned(v any) any {
	switch v := v.(type) {
	case string:
		return strings.ReplaceAll(v, "\x00", "")
	case []any:
		for i := range v {
			v[i] = cleaned(v[i])
		}
	case map[string]any:
		out := make(map[string]any, len(v))
		for k := range v {
			out[strings.ReplaceAll(k, "\x00", "")] = cleaned(v[k])
		}
		return out
	}
	return v
}
