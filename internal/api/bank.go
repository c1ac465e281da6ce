package api

import (
	"net/http"

	"bureau/internal/auth"
	"bureau/internal/bank"
)

// bankRows are what can be asked about bank accounts.
func (s *Server) bankRows() []route {
	return []route{
		post("/localSolutions/GB/bankVerification/search", auth.BankVerification, "bankVerificationSearch",
			"Is this account held under this name?", s.verifyAccount, inCountry("GB"), countsItself, creates,
			about("Checks the numbers, compares the name with that of the account's holder, and keeps question and answer in your history. "+
				"Numbers that cannot be right are refused and not kept.")),
		post("/localSolutions/GB/bankVerification/validate/{id}", auth.BankVerification, "bankVerificationValidate",
			"Is this the account of an earlier verification?", s.sameAccount, inCountry("GB"), free,
			about("Account numbers are not kept, so they cannot be shown again: this compares one that you know with the one that you asked about.")),
		get("/localSolutions/GB/bankVerification/history", auth.BankVerification, "bankVerificationHistory",
			"What you asked before", s.listVerifications, inCountry("GB"), free,
			about("The newest first. after takes the requestId of the last row that you have seen.")),
		get("/localSolutions/GB/bankVerification/history/{id}", auth.BankVerification, "bankVerificationById",
			"One earlier verification", s.readVerification, inCountry("GB"), free,
			about("Without the account number, which is not kept.")),
		patch("/localSolutions/GB/bankVerification/history/{id}/reference", auth.BankVerification, "bankVerificationReference",
			"Give a verification another reference", s.referVerification, inCountry("GB"), free,
			about("Replaces the reference under which you find the verification in your own books.")),
		get("/localSolutions/GB/bankVerification/sortCode/{id}", auth.BankVerification, "sortCode",
			"What is known about a sort code", s.sortCode, inCountry("GB"),
			about("The bank and branch behind a sort code, and what can be paid to its accounts.")),

		get("/localSolutions/GB/bankmatch", auth.BankMatch, "bankMatch", "Is this a company's account?", s.matchGB, inCountry("GB"), mayMiss,
			about("Validate looks at the numbers, Verify at whose account it is. Each answer is passes, fails or cannot be checked.")),
		get("/localSolutions/FR/bankMatch", auth.BankMatch, "frBankMatch", "Is this a company's account, with an IBAN?", s.matchFR,
			inCountry("FR"), countsItself,
			about("Checks the IBAN with its national check digits, or a national number where a country has no IBANs, and compares the account's holder "+
				"with the company. The answer is kept, and can be read again without the account number.")),
		get("/localSolutions/FR/bankMatch/audition", auth.BankMatch, "frBankMatchAudition", "One earlier bank match", s.matchAgain,
			inCountry("FR"), free, mayMiss,
			about("The answer to an earlier call, by its id, as it was given then.")),

		post("/checks/bank", auth.BankVerification, "checkBank", "Everything about an account at once", s.checkBank,
			func(r *route) { r.countryOf = func(in any) string { return in.(*checkBankIn).country() } }, countsItself,
			about("IBAN, national check digits, modulus check, bank directory and the holder's name in one answer: passes, fails or cannot be checked, "+
				"with a reason for each. Nothing is kept.")),
	}
}

// inCountry is for what is used in one country.
func inCountry(code string) func(*route) {
	return func(r *route) { r.countryOf = func(any) string { return code } }
}

// mayMiss is for what is named by a parameter, and may not be there.
func mayMiss(r *route) { r.fails = append(r.fails, http.StatusNotFound) }

// countsItself is for handlers that show people's data: they count the call
// together with its line in the audit log.
func countsItself(r *route) { r.free = true }

// sortCodeCheckResponse is what the directory says of a sort code. Its name is
// that of its schema.
type sortCodeCheckResponse struct {
	SortCode     string           `json:"sortCode" doc:"Six digits." example:"990101"`
	BankName     *string          `json:"bankName" doc:"null if the directory does not have the sort code."`
	BranchName   *string          `json:"branchName"`
	Address      bankAddressJSON  `json:"address"`
	Telephone    *string          `json:"telephone"`
	BIC          *string          `json:"bicCode"`
	ChapsBIC     *string          `json:"chapsBicCode"`
	PaymentTypes paymentTypesJSON `json:"paymentTypes" doc:"What can be paid to, and collected from, accounts of the branch."`
}

type bankAddressJSON struct {
	Simple  string `json:"simpleValue" doc:"The address in one line."`
	Country string `json:"country"`
	Post    string `json:"postCode"`
}

type paymentTypesJSON struct {
	Chaps          bool `json:"chaps"`
	Cheques        bool `json:"cncccPayment" doc:"Cheques and credits."`
	DirectDebit    bool `json:"directDebit"`
	FasterPayments bool `json:"fasterPayments"`
	Bacs           bool `json:"paymentBacs"`
}

func toSortCodeJSON(b bank.Branch) sortCodeCheckResponse {
	return sortCodeCheckResponse{
		SortCode: b.SortCode.String(), BankName: textOrNull(b.Bank), BranchName: textOrNull(b.Name), Telephone: textOrNull(b.Phone),
		BIC: textOrNull(b.BIC), ChapsBIC: textOrNull(b.ChapsBIC),
		Address:      bankAddressJSON{b.Address, b.Country, b.Post},
		PaymentTypes: paymentTypesJSON{b.Chaps, b.Cheques, b.DirectDebit, b.FasterPayments, b.Bacs},
	}
}
