package api

import (
	"strings"

	"bureau/internal/company"
)

// A phrase is the same in every language that we speak, in the order of
// Languages. {} stands for a value.
type phrase [5]string

// in is the phrase in the language of a vocabulary, with its value.
func (p phrase) in(v vocabulary, value string) string {
	return strings.ReplaceAll(p[v.at], "{}", value)
}

// scoreWords say what each line of the scorecard looked at.
var scoreWords = map[string]phrase{
	"start": {
		"every company starts here", "hier beginnt jedes Unternehmen", "point de départ de toute entreprise",
		"här börjar varje företag", "her begynner alle selskaper",
	},
	"age": {
		"years in business: {}", "Jahre seit der Gründung: {}", "années d’existence : {}",
		"år sedan bildandet: {}", "år siden stiftelsen: {}",
	},
	"accountsLate": {
		"days since its accounts were due: {}", "Tage seit Fälligkeit des Jahresabschlusses: {}", "jours de retard du dépôt des comptes : {}",
		"dagar sedan årsredovisningen skulle ha lämnats: {}", "dager siden årsregnskapet skulle vært levert: {}",
	},
	"returnLate": {
		"days since its annual return was due: {}", "Tage seit Fälligkeit der Jahresmeldung: {}", "jours de retard de la déclaration annuelle : {}",
		"dagar sedan årsuppgiften skulle ha lämnats: {}", "dager siden årsmeldingen skulle vært levert: {}",
	},
	"court": {
		"court notices in three years: {}", "gerichtliche Bekanntmachungen in drei Jahren: {}", "annonces judiciaires en trois ans : {}",
		"domstolsmeddelanden på tre år: {}", "rettslige kunngjøringer på tre år: {}",
	},
	"strikeOff": {
		"notices of striking off in a year: {}", "Löschungsankündigungen in einem Jahr: {}", "avis de radiation en un an : {}",
		"meddelanden om avregistrering på ett år: {}", "kunngjøringer om sletting på ett år: {}",
	},
	"charges": {
		"charges outstanding: {}", "offene Sicherungsrechte: {}", "sûretés en cours : {}",
		"utestående panträtter: {}", "utestående heftelser: {}",
	},
	"accountsAge": {
		"months since its newest accounts: {}", "Monate seit dem neuesten Jahresabschluss: {}", "mois depuis les derniers comptes : {}",
		"månader sedan senaste årsredovisningen: {}", "måneder siden siste årsregnskap: {}",
	},
	"equity": {
		"equity is {} % of its assets", "Eigenkapital: {} % der Bilanzsumme", "capitaux propres : {} % du bilan",
		"eget kapital är {} % av tillgångarna", "egenkapitalen er {} % av eiendelene",
	},
	"liquidity": {
		"current assets are {} times what is due within a year", "Umlaufvermögen: das {}-Fache der kurzfristigen Schulden", "actif circulant : {} fois les dettes à court terme",
		"omsättningstillgångarna är {} gånger de kortfristiga skulderna", "omløpsmidlene er {} ganger den kortsiktige gjelden",
	},
	"margin": {
		"profit before tax is {} % of turnover", "Ergebnis vor Steuern: {} % des Umsatzes", "résultat avant impôt : {} % du chiffre d’affaires",
		"resultat före skatt är {} % av omsättningen", "resultat før skatt er {} % av omsetningen",
	},
	"return": {
		"profit before tax is {} % of its assets", "Ergebnis vor Steuern: {} % der Bilanzsumme", "résultat avant impôt : {} % du bilan",
		"resultat före skatt är {} % av tillgångarna", "resultat før skatt er {} % av eiendelene",
	},
	"losses": {
		"years in a row with a loss: {}", "Verlustjahre in Folge: {}", "exercices déficitaires de suite : {}",
		"förlustår i rad: {}", "år på rad med tap: {}",
	},
	"growth": {
		"turnover changed by {} % in a year", "Umsatz gegenüber dem Vorjahr: {} %", "évolution du chiffre d’affaires sur un an : {} %",
		"omsättningen ändrades med {} % på ett år", "omsetningen endret seg med {} % på ett år",
	},
	"cover": {
		"operating profit is {} times the interest paid", "Betriebsergebnis: das {}-Fache der Zinsen", "résultat d’exploitation : {} fois les intérêts",
		"rörelseresultatet är {} gånger räntan", "driftsresultatet er {} ganger rentene",
	},
	"size": {
		"employees: {}", "Beschäftigte: {}", "salariés : {}", "anställda: {}", "ansatte: {}",
	},
	"parent": {
		"how its parent company stands", "Lage der Muttergesellschaft", "situation de la société mère",
		"moderbolagets ställning", "morselskapets stilling",
	},
	"boards": {
		"other companies of its directors that failed: {}", "gescheiterte andere Unternehmen der Leitung: {}", "autres sociétés des dirigeants ayant failli : {}",
		"andra företag med samma ledning som fallerat: {}", "andre selskaper med samme ledelse som har feilet: {}",
	},
	"directors": {
		"directors in office: {}", "amtierende Leitung: {}", "dirigeants en fonction : {}", "styrelseledamöter i tjänst: {}", "styremedlemmer i vervet: {}",
	},
	"leavers": {
		"{} % of its board left within a year", "{} % der Leitung schieden binnen eines Jahres aus", "{} % des dirigeants partis en un an",
		"{} % av styrelsen avgick inom ett år", "{} % av styret fratrådte i løpet av ett år",
	},
	"bounds": {
		"kept between 1 and 100", "auf 1 bis 100 begrenzt", "ramené entre 1 et 100", "hålls mellan 1 och 100", "holdes mellom 1 og 100",
	},
	"closed": {
		"it has closed: the score is held down", "geschlossen: der Wert ist gedeckelt", "fermée : note plafonnée",
		"det är upphört: poängen hålls nere", "det er opphørt: poengsummen holdes nede",
	},
	"proceedings": {
		"it is in proceedings: the score is held down", "in einem Verfahren: der Wert ist gedeckelt", "en procédure : note plafonnée",
		"under förfarande: poängen hålls nere", "under behandling: poengsummen holdes nede",
	},
	"insolvency": {
		"an insolvency was made known: the score is held down", "Insolvenz bekannt gemacht: der Wert ist gedeckelt", "insolvabilité publiée : note plafonnée",
		"en insolvens är kungjord: poängen hålls nere", "en insolvens er kunngjort: poengsummen holdes nede",
	},
}

// noAccounts is said where there are none whose age could be told.
var noAccounts = phrase{
	"no accounts are held", "kein Jahresabschluss liegt vor", "aucun compte disponible", "ingen årsredovisning finns", "ingen regnskap foreligger",
}

// reason is one line of a score in words.
func (v vocabulary) reason(p company.Point) string {
	if p.Rule == "accountsAge" && p.Value == "" {
		return noAccounts.in(v, "")
	}
	words, ok := scoreWords[p.Rule]
	if !ok {
		return strings.TrimSpace(p.Rule + " " + p.Value)
	}
	return words.in(v, v.decimal(p.Value))
}

// decimal writes a number as people of a language do: all but English ones have
// a comma before its fractions.
func (v vocabulary) decimal(number string) string {
	if v.code == "en" {
		return number
	}
	return strings.Replace(number, ".", ",", 1)
}
