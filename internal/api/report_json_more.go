package api

// The parts of a report that tell what happened, and who stands around it.

type additionalJSON struct {
	Sources      []string            `json:"sources" doc:"Who speaks of the company, the best source first."`
	FieldSource  map[string]string   `json:"fieldSources" doc:"The source of each fact."`
	Filings      []filingJSON        `json:"filings"`
	Due          dueJSON             `json:"filingDates"`
	Withheld     bool                `json:"withheld,omitempty" doc:"The publisher forbids showing who is behind the company."`
	Misc         miscJSON            `json:"miscellaneous"`
	Commentaries []commentaryJSON    `json:"commentaries" doc:"Why the score is what it is."`
	History      []historyJSON       `json:"companyHistory" doc:"What changed, the newest first."`
	Ratings      []ratingHistoryJSON `json:"ratingHistory"`
	Limits       []limitHistoryJSON  `json:"creditLimitHistory"`
	Mortgages    *mortgagesJSON      `json:"mortgageSummary,omitempty"`
	PSC          *pscJSON            `json:"personsWithSignificantControl,omitempty"`
}

type filingJSON struct {
	Date        string `json:"date"`
	Type        string `json:"type"`
	Description string `json:"description,omitempty"`
}

type dueJSON struct {
	LastAccounts string `json:"lastAccounts,omitempty"`
	NextAccounts string `json:"nextAccountsDue,omitempty"`
	LastReturn   string `json:"lastReturn,omitempty"`
	NextReturn   string `json:"nextReturnDue,omitempty"`
}

type miscJSON struct {
	AccountsFiled string `json:"filingDateOfAccounts,omitempty"`
	AccountsDue   string `json:"accountsDueDate,omitempty"`
}

type commentaryJSON struct {
	Text    string `json:"commentaryText"`
	Sign    string `json:"positiveOrNegative" enum:"Positive,Negative,Neutral"`
	SignToo string `json:"positiveNegative" enum:"Positive,Negative,Neutral" doc:"The same under an older name."`
	Rule    string `json:"rule,omitempty" doc:"The line of the scorecard."`
	Points  *int   `json:"points,omitempty" doc:"What it adds or takes away. The points of a report add up to its score."`
}

type historyJSON struct {
	Date        string `json:"date"`
	Description string `json:"description"`
}

type ratingHistoryJSON struct {
	Date        string `json:"date"`
	Value       int    `json:"companyValue"`
	Description string `json:"ratingDescription"`
}

type limitHistoryJSON struct {
	Date  string     `json:"date"`
	Value amountJSON `json:"companyValue"`
}

type mortgagesJSON struct {
	Outstanding int `json:"outstanding"`
	Satisfied   int `json:"satisfied"`
}

type pscJSON struct {
	Active []controllerJSON `json:"activePSC"`
	Ceased []controllerJSON `json:"ceasedPSC"`
}

type controllerJSON struct {
	Title       string       `json:"title,omitempty"`
	Name        string       `json:"name"`
	PersonType  string       `json:"personType" enum:"Person,Company"`
	Address     *addressJSON `json:"address,omitempty"`
	Country     string       `json:"country,omitempty"`
	DateOfBirth string       `json:"dateOfBirth,omitempty"`
	Nationality string       `json:"nationality,omitempty"`
	Residence   string       `json:"countryOfResidence,omitempty"`
	RegNo       string       `json:"registrationNumber,omitempty"`
	Natures     string       `json:"natureOfControl,omitempty"`
	NotifiedOn  string       `json:"notifiedOn,omitempty"`
	CeasedOn    string       `json:"ceasedOn,omitempty"`
}

type memberJSON struct {
	ID             string `json:"id,omitempty"`
	Country        string `json:"country,omitempty"`
	SafeNo         string `json:"safeNumber,omitempty"`
	IDType         string `json:"idType"`
	Name           string `json:"companyName"`
	RegNo          string `json:"registeredNumber,omitempty"`
	LatestAccounts string `json:"latestAnnualAccounts,omitempty"`
	Level          int    `json:"level" doc:"0 is the top of the group."`
	Status         string `json:"status,omitempty"`
	Band           string `json:"commonRatingBand,omitempty"`
}
