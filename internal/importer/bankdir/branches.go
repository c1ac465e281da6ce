package bankdir

import (
	"errors"
	"io"
	"iter"

	"bureau/internal/bank"
	"bureau/internal/importer"
)

// Branches are the branches behind sort codes.
var Branches = importer.Source[bank.Branch]{
	Name:    "sort-codes",
	Title:   "branches of British sort codes, in our own CSV",
	Whole:   true,
	Licence: "whatever the operator's own data comes under",
	Sample: "sortCode,bankName,branchName,address,postCode,country,telephone,bic,chapsBic,chaps,cheques,directDebit,fasterPayments,bacs\n" +
		"990001,EXAMPLE BANK PLC,Anytown,\"1 High Street, Anytown\",ZZ1 1ZZ,GB,+44 1632 960000,EXMPGB2L,EXMPGB2L,true,true,true,true,true\n",
	Read: ReadBranches,
}

var branchColumns = []column{
	{"sortCode", true},
	{"bankName", true},
	{"branchName", false},
	{"address", false},
	{"postCode", false},
	{"country", false},
	{"telephone", false},
	{"bic", false},
	{"chapsBic", false},
	{"chaps", false},
	{"cheques", false},
	{"directDebit", false},
	{"fasterPayments", false},
	{"bacs", false},
}

// ReadBranches yields the branches of a file.
func ReadBranches(r io.Reader, _ string) iter.Seq2[bank.Branch, error] {
	return func(yield func(bank.Branch, error) bool) {
		for l, err := range rows(r, branchColumns) {
			var b bank.Branch
			if err == nil {
				var why error
				if b, why = readBranch(l.row); why != nil {
					err = l.bad(why)
				}
			}
			if !yield(b, err) {
				return
			}
		}
	}
}

func readBranch(r row) (bank.Branch, error) {
	code, err := bank.ParseSortCode(r["sortCode"])
	if err != nil {
		return bank.Branch{}, errors.New("sortCode: " + err.Error())
	}
	b := bank.Branch{
		SortCode: code, Bank: r["bankName"], Name: r["branchName"], Address: r["address"], Post: r["postCode"],
		Country: r["country"], Phone: r["telephone"],
	}
	for name, into := range map[string]*string{"bic": &b.BIC, "chapsBic": &b.ChapsBIC} {
		if r[name] == "" {
			continue
		}
		bic, err := bank.ParseBIC(r[name])
		if err != nil {
			return b, errors.New(name + ": " + err.Error())
		}
		*into = string(bic)
	}
	for name, into := range map[string]*bool{
		"chaps": &b.Chaps, "cheques": &b.Cheques, "directDebit": &b.DirectDebit, "fasterPayments": &b.FasterPayments, "bacs": &b.Bacs,
	} {
		if *into, err = r.flag(name); err != nil {
			return b, err
		}
	}
	return b, nil
}
