package jsonfile

// A state is what a walker made of the bytes so far.
type state int

const (
	open   state = iota // it needs more
	whole               // the value is closed
	broken              // another value begins before this one is closed
)

// A walker finds the end of a value. It counts brackets without caring which
// closes which.
type walker struct {
	depth  int
	quoted bool
	escape bool // the last byte was a backslash in a string
	ended  bool // the last byte ended a line
}

// stops are the bytes that matter: outside strings, and inside.
var stops, stopsInString = table("{}[]\"\n"), table("\"\\\n")

func table(of string) (t [256]bool) {
	for i := range len(of) {
		t[of[i]] = true
	}
	return t
}

// walk looks at more of a value, and says how many bytes belong to it. Outside
// an array (lines is true) a brace at the beginning of a line starts a new
// value: JSON lines are written so, and in printed values all braces but the
// first are indented.
func (w *walker) walk(b []byte, lines bool) (used int, s state) {
	for i := 0; i < len(b); {
		if w.ended {
			w.ended = false
			if lines && b[i] == '{' && w.depth > 0 {
				return i, broken
			}
		}
		if w.quoted {
			i = w.inString(b, i)
			continue
		}
		for i < len(b) && !stops[b[i]] {
			i++
		}
		if i == len(b) {
			break
		}
		c := b[i]
		i++
		switch c {
		case '"':
			w.quoted = true
		case '\n':
			w.ended = true
		case '{', '[':
			w.depth++
		default:
			w.depth--
			if w.depth <= 0 {
				return i, whole
			}
		}
	}
	return len(b), open
}

// inString passes over a string, and returns where it goes on. No string goes
// over the end of a line: where one does, a quote is missing.
func (w *walker) inString(b []byte, i int) int {
	if w.escape {
		w.escape = false
		return i + 1
	}
	for i < len(b) && !stopsInString[b[i]] {
		i++
	}
	if i == len(b) {
		return i
	}
	switch b[i] {
	case '"':
		w.quoted = false
	case '\\':
		w.escape = true
	default:
		w.ended = true
	}
	return i + 1
}
