package kyc

// Coverage is what a search looked at, and what it could not look at. An answer
// without hits means nothing without it.
type Coverage struct {
	Lists   []Loaded  // those that were searched, with their versions
	Change  int64     // the last change of entries that was known
	Missing []Dataset // asked for, and no list that is loaded holds any
	Bodies  []Body    // asked for, and no list that is loaded holds any
	Old     []Loaded  // searched, but older than they may grow
	Cut     bool      // there is more than was asked for, or could be looked at
}

// Complete says whether everything that was asked for was looked at, as it is
// today.
func (c Coverage) Complete() bool {
	return len(c.Lists) > 0 && len(c.Missing)+len(c.Bodies)+len(c.Old) == 0 && !c.Cut
}

// coverage says what a search with these options can and cannot look at.
func (s *Screener) coverage(o Options) Coverage {
	now := s.Now()
	edition := s.Index.Edition()
	c := Coverage{Change: edition.Change}
	lists, from := s.Index.holds()
	want := wanted(o.Datasets)
	var all set
	for _, l := range edition.Lists {
		all |= lists[l.List]
		if lists[l.List]&want == 0 {
			continue
		}
		c.Lists = append(c.Lists, l)
		if l.Old(now) {
			c.Old = append(c.Old, l)
		}
	}
	for _, d := range o.Datasets {
		if wanted([]Dataset{d})&all == 0 {
			c.Missing = append(c.Missing, d)
		}
	}
	for _, b := range o.Bodies {
		if setOf(bodies, []Body{b})&from == 0 {
			c.Bodies = append(c.Bodies, b)
		}
	}
	return c
}

// A census counts what the loaded lists hold.
type census struct {
	datasets map[string]*[32]int64 // by list; a set has 32 bits
	bodies   [32]int64
}

func newCensus() *census { return &census{datasets: map[string]*[32]int64{}} }

func (c *census) add(i indexed, by int64) {
	list := c.datasets[i.list]
	if list == nil {
		list = new([32]int64)
		c.datasets[i.list] = list
	}
	for bit := range datasets {
		list[bit] += by * int64(i.datasets>>bit&1)
	}
	for bit := range bodies {
		c.bodies[bit] += by * int64(i.bodies>>bit&1)
	}
}

// holds says which datasets each list has entries of, and whose sanctions are
// among them.
func (x *Index) holds() (lists map[string]set, from set) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if x.census == nil {
		return nil, 0
	}
	lists = make(map[string]set, len(x.census.datasets))
	for name, counts := range x.census.datasets {
		for bit, n := range counts {
			if n > 0 {
				lists[name] |= 1 << bit
			}
		}
	}
	for bit, n := range x.census.bodies {
		if n > 0 {
			from |= 1 << bit
		}
	}
	return lists, from
}
