package company

// A Statement is what one record of a source says about one company.
type Statement struct {
	// Which company: its country and number in the national register, or its
	// LEI, or a VAT number. At least one of the three.
	Country string // where it is registered, ISO 3166 alpha-2
	Number  string // in the national register; empty where there is none
	LEI     string
	VAT     string

	// Part tells statements of one source about one company apart, where a
	// record is about one officer, owner or relationship: its id there. Empty
	// for a record about the whole company.
	Part string

	// Gone says that the source no longer holds this record.
	Gone bool

	Facts Facts
}
