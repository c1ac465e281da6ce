// Package offeneregister reads the German commercial register as a project of
// open data collected it: JSON lines, one for each registration, as a rule
// packed with bzip2.
//
// A German number is only good together with its court, and there is no common
// way to write that. So a company goes by the publisher's own key
// (K1101R_HRB150148: the court's code, the register, the number), and has the
// number as people write it (Hamburg HRB 150148) as its register number.
//
// When the record was fetched is not read: it says nothing about the company.
package offeneregister
