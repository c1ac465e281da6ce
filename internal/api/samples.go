package api

import (
	"encoding/json"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// A sample is one call of an operation that goes well in a fresh sandbox. The
// document shows it, the pages at /docs send it, and a test sends them all.
//
// A word in braces is taken from the answer to another sample, which is sent
// first: {portfolio} is what createPortfolio gives.
type sample struct {
	set    string   // parameters of path, query and header, as a query
	body   string   // JSON; for a form, an object of its parts
	url    string   // for an address that an earlier answer tells
	gives  string   // what others take from the answer: name=/json/pointer, by commas
	after  []string // operations that come first though nothing is taken from them
	status int      // 0: that of success
	waits  bool     // what it asks for takes a moment: ask again while it is not there
}

// Given is what no answer tells: a number that no earlier sample used, and where
// the caller's own receiver of webhooks is.
var given = []string{"n", "receiver"}

// SampleKey is where an operation of the document keeps its sample.
const sampleKey = "x-sample"

// sampleJSON is a sample in the document.
type sampleJSON struct {
	Parameters map[string]string     `json:"parameters,omitempty"`
	Body       string                `json:"body,omitempty"`
	URL        string                `json:"url,omitempty"`
	Status     int                   `json:"status"`
	Takes      map[string]takenValue `json:"takes,omitempty"`
	After      []string              `json:"after,omitempty"`
	Waits      bool                  `json:"waits,omitempty"`
}

// A takenValue is a value of another operation's answer.
type takenValue struct {
	From string `json:"from"` // an operation
	At   string `json:"at"`   // a JSON pointer into its answer
}

// samples are the samples of all operations, by their ids.
func samples() map[string]sample {
	all := map[string]sample{}
	for _, part := range []map[string]sample{
		companySamples, monitoringSamples, webhookSamples, kycSamples, profileSamples, bankSamples, identitySamples, nationalSamples,
	} {
		maps.Copy(all, part)
	}
	return all
}

var braced = regexp.MustCompile(`\{[a-zA-Z]+\}`)

// addSamples puts the samples into the document. An operation without one and a
// sample without an operation are for a test to find.
func addSamples(doc *huma.OpenAPI) {
	all := samples()
	givers := map[string]takenValue{}
	for id, s := range all {
		for given := range strings.SplitSeq(s.gives, ",") {
			if name, at, ok := strings.Cut(given, "="); ok {
				givers[name] = takenValue{id, at}
			}
		}
	}
	for _, item := range doc.Paths {
		for _, op := range []*huma.Operation{item.Get, item.Put, item.Post, item.Patch, item.Delete} {
			if op == nil {
				continue
			}
			if s, ok := all[op.OperationID]; ok {
				if op.Extensions == nil {
					op.Extensions = map[string]any{}
				}
				op.Extensions[sampleKey] = s.json(op, givers)
				s.setExamples(op)
			}
		}
	}
}

func (s sample) json(op *huma.Operation, givers map[string]takenValue) sampleJSON {
	out := sampleJSON{Body: s.body, URL: s.url, Status: s.status, After: s.after, Waits: s.waits}
	for name, values := range s.parameters() {
		if out.Parameters == nil {
			out.Parameters = map[string]string{}
		}
		out.Parameters[name] = values[0]
	}
	if out.Status == 0 {
		out.Status = successOf(op)
	}
	for _, word := range braced.FindAllString(s.set+s.body+s.url, -1) {
		name := strings.Trim(word, "{}")
		if slices.Contains(given, name) {
			continue
		}
		if out.Takes == nil {
			out.Takes = map[string]takenValue{}
		}
		out.Takes[name] = givers[name]
	}
	return out
}

func (s sample) parameters() url.Values {
	values, err := url.ParseQuery(s.set)
	if err != nil {
		panic("the sample " + s.set + " is no query") // our own literal
	}
	return values
}

// setExamples puts what needs no other answer where every reader of such
// documents looks for examples.
func (s sample) setExamples(op *huma.Operation) {
	set := s.parameters()
	for _, p := range op.Parameters {
		if v := set.Get(p.Name); v != "" && !braced.MatchString(v) && p.Example == nil && p.Schema != nil && p.Schema.Type == huma.TypeString {
			p.Example = v
		}
	}
	if op.RequestBody == nil || braced.MatchString(s.body) || s.body == "" {
		return
	}
	if media := op.RequestBody.Content["application/json"]; media != nil && media.Example == nil {
		media.Example = json.RawMessage(s.body)
	}
}

// successOf is the lowest status of an operation's answers.
func successOf(op *huma.Operation) int {
	lowest := 0
	for text := range op.Responses {
		if n, err := strconv.Atoi(text); err == nil && (lowest == 0 || n < lowest) {
			lowest = n
		}
	}
	return lowest
}
