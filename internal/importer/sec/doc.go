// Package sec reads what the Securities and Exchange Commission of the United
// States publishes about those who file with it: a document per filer, as a file
// of its own or thousands in a zip, and the list of tickers.
//
// A filer goes by its CIK: the United States have no register of companies, but
// one in each state. The list of tickers says what a company is called and where
// it is traded; the filer's own document says more and comes first.
//
// People file too, about their dealings. They are no companies, and are left
// out: a filer without an industry, a tax number and a state, which only ever
// reported on others. So are the pages of a filer's older filings.
package sec
