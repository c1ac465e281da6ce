package api

// The report as clients read it. Every field that we hold a fact for is here;
// what is not known is left out, but for lists, which are never null.

type reportReplyJSON struct {
	CorrelationID  string     `json:"correlationId"`
	FailedSections []string   `json:"failedSections" doc:"Sections that could not be made; empty when all is well."`
	CompanyID      string     `json:"companyId"`
	DateOfOrder    string     `json:"dateOfOrder"`
	Language       string     `json:"language"`
	UserID         int64      `json:"userId"`
	OrderID        string     `json:"orderId"`
	ChargeRef      *string    `json:"chargeRef"`
	Report         reportJSON `json:"report"`
}

type reportJSON struct {
	CompanyID      string              `json:"companyId"`
	Language       string              `json:"language"`
	Summary        *summaryJSON        `json:"companySummary,omitempty"`
	Identification *identificationJSON `json:"companyIdentification,omitempty"`
	CreditScore    *creditScoreJSON    `json:"creditScore,omitempty"`
	Contact        *contactInfoJSON    `json:"contactInformation,omitempty"`
	Shares         *sharesJSON         `json:"shareCapitalStructure,omitempty"`
	Directors      *directorsJSON      `json:"directors,omitempty"`
	Other          *otherInfoJSON      `json:"otherInformation,omitempty"`
	Group          *groupJSON          `json:"groupStructure,omitempty"`
	ExtendedGroup  []memberJSON        `json:"extendedGroupStructure,omitempty"`
	Statements     []statementJSON     `json:"financialStatements,omitempty"`
	Negative       *negativeJSON       `json:"negativeInformation,omitempty"`
	Additional     *additionalJSON     `json:"additionalInformation,omitempty"`
}

type summaryJSON struct {
	BusinessName   string        `json:"businessName"`
	Country        string        `json:"country"`
	CompanyNumber  string        `json:"companyNumber,omitempty"`
	RegNo          string        `json:"companyRegistrationNumber,omitempty"`
	MainActivity   *activityJSON `json:"mainActivity,omitempty"`
	Status         *statusJSON   `json:"companyStatus,omitempty"`
	LatestTurnover *amountJSON   `json:"latestTurnoverFigure,omitempty"`
	LatestEquity   *amountJSON   `json:"latestShareholdersEquityFigure,omitempty"`
	CreditRating   *ratingJSON   `json:"creditRating,omitempty"`
}

type activityJSON struct {
	Code           string `json:"code"`
	Description    string `json:"description,omitempty"`
	Classification string `json:"classification,omitempty"`
}

type statusJSON struct {
	Status      string `json:"status" enum:"Active,NonActive,Pending,Other"`
	Provider    string `json:"providerStatus,omitempty" doc:"The publisher's word for it."`
	Description string `json:"description"`
}

type amountJSON struct {
	Currency string  `json:"currency"`
	Value    float64 `json:"value"`
}

// limitJSON is an amount whose value is text: clients read it so.
type limitJSON struct {
	Currency string `json:"currency"`
	Value    string `json:"value"`
}

type ratingJSON struct {
	CommonValue         string        `json:"commonValue" enum:"A,B,C,D,E"`
	CommonDescription   string        `json:"commonDescription"`
	CreditLimit         *limitJSON    `json:"creditLimit,omitempty"`
	ProviderValue       providerValue `json:"providerValue"`
	ProviderDescription string        `json:"providerDescription"`
	Assessment          string        `json:"assessment,omitempty" doc:"Why, in words."`
}

type providerValue struct {
	Max   string `json:"maxValue"`
	Min   string `json:"minValue"`
	Value string `json:"value"`
}

type identificationJSON struct {
	Basic         basicJSON          `json:"basicInformation"`
	Activities    []classificationOf `json:"activityClassifications"`
	PreviousNames []previousNameJSON `json:"previousNames"`
	PreviousForms []previousFormJSON `json:"previousLegalForms"`
	OtherNames    []otherNameJSON    `json:"otherNames" doc:"Trading names, names in other languages and scripts."`
	Identifiers   []identifierJSON   `json:"identifiers" doc:"Every other number that the company goes by."`
}

type basicJSON struct {
	BusinessName      string        `json:"businessName"`
	RegisteredName    string        `json:"registeredCompanyName"`
	RegNo             string        `json:"companyRegistrationNumber,omitempty"`
	Country           string        `json:"country"`
	VATNo             string        `json:"vatRegistrationNumber,omitempty"`
	RegistrationDate  string        `json:"companyRegistrationDate,omitempty"`
	OperationsStart   string        `json:"operationsStartDate,omitempty"`
	Court             string        `json:"commercialCourt,omitempty"`
	LegalForm         *legalForm    `json:"legalForm,omitempty"`
	Status            *statusJSON   `json:"companyStatus,omitempty"`
	PrincipalActivity *activityJSON `json:"principalActivity,omitempty"`
	ContactAddress    *addressJSON  `json:"contactAddress,omitempty"`
	LEI               string        `json:"lei,omitempty"`
	LEIStatus         string        `json:"leiStatus,omitempty"`
}

type legalForm struct {
	CommonCode   string `json:"commonCode,omitempty"`
	ProviderCode string `json:"providerCode,omitempty"`
	Description  string `json:"description,omitempty"`
}

type classificationOf struct {
	Classification string         `json:"classification"`
	Activities     []activityJSON `json:"activities"`
}

type previousNameJSON struct {
	DateChanged string `json:"dateChanged,omitempty"`
	Name        string `json:"name"`
}

type previousFormJSON struct {
	DateChanged string    `json:"dateChanged,omitempty"`
	Form        legalForm `json:"legalForm"`
}

type otherNameJSON struct {
	Name     string `json:"name"`
	Type     string `json:"type"`
	Language string `json:"language,omitempty"`
}

type identifierJSON struct {
	Type  string `json:"type"`
	Value string `json:"value"`
}

type addressJSON struct {
	Type        string `json:"type,omitempty"`
	SimpleValue string `json:"simpleValue"`
	Street      string `json:"street,omitempty"`
	HouseNumber string `json:"houseNumber,omitempty"`
	City        string `json:"city,omitempty"`
	PostalCode  string `json:"postalCode,omitempty"`
	Province    string `json:"province,omitempty"`
	Telephone   string `json:"telephone,omitempty"`
	Country     string `json:"country,omitempty"`
}

type creditScoreJSON struct {
	Current  *ratingJSON `json:"currentCreditRating,omitempty"`
	Limit    *amountJSON `json:"currentContractLimit,omitempty"`
	Previous *ratingJSON `json:"previousCreditRating,omitempty"`
	Changed  string      `json:"latestRatingChangeDate,omitempty"`
}

type contactInfoJSON struct {
	Main     *addressJSON  `json:"mainAddress,omitempty"`
	Other    []addressJSON `json:"otherAddresses"`
	Previous []addressJSON `json:"previousAddresses"`
	Emails   []string      `json:"emailAddresses"`
	Websites []string      `json:"websites"`
}

type sharesJSON struct {
	Nominal      *amountJSON       `json:"nominalShareCapital,omitempty"`
	Issued       *amountJSON       `json:"issuedShareCapital,omitempty"`
	ShareHolders []shareHolderJSON `json:"shareHolders"`
}

type shareHolderJSON struct {
	personJSON
	Type      string   `json:"shareholderType" enum:"Other,Person,Company"`
	ShareType string   `json:"shareType,omitempty" doc:"How it holds or controls the company."`
	Percent   *float64 `json:"percentSharesHeld,omitempty" doc:"The least that is known."`
	PercentTo *float64 `json:"percentSharesHeldTo,omitempty" doc:"The most that is known, where only a range is."`
	StartDate string   `json:"startDate,omitempty"`
	EndDate   string   `json:"endDate,omitempty"`
}

type personJSON struct {
	ID          string       `json:"id,omitempty"`
	IDType      string       `json:"idType,omitempty"`
	Name        string       `json:"name"`
	Title       string       `json:"title,omitempty"`
	FirstName   string       `json:"firstName,omitempty"`
	MiddleName  string       `json:"middleName,omitempty"`
	Surname     string       `json:"surname,omitempty"`
	Address     *addressJSON `json:"address,omitempty"`
	DateOfBirth string       `json:"dateOfBirth,omitempty" doc:"The first day of the month: the day itself is never shown."`
	Nationality string       `json:"nationality,omitempty"`
	Residence   string       `json:"countryOfResidence,omitempty"`
	Country     string       `json:"country,omitempty"`
	Gender      string       `json:"gender,omitempty"`
	Occupation  string       `json:"occupation,omitempty"`
}

type directorsJSON struct {
	Current  []directorJSON `json:"currentDirectors"`
	Previous []directorJSON `json:"previousDirectors"`
}

type directorJSON struct {
	personJSON
	Type        string         `json:"directorType" enum:"Other,Person,Company"`
	Positions   []positionJSON `json:"positions"`
	Resignation string         `json:"resignationDate,omitempty"`
}

type positionJSON struct {
	DateAppointed string `json:"dateAppointed,omitempty"`
	ProviderCode  string `json:"providerCode"`
	PositionName  string `json:"positionName"`
}

type otherInfoJSON struct {
	Employees []employeesJSON `json:"employeesInformation"`
}

type employeesJSON struct {
	Year   *int   `json:"year,omitempty"`
	Number string `json:"numberOfEmployees"`
}

type groupJSON struct {
	Ultimate     *relatedJSON  `json:"ultimateParent,omitempty"`
	Immediate    *relatedJSON  `json:"immediateParent,omitempty"`
	Subsidiaries []relatedJSON `json:"subsidiaryCompanies"`
	Affiliated   []relatedJSON `json:"affiliatedCompanies"`
	// Why no parent is named, as the company declared it.
	Exceptions []string `json:"reportingExceptions,omitempty"`
}

type relatedJSON struct {
	ID        string        `json:"id,omitempty"`
	Country   string        `json:"country,omitempty"`
	RegNo     string        `json:"regNo,omitempty"`
	SafeNo    string        `json:"safeNo,omitempty"`
	IDType    string        `json:"idType,omitempty"`
	Name      string        `json:"name"`
	Status    string        `json:"status,omitempty"`
	VATNo     []string      `json:"vatNo,omitempty"`
	Address   *addressJSON  `json:"address,omitempty"`
	LegalForm string        `json:"legalForm,omitempty"`
	LEI       string        `json:"lei,omitempty"`
	Type      string        `json:"type,omitempty"`
	Activity  *activityJSON `json:"activity,omitempty"`
}

type statementJSON struct {
	Type         string             `json:"type"`
	YearEnd      string             `json:"yearEndDate"`
	Weeks        *int               `json:"numberOfWeeks,omitempty"`
	Currency     string             `json:"currency"`
	Consolidated bool               `json:"consolidatedAccounts"`
	ProfitLoss   map[string]float64 `json:"profitAndLoss"`
	Balance      map[string]float64 `json:"balanceSheet"`
	OtherFigures map[string]float64 `json:"otherFinancials"`
	Ratios       map[string]float64 `json:"ratios"`
}

type negativeJSON struct {
	Notices []noticeJSON `json:"notices"`
	Charges *chargesJSON `json:"charges,omitempty"`
}

type noticeJSON struct {
	Date        string `json:"date"`
	Type        string `json:"type"`
	Description string `json:"description,omitempty"`
	Reference   string `json:"reference,omitempty"`
}

type chargesJSON struct {
	Total       int `json:"total"`
	Outstanding int `json:"outstanding"`
	Satisfied   int `json:"satisfied"`
}
