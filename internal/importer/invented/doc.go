// Package invented makes publishers' files up, as long and as mixed as the real
// ones, for those who measure and test what reads them. Nothing in them is true.
package invented
