package companieshouse

import _ "embed" // the samples are files, so that they read as the publisher's do

var (
	//go:embed sample/companies.csv
	companiesSample string

	//go:embed sample/officers.dat
	officersSample string

	//go:embed sample/psc.jsonl
	pscSample string

	//go:embed sample/accounts.html
	accountsSample string
)
