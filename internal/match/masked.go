package match

import (
	"strings"

	"bureau/internal/match/roman"
)

// lookAlikes are letters that look the same as Latin ones, small or as capitals,
// by their script. Names are written with the wrong ones by mistake, and to slip
// through a screening.
var lookAlikes = map[roman.Script]map[rune]rune{
	roman.Cyrillic: letterPairs("aа bв cс eе hн iі jј kк mм oо pр sѕ tт xх yу"),
	roman.Greek:    letterPairs("aα bβ eε hη iι kκ mμ nν oο pρ tτ xχ yυ zζ"),
}

// letterPairs maps both letters of each pair to the other.
func letterPairs(pairs string) map[rune]rune {
	m := map[rune]rune{}
	for pair := range strings.FieldsSeq(pairs) {
		r := []rune(pair)
		m[r[0]], m[r[1]] = r[1], r[0]
	}
	return m
}

// unmask puts words together that are in one script but for letters borrowed from
// another that look the same.
func unmask(rs []run) []run {
	mixed := false
	for _, r := range rs {
		mixed = mixed || r.glued
	}
	if !mixed {
		return rs
	}
	var out []run
	for i := 0; i < len(rs); {
		end := i + 1
		for end < len(rs) && rs[end].glued {
			end++
		}
		if mended, ok := mend(rs[i:end]); ok {
			out = append(out, mended)
		} else {
			out = append(out, rs[i:end]...)
		}
		i = end
	}
	return out
}

// mend makes one run of several in Latin and one other alphabet, if all letters
// of either can be read as the other's. Where both can, the one with more letters
// is what was meant.
func mend(rs []run) (run, bool) {
	var other roman.Script
	latin, rest := 0, 0
	for _, r := range rs {
		if r.script == roman.Latin {
			latin += len(r.runes)
			continue
		}
		if lookAlikes[r.script] == nil || rest > 0 && r.script != other {
			return run{}, false
		}
		other = r.script
		rest += len(r.runes)
	}
	if latin == 0 || rest == 0 {
		return run{}, false
	}
	first, second := other, roman.Latin
	if latin > rest {
		first, second = second, first
	}
	if r, ok := rewrite(rs, first, lookAlikes[other]); ok {
		return r, true
	}
	return rewrite(rs, second, lookAlikes[other])
}

// rewrite writes runs in one script.
func rewrite(rs []run, script roman.Script, looks map[rune]rune) (run, bool) {
	last := rs[len(rs)-1]
	whole := run{script: script, dotted: last.dotted, comma: last.comma}
	for _, r := range rs {
		for _, c := range r.runes {
			if r.script != script {
				if c = looks[c]; c == 0 {
					return run{}, false
				}
			}
			whole.runes = append(whole.runes, c)
		}
	}
	return whole, true
}
