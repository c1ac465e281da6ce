package monitor

// What callers are told of what is not there, or not theirs.
const (
	NoPortfolio = "Portfolio not found"
	NoCompany   = "Company resource not found"
)
