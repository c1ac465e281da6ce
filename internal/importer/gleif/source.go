package gleif

import (
	"bytes"
	"strings"
	"time"

	"bureau/internal/company"
	"bureau/internal/importer"
)

const (
	licence = "CC0 1.0"
	credit  = "Global Legal Entity Identifier Foundation (GLEIF)"
	copies  = "https://goldencopy.gleif.org/api/v2/golden-copies/publishes/"
)

// LEI is who is who. The address is that of a week's changes, so that a day or
// two without a network leave no gap; the first load is a golden copy.
var LEI = importer.Source[company.Statement]{
	Name:    "gleif",
	Title:   "LEI records of the Global LEI Foundation",
	URL:     copies + "lei2/latest.xml?delta=LastWeek",
	Every:   24 * time.Hour,
	Licence: licence,
	Credit:  credit,
	Sample:  leiSample,
	Covers:  coversLEIs,
	Read:    reader(map[kind]meaning{leis: sayLEI}),
}

// Relationships is who owns whom, and why a parent is not named. The address is
// that of relationships; exceptions are a file of their own.
var Relationships = importer.Source[company.Statement]{
	Name:    "gleif-relationships",
	Title:   "relationships and reporting exceptions of the Global LEI Foundation",
	URL:     copies + "rr/latest.xml?delta=LastWeek",
	Every:   24 * time.Hour,
	Licence: licence,
	Credit:  credit,
	Sample:  relationshipSample,
	Covers:  coversRelationships,
	Read:    readRelationships,
}

var readRelationships = reader(map[kind]meaning{relationships: sayRelationship, exceptions: sayException})

// isDelta tells a file that says it holds only what changed. Only XML does.
func isDelta(head []byte) bool {
	return bytes.Contains(head[:min(len(head), 4096)], []byte("_DELTA_PUBLISHED"))
}

// coversLEIs are all records, unless the file is a delta.
func coversLEIs(head []byte) func(part string) bool {
	if isDelta(head) {
		return nil
	}
	return func(string) bool { return true }
}

// coversRelationships tells a golden copy of relationships from one of
// exceptions by its first record.
func coversRelationships(head []byte) func(part string) bool {
	if isDelta(head) {
		return nil
	}
	for s, err := range readRelationships(bytes.NewReader(head), "") {
		if err != nil {
			continue
		}
		isException := strings.HasPrefix(s.Part, exceptionPart)
		return func(part string) bool { return strings.HasPrefix(part, exceptionPart) == isException }
	}
	return nil
}

const leiSample = `<?xml version="1.0" encoding="UTF-8"?>
<lei:LEIData xmlns:lei="http://www.gleif.org/data/schema/leidata/2016">
  <lei:LEIHeader>
    <lei:ContentDate>2026-01-15T08:00:00Z</lei:ContentDate>
    <lei:FileContent>GLEIF_DELTA_PUBLISHED</lei:FileContent>
    <lei:RecordCount>1</lei:RecordCount>
  </lei:LEIHeader>
  <lei:LEIRecords>
    <lei:LEIRecord>
      <lei:LEI>984500B0REAU00000135</lei:LEI>
      <lei:Entity>
        <lei:LegalName xml:lang="en">MARROWBY &amp; FINCH LIMITED</lei:LegalName>
        <lei:LegalAddress xml:lang="en">
          <lei:FirstAddressLine>7 Candle Row</lei:FirstAddressLine>
          <lei:City>Leeds</lei:City>
          <lei:Country>GB</lei:Country>
          <lei:PostalCode>LS1 9ZZ</lei:PostalCode>
        </lei:LegalAddress>
        <lei:HeadquartersAddress xml:lang="en">
          <lei:FirstAddressLine>7 Candle Row</lei:FirstAddressLine>
          <lei:City>Leeds</lei:City>
          <lei:Country>GB</lei:Country>
          <lei:PostalCode>LS1 9ZZ</lei:PostalCode>
        </lei:HeadquartersAddress>
        <lei:RegistrationAuthority>
          <lei:RegistrationAuthorityID>RA000585</lei:RegistrationAuthorityID>
          <lei:RegistrationAuthorityEntityID>99000001</lei:RegistrationAuthorityEntityID>
        </lei:RegistrationAuthority>
        <lei:LegalJurisdiction>GB</lei:LegalJurisdiction>
        <lei:EntityCategory>GENERAL</lei:EntityCategory>
        <lei:LegalForm>
          <lei:EntityLegalFormCode>H0PO</lei:EntityLegalFormCode>
        </lei:LegalForm>
        <lei:EntityStatus>ACTIVE</lei:EntityStatus>
        <lei:EntityCreationDate>2019-03-04T00:00:00Z</lei:EntityCreationDate>
      </lei:Entity>
      <lei:Registration>
        <lei:InitialRegistrationDate>2020-02-01T09:00:00Z</lei:InitialRegistrationDate>
        <lei:LastUpdateDate>2026-01-14T09:00:00Z</lei:LastUpdateDate>
        <lei:RegistrationStatus>ISSUED</lei:RegistrationStatus>
        <lei:NextRenewalDate>2027-02-01T09:00:00Z</lei:NextRenewalDate>
        <lei:ManagingLOU>984500B0REAU00000911</lei:ManagingLOU>
        <lei:ValidationSources>FULLY_CORROBORATED</lei:ValidationSources>
      </lei:Registration>
    </lei:LEIRecord>
  </lei:LEIRecords>
</lei:LEIData>
`

const relationshipSample = `<?xml version="1.0" encoding="UTF-8"?>
<rr:RelationshipData xmlns:rr="http://www.gleif.org/data/schema/rr/2016">
  <rr:Header>
    <rr:ContentDate>2026-01-15T08:00:00Z</rr:ContentDate>
    <rr:FileContent>GLEIF_DELTA_PUBLISHED</rr:FileContent>
    <rr:RecordCount>1</rr:RecordCount>
  </rr:Header>
  <rr:RelationshipRecords>
    <rr:RelationshipRecord>
      <rr:Relationship>
        <rr:StartNode>
          <rr:NodeID>984500B0REAU00000135</rr:NodeID>
          <rr:NodeIDType>LEI</rr:NodeIDType>
        </rr:StartNode>
        <rr:EndNode>
          <rr:NodeID>984500B0REAU00000232</rr:NodeID>
          <rr:NodeIDType>LEI</rr:NodeIDType>
        </rr:EndNode>
        <rr:RelationshipType>IS_DIRECTLY_CONSOLIDATED_BY</rr:RelationshipType>
        <rr:RelationshipPeriods>
          <rr:RelationshipPeriod>
            <rr:StartDate>2021-04-01T00:00:00Z</rr:StartDate>
            <rr:PeriodType>RELATIONSHIP_PERIOD</rr:PeriodType>
          </rr:RelationshipPeriod>
        </rr:RelationshipPeriods>
        <rr:RelationshipStatus>ACTIVE</rr:RelationshipStatus>
      </rr:Relationship>
      <rr:Registration>
        <rr:InitialRegistrationDate>2021-05-01T00:00:00Z</rr:InitialRegistrationDate>
        <rr:LastUpdateDate>2026-01-14T09:00:00Z</rr:LastUpdateDate>
        <rr:RegistrationStatus>PUBLISHED</rr:RegistrationStatus>
        <rr:NextRenewalDate>2027-02-01T09:00:00Z</rr:NextRenewalDate>
        <rr:ManagingLOU>984500B0REAU00000911</rr:ManagingLOU>
        <rr:ValidationSources>FULLY_CORROBORATED</rr:ValidationSources>
      </rr:Registration>
    </rr:RelationshipRecord>
  </rr:RelationshipRecords>
</rr:RelationshipData>
`
