package fit

import (
	"fmt"
	"sort"
	"testing"

	"bureau/internal/match"
)

func TestGenFit(t *testing.T) {
	names := match.FeatureNames()
	for _, k := range []match.Kind{match.Person, match.Company} {
		var ss []sample
		ps := MakePairs(k, seed, Pairs)
		for _, p := range ps {
			ss = append(ss, sample{match.Features(match.Read(k, p.A), match.Read(k, p.B)), p.Same, 1})
		}
		for i := 0; i < 40; i++ {
			fmt.Println(ps[i].Same, ps[i].Class, "|", ps[i].A, "|", ps[i].B)
		}
		for _, held := range []bool{true, false} {
			h := make([]bool, len(names))
			w := newton(ss, h)
			if !held {
				w = logistic(ss, names)
			}
			for i := range w {
				fmt.Printf("%s=%.2f ", names[i], w[i])
			}
			fmt.Println()
			by := map[string][]Judged{}
			for i, s := range ss {
				z := dot(s.x, w)
				j := Judged{s.same, logit(z), z}
				by["all"] = append(by["all"], j)
				by[fmt.Sprint(s.same, " ", ps[i].Class)] = append(by[fmt.Sprint(s.same, " ", ps[i].Class)], j)
			}
			var ks []string
			for c := range by {
				ks = append(ks, c)
			}
			sort.Strings(ks)
			for _, c := range ks {
				if c == "all" {
					q := Judge(by[c])
					fmt.Printf("%s n=%d F1=%.3f AUC=%.3f\n", c, q.N, q.F1, q.AUC)
					continue
				}
				m, hi := 0.0, 0.0
				for _, j := range by[c] {
					m += j.Score / float64(len(by[c]))
					if j.Chance > 0.5 {
						hi++
					}
				}
				fmt.Printf("   %-20s n=%d mean z=%.2f  >0.5: %.3f\n", c, len(by[c]), m, hi/float64(len(by[c])))
			}
		}
	}
}
