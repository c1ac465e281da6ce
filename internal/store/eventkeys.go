package store

import (
	"cmp"
	"container/heap"
	"context"
	"slices"
	"strconv"

	"bureau/internal/monitor"
)

// An eventKey is what an index tells of an event.
type eventKey struct {
	portfolio int64
	text      string // the name or country, in their orders
	number    int64  // the time, in theirs
	id        int64
}

func (k *eventKey) compare(o *eventKey) int {
	return cmp.Or(cmp.Compare(k.text, o.text), cmp.Compare(k.number, o.number), cmp.Compare(k.id, o.id))
}

// after is the position of a query as a key.
func (q *eventQuery) after() *eventKey {
	p := q.After
	if p == nil {
		return nil
	}
	k := &eventKey{id: int64(p.ID)}
	switch q.Sort {
	case monitor.ByName:
		k.text = p.Name
	case monitor.ByCountry:
		k.text = p.Country
	case monitor.ByDate:
		k.number = p.At.UnixMilli()
	case monitor.ByID:
		k.number = p.Made.UnixMilli()
	}
	return k
}

// keys finds the events of the page, and one more where there is one. It reads
// the streams side by side, each in pieces, and always goes on with the one
// that is first: what lies before the page is passed, not kept.
func (q *eventQuery) keys(ctx context.Context, t tx) ([]eventKey, error) {
	m := merge{down: q.Down}
	all := q.streams()
	want := q.Skip + q.Limit + 1
	var begin []step
	for _, s := range all {
		c := &cursor{q: q, s: s, last: q.after(), piece: pieceOf(min(want, 2*want/len(all)))}
		var err error
		if c.sorts, err = q.isFew(ctx, t, s); err != nil {
			return nil, err
		}
		if c.sorts {
			c.piece = pieceOf(want)
		}
		m.cursors = append(m.cursors, c)
		begin = append(begin, c.step())
	}
	if err := t.Together(ctx, begin); err != nil {
		return nil, err
	}
	m.cursors = slices.DeleteFunc(m.cursors, func(c *cursor) bool { return c.note() == 0 })
	heap.Init(&m)
	var out []eventKey
	for n := 0; n < want && len(m.cursors) > 0; n++ {
		c := m.cursors[0]
		if n >= q.Skip {
			out = append(out, c.keys[0])
		}
		if c.keys = c.keys[1:]; len(c.keys) == 0 {
			if err := c.readOn(ctx, t); err != nil {
				return nil, err
			}
		}
		if len(c.keys) == 0 {
			heap.Pop(&m)
		} else {
			heap.Fix(&m, 0)
		}
	}
	return out, nil
}

const (
	pieceLeast = 20
	pieceMost  = pieceLeast << 8
)

// pieceOf is how many keys are read at once where so many are wanted. It is one of a few
// numbers and stands in the statement: PostgreSQL makes a plan each time for one whose
// limit it does not know, which takes longer than to read them.
func pieceOf(want int) int {
	n := pieceLeast
	for n < want && n < pieceMost {
		n *= 2
	}
	return n
}

// smallRange is up to how many events between two dates are read by date and
// then sorted, rather than read in order and then sifted by date.
const smallRange = 20_000

// isFew reports whether so few events of a stream are left that the engine had
// better find and then sort them. Otherwise it reads them in order.
func (q *eventQuery) isFew(ctx context.Context, t tx, s stream) (bool, error) {
	switch {
	case q.Company != "":
		return true, nil
	case q.From.IsZero() && q.To.IsZero() || orders[q.Sort].column == q.bounded():
		return false, nil
	}
	n, err := q.totalOf(ctx, t, s)
	return n <= smallRange, err
}

// A cursor reads a stream in pieces.
type cursor struct {
	q     *eventQuery
	s     stream
	sorts bool // the engine finds first and sorts then
	piece int
	keys  []eventKey // read, and not passed yet
	last  *eventKey  // that was read
	ended bool
}

// step reads the next piece; note takes notice of it.
func (c *cursor) step() step {
	o, w := orders[c.q.Sort], c.q.where(c.s)
	sign, dir := " > ", ""
	if c.q.Down {
		sign, dir = " < ", " DESC"
	}
	if c.last != nil {
		var v any = c.last.number
		if o.isText {
			v = c.last.text
		}
		w.add("(" + o.column + ", id)" + sign + "(" + w.arg(v) + ", " + w.arg(c.last.id) + ")")
	}
	by := o.column
	if c.sorts {
		by = o.sorted()
	}
	c.keys = c.keys[:0]
	query := `SELECT ` + o.column + `, id FROM event WHERE customer = $1 AND ` + w.text() + ` ORDER BY ` + by + dir + `, id` + dir + c.limit()
	return step{query: query, args: w.args, read: func(r row) error {
		k := eventKey{portfolio: c.s.portfolio}
		into := any(&k.number)
		if o.isText {
			into = &k.text
		}
		err := r.Scan(into, &k.id)
		c.keys = append(c.keys, k)
		return err
	}}
}

func (c *cursor) limit() string { return " LIMIT " + strconv.Itoa(c.piece) }

// note returns how many keys a piece had. The next one is larger: much of the page
// is from this stream.
func (c *cursor) note() int {
	n := len(c.keys)
	if c.ended = n < c.piece; n > 0 {
		last := c.keys[n-1]
		c.last = &last
	}
	c.piece = pieceOf(2 * c.piece)
	return n
}

// readOn reads the next piece, if there is one.
func (c *cursor) readOn(ctx context.Context, t tx) error {
	if c.ended {
		return nil
	}
	s := c.step()
	err := each(ctx, t, s.read, s.query, s.args...)
	c.note()
	return err
}

// merge is the cursors that have something left, the one that is next on top.
type merge struct {
	cursors []*cursor
	down    bool
}

func (m *merge) Len() int      { return len(m.cursors) }
func (m *merge) Swap(i, j int) { m.cursors[i], m.cursors[j] = m.cursors[j], m.cursors[i] }
func (m *merge) Push(x any)    { m.cursors = append(m.cursors, x.(*cursor)) }

func (m *merge) Less(i, j int) bool {
	c := m.cursors[i].keys[0].compare(&m.cursors[j].keys[0])
	return c < 0 != m.down
}

func (m *merge) Pop() any {
	last := m.cursors[len(m.cursors)-1]
	m.cursors = m.cursors[:len(m.cursors)-1]
	return last
}
