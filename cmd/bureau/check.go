package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"bureau/client"
)

type checkCmd struct {
	Bank checkBankCmd `cmd:"" help:"A bank account: its numbers, its bank, and whose it is."`
	IBAN checkIBANCmd `cmd:"" name:"iban" help:"An IBAN."`

	Identity checkIdentityCmd `cmd:"" help:"A person: name, date of birth and address."`
}

func (checkCmd) Help() string {
	return "Example:\n  bureau check iban 'GB29 NWBK 6016 1331 9268 19'\n  bureau check bank --sort-code 99-01-01 --account 10002009"
}

type checkBankCmd struct {
	remote    `embed:""`
	SortCode  string `name:"sort-code" help:"A British sort code." placeholder:"CODE"`
	Account   string `help:"A British account number." placeholder:"NUMBER"`
	IBAN      string `name:"iban" help:"Or an IBAN." placeholder:"IBAN"`
	Country   string `help:"Or a country, with --bban." placeholder:"XX"`
	BBAN      string `name:"bban" help:"A national account number." placeholder:"NUMBER"`
	Routing   string `help:"The bank's code, where a country has no IBANs." placeholder:"CODE"`
	BIC       string `name:"bic" help:"Compared with the bank's." placeholder:"BIC"`
	Name      string `help:"Who should hold the account." placeholder:"NAME"`
	Type      string `help:"Business or Personal." placeholder:"TYPE"`
	Secondary string `help:"A roll number, where the account needs one." placeholder:"TEXT"`
	File      string `help:"Accounts in a CSV, - for standard input, answered line by line on standard output." placeholder:"FILE"`
}

func (checkBankCmd) Help() string {
	return `Checks an account through the API. The answer is passes, fails or cannot be
checked, with its reasons; what fails ends with exit status 1.

A file has a line that names its columns: iban, sortCode, accountNumber, country,
bban, routingCode, bic, name, accountType, secondaryReference; others are carried
along. Each line comes back with the columns result and reasons added. A line that is
refused ends with exit status 1 once all are done; one that fails does not.

Example:
  bureau check bank --sort-code 99-01-01 --account 10002009 --name "Lornwell Emberwick Care LLP"
  bureau check bank --file accounts.csv > checked.csv`
}

func (c checkBankCmd) Run(t *terminal) error {
	api, err := c.client()
	if err != nil {
		return err
	}
	q := client.BankQuestion{
		IBAN: c.IBAN, BIC: c.BIC, SortCode: c.SortCode, AccountNumber: c.Account, Country: c.Country, BBAN: c.BBAN,
		RoutingCode: c.Routing, Name: c.Name, AccountType: c.Type, SecondaryReference: c.Secondary,
	}
	if c.File != "" {
		if q != (client.BankQuestion{}) {
			return misuse{errors.New("--file takes the place of the other flags")}
		}
		return t.checkFile(api, c.File)
	}
	if q == (client.BankQuestion{}) {
		return misuse{errors.New("name an account: --sort-code and --account, or --iban, or --country and --bban, or a --file of them")}
	}
	return t.checkOne(api, q)
}

type checkIBANCmd struct {
	remote `embed:""`
	IBAN   string `arg:"" help:"The IBAN, with or without blanks." placeholder:"IBAN"`
	BIC    string `name:"bic" help:"Compared with the bank's." placeholder:"BIC"`
	Name   string `help:"Who should hold the account." placeholder:"NAME"`
	Type   string `help:"Business or Personal." placeholder:"TYPE"`
}

func (checkIBANCmd) Help() string {
	return "Example:\n  bureau check iban 'GB29 NWBK 6016 1331 9268 19'\n  bureau check iban DE89370400440532013000 --json"
}

func (c checkIBANCmd) Run(t *terminal) error {
	api, err := c.client()
	if err != nil {
		return err
	}
	return t.checkOne(api, client.BankQuestion{IBAN: c.IBAN, BIC: c.BIC, Name: c.Name, AccountType: c.Type})
}

func (t *terminal) checkOne(api *client.Client, q client.BankQuestion) error {
	f, err := api.CheckBankAccount(t.ctx, q)
	if err != nil {
		return err
	}
	if err := t.print(f.Raw, func(w io.Writer) { printFinding(w, f) }); err != nil {
		return err
	}
	if f.Result == client.BankFails {
		return fmt.Errorf("the account fails: %s", strings.Join(f.Reasons, "; "))
	}
	return nil
}

func printFinding(w io.Writer, f client.BankFinding) {
	tw := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	defer tw.Flush()
	fmt.Fprintf(tw, "result\t%s\n", f.Result)
	if f.IBANPrint != "" {
		fmt.Fprintf(tw, "IBAN\t%s\n", f.IBANPrint)
	}
	if f.SortCode != "" {
		fmt.Fprintf(tw, "account\t%s %s\n", f.SortCode, f.AccountNumber)
	}
	if f.Bank != nil {
		fmt.Fprintf(tw, "bank\t%s %s\n", f.Bank.Name, strings.Join(f.Bank.BICs, " "))
	}
	for _, c := range f.Checks {
		fmt.Fprintf(tw, "%s\t%s: %s\n", c.Check, c.Result, c.Reason)
	}
}
