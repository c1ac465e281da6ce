package company

// The JSON tags in this file are the form in which statements are stored. A tag
// is never changed or used again for something else.

// A Date is a day, a month or a year, as far as the source knows it:
// "2006-01-02", "2006-01" or "2006".
type Date string

// Facts are what a source, or all of them together, say about a company. What
// is empty was not said.
type Facts struct {
	Name  string `json:"n,omitempty"`  // the registered name
	Names []Name `json:"nn,omitempty"` // former, trading, in other scripts

	RegNo    string    `json:"r,omitempty"`  // as the register writes it
	Register string    `json:"ra,omitempty"` // which register: a GLEIF code (RA000585) or its name
	LEI      string    `json:"l,omitempty"`
	VAT      []string  `json:"v,omitempty"`
	SafeNo   string    `json:"sn,omitempty"`
	OtherIDs []OtherID `json:"oi,omitempty"` // CIK, ISIN, EIN …

	Status      Status `json:"s,omitempty"`
	StatusText  string `json:"st,omitempty"` // the publisher's word for it
	StatusSince Date   `json:"ss,omitempty"`
	Founded     Date   `json:"fd,omitempty"`
	Dissolved   Date   `json:"dd,omitempty"`

	Form         Form   `json:"f,omitzero"`
	Kind         Kind   `json:"k,omitempty"`
	Jurisdiction string `json:"ju,omitempty"` // whose law it was formed under: "GB", "US-DE"
	YearEnd      string `json:"ye,omitempty"` // the last day of its financial year: "12-31"
	Signing      string `json:"sg,omitempty"` // who may sign for it, in the register's words

	Activities []Activity `json:"a,omitempty"` // the main one first
	Addresses  []Address  `json:"ad,omitempty"`
	Phones     []string   `json:"ph,omitempty"`
	Emails     []string   `json:"em,omitempty"`
	Websites   []string   `json:"w,omitempty"`

	Employees []Employees `json:"e,omitempty"` // newest first
	Capital   Money       `json:"c,omitzero"`

	Officers []Officer  `json:"o,omitempty"` // present and past
	Owners   []Owner    `json:"ow,omitempty"`
	Links    []Link     `json:"g,omitempty"`  // to other companies of its group
	Accounts []Accounts `json:"ac,omitempty"` // newest first
	Due      Due        `json:"du,omitzero"`
	Filings  []Filing   `json:"fi,omitempty"` // newest first
	Notices  []Notice   `json:"no,omitempty"` // newest first

	LEIStatus  string `json:"ls,omitempty"` // ISSUED, LAPSED, RETIRED …
	LEIRenewal Date   `json:"lr,omitempty"`

	Score   *Score   `json:"sc,omitempty"`
	Charges *Charges `json:"ch,omitempty"` // mortgages and other security

	// Suppressed are fields that the operator keeps from being shown.
	Suppressed []string `json:"sup,omitempty"`

	// Withheld says that the publisher forbids showing who is behind the
	// company (a natural person's trade): name and address are left out.
	Withheld bool `json:"wh,omitempty"`
}

// Status is what a company is, in the four words that clients know.
type Status string

const (
	Active    Status = "Active"
	NonActive Status = "NonActive"
	Pending   Status = "Pending" // in liquidation, administration, being struck off
	Other     Status = "Other"
)

// Kind is the coarse kind of a company that clients filter by.
type Kind string

const (
	Ltd    Kind = "Ltd"
	NonLtd Kind = "NonLtd"
)

// A Name is another name of the company.
type Name struct {
	Text  string   `json:"t"`
	Kind  NameKind `json:"k"`
	Lang  string   `json:"l,omitempty"` // BCP 47
	From  Date     `json:"f,omitempty"`
	Until Date     `json:"u,omitempty"`
}

// NameKind says what a name is.
type NameKind string

const (
	Former      NameKind = "former"
	Trading     NameKind = "trading"
	Alternative NameKind = "alternative" // in another language or script
	ASCII       NameKind = "ascii"       // a transliteration
	Short       NameKind = "short"       // an acronym
)

// An OtherID is a number that some other register gave.
type OtherID struct {
	Scheme string `json:"s"` // "CIK", "EIN", "ISIN", "SIRET", "ticker"
	ID     string `json:"i"`
}

// A Form is a legal form.
type Form struct {
	Code string `json:"c,omitempty"` // the publisher's, or ISO 20275
	Text string `json:"t,omitempty"`
}

// An Activity is what a company does.
type Activity struct {
	Scheme string `json:"s,omitempty"` // "UK SIC 2007", "NAFRev2", "SIC", "NACE"
	Code   string `json:"c,omitempty"`
	Text   string `json:"t,omitempty"`
}

// An Address is where it is. Lines holds what cannot be told apart.
type Address struct {
	Kind    AddressKind `json:"k"`
	CareOf  string      `json:"co,omitempty"`
	Lines   []string    `json:"l,omitempty"`
	Street  string      `json:"s,omitempty"`
	House   string      `json:"h,omitempty"`
	City    string      `json:"c,omitempty"`
	Post    string      `json:"p,omitempty"`
	Region  string      `json:"r,omitempty"`
	Country string      `json:"cc,omitempty"` // ISO 3166 alpha-2
	Until   Date        `json:"u,omitempty"`  // for a former one
}

// AddressKind says what an address is for.
type AddressKind string

const (
	Registered    AddressKind = "registered"
	HeadOffice    AddressKind = "headOffice"
	Postal        AddressKind = "postal"
	Branch        AddressKind = "branch"
	TradingPlace  AddressKind = "trading"
	FormerAddress AddressKind = "former"
)

// Employees is how many there were.
type Employees struct {
	Year  int    `json:"y,omitempty"`
	Count int64  `json:"n,omitempty"`
	Range string `json:"r,omitempty"` // "10-19", where only that is told
}

// Money is whole minor units of a currency.
type Money struct {
	Minor    int64  `json:"m"`
	Currency string `json:"c"` // ISO 4217
}

// A Person is who an officer or owner is: a natural person or a company.
type Person struct {
	ID          string   `json:"i,omitempty"` // the source's number for the person
	Company     bool     `json:"co,omitempty"`
	Name        string   `json:"n"` // in full
	Title       string   `json:"t,omitempty"`
	First       string   `json:"f,omitempty"`
	Middle      string   `json:"m,omitempty"`
	Surname     string   `json:"s,omitempty"`
	Birth       Date     `json:"b,omitempty"` // never the day, where the publisher keeps it back
	Nationality string   `json:"na,omitempty"`
	Residence   string   `json:"re,omitempty"`
	Occupation  string   `json:"oc,omitempty"`
	Gender      string   `json:"g,omitempty"` // "Male", "Female"
	Address     *Address `json:"a,omitempty"` // the one for correspondence
	RegNo       string   `json:"r,omitempty"` // of a company
	Country     string   `json:"cc,omitempty"`
	LEI         string   `json:"l,omitempty"`
	Protected   bool     `json:"p,omitempty"` // may not be shown: only that there is somebody
}

// An Officer runs the company, or did.
type Officer struct {
	Person
	Role     string `json:"ro"`           // "director", "secretary", "ceo", "chair", "auditor" …
	RoleText string `json:"rt,omitempty"` // the publisher's words
	From     Date   `json:"fr,omitempty"`
	Until    Date   `json:"un,omitempty"`
}

// An Owner holds it, or controls it.
type Owner struct {
	Person
	Natures  []string `json:"nt,omitempty"` // how: "shares 25-50%", "votes 75-100%", "appoints directors"
	ShareMin float64  `json:"sm,omitempty"` // percent
	ShareMax float64  `json:"sx,omitempty"`
	Indirect bool     `json:"in,omitempty"`
	From     Date     `json:"fr,omitempty"`
	Until    Date     `json:"un,omitempty"`
}

// A Link leads to another company of the group.
type Link struct {
	Kind    LinkKind `json:"k"`
	LEI     string   `json:"l,omitempty"`
	ID      ID       `json:"i,omitempty"`
	Name    string   `json:"n,omitempty"`
	Country string   `json:"c,omitempty"`
	Reason  string   `json:"re,omitempty"` // why none is named: NATURAL_PERSONS, NO_LEI …
	From    Date     `json:"f,omitempty"`
	Until   Date     `json:"u,omitempty"`
}

// LinkKind says how the other company stands to this one.
type LinkKind string

const (
	Parent         LinkKind = "parent"
	UltimateParent LinkKind = "ultimateParent"
	HeadOf         LinkKind = "headOffice" // this one is its branch
	Manager        LinkKind = "fundManager"
	Umbrella       LinkKind = "umbrella"
	Master         LinkKind = "master"
	Successor      LinkKind = "successor"
)

// Accounts are the figures of one year. Items are whole minor units by the
// names in accounts.go.
type Accounts struct {
	End          Date             `json:"e"`
	Start        Date             `json:"s,omitempty"`
	Months       int              `json:"m,omitempty"`
	Currency     string           `json:"c"`
	Consolidated bool             `json:"g,omitempty"`
	Kind         string           `json:"k,omitempty"` // "full", "small", "micro", "dormant" …
	Items        map[string]int64 `json:"i,omitempty"`
}

// Due is when something must be filed.
type Due struct {
	AccountsLast Date   `json:"al,omitempty"`
	AccountsNext Date   `json:"an,omitempty"`
	AccountsKind string `json:"ak,omitempty"`
	ReturnLast   Date   `json:"rl,omitempty"`
	ReturnNext   Date   `json:"rn,omitempty"`
}

// A Filing is a document that was filed.
type Filing struct {
	Date Date   `json:"d"`
	Type string `json:"t"`
	Text string `json:"x,omitempty"`
	Ref  string `json:"r,omitempty"`
}

// A Notice is what a court, a gazette or a register made known.
type Notice struct {
	Date Date   `json:"d"`
	Kind string `json:"k"` // "insolvency", "liquidation", "charge", "court", "strike-off"
	Text string `json:"t,omitempty"`
	Ref  string `json:"r,omitempty"`
}

// A Score is how sound the company is held to be.
type Score struct {
	Value   int      `json:"v"` // 0–100
	Band    string   `json:"b"` // A–E
	Limit   Money    `json:"l,omitzero"`
	At      Date     `json:"at,omitempty"`
	Reasons []string `json:"r,omitempty"`

	// Points are what the score is the sum of, where that is known: our own
	// scorecard says so, others give reasons in words.
	Points []Point `json:"p,omitempty"`
	Next   Date    `json:"nx,omitempty"` // the day on which time alone may change it
}

// A Point is one line of how a score came about.
type Point struct {
	Rule   string `json:"r"`           // a name of the scorecard
	Points int    `json:"p"`           // what it adds, or takes away
	Value  string `json:"v,omitempty"` // what was measured: years, days, per cent …
}

// Charges count the securities that were registered against a company.
type Charges struct {
	Total         int `json:"t,omitempty"`
	Outstanding   int `json:"o,omitempty"`
	PartSatisfied int `json:"p,omitempty"`
	Satisfied     int `json:"s,omitempty"`
}
