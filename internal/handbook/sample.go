package handbook

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// A sample is a call that goes well in a fresh sandbox. Words in braces stand
// for values of earlier answers.
type sample struct {
	Parameters map[string]string `json:"parameters,omitempty"`
	Body       string            `json:"body,omitempty"`
	URL        string            `json:"url,omitempty"`
	Status     int               `json:"status"`
	Takes      map[string]taken  `json:"takes,omitempty"`
	After      []string          `json:"after,omitempty"`
	Waits      bool              `json:"waits,omitempty"`
}

type taken struct {
	From string `json:"from"`
	At   string `json:"at"`
}

var braced = regexp.MustCompile(`\{([a-zA-Z]+)\}`)

// asShell writes the words in braces as a shell's variables.
func asShell(text string) string { return braced.ReplaceAllString(text, "$$$1") }

// A hint says where a variable of a curl line comes from.
type hint struct{ Name, From, At string }

// hints are the variables that a sample needs, in order.
func (s *sample) hints() (out []hint) {
	for _, name := range slices.Sorted(maps.Keys(s.Takes)) {
		t := s.Takes[name]
		out = append(out, hint{name, t.From, strings.ReplaceAll(strings.TrimPrefix(t.At, "/"), "/", ".")})
	}
	return out
}

// curl is the sample as a line for a shell, with the token in a variable.
func (o *operation) curl(base string) string {
	s := o.Sample
	if s == nil {
		return ""
	}
	if s.URL != "" {
		return `curl -OJ "` + asShell(s.URL) + `"`
	}
	path, query := o.Path, url.Values{}
	var headers []string
	for _, p := range o.Parameters {
		v, set := s.Parameters[p.Name]
		switch {
		case p.In == "path":
			path = strings.ReplaceAll(path, "{"+p.Name+"}", v)
		case set && p.In == "header":
			headers = append(headers, p.Name+": "+asShell(v))
		case set:
			query.Set(p.Name, v)
		}
	}
	address := base + "/v1" + asShell(path)
	if len(query) > 0 {
		// A shell's variable is not to be escaped, and braces are by Encode.
		text := strings.NewReplacer("%7B", "{", "%7D", "}", "+", "%20", "%2C", ",").Replace(query.Encode())
		address += "?" + asShell(text)
	}
	lines := []string{"curl"}
	if o.Method != "GET" {
		lines[0] += " -X " + o.Method
	}
	lines[0] += ` "` + address + `"`
	if o.NeedsToken() {
		lines = append(lines, `-H "Authorization: Bearer $token"`)
	}
	for _, h := range headers {
		lines = append(lines, `-H "`+h+`"`)
	}
	if s.Body != "" {
		lines = append(lines, o.curlBody()...)
	}
	return strings.Join(lines, " \\\n  ")
}

func (o *operation) curlBody() []string {
	if o.ContentType() == "multipart/form-data" {
		var parts map[string]string
		if json.Unmarshal([]byte(o.Sample.Body), &parts) != nil {
			return nil
		}
		var out []string
		for _, name := range slices.Sorted(maps.Keys(parts)) {
			out = append(out, fmt.Sprintf(`-F "%s=@companies.csv"`, name))
		}
		return out
	}
	data := `-d '` + o.Sample.Body + `'`
	if braced.MatchString(o.Sample.Body) {
		data = `-d "` + strings.ReplaceAll(asShell(o.Sample.Body), `"`, `\"`) + `"`
	}
	return []string{`-H "Content-Type: application/json"`, data}
}

// before lists the operations whose samples are sent before this one's, in
// order.
func (s *Server) before(op *operation, seen map[string]bool) (out []*operation) {
	if op.Sample == nil {
		return nil
	}
	ids := slices.Clone(op.Sample.After)
	for _, name := range slices.Sorted(maps.Keys(op.Sample.Takes)) {
		ids = append(ids, op.Sample.Takes[name].From)
	}
	for _, id := range ids {
		if first := s.byID[id]; first != nil && !seen[id] {
			seen[id] = true
			out = append(append(out, s.before(first, seen)...), first)
		}
	}
	return out
}

// A call is what the script needs to know of an operation.
type call struct {
	Method     string            `json:"method"`
	Path       string            `json:"path"`
	Parameters map[string]string `json:"in,omitempty"` // where each goes
	Kind       string            `json:"kind,omitempty"`
	Token      bool              `json:"token"`
	Sample     *sample           `json:"sample"`
}

// calls is every operation with its sample, for the script.
func (s *Server) calls() ([]byte, error) {
	out := map[string]call{}
	for id, op := range s.byID {
		in := map[string]string{}
		for _, p := range op.Parameters {
			in[p.Name] = p.In
		}
		out[id] = call{op.Method, op.Path, in, op.ContentType(), op.NeedsToken(), op.Sample}
	}
	return json.Marshal(out)
}
