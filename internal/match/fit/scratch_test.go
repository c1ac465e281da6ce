package fit

import (
	"bufio"
	"compress/gzip"
	"encoding/csv"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"bureau/internal/match"
)

const data = "/work/shared/data/"

type rp struct {
	Pair
	cluster string
}

func gz(name string) *bufio.Scanner {
	f, err := os.Open(name)
	if err != nil {
		panic(err)
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		panic(err)
	}
	s := bufio.NewScanner(z)
	s.Buffer(nil, 1<<20)
	return s
}

func realPairs() (out []rp) {
	files, _ := filepath.Glob(data + "matching/derived/*.gz")
	for _, name := range files {
		f, _ := os.Open(name)
		z, _ := gzip.NewReader(f)
		r := csv.NewReader(z)
		r.FieldsPerRecord = -1
		r.LazyQuotes = true
		rows, err := r.ReadAll()
		if err != nil {
			panic(err)
		}
		for _, row := range rows[1:] {
			k := match.Company
			switch strings.ToLower(row[0]) {
			case "person", "individual":
				k = match.Person
			case "vessel", "aircraft", "ship":
				continue
			}
			out = append(out, rp{Pair{k, row[1], row[2], row[3] == "true", strings.Split(filepath.Base(name), "_")[0] + "/" + row[4]}, row[5]})
		}
	}
	// patstat
	f, _ := os.Open(data + "matching/patstat_reference.csv")
	rows, _ := csv.NewReader(f).ReadAll()
	by := map[string][]string{}
	for _, r := range rows[1:] {
		by[r[1]] = append(by[r[1]], r[2])
	}
	var keys []string
	for k := range by {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	rng := rand.New(rand.NewPCG(1, 2))
	tok := map[string][]string{}
	for _, k := range keys {
		for _, n := range by[k] {
			w := match.Read(match.Company, n).Words()
			if len(w) > 0 {
				tok[w[0]] = append(tok[w[0]], k+"|"+n)
			}
		}
	}
	for _, k := range keys {
		l := by[k]
		for i := 0; i < 3 && len(l) > 1; i++ {
			a, b := rng.IntN(len(l)), rng.IntN(len(l))
			if l[a] != l[b] {
				out = append(out, rp{Pair{match.Company, l[a], l[b], true, "patstat"}, k})
			}
		}
		w := match.Read(match.Company, l[0]).Words()
		if len(w) > 0 {
			for i := 0; i < 4; i++ {
				o := tok[w[0]][rng.IntN(len(tok[w[0]]))]
				id, n, _ := strings.Cut(o, "|")
				if id != k {
					out = append(out, rp{Pair{match.Company, l[0], n, false, "patstat"}, k})
				}
			}
		}
	}
	// febrl
	for _, fn := range []string{"dataset2", "dataset3"} {
		s := gz(data + "matching/febrl/" + fn + ".csv.gz")
		rec := map[string][]string{}
		var ids []string
		bysur := map[string][]string{}
		for s.Scan() {
			p := strings.Split(s.Text(), ", ")
			if len(p) < 3 || p[0] == "rec_id" || p[1] == "" || p[2] == "" {
				continue
			}
			id := strings.Split(p[0], "-")[1]
			if len(rec[id]) == 0 {
				ids = append(ids, id)
			}
			n := p[1] + " " + p[2]
			rec[id] = append(rec[id], n)
			bysur[p[2]] = append(bysur[p[2]], id+"|"+n)
		}
		for _, id := range ids {
			l := rec[id]
			for i := 1; i < len(l); i++ {
				out = append(out, rp{Pair{match.Person, l[0], l[i], true, "febrl"}, id})
			}
			sur := l[0][strings.LastIndex(l[0], " ")+1:]
			for i := 0; i < 2; i++ {
				o := bysur[sur]
				if len(o) == 0 {
					continue
				}
				oid, n, _ := strings.Cut(o[rng.IntN(len(o))], "|")
				if oid != id && n != l[0] {
					out = append(out, rp{Pair{match.Person, l[0], n, false, "febrl"}, id})
				}
			}
		}
	}
	// scripts
	for _, fn := range []string{"hebrew", "korean", "arabic_20", "chinese_20", "katakana_20", "russian_20"} {
		s := gz(data + "matching/coling2018/wd_" + fn + ".tsv.gz")
		var l [][2]string
		for s.Scan() {
			p := strings.Split(s.Text(), "\t")
			if len(p) < 2 {
				continue
			}
			if len(p) > 2 {
				p[1] = strings.ReplaceAll(p[1], " ", "")
			}
			l = append(l, [2]string{p[0], p[1]})
		}
		rng.Shuffle(len(l), func(i, j int) { l[i], l[j] = l[j], l[i] })
		l = l[:4000]
		for i := range l {
			out = append(out, rp{Pair{match.Person, l[i][0], l[i][1], true, "x" + fn}, l[i][0]})
			out = append(out, rp{Pair{match.Person, l[i][0], l[(i+1)%len(l)][1], false, "x" + fn}, l[i][0]})
		}
	}
	return out
}

func half(c string) bool {
	h := fnv.New32a()
	h.Write([]byte(c))
	return h.Sum32()%2 == 0
}

func TestScratch(t *testing.T) {
	ps := realPairs()
	names := match.FeatureNames()
	for _, k := range []match.Kind{match.Person, match.Company} {
		var train, test []sample
		var tp []rp
		for _, p := range ps {
			if p.Kind != k {
				continue
			}
			a, b := match.Read(k, p.A), match.Read(k, p.B)
			s := sample{match.Features(a, b), p.Same, 1}
			if half(p.cluster) {
				if !strings.HasPrefix(p.Class, "x") || strings.HasPrefix(p.Class, "xhe") || strings.HasPrefix(p.Class, "xko") {
					train = append(train, s)
				}
			} else {
				test = append(test, s)
				tp = append(tp, p)
			}
		}
		w := logistic(train, names)
		if os.Getenv("GEN") != "" {
			m := Model(k)
			for i, n := range names {
				w[i] = m.Weights[n]
			}
			fmt.Println(m.Calibration)
		}
		for i := range w {
			fmt.Printf("%s=%.2f ", names[i], w[i])
		}
		fmt.Println()
		by := map[string][]Judged{}
		type miss struct {
			p rp
			z float64
		}
		var fps, fns []miss
		for i, s := range test {
			z := 0.0
			for j, v := range s.x {
				z += v * w[j]
			}
			pr := 1 / (1 + math.Exp(-z))
			j := Judged{s.same, pr, z}
			by["all"] = append(by["all"], j)
			c := tp[i].Class
			if c[0] != 'x' {
				by["latin"] = append(by["latin"], j)
			}
			c, _, _ = strings.Cut(c, "/")
			by[c] = append(by[c], j)
			if !s.same {
				fps = append(fps, miss{tp[i], z})
			} else {
				fns = append(fns, miss{tp[i], z})
			}
		}
		var ks []string
		for c := range by {
			ks = append(ks, c)
		}
		sort.Strings(ks)
		for _, c := range ks {
			q := Judge(by[c])
			fmt.Printf("%-8s %-12s n=%d same=%d F1=%.3f AUC=%.3f Brier=%.3f ECE=%.3f\n", k, c, q.N, q.Same, q.F1, q.AUC, q.Brier, q.ECE)
		}
		if os.Getenv("SHOW") != "" {
			sort.Slice(fps, func(i, j int) bool { return fps[i].z > fps[j].z })
			sort.Slice(fns, func(i, j int) bool { return fns[i].z < fns[j].z })
			for i := 0; i < len(fps) && i < 300; i += 5 {
				fmt.Printf("FP %.1f %s | %s (%s)\n", fps[i].z, fps[i].p.A, fps[i].p.B, fps[i].p.Class)
			}
			rng := rand.New(rand.NewPCG(5, 6))
			for i := 0; i < 70; i++ {
				m := fns[rng.IntN(len(fns)/3)]
				fmt.Printf("FN %.1f %s | %s (%s)\n", m.z, m.p.A, m.p.B, m.p.Class)
			}
		}
	}
}
