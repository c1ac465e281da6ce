package monitor

import (
	"slices"
	"strconv"
	"strings"
)

// oneOf is a parameter with a few allowed values. It may be left empty. Clients
// write them in any case, and 1 as 1.0.
func oneOf(means, standard string, values ...string) Param {
	return Param{
		Means: means, Default: standard, Allowed: "one of " + strings.Join(values, ", ") + ", or empty", Choices: values,
		read: func(v string) (string, bool) {
			if n, ok := plainNumber(v); ok {
				v = n
			}
			i := slices.IndexFunc(values, func(w string) bool { return strings.EqualFold(v, w) })
			if i < 0 {
				return "", false
			}
			return values[i], true
		},
	}
}

// percent is a share from 1 to 100.
func percent(means, standard string) Param {
	return between(means, standard, "a number from 1 to 100, or empty", 1, 100)
}

// points is a score, or a part of one.
func points(means, standard string) Param { return percent(means, standard) }

// amount is a sum of money, never below zero.
func amount(means, standard string) Param {
	return between(means, standard, "a number from 0 to 999999999999999, or empty", 0, 999_999_999_999_999)
}

func between(means, standard, allowed string, least, most float64) Param {
	return Param{
		Means: means, Default: standard, Allowed: allowed,
		read: func(v string) (string, bool) {
			kept, ok := plainNumber(v)
			n, _ := strconv.ParseFloat(kept, 64)
			return kept, ok && n >= least && n <= most
		},
	}
}

// plainNumber is a number of digits with at most one point, as it is kept: no
// sign, no zeros in front, none behind the point.
func plainNumber(v string) (kept string, ok bool) {
	whole, part, pointed := strings.Cut(v, ".")
	if len(v) > 40 || whole == "" || pointed && part == "" || strings.Trim(whole+part, "0123456789") != "" {
		return "", false
	}
	whole, part = strings.TrimLeft(whole, "0"), strings.TrimRight(part, "0")
	if whole == "" {
		whole = "0"
	}
	if part != "" {
		part = "." + part
	}
	return whole + part, true
}

// A quantity is a number that a change or a parameter tells, in hundredths so
// that sums of money are whole, and what it counts.
type quantity struct {
	hundredths float64
	unit       string // a currency; none for a score
}

// quantityOf reads a value such as "10000.00 GBP" or "-3". Registers publish
// "withdrawn" and "n/a" where a number is meant: those are none.
func quantityOf(v string) (quantity, bool) {
	n, unit, _ := strings.Cut(strings.TrimSpace(v), " ")
	digits, negative := strings.CutPrefix(n, "-")
	kept, ok := plainNumber(digits)
	f, err := strconv.ParseFloat(kept, 64)
	if !ok || err != nil {
		return quantity{}, false
	}
	if negative {
		f = -f
	}
	return quantity{hundredths(f), unit}, true
}

func hundredths(f float64) float64 {
	if f < 0 {
		return -hundredths(-f)
	}
	return float64(int64(f*100 + 0.5))
}

// A drop is a number that became smaller.
type drop struct{ was, is quantity }

// fell reports whether a number became smaller. From nothing, or into another
// currency, nothing falls; to nothing, all of it does.
func fell(old, new string) (d drop, ok bool) {
	var known, still bool
	d.was, known = quantityOf(old)
	d.is, still = quantityOf(new)
	if new == "" {
		d.is, still = quantity{0, d.was.unit}, true
	}
	return d, known && still && d.was.unit == d.is.unit && d.is.hundredths < d.was.hundredths
}

// percent is by how much it fell, of what it was.
func (d drop) percent() float64 {
	if d.was.hundredths <= 0 {
		return 0
	}
	return (d.was.hundredths - d.is.hundredths) * 100 / d.was.hundredths
}

// byPercent reports whether it fell by a share or more. Without a division, a
// fall by exactly so much is one.
func (d drop) byPercent(share string) bool {
	by, ok := quantityOf(share)
	return ok && d.was.hundredths > 0 && (d.was.hundredths-d.is.hundredths)*100*100 >= by.hundredths*d.was.hundredths
}

// by reports whether it fell by so much or more.
func (d drop) by(points string) bool {
	by, ok := quantityOf(points)
	return ok && d.was.hundredths-d.is.hundredths >= by.hundredths
}

// below reports whether it fell below a floor that it was not below before.
func (d drop) below(floor string) bool {
	f, ok := quantityOf(floor)
	return ok && d.is.hundredths < f.hundredths && d.was.hundredths >= f.hundredths
}
