// Package watchlist reads the operator's own list: a CSV of our own, with a
// header line.
//
//	number       the operator's own number of the entry; it must stay the same
//	kind         person, company, ship, aircraft or other
//	name         the main name
//	aliases      other names, | between them
//	weakAliases  names that fit many others, | between them
//	dateOfBirth  1970, 1970-05 or 1970-05-31; circa 1970; 1968 to 1972; | between several
//	countries    ISO codes or names, | between them: nationality, or where it is registered
//	identifiers  type:value, | between them: passport:X123, imo:9876543
//	address      one line
//	datasets     what it is listed for (PEP, SAN-CURRENT, POI …), | between them; POI if empty
//	programme, reason, remark, link, listedOn  as they are called
//
// A file is the whole list: what it does not hold is gone.
package watchlist
