package bankdir

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"iter"

	"bureau/internal/bank"
	"bureau/internal/importer"
)

// Banks are the bank codes of countries: the German central bank's file of
// Bankleitzahlen, or a list in JSON.
var Banks = importer.Source[bank.Bank]{
	Name:    "bank-codes",
	Title:   "bank codes of countries (Bankleitzahlen, or a list in JSON)",
	Whole:   true,
	Licence: "the publisher's own terms",
	Sample: `[{"country_code":"DE","bank_code":"99999999","bic":"EXMPDEFFXXX","name":"Beispielbank AG",` +
		`"short_name":"Beispielbank","primary":true}]` + "\n",
	Read: ReadBanks,
}

var errOtherFile = errors.New("this is neither a list in JSON nor a file of Bankleitzahlen with 168 characters in a line")

// ReadBanks tells the formats apart by the first bytes.
func ReadBanks(r io.Reader, _ string) iter.Seq2[bank.Bank, error] {
	return func(yield func(bank.Bank, error) bool) {
		in := bufio.NewReaderSize(r, 64<<10)
		head, err := in.Peek(blzWide)
		if err != nil && err != io.EOF {
			yield(bank.Bank{}, err)
			return
		}
		var all iter.Seq2[bank.Bank, error]
		switch text := bytes.TrimLeft(head, "\ufeff \t\r\n"); {
		case len(text) == 0 || text[0] == '[' || text[0] == '{':
			all = readJSON(in)
		case text[0] >= '0' && text[0] <= '9':
			all = readBLZ(in)
		default:
			yield(bank.Bank{}, errOtherFile)
			return
		}
		for b, err := range all {
			if !yield(b, err) {
				return
			}
		}
	}
}
