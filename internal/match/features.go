package match

// A feature is something that two names agree or disagree in. What each is worth
// is in weights.json.
type feature uint8

const (
	fBias       feature = iota
	fEvidence           // what they share is rare enough to mean something
	fRare               // and rarer still
	fRarest             // and so rare that hardly anything else has it
	fConflict           // share of what both have that the other lacks
	fClash              // how much that is, all in all
	fOther              // both have a proper word that the other lacks
	fExtra              // share of what only one has
	fMore               // how much that is, all in all
	fLoss               // how much was forgiven in the words they share
	fSlack              // how much that is, all in all, in words of one script
	fDrift              // how much that is, all in all, across scripts
	fWorst              // how much was forgiven in the worst of them
	fDeep               // how much of that is more than a slip of the pen
	fAnother            // share of words that differ and are both well known: Hills is no slip for Mills
	fHeard              // share of words that are spelt otherwise and do not quite sound the same
	fFar                // how much of the worst that crosses scripts
	fInitials           // share that rests on initials
	fMeaning            // share that rests on nicknames and translations
	fCut                // share that rests on words cut short
	fAcross             // share that rests on guessing across scripts
	fProof              // how much that share tells
	fAcronym            // share that rests on words made of the beginnings of others
	fSingle             // all rests on one word, and a name has more
	fLead               // the first words differ
	fOwn                // both have a word that the other lacks, be it one of their trade
	fSide               // one is of the north, the other of the south
	fNumber             // different numbers
	fNumberOnly         // a number on one side only
	fForm               // legal forms of different classes
	fFormSame           // the same legal form
	fSuffix             // father and son
	fSuffixOnly         // Jr on one side only
	fOrder              // the words stand in another order
	fNone               // no word of one is like a word of the other
	fExact              // all words are equal
	fThin               // they share one word, and that is common; held back, not weighed
	fFormNear           // legal forms of one class; for the grade, not weighed
	allFeatures

	features = fThin // the number of those that are weighed
)

var featureNames = [features]string{
	"bias", "evidence", "rare", "rarest", "conflict", "clash", "other", "extra", "more", "loss", "slack", "drift", "worst", "deep", "another", "heard", "far", "initials", "meaning",
	"cut", "across", "proof", "acronym", "single", "lead", "own", "side", "number", "number_only", "form", "form_same", "suffix",
	"suffix_only", "order", "none", "exact",
}

// A vector is the features of one pair of readings.
type vector [allFeatures]float32

// What evidence is measured against, in quarters of a bit: fourteen bits are a
// given name and a family name that are both common, thirty are two rare ones.
const (
	enough = 56
	plenty = 56
)

// stage is how much of an amount lies behind from, of so much at most, as a share.
func stage(v, from, most float32) float32 { return min(max(v-from, 0), most) / most }

// What two names must tell us at least, or they may be anybody's: if they share
// one word and are equal, if they share one word, if that is all of one person's
// name and a part of the other's, and if they share more.
const (
	thinEqual = 34
	thinOne   = 36
	thinAlone = 72
	thinMore  = 24
)

// A slip of the pen costs a word about an eighth of its likeness. Two words that
// differ in more are more often two words: Northgate and Southgate.
const (
	aLetter = 0.07 // a vowel at the end of a long word, which one language has and the next has not
	aSlip   = 0.13
	deepest = 0.22
)

// leastWord is the least weight of a word that counts as one.
const leastWord = 12

// proper is the least weight of a word that tells people or companies apart.
const proper = 20

func (al *alignment) features(x *vector, formA, formB uint16) {
	if al.chosen == 0 {
		*x, al.evidence, al.share = nothing, 0, 0
		return
	}
	*x = vector{fBias: 1}
	var matched, told, loss, drift, initials, meanings, cuts, acrosses, acronyms, anothers, heard, whole float32
	words := 0
	inverted := false
	for k := range al.chosen {
		l := &al.links[k]
		w := al.linkWeight(l)
		matched += w * l.like
		told += worth(w, l.like)
		whole += w
		loss += w * (1 - l.like)
		if w >= leastWord {
			worst := fWorst
			if l.how == across {
				worst = fFar
			}
			x[worst] = max(x[worst], 1-l.like)
			if l.how != first {
				words++
			}
			if l.how == joined {
				words++
			}
		}
		switch l.how {
		case first:
			initials += w
		case meaning, short:
			meanings += w
		case abridged:
			cuts += w
		case across:
			acrosses += w
			drift += w * (1 - l.like)
		case acronym:
			acronyms += w
		case typo, sounds:
			if al.a[l.i].common && al.b[l.j].common {
				anothers += w * stage(1-l.like, aLetter, aSlip)
			}
			if l.how == sounds {
				heard += w * stage(1-l.like, 1-likeSound, aSlip)
			}
		}
		for m := range k {
			o := &al.links[m]
			if (o.i < l.i) != (o.j < l.j) && w > 0 && al.linkWeight(o) > 0 {
				inverted = true
			}
		}
	}
	x[fDeep] = stage(x[fWorst], aSlip, deepest)
	restA, restB := unused(al.a, al.usedA), unused(al.b, al.usedB)
	onlyA, onlyB := restA.weight, restB.weight
	al.evidence = told
	al.share = matched / (matched + loss + onlyA + onlyB + 1)
	x[fEvidence], x[fRare], x[fRarest] = stage(told, 0, enough), stage(told, enough, plenty), stage(told, enough+plenty, plenty)
	both := min(onlyA, onlyB)
	x[fConflict] = both / (both + matched + 1)
	x[fOther] = one(restA.proper && restB.proper)
	x[fLead] = one(restA.lead && restB.lead)
	x[fOwn] = one((restA.trade || restA.proper) && (restB.trade || restB.proper))
	x[fSide] = one(restA.side && restB.side)
	x[fExtra] = max(onlyA, onlyB) - both
	x[fClash], x[fMore] = stage(both, 0, 2*plenty), stage(x[fExtra], 0, 4*plenty)
	if al.person {
		drift = 0 // its few words are all proper, and a guess in one of them is a guess
	}
	x[fSlack], x[fDrift] = stage(loss-drift, 0, plenty), stage(drift, 0, 2*plenty)
	x[fExtra] /= x[fExtra] + matched + both + 1
	if whole > 0 {
		x[fLoss] = loss / whole
		x[fInitials] = initials / whole
		x[fMeaning] = meanings / whole
		x[fCut] = cuts / whole
		x[fAcross] = acrosses / whole
		x[fProof] = x[fAcross] * stage(told, 0, 2*plenty)
		x[fAcronym] = acronyms / whole
		x[fAnother] = anothers / whole
		x[fHeard] = heard / whole
	}
	x[fSingle] = one(words <= 1 && (properWords(al.a) > 1 || properWords(al.b) > 1))
	if inverted {
		x[fOrder] = 1
		al.share *= 0.999 // between two that are otherwise equal
	}
	al.numbers(x)
	compareForms(x, formA, formB)
	if onlyA+onlyB == 0 && loss == 0 && x[fNumber]+x[fNumberOnly]+x[fSuffix]+x[fSuffixOnly]+x[fForm] == 0 {
		x[fExact] = 1
	}
	least := float32(thinMore)
	switch {
	case words > 1 && x[fExact] == 1:
		least = 0
	case x[fExact] == 1:
		least = thinEqual
	case x[fSingle] == 1 && al.person && (initials == 0 || onlyA+onlyB > 0):
		// A name of a person is made of several, and one of them is many people's.
		least = thinAlone
	case words <= 1:
		least = thinOne
	}
	if told < least || !al.person && onlyA > 0 && onlyB > 0 && al.onlyTrade() {
		x[fThin] = 1
	}
}

// onlyTrade says that nothing is shared but words of the trade: Marine Training Works
// and Federal Marine Works.
func (al *alignment) onlyTrade() bool {
	for k := range al.chosen {
		l := &al.links[k]
		if l.n > 1 || l.m > 1 || al.a[l.i].class != generic && al.b[l.j].class != generic && al.linkWeight(l) > 0 {
			return false
		}
	}
	return true
}

// worth is what it tells us, in quarters of a bit, that a word of some weight has
// a partner: all of its rarity if they are equal, less the more was forgiven,
// since ever more words could have been forgiven too.
func worth(w, like float32) float32 {
	if like >= 1 {
		return w
	}
	return max(0, w-10-90*(1-like))
}

// linkWeight is what both sides of a link agree that it is worth.
func (al *alignment) linkWeight(l *link) float32 {
	var a, b float32
	for k := l.i; k < l.i+l.n; k++ {
		a += al.a[k].weight()
	}
	for k := l.j; k < l.j+l.m; k++ {
		b += al.b[k].weight()
	}
	return min(a, b)
}

// A rest is the words of a name that found no partner.
type rest struct {
	weight float32
	proper bool // a proper word, or its initial, is among them
	lead   bool // and it is the first
	trade  bool // a word of the trade is
	side   bool // or one that tells where
}

func unused(tokens []token, used uint32) (r rest) {
	seen := false
	for i := range tokens {
		t := &tokens[i]
		w := t.weight()
		free := used&(1<<i) == 0
		if t.class == word && !seen {
			seen = true
			r.lead = free
		}
		if !free || t.class == number {
			continue
		}
		r.weight += w
		switch t.class {
		case word:
			r.proper = r.proper || w >= proper && len(t.text) > 1
		case initial:
			r.proper = true
		case generic:
			r.trade = true
			r.side = r.side || known.sides[t.symbol]
		}
	}
	return r
}

// one is a feature that is there or not.
func one(is bool) float32 {
	if is {
		return 1
	}
	return 0
}

func properWords(tokens []token) int {
	n := 0
	for i := range tokens {
		if tokens[i].class <= initial {
			n++
		}
	}
	return n
}

// numbers compares the numbers and suffixes that found no partner.
func (al *alignment) numbers(x *vector) {
	var a, b, sa, sb bool
	for i := range al.a {
		if al.usedA&(1<<i) == 0 {
			a = a || al.a[i].class == number
			sa = sa || al.a[i].class == suffix
		}
	}
	for i := range al.b {
		if al.usedB&(1<<i) == 0 {
			b = b || al.b[i].class == number
			sb = sb || al.b[i].class == suffix
		}
	}
	x[fNumber], x[fNumberOnly] = one(a && b), one(a != b)
	x[fSuffix], x[fSuffixOnly] = one(sa && sb), one(sa != sb)
}

func compareForms(x *vector, a, b uint16) {
	if a == 0 || b == 0 {
		return
	}
	ca, cb := known.forms[a].class, known.forms[b].class
	switch {
	case a == b:
		x[fFormSame] = 1
	case ca == cb:
		x[fFormNear] = 1
	case ca == "any" && (cb == "limited" || cb == "stock"), cb == "any" && (ca == "limited" || ca == "stock"):
		x[fFormNear] = 1
	default:
		x[fForm] = 1
	}
}
