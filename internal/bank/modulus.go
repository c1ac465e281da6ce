package bank

// A Reason is why a modulus check came to its state.
type Reason uint8

const (
	CheckDigitsHold Reason = iota
	CheckDigitsWrong
	NoRow
	ForeignCurrency
	NoTable
)

var reasonWords = [...]string{
	CheckDigitsHold:  "the check digits of sort code and account number hold",
	CheckDigitsWrong: "the check digits of sort code and account number do not hold: a digit is wrong",
	NoRow:            "the modulus table has no rule for this sort code",
	ForeignCurrency:  "it is an account in a foreign currency, which has no check digits",
	NoTable:          "no modulus table has been imported",
}

func (r Reason) String() string { return reasonWords[r] }

// The places of digits that rules speak of. The publisher calls the digits of a
// sort code u to z and those of an account a to h.
const (
	atU = 0
	atZ = 5
	atA = 6
	atB = 7
	atC = 8
	atG = 12
	atH = 13
)

// digits are those of a sort code and an account number.
type digits [14]int32

func (d *digits) setCode(c SortCode) {
	for i := atZ; i >= atU; i-- {
		d[i] = int32(c % 10)
		c /= 10
	}
}

func (d *digits) setNumber(n AccountNumber) {
	for i := atH; i >= atA; i-- {
		d[i] = int32(n % 10)
		n /= 10
	}
}

// Sort codes that two exceptions check instead of the account's own.
const (
	insteadOfEuro  SortCode = 309634 // exception 9
	insteadOfAgent SortCode = 90126  // exception 8
)

// Weights that exception 2 puts in the place of its row's.
var (
	exception2       = [14]int32{0, 0, 1, 2, 5, 3, 6, 4, 8, 7, 10, 9, 3, 1}
	exception2Ninety = [14]int32{0, 0, 0, 0, 0, 0, 0, 0, 8, 7, 10, 9, 3, 1}
)

// Check applies the modulus table to an account. It allocates nothing.
func (m *Modulus) Check(acc GB) (State, Reason) {
	s := m.find(acc.SortCode)
	switch {
	case len(m.spans) == 0:
		return Unknown, NoTable
	case s == nil:
		return Unknown, NoRow
	}
	var d digits
	d.setCode(acc.SortCode)
	d.setNumber(acc.Number)
	// Where the first row says so, the whole account has no check digits.
	if s.rules[0].exception == 6 && 4 <= d[atA] && d[atA] <= 8 && d[atG] == d[atH] {
		return Unknown, ForeignCurrency
	}
	first := m.holds(&s.rules[0], acc.SortCode, d)
	if s.n == 2 {
		switch {
		case either(s.rules[0].exception, s.rules[1].exception):
			first = first || m.holds(&s.rules[1], acc.SortCode, d)
		case s.rules[1].exception == 3 && (d[atC] == 6 || d[atC] == 9):
			// The first check alone decides.
		default:
			first = first && m.holds(&s.rules[1], acc.SortCode, d)
		}
	}
	if first {
		return Passes, CheckDigitsHold
	}
	return Fails, CheckDigitsWrong
}

// either reports whether one of two checks is enough.
func either(first, second uint8) bool {
	return first == 2 && second == 9 || first == 10 && second == 11 || first == 12 && second == 13
}

// holds applies one row.
func (m *Modulus) holds(r *rule, code SortCode, d digits) bool {
	weights := &r.weights
	var own [14]int32
	from := 0 // digits before it have no weight
	switch r.exception {
	case 2:
		switch {
		case d[atA] == 0:
		case d[atG] == 9:
			weights = &exception2Ninety
		default:
			weights = &exception2
		}
	case 5:
		d.setCode(m.substitute(code))
	case 7:
		if d[atG] == 9 {
			from = atC
		}
	case 8:
		d.setCode(insteadOfAgent)
	case 9:
		d.setCode(insteadOfEuro)
	case 10:
		if (d[atA] == 0 || d[atA] == 9) && d[atB] == 9 && d[atG] == 9 {
			from = atC
		}
	}
	if from > 0 {
		copy(own[from:], weights[from:])
		weights = &own
	}
	sum := r.sum(weights, &d)
	switch r.exception {
	case 1:
		return (sum+27)%10 == 0
	case 4:
		return sum%11 == d[atG]*10+d[atH]
	case 5:
		return r.checkDigit(sum, &d)
	case 14:
		return sum%11 == 0 || r.shifted(d)
	}
	return sum%r.modulus == 0
}

// sum adds up, and never comes to less than nothing: a few weights are below it.
func (r *rule) sum(weights *[14]int32, d *digits) int32 {
	sum := int32(0)
	if r.double {
		for i := range d {
			sum += digitSum(weights[i] * d[i])
		}
		return sum
	}
	for i := range d {
		sum += weights[i] * d[i]
	}
	if sum < 0 {
		sum += (-sum/r.modulus + 1) * r.modulus
	}
	return sum
}

// digitSum adds up the digits of a product.
func digitSum(p int32) (sum int32) {
	if p < 0 {
		p = -p
	}
	if p < 20 { // nearly all are: the weights are 1 and 2
		if p >= 10 {
			return p - 9
		}
		return p
	}
	for ; p > 0; p /= 10 {
		sum += p % 10
	}
	return sum
}

// checkDigit compares the remainder with the digit that exception 5 names: g
// with the first check and h with the second. A remainder of one asks for a ten,
// which is no digit.
func (r *rule) checkDigit(sum int32, d *digits) bool {
	rest := sum % r.modulus
	if r.double {
		return (10-rest)%10 == d[atH]
	}
	return (11-rest)%11 == d[atG]
}

// shifted is exception 14's second try: an account number whose last digit was
// added when another lost its leading zero.
func (r *rule) shifted(d digits) bool {
	if d[atH] != 0 && d[atH] != 1 && d[atH] != 9 {
		return false
	}
	copy(d[atB:], d[atA:atH])
	d[atA] = 0
	return r.sum(&r.weights, &d)%11 == 0
}
