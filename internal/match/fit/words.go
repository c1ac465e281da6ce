package fit

import (
	"math/rand/v2"
	"strings"

	"bureau/internal/match"
)

// A world is where names are drawn from: words that are common in reality, as
// often as they are, and words that nobody bears.
type world struct {
	*rand.Rand
	given, family, patronymic, trade, proper []string
}

func newWorld(seed uint64) *world {
	w := &world{Rand: rand.New(rand.NewPCG(seed, 20275))}
	for _, word := range match.CommonWords(match.Person) {
		switch {
		case len(word) < 3 || match.IsAroundName(word):
		case match.IsPatronymic(word):
			w.patronymic = append(w.patronymic, word)
		case match.IsGivenName(word):
			w.given = append(w.given, word)
		default:
			w.family = append(w.family, word)
		}
	}
	for _, word := range match.CommonWords(match.Company) {
		switch {
		case len(word) < 3:
		case match.IsTradeWord(word):
			w.trade = append(w.trade, word)
		default:
			w.proper = append(w.proper, word)
		}
	}
	return w
}

// with is the same world with other chances.
func (w *world) with(r *rand.Rand) *world {
	other := *w
	other.Rand = r
	return &other
}

func (w *world) chance(p float64) bool { return w.Float64() < p }

func pick[T any](w *world, list []T) T { return list[w.IntN(len(list))] }

// skewed picks from a list whose first entries are the most common.
func (w *world) skewed(list []string) string {
	f := w.Float64()
	return list[int(f*f*float64(len(list)))]
}

var (
	onsets = strings.Fields("b br ch d dr f g gr h j k kl kr l m n p pr r s sh st t tr v w z zh kh ts y sch gh th")
	nuclei = strings.Fields("a e i o u a e i o a ia ai ei ou ao")
	codas  = strings.Fields("n r l s k m t d - - - - - ng v ch sh nd rt ck")
	ends   = strings.Fields("ov ev in sky enko ian ez es o a i son sen berg mann er idis oglu ic wicz ani i y ko vich")
)

// coined is a word that nobody bears but that somebody might.
func (w *world) coined() string {
	var b strings.Builder
	for range 1 + w.IntN(2) {
		b.WriteString(pick(w, onsets))
		b.WriteString(pick(w, nuclei))
		b.WriteString(strings.TrimSuffix(pick(w, codas), "-"))
	}
	if w.chance(0.6) {
		b.WriteString(pick(w, ends))
	}
	if b.Len() < 4 {
		b.WriteString(pick(w, ends))
	}
	return b.String()
}

// What places, and companies after them, are called by: one of these and one of
// those.
var (
	heads = strings.Fields("north south east west green black white silver gold oak ash birch stone spring winter king queen bishop " +
		"high low new old long clear sun moon star river lake hill wolf fox raven swan neu alt gross klein schwarz weiss ober unter " +
		"eich linden rosen stein tannen bel beau haut clair mont ros val sol vit stor lill skog norr soder")
	tails = strings.Fields("field wood gate bridge ford ham ton ley brook land side view house port mill well worth stead bury " +
		"stein berg dorf feld bach hof haus heim wald burg tal ville mont court fort champ vik holm borg dal gard sund lund")
)

// compound is such a word.
func (w *world) compound() string { return pick(w, heads) + pick(w, tails) }

// otherPart is another compound of which one part is the same.
func (w *world) otherPart(of string) string {
	for _, h := range heads {
		for _, t := range tails {
			if h+t != of {
				continue
			}
			for {
				other := h + pick(w, tails)
				if w.chance(0.5) {
					other = pick(w, heads) + t
				}
				if other != of {
					return other
				}
			}
		}
	}
	return w.compound()
}

func (w *world) familyName() string {
	if w.chance(0.45) {
		return w.coined()
	}
	return w.skewed(w.family)
}

func (w *world) givenName() string {
	switch {
	case w.chance(0.12):
		return w.coined()
	case w.chance(0.25):
		return w.skewed(w.family)
	}
	return pick(w, w.given)
}
