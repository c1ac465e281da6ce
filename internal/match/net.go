package match

import (
	"slices"
	"sync/atomic"

	"bureau/internal/match/roman"
)

// A Net is an index of a few subjects that very many others are passed through,
// to see who of them may be near to any. It says yes of everybody whom a Search
// among the few would find, and of hardly anybody else: who needs to know goes on
// to search. It is no more than yes or no, and so nearly all rows
// can be turned away before their letters are compared: by how much the words
// that they share can tell at most. What a word is like is worked out once, since
// the many share their words. A Net is for one goroutine.
type Net struct {
	s     *segment
	sr    searcher
	words [kinds]*netWords
	known map[wordKey]*netWord
	era   uint64 // no other net has the same, nor had this one before it forgot
	most  int    // how much is remembered
	room  int    // how much more

	rows    []netRow
	posts   [][]uint32 // by word of the index, the rows that have it
	looks   []netLook  // by word of the index
	touched []uint32
	keys    []uint16
	met     [maxTokens]*netWord // the words of the name that is passed through
	last    uint32              // number that was given
	told    []netTold
}

// A netWord is what a word leads to.
type netWord struct {
	number uint32 // its own; no other word ever has it
	uses   uint32 // how often it was met
	look   netLook
	leads  []netLead // words that it is like: from commonUse on all, before that those that a search would follow
	parts  []netLead // rows that have it in several words, or are its acronym
}

// commonUse is how often a word is met before it is compared with all of the index:
// from then on that is less work than to look again and again which it may be like.
const commonUse = 24

// A netLead is a word or a row, and the most that it tells, in quarters of a bit.
type netLead struct {
	at   uint32
	told float32
}

// A netRow is a row, and what it may share with the name that is passed through.
type netRow struct {
	told  float32 // at most
	words uint32  // of the name, those that led here, as bits
	sure  bool    // it is to be compared, whatever the words tell
	held  bool    // it is among the touched
	rowFacts
}

// netRoom is how much a net remembers before it forgets all: its memory does not
// grow with those who are passed through.
const netRoom = 4 << 20

// eras counts those of all nets.
var eras atomic.Uint64

// NewNet makes a net of n subjects. It calls at from several goroutines, which
// have ended when it returns.
func NewNet(n int, at func(i int) (id uint64, s Subject)) *Net {
	net := &Net{s: &segment{}, known: map[wordKey]*netWord{}, era: eras.Add(1), most: netRoom, room: netRoom, told: make([]netTold, toldRoom)}
	if all := *BuildIndex(n, at).segments.Load(); len(all) > 0 {
		net.s = all[0]
	}
	net.sr.best = map[uint32]int{}
	net.sr.fit(net.s)
	net.addRows()
	for k := range net.words {
		net.words[k] = net.s.netWords(Kind(k))
	}
	return net
}

// addRows adds what is asked of rows and words again and again.
func (n *Net) addRows() {
	n.rows = make([]netRow, len(n.s.rowEntry))
	n.posts, n.looks = make([][]uint32, len(n.s.words)), make([]netLook, len(n.s.words))
	for w := range n.looks {
		var t token
		n.s.token(uint32(w), &t)
		n.looks[w] = newLook(&t)
	}
	for row := range n.rows {
		n.rows[row].rowFacts = n.s.rowFacts(uint32(row))
		list := n.s.rowWord[n.s.wordStart[row]:n.s.wordStart[row+1]]
		for i, w := range list {
			if n.s.words[w].weight() > 0 && !contains(list[:i], w) {
				n.posts[w] = append(n.posts[w], uint32(row))
			}
		}
	}
}

// Len is how many subjects the net is made of.
func (n *Net) Len() int { return len(n.s.ids) }

// thinScores are the scores below which names stay that tell too little.
var thinScores = func() (out [kinds]float64) {
	for k := range out {
		m := &models[k]
		out[k] = float64(m.grade(m.chance(m.alertSum - thinGap)))
	}
	return out
}()

// Catches says whether q is as near as least to any of the net's subjects, by the
// score that Search would give it.
func (n *Net) Catches(q *Subject, least float64) bool {
	if len(n.s.ids) == 0 {
		return false
	}
	for i := range q.Names {
		name := &q.Names[i].Name
		if len(name.han) > 0 && n.catches(q, i, name.han, least, false) {
			return true
		}
		// What words tell at most is worked out for one reading. Where there are
		// several, or a score is asked for that says little, all rows are compared.
		bounded := len(name.readings) == 1 && len(name.han) == 0 && least > thinScores[q.Kind]
		for j := range name.readings {
			if n.catches(q, i, name.readings[j].tokens, least, bounded) {
				return true
			}
		}
	}
	return false
}

// catches passes one reading of a name through the net.
func (n *Net) catches(q *Subject, name int, tokens []token, least float64, bounded bool) (is bool) {
	n.follow(tokens, q.Kind)
	var b netBound
	if bounded {
		b = newBound(q.Kind, tokens)
	}
	for _, row := range n.touched {
		r := &n.rows[row]
		if !is && (!bounded || r.sure || b.mayHold(n, row, tokens)) {
			is = n.holds(q, name, row, least)
		}
		*r = netRow{rowFacts: r.rowFacts}
	}
	n.touched = n.touched[:0]
	return is
}

// holds says whether a name and a row, with the facts of both, have a score. What
// seems to is judged in full, as a search would.
func (n *Net) holds(q *Subject, name int, row uint32, least float64) bool {
	m := &models[q.Kind]
	a := &q.Names[name]
	st, _, any := n.sr.score(n.s, row, &a.Name, a.Weak, m)
	if !any {
		return false
	}
	f := finding{segment: n.s, entry: n.s.rowEntry[row], row: row, name: name}
	var facts Subject
	readFacts(n.s.extra[n.s.extraFrom[f.entry]:n.s.extraFrom[f.entry+1]], &facts)
	z := m.withFacts(st.z, compareFacts(q, &facts))
	return float64(m.grade(m.chance(z))) >= least && f.verdict(q, &n.sr).Score >= least
}

// follow touches the rows that words lead to.
func (n *Net) follow(tokens []token, k Kind) {
	// All words are looked up first: one that comes twice may lead to more the second
	// time, and then does so both times.
	for i := range tokens {
		if searchable(tokens[i].class) {
			n.met[i] = n.lookUp(&tokens[i], k)
		}
	}
	for i := range tokens {
		if searchable(tokens[i].class) {
			w := n.met[i]
			for _, l := range w.leads {
				n.share(l.at, 1<<i, l.told)
			}
			for _, l := range w.parts {
				r := n.touch(l.at)
				r.told += l.told
				r.words |= joinGroup
			}
		}
		if i+1 < len(tokens) {
			n.followJoint(tokens[i:], k)
		}
	}
	// Names that are equal once written in one, and acronyms.
	n.sr.ranked = n.sr.ranked[:0]
	n.sr.followSquash(n.s, tokens, &filter{kind: k})
	for _, r := range n.sr.ranked {
		n.touch(r.row).sure = true
	}
}

// share notes that a word of the name, or several in one, may be one of the index.
func (n *Net) share(w, words uint32, told float32) {
	for _, row := range n.posts[w] {
		r := n.touch(row)
		r.told += told
		r.words |= words
	}
}

func (n *Net) touch(row uint32) *netRow {
	r := &n.rows[row]
	if !r.held {
		r.held = true
		n.touched = append(n.touched, row)
	}
	return r
}

// followJoint notes the words of the index that the first of these words, with
// those behind it, may be in one, or that are their acronym.
func (n *Net) followJoint(tokens []token, k Kind) {
	a, b := &tokens[0], &tokens[1]
	words := n.words[k]
	looks := jointLooks{words: tokens}
	if joins(a, b) {
		var text [2 * maxWord]byte
		var heard [soundRoom]byte
		looks.two = view(soundInto(heard[:0], view(append(append(text[:0], a.text...), b.text...))))
		if a.script > roman.Plain || b.script > roman.Plain || words.maySoundFar(looks.two) {
			// Words with the same letters are found below.
			n.sr.leads = n.sr.leads[:0]
			joint := jointToken(a, b)
			n.sr.nextRound()
			n.sr.findJointSound(n.s, k, &joint, joint.script == roman.Plain)
			for _, l := range n.sr.leads {
				n.share(l.word, joinGroup, n.s.words[l.word].weight())
			}
		}
	}
	j := newNetJoint(tokens)
	n.keys = beginsAs(n.keys[:0], tokens)
	for _, key := range n.keys {
		n.joinAs(&j, &looks, words.beginning[key], nil)
	}
	if len(a.text) == 0 || a.script == roman.Own {
		return
	}
	// Words that begin with the same sound in other letters, or with any: of one letter a
	// slip leaves nothing.
	lists := words.said[place(a.text[0])]
	if len(a.text) == 1 || a.script > roman.Plain {
		lists = &words.bySize
	}
	if lists != nil {
		for size := range j.sizes() {
			n.joinAs(&j, &looks, lists[size], n.keys)
		}
	}
}

// joinAs notes those of a list that words are in one, or are the acronym of, but for
// those whose first two letters have been looked at.
func (n *Net) joinAs(j *netJoint, looks *jointLooks, list []netWhole, but []uint16) {
	far := looks.words[0].script > roman.Plain
	for i := range list {
		at := &list[i]
		w := at.word
		if !j.mayBe(at) || (far || at.guess) && !j.mayAbridge(at) && !looks.mayBe(j, at, &n.looks[w]) {
			continue
		}
		text := view(n.s.text(w))
		if but != nil && slices.Contains(but, first2(text)) {
			continue
		}
		f := &n.s.words[w]
		whole := token{text: text, class: class(f.Class & 0x7f), script: roman.Form(f.Script), bits: f.Bits}
		if far || at.guess {
			n.s.token(w, &whole)
		}
		if inOne(looks.words, &whole) {
			n.share(w, joinGroup, whole.weight())
		}
	}
}

// joinGroup stands for words joined, among the bits of a row's words.
const joinGroup = 1 << maxTokens

// lookUp is what a word leads to. A word that a Reader knows says so itself.
func (n *Net) lookUp(t *token, k Kind) *netWord {
	known := t.sense
	if known != nil && (known.token.class != t.class || known.token.text != t.text) {
		known = nil // the name has made something else of it
	}
	var w *netWord
	if known != nil && known.met == n.era {
		w = known.net
	} else if w = n.find(t, k); known != nil {
		known.net, known.met = w, n.era
	}
	if w.uses++; w.uses == commonUse {
		n.room += len(w.leads)
		n.findAll(t, k, w)
		n.room -= len(w.leads)
	}
	return w
}

func (n *Net) find(t *token, k Kind) *netWord {
	key := t.key(k)
	if w := n.known[key]; w != nil {
		return w
	}
	if n.room <= 0 {
		clear(n.known)
		n.room, n.era = n.most, eras.Add(1)
	}
	w := n.learn(t, k)
	key.text = string([]byte(t.text)) // not the whole name that it is a part of
	n.known[key] = w
	n.room -= 16 + len(w.leads) + len(w.parts)
	return w
}

// findAll finds all words of the index that a word is like, however far.
func (n *Net) findAll(t *token, k Kind, w *netWord) {
	w.leads = w.leads[:0]
	for _, o := range n.words[k].all {
		if w.look.mayBeLike(&n.looks[o]) {
			if told := n.tells(t, o); told >= 0 {
				w.leads = append(w.leads, netLead{o, told})
			}
		}
	}
}

// learn works out what a word leads to.
func (n *Net) learn(t *token, k Kind) *netWord {
	if n.last++; n.last == 0 {
		clear(n.told)
		n.last = 1
	}
	w := &netWord{number: n.last, look: newLook(t)}
	n.sr.leads = n.sr.leads[:0]
	n.sr.findAlike(n.s, k, t)
	for _, l := range n.sr.leads {
		// A key that leads to a word says less of it than its letters do.
		told := max(worth(min(t.weight(), n.s.words[l.word].weight()), l.like), n.tells(t, l.word))
		w.leads = append(w.leads, netLead{l.word, told})
	}
	words, whole := n.words[k], newNetWhole(t)
	same := first2(t.text)
	n.takeApart(t, w, &whole, words.beginnings[same])
	n.takeApart(t, w, &whole, words.lone)
	if t.text != "" && t.script == roman.Plain {
		n.takeSaidApart(t, w, &whole, words.saidBegins[place(t.text[0])])
		return w
	}
	for _, at := range t.saidAs() {
		for key := at * places; key < (at+1)*places; key++ {
			if key != same {
				n.takeApart(t, w, &whole, words.beginnings[key])
			}
		}
	}
	return w
}

// takeSaidApart is takeApart for rows whose words are from another script, and begin with
// other letters.
func (n *Net) takeSaidApart(t *token, w *netWord, whole *netWhole, list []saidBegin) {
	same := first2(t.text)
	for i := range list {
		if at := &list[i]; first2(at.looks.words[0].text) != same && at.looks.mayBe(&at.joint, whole, &w.look) {
			n.takeApart(t, w, whole, []netBegin{at.netBegin})
		}
	}
}

// takeApart notes the rows of a list that have a word in several, or are its acronym.
func (n *Net) takeApart(t *token, w *netWord, whole *netWhole, list []netBegin) {
	for i := range list {
		at := &list[i]
		if !at.joint.mayBe(whole) {
			continue
		}
		row := n.s.rowTokens(n.s.rowWord[at.from:n.s.wordStart[at.row+1]], &n.sr.buf)
		if inOne(row, t) {
			w.parts = append(w.parts, netLead{at.row, t.weight()})
		}
	}
}

// weight is that of the word, as a token's.
func (f *wordFacts) weight() float32 {
	t := token{class: class(f.Class & 0x7f), bits: f.Bits}
	return t.weight()
}
