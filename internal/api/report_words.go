package api

import (
	"slices"

	"bureau/internal/company"
)

// A vocabulary is the words that a report uses by itself, in one language. What
// a publisher wrote stays as it is.
type vocabulary struct {
	code      string
	at        int // its place in Languages
	statuses  map[company.Status]string
	bands     map[string]string
	addresses map[company.AddressKind]string
	roles     map[string]string
	protected string
}

// speak finds the vocabulary of a language; ok is false where we do not speak
// it.
func speak(code string) (vocabulary, bool) {
	if code == "no" || code == "nn" {
		code = "nb"
	}
	v, ok := vocabularies[code]
	return v, ok
}

// Languages are those that reports are written in.
func Languages() []string { return []string{"en", "de", "fr", "sv", "nb"} }

func newVocabulary(code, protected string, statuses [4]string, bands [5]string, addresses [6]string, roles [8]string) vocabulary {
	v := vocabulary{
		code: code, at: slices.Index(Languages(), code), protected: protected, statuses: map[company.Status]string{}, bands: map[string]string{},
		addresses: map[company.AddressKind]string{}, roles: map[string]string{},
	}
	for i, s := range []company.Status{company.Active, company.NonActive, company.Pending, company.Other} {
		v.statuses[s] = statuses[i]
	}
	for i, b := range []string{"A", "B", "C", "D", "E"} {
		v.bands[b] = bands[i]
	}
	for i, k := range []company.AddressKind{
		company.Registered, company.HeadOffice, company.Postal, company.Branch, company.TradingPlace, company.FormerAddress,
	} {
		v.addresses[k] = addresses[i]
	}
	for i, r := range []string{"director", "secretary", "ceo", "chair", "board member", "auditor", "member", "manager"} {
		v.roles[r] = roles[i]
	}
	return v
}

var vocabularies = map[string]vocabulary{
	"en": newVocabulary("en", "Protected person",
		[4]string{"Active", "Not active", "In proceedings", "Other"},
		[5]string{"Very low risk", "Low risk", "Moderate risk", "High risk", "Very high risk, or not rated"},
		[6]string{"Registered address", "Head office", "Postal address", "Branch", "Trading address", "Former address"},
		[8]string{"Director", "Secretary", "Chief executive", "Chair", "Board member", "Auditor", "Member", "Manager"}),
	"de": newVocabulary("de", "Geschützte Person",
		[4]string{"Aktiv", "Nicht aktiv", "In einem Verfahren", "Sonstiges"},
		[5]string{"Sehr geringes Risiko", "Geringes Risiko", "Mittleres Risiko", "Hohes Risiko", "Sehr hohes Risiko oder nicht bewertet"},
		[6]string{"Eingetragene Anschrift", "Hauptsitz", "Postanschrift", "Niederlassung", "Geschäftsanschrift", "Frühere Anschrift"},
		[8]string{"Geschäftsführer", "Sekretär", "Vorsitzender der Geschäftsführung", "Vorsitz", "Vorstandsmitglied", "Abschlussprüfer", "Gesellschafter", "Leiter"}),
	"fr": newVocabulary("fr", "Personne protégée",
		[4]string{"Active", "Inactive", "En procédure", "Autre"},
		[5]string{"Risque très faible", "Risque faible", "Risque modéré", "Risque élevé", "Risque très élevé, ou non noté"},
		[6]string{"Siège social", "Siège", "Adresse postale", "Établissement", "Adresse commerciale", "Ancienne adresse"},
		[8]string{"Administrateur", "Secrétaire", "Directeur général", "Président", "Membre du conseil", "Commissaire aux comptes", "Associé", "Gérant"}),
	"sv": newVocabulary("sv", "Skyddad person",
		[4]string{"Aktivt", "Inte aktivt", "Under förfarande", "Övrigt"},
		[5]string{"Mycket låg risk", "Låg risk", "Måttlig risk", "Hög risk", "Mycket hög risk, eller utan betyg"},
		[6]string{"Registrerad adress", "Huvudkontor", "Postadress", "Filial", "Verksamhetsadress", "Tidigare adress"},
		[8]string{"Styrelseledamot", "Sekreterare", "Verkställande direktör", "Ordförande", "Ledamot", "Revisor", "Delägare", "Chef"}),
	"nb": newVocabulary("nb", "Beskyttet person",
		[4]string{"Aktiv", "Ikke aktiv", "Under behandling", "Annet"},
		[5]string{"Svært lav risiko", "Lav risiko", "Moderat risiko", "Høy risiko", "Svært høy risiko, eller uten vurdering"},
		[6]string{"Registrert adresse", "Hovedkontor", "Postadresse", "Filial", "Forretningsadresse", "Tidligere adresse"},
		[8]string{"Direktør", "Sekretær", "Daglig leder", "Styreleder", "Styremedlem", "Revisor", "Deltaker", "Leder"}),
}
