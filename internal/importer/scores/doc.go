// Package scores reads the operator's own scores, as CSV or as JSON lines.
// docs/scorecard.md describes both.
//
// Whoever has a scorecard of their own, or buys scores, loads them here: they
// are believed before ours. A score makes no company: one about a company that
// no register has named is counted and left out.
package scores
