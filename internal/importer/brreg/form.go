package brreg

import "bureau/internal/company"

// forms are the organisation forms that are common. The list of units gives
// only their codes.
var forms = map[string]string{
	"AS": "Aksjeselskap", "ASA": "Allmennaksjeselskap", "ENK": "Enkeltpersonforetak",
	"NUF": "Norskregistrert utenlandsk foretak", "ANS": "Ansvarlig selskap med solidarisk ansvar",
	"DA": "Ansvarlig selskap med delt ansvar", "KS": "Kommandittselskap", "SA": "Samvirkeforetak",
	"BA": "Selskap med begrenset ansvar", "SE": "Europeisk selskap", "STI": "Stiftelse",
	"FLI": "Forening/lag/innretning", "BRL": "Borettslag", "BBL": "Boligbyggelag",
	"ESEK": "Eierseksjonssameie", "SPA": "Sparebank", "GFS": "Gjensidig forsikringsselskap",
	"KF": "Kommunalt foretak", "IKS": "Interkommunalt selskap", "SF": "Statsforetak",
	"KOMM": "Kommune", "FYLK": "Fylkeskommune", "STAT": "Staten", "ORGL": "Organisasjonsledd",
	"PRE": "Partrederi", "SAM": "Tingsrettslig sameie", "KBO": "Konkursbo", "TVAM": "Tvangsregistrert for MVA",
	"BEDR": "Underenhet til næringsdrivende og offentlig forvaltning", "AAFY": "Underenhet til ikke-næringsdrivende",
	"UTLA": "Utenlandsk enhet", "VPFO": "Verdipapirfond", "KIRK": "Den norske kirke", "PK": "Pensjonskasse",
}

// form tells what the form is called, and whether its members answer with what
// they paid in only.
func (c coded) form() (company.Form, company.Kind) {
	f := company.Form{Code: c.code, Text: c.text}
	if f.Text == "" {
		f.Text = forms[c.code]
	}
	switch c.code {
	case "":
		return f, ""
	case "AS", "ASA", "SE", "SA", "BA", "BRL", "BBL", "SPA", "GFS", "SF":
		return f, company.Ltd
	case "NUF", "UTLA":
		return f, "" // a foreign form: the code does not say
	}
	return f, company.NonLtd
}
