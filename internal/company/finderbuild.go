package company

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"bureau/internal/match"
)

// subject is a company as the index of names knows it: all its names and its
// country.
func (c *Company) subject() match.Subject {
	s := match.NewSubject(match.Company, c.texts(nil)...)
	s.Countries = []string{c.ID.Country()}
	return s
}

// texts are the names of a company, each once, without those of certain kinds.
func (c *Company) texts(without map[NameKind]bool) []string {
	var out []string
	add := func(text string) {
		if text != "" && !slices.ContainsFunc(out, func(o string) bool { return fold(o) == fold(text) }) {
			out = append(out, text)
		}
	}
	add(c.Name)
	for _, n := range c.Names {
		if !without[n.Kind] {
			add(n.Text)
		}
	}
	return out
}

// build makes the index of the whole register, on all cores.
func (f *Finder) build(ctx context.Context) (*namesHeld, error) {
	place, err := f.Store.LastChange(ctx)
	if err != nil {
		return nil, err
	}
	var ids []string
	if err := f.Store.CompanyIDs(ctx, func(id ID) { ids = append(ids, string(id)) }); err != nil {
		return nil, err
	}
	f.done.Store(0)
	f.all.Store(int64(len(ids)))
	sheets := &sheets{f: f, ctx: ctx, ids: ids, held: map[int]*sheet{}}
	numbers := newNumbers(slices.Clone(ids))
	companies := match.BuildIndex(len(ids), func(i int) (uint64, match.Subject) {
		number, _ := numbers.of(ids[i])
		return number, sheets.subject(i)
	})
	if sheets.err != nil {
		return nil, sheets.err
	}
	return &namesHeld{
		companies: &nameIndex{companies, numbers},
		people:    buildPeople(sheets.seats),
		place:     place,
	}, nil
}

// sheets reads companies in sheets of many, when the first of each is asked for.
// Several goroutines ask, each for its own stretch.
type sheets struct {
	f   *Finder
	ctx context.Context // of the build, which waits for all that ask
	ids []string

	mu    sync.Mutex
	held  map[int]*sheet
	err   error
	seats []seat
}

type sheet struct {
	once     sync.Once
	subjects map[string]match.Subject
	left     int // to be asked for
}

const sheetSize = 500

func (s *sheets) subject(i int) match.Subject {
	at := i / sheetSize
	s.mu.Lock()
	sh := s.held[at]
	if sh == nil {
		sh = &sheet{left: min(sheetSize, len(s.ids)-at*sheetSize)}
		s.held[at] = sh
	}
	if sh.left--; sh.left == 0 {
		delete(s.held, at)
	}
	failed := s.err != nil
	s.mu.Unlock()
	if failed {
		return match.Subject{Kind: match.Company}
	}
	sh.once.Do(func() { s.read(sh, at) })
	return sh.subjects[s.ids[i]]
}

// read reads a sheet. A company that has gone since is left without a name; the
// log will say so.
func (s *sheets) read(sh *sheet, at int) {
	from := at * sheetSize
	part := s.ids[from:min(from+sheetSize, len(s.ids))]
	ids := make([]ID, len(part))
	for i, id := range part {
		ids[i] = ID(id)
	}
	found, err := s.f.Register.Companies(s.ctx, ids)
	sh.subjects = make(map[string]match.Subject, len(part))
	var seats []seat
	for _, id := range ids {
		c, ok := found[id]
		if !ok {
			sh.subjects[string(id)] = match.Subject{Kind: match.Company}
			continue
		}
		sh.subjects[string(id)] = c.subject()
		seats = c.appendSeats(seats)
	}
	s.f.done.Add(int64(len(part)))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seats = append(s.seats, seats...)
	s.err = cmp.Or(s.err, err)
}

// A seat is what the index of people must know of an appointment.
type seat struct{ person, name, birth, country string }

// appendSeats adds the seats of all who may be shown.
func (c *Company) appendSeats(list []seat) []seat {
	for i := range c.Officers {
		o := &c.Officers[i]
		if id := o.PersonID(c.ID); id != "" {
			list = append(list, seat{string(id), o.Name, string(o.Birth.month()), c.ID.Country()})
		}
	}
	return list
}

func compareSeats(a, b seat) int {
	return cmp.Or(strings.Compare(a.person, b.person), strings.Compare(a.name, b.name),
		strings.Compare(a.birth, b.birth), strings.Compare(a.country, b.country))
}

// buildPeople makes the index of people from all seats.
func buildPeople(seats []seat) *nameIndex {
	slices.SortFunc(seats, compareSeats)
	seats = slices.Compact(seats)
	var ids []string
	var starts []int
	for i := range seats {
		if i == 0 || seats[i].person != seats[i-1].person {
			ids, starts = append(ids, seats[i].person), append(starts, i)
		}
	}
	starts = append(starts, len(seats))
	numbers := newNumbers(slices.Clone(ids))
	return &nameIndex{match.BuildIndex(len(ids), func(i int) (uint64, match.Subject) {
		number, _ := numbers.of(ids[i])
		return number, personSubject(seats[starts[i]:starts[i+1]])
	}), numbers}
}

// personSubject is a person as the index knows them.
func personSubject(seats []seat) match.Subject {
	s := match.Subject{Kind: match.Person}
	var names []string
	for _, at := range seats {
		if !slices.ContainsFunc(names, func(n string) bool { return fold(n) == fold(at.name) }) {
			names = append(names, at.name)
			s.Names = append(s.Names, match.Alias{Name: match.Read(match.Person, at.name)})
		}
		if d, ok := match.ParseDate(at.birth); ok && !slices.Contains(s.Born, d) {
			s.Born = append(s.Born, d)
		}
		if !slices.Contains(s.Countries, at.country) {
			s.Countries = append(s.Countries, at.country)
		}
	}
	return s
}

// maxBoards bounds how many boards of one person are read for their names.
const maxBoards = 20

// takePeople puts the officers of a company into the index, each with the names
// that they have on other boards. What was read already is in known.
func (f *Finder) takePeople(ctx context.Context, c *Company, known map[ID]Company) error {
	seats := c.appendSeats(nil)
	slices.SortFunc(seats, compareSeats)
	for i, j := 0, 0; i < len(seats); i = j {
		id := PersonID(seats[i].person)
		var all []seat
		for j = i; j < len(seats) && seats[j].person == seats[i].person; j++ {
			all = append(all, seats[j])
		}
		boards, err := f.boards(ctx, id, maxBoards, known)
		if err != nil {
			return err
		}
		for k := range boards {
			if other := &boards[k]; other.ID != c.ID {
				for _, at := range other.appendSeats(nil) {
					if at.person == string(id) {
						all = append(all, at)
					}
				}
			}
		}
		f.next.people.put(string(id), personSubject(all))
	}
	return nil
}

// boards are the companies that have or had somebody as an officer. Those that are
// known are not read again.
func (f *Finder) boards(ctx context.Context, id PersonID, most int, known map[ID]Company) ([]Company, error) {
	ids, err := f.Store.KeyHolders(ctx, KeyQuery{Key: Key{KeyPerson, string(id)}, Limit: most})
	if err != nil {
		return nil, err
	}
	var unknown []ID
	for _, id := range ids {
		if _, ok := known[id]; !ok {
			unknown = append(unknown, id)
		}
	}
	found, err := f.Register.Companies(ctx, unknown)
	if err != nil {
		return nil, err
	}
	var out []Company
	for _, id := range ids {
		c, ok := known[id]
		if !ok {
			c, ok = found[id]
		}
		if ok {
			out = append(out, c)
		}
	}
	return out, nil
}

// month is a date without its day.
func (d Date) month() Date { return d[:min(len(d), len("2006-01"))] }
