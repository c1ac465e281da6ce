package api

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// A router finds the handler of a request. It forgives what clients in the
// field do: a /v1 before the path or none, literal segments in any case,
// doubled and trailing slashes. Ids keep their case. A literal segment wins
// over an id, whatever the order in which the two were added.
type router struct {
	root node
	// rewrite maps the start of a path to another: two names for one tree.
	rewrite map[string]string
}

type node struct {
	literal map[string]*node // by lower case
	id      *node
	ends    map[string]end // by method
	rest    map[string]end // for everything below, by method ("" is any)
}

// An end is a handler and the names of the ids on the way to it.
type end struct {
	pattern string
	handler http.Handler
	names   []string
}

// HandleFunc adds a handler for a pattern such as "GET /companies/{id}". A
// pattern that ends in /... takes everything below; without a method it takes
// every one.
func (rt *router) HandleFunc(pattern string, h func(http.ResponseWriter, *http.Request)) {
	method, path, ok := strings.Cut(pattern, " ")
	if !ok {
		method, path = "", pattern
	}
	n := &rt.root
	var names []string
	for _, seg := range segments(path) {
		if seg == "..." {
			n.rest = putEnd(n.rest, method, end{path, http.HandlerFunc(h), names})
			return
		}
		if strings.HasPrefix(seg, "{") {
			names = append(names, strings.Trim(seg, "{}"))
			if n.id == nil {
				n.id = new(node)
			}
			n = n.id
			continue
		}
		low := strings.ToLower(seg)
		if n.literal == nil {
			n.literal = map[string]*node{}
		}
		if n.literal[low] == nil {
			n.literal[low] = new(node)
		}
		n = n.literal[low]
	}
	if _, taken := n.ends[method]; taken {
		panic("two handlers for " + pattern)
	}
	n.ends = putEnd(n.ends, method, end{path, http.HandlerFunc(h), names})
}

func putEnd(ends map[string]end, method string, e end) map[string]end {
	if ends == nil {
		ends = map[string]end{}
	}
	ends[method] = e
	return ends
}

func segments(path string) []string {
	segs := make([]string, 0, 8)
	for s := range strings.SplitSeq(path, "/") {
		if s != "" {
			segs = append(segs, s)
		}
	}
	return segs
}

// ServeHTTP runs the handler of a request. 404 and 405 are answered in JSON.
func (rt *router) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	e, ids, methods := rt.find(r.Method, r.URL.EscapedPath())
	switch {
	case e.handler != nil:
		for i, name := range e.names {
			r.SetPathValue(name, ids[i])
		}
		r.Pattern = e.pattern // for the log and the metrics
		e.handler.ServeHTTP(w, r)
	case r.Method == http.MethodOptions && len(methods) > 0:
		preflight(w, methods)
	case len(methods) > 0:
		w.Header().Set("Allow", allowed(methods))
		writeError(w, http.StatusMethodNotAllowed, "Method not allowed",
			"this path takes "+strings.Join(methods, ", "))
	default:
		writeError(w, http.StatusNotFound, "Resource not found", "there is nothing at this path")
	}
}

// find looks a path up. When there is a path but not the method, it returns the
// methods that there are.
func (rt *router) find(method, path string) (e end, ids, methods []string) {
	segs := rt.canonical(path)
	for _, m := range []string{method, headIsGet(method)} {
		if e, ids, methods = rt.root.find(m, segs, nil); e.handler != nil {
			break
		}
	}
	slices.Sort(methods)
	return e, ids, slices.Compact(methods)
}

func headIsGet(method string) string {
	if method == http.MethodHead {
		return http.MethodGet
	}
	return method
}

// canonical splits an escaped path, without its version and under its first
// name. It is split before it is unescaped: an id may hold a slash.
func (rt *router) canonical(path string) []string {
	segs := segments(path)
	for i, seg := range segs {
		if plain, err := url.PathUnescape(seg); err == nil {
			segs[i] = plain
		}
	}
	if len(segs) > 0 && strings.EqualFold(segs[0], "v1") {
		segs = segs[1:]
	}
	for from, to := range rt.rewrite {
		if n := under(segs, from); n > 0 {
			return append(segments(to), segs[n:]...)
		}
	}
	return segs
}

// under is how many segments the tree's name takes up in a path below it, and 0
// in any other. Every request is asked, so it splits nothing.
func under(segs []string, tree string) (n int) {
	for name := range strings.SplitSeq(tree, "/") {
		switch {
		case name == "":
		case n == len(segs) || !strings.EqualFold(segs[n], name):
			return 0
		default:
			n++
		}
	}
	return n
}

func (n *node) find(method string, segs, ids []string) (e end, _, methods []string) {
	if len(segs) == 0 {
		return pick(n.ends, method, ids)
	}
	if next := n.literal[strings.ToLower(segs[0])]; next != nil {
		e, found, m := next.find(method, segs[1:], ids)
		if e.handler != nil {
			return e, found, m
		}
		methods = append(methods, m...)
	}
	if n.id != nil {
		e, found, m := n.id.find(method, segs[1:], append(slices.Clip(ids), segs[0]))
		if e.handler != nil {
			return e, found, m
		}
		methods = append(methods, m...)
	}
	if n.rest != nil {
		e, found, m := pick(n.rest, method, ids)
		if e.handler != nil {
			return e, found, m
		}
		methods = append(methods, m...)
	}
	return end{}, nil, methods
}

func pick(ends map[string]end, method string, ids []string) (end, []string, []string) {
	if e, ok := ends[method]; ok {
		return e, ids, []string{method}
	}
	if e, ok := ends[""]; ok {
		return e, ids, []string{method}
	}
	var methods []string
	for m := range ends {
		methods = append(methods, m)
	}
	return end{}, nil, methods
}

// allowed lists methods as the headers want them, with those that we answer
// wherever there is anything.
func allowed(methods []string) string {
	if slices.Contains(methods, http.MethodGet) && !slices.Contains(methods, http.MethodHead) {
		methods = append(slices.Clip(methods), http.MethodHead)
	}
	return strings.Join(append(slices.Clip(methods), http.MethodOptions), ", ")
}

// preflight answers a browser that asks what it may send.
func preflight(w http.ResponseWriter, methods []string) {
	h := w.Header()
	h.Set("Access-Control-Allow-Methods", allowed(methods))
	h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, Accept, Idempotency-Key, Last-Event-ID")
	h.Set("Access-Control-Max-Age", "86400")
	w.WriteHeader(http.StatusNoContent)
}
