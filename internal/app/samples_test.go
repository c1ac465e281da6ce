package app

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A documented operation, as a reader of the document sees it.
type documented struct {
	ID         string                     `json:"operationId"`
	About      string                     `json:"description"`
	Responses  map[string]json.RawMessage `json:"responses"`
	Parameters []struct {
		Name, In, Description string
	} `json:"parameters"`
	Body struct {
		Content map[string]json.RawMessage `json:"content"`
	} `json:"requestBody"`
	Sample *struct {
		Parameters map[string]string
		Body, URL  string
		Status     int
		Takes      map[string]struct{ From, At string }
		After      []string
		Waits      bool
	} `json:"x-sample"`

	method, path string
}

func documentedOperations(t *testing.T, document string) map[string]documented {
	t.Helper()
	var doc struct {
		Paths map[string]map[string]documented `json:"paths"`
	}
	if err := json.Unmarshal([]byte(document), &doc); err != nil {
		t.Fatal(err)
	}
	out := map[string]documented{}
	for path, item := range doc.Paths {
		for method, op := range item {
			op.method, op.path = strings.ToUpper(method), path
			out[op.ID] = op
		}
	}
	return out
}

// A trial sends the sample of an operation, after those that it needs. What they
// gave is shared within one trial.
type trial struct {
	*house
	ops    map[string]documented
	token  string
	values map[string]string
	done   map[string]string // the answers so far, by operation
}

// Every operation has a sample in the document, and in a fresh sandbox it gets
// the answer that the document tells.
func TestEverySampleWorksInTheSandbox(t *testing.T) {
	c := config(t, func(c *Config) { c.Sandbox, c.SandboxSpeed = true, 0 })
	a, _ := openHouse(t, c)
	card, _, err := a.openSandbox(t.Context(), filepath.Join(c.Data, "sandbox.json"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.AdvanceSandbox(t.Context(), 3*24*time.Hour); err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	h := serveHouse(t, c)
	status, token := h.login(t, card.Username, card.Password)
	if status != http.StatusOK {
		t.Fatalf("login: got %d", status)
	}
	eventually(t, "names can be searched", func() bool {
		res, _ := h.get(t, "/v1/companies?countries=GB&name=Lornwell", "Authorization", "Bearer "+token)
		return res.StatusCode == http.StatusOK
	})
	eventually(t, "the sandbox has told an event", func() bool {
		_, body := h.get(t, "/v1/monitoring/notificationEvents", "Authorization", "Bearer "+token)
		return strings.Contains(body, `"eventId"`)
	})
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(w, r.Body) // the challenge is in it
	}))
	defer receiver.Close()
	_, document := h.get(t, "/openapi.json")
	ops := documentedOperations(t, document)
	n := 0
	for _, id := range slices.Sorted(maps.Keys(ops)) {
		t.Run(id, func(t *testing.T) {
			op := ops[id]
			if op.Sample == nil {
				t.Fatalf("%s %s has no sample", op.method, op.path)
			}
			if _, ok := op.Responses[strconv.Itoa(op.Sample.Status)]; !ok {
				t.Fatalf("the sample's status %d is none of the operation's", op.Sample.Status)
			}
			n++
			try := trial{h, ops, token, map[string]string{
				"n": strconv.Itoa(n), "receiver": receiver.URL + "/" + strconv.Itoa(n),
				"your-user-key": card.Username, "your-password": card.Password,
			}, map[string]string{}}
			try.send(t, id)
		})
	}
}

// send makes the call once, and those that come before it.
func (y *trial) send(t *testing.T, id string) string {
	t.Helper()
	if answer, done := y.done[id]; done {
		return answer
	}
	op, ok := y.ops[id]
	if !ok || op.Sample == nil {
		t.Fatalf("%q has no sample to send first", id)
	}
	for _, name := range slices.Sorted(maps.Keys(op.Sample.Takes)) {
		from := op.Sample.Takes[name]
		y.values[name] = pointer(t, y.send(t, from.From), from.At)
	}
	for _, before := range op.Sample.After {
		y.send(t, before)
	}
	var status int
	var answer string
	do := func() bool {
		status, answer = y.call(t, op)
		return status == op.Sample.Status
	}
	if op.Sample.Waits {
		eventually(t, id+" is answered as documented", do)
	} else if !do() {
		t.Fatalf("%s %s: got %d %s, want %d", op.method, op.path, status, answer, op.Sample.Status)
	}
	y.done[id] = answer
	return answer
}

func (y *trial) fill(text string) string {
	for name, value := range y.values {
		text = strings.ReplaceAll(text, "{"+name+"}", value)
		if strings.HasPrefix(name, "your-") {
			text = strings.ReplaceAll(text, name, value)
		}
	}
	return text
}

func (y *trial) call(t *testing.T, op documented) (int, string) {
	t.Helper()
	path, query := op.path, url.Values{}
	var header []string
	for _, p := range op.Parameters {
		value, set := op.Sample.Parameters[p.Name]
		value = y.fill(value)
		switch {
		case p.In == "path":
			path = strings.ReplaceAll(path, "{"+p.Name+"}", url.PathEscape(value))
		case set && p.In == "header":
			header = append(header, p.Name, value)
		case set:
			query.Set(p.Name, value)
		}
	}
	for name := range op.Sample.Parameters {
		if !slices.ContainsFunc(op.Parameters, func(p struct{ Name, In, Description string }) bool { return p.Name == name }) {
			t.Errorf("the sample sets %s, which is no parameter", name)
		}
	}
	address := y.Config.publicURL() + "/v1" + path
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	body, kind := y.fill(op.Sample.Body), "application/json"
	if _, form := op.Body.Content["multipart/form-data"]; form {
		body, kind = formOf(t, body)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, op.method, cmp.Or(y.fill(op.Sample.URL), address), strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	if body != "" {
		req.Header.Set("Content-Type", kind)
	}
	if op.Sample.URL == "" {
		req.Header.Set("Authorization", "Bearer "+y.token)
	}
	res, err := y.client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.Header.Get("Content-Type") == "text/event-stream" {
		return res.StatusCode, "" // it has no end
	}
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(b)
}

// formOf makes a form of an object of its parts.
func formOf(t *testing.T, object string) (body, kind string) {
	t.Helper()
	var parts map[string]string
	if err := json.Unmarshal([]byte(object), &parts); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	m := multipart.NewWriter(&b)
	for name, content := range parts {
		w, err := m.CreateFormFile(name, "companies.csv")
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(w, content)
	}
	_ = m.Close()
	return b.String(), m.FormDataContentType()
}

// pointer is the value at a JSON pointer.
func pointer(t *testing.T, answer, at string) string {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(answer))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v: %s", err, answer)
	}
	for part := range strings.SplitSeq(strings.TrimPrefix(at, "/"), "/") {
		switch in := v.(type) {
		case map[string]any:
			v = in[part]
		case []any:
			i, err := strconv.Atoi(part)
			if err != nil || i >= len(in) {
				t.Fatalf("there is no %s in %s", at, answer)
			}
			v = in[i]
		}
	}
	if v == nil {
		t.Fatalf("there is no %s in %s", at, answer)
	}
	return fmt.Sprint(v)
}
