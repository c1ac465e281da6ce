// Package fit finds the weights of package match. It makes up pairs of names
// whose answer is known, lets match say what it sees in them, and fits a logistic
// regression and a calibration to that. Everything is drawn from one seed, so the
// same program always finds the same weights; its test repeats the fit and holds
// the result against weights.json.
//
// It is also where damaged names come from, and how answers are judged, for the
// tests and the benchmarks.
package fit
