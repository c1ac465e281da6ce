package api

// paperWords are the words of the printed report.
var paperWords = map[string]phrase{
	"report":       {"Company report", "Unternehmensauskunft", "Rapport d’entreprise", "Företagsrapport", "Selskapsrapport"},
	"identity":     {"Identity", "Stammdaten", "Identité", "Identitet", "Identitet"},
	"ownsShares":   {"owns shares", "hält Anteile", "détient des parts", "äger andelar", "eier andeler"},
	"rating":       {"Rating", "Bewertung", "Notation", "Betyg", "Vurdering"},
	"why":          {"How the score comes about", "Wie der Wert zustande kommt", "Comment la note se forme", "Hur poängen blir till", "Slik blir poengsummen til"},
	"line":         {"What was looked at", "Was betrachtet wurde", "Ce qui a été examiné", "Vad som bedömdes", "Hva som ble vurdert"},
	"points":       {"Points", "Punkte", "Points", "Poäng", "Poeng"},
	"score":        {"Score", "Bonitätswert", "Note", "Poäng", "Poengsum"},
	"limit":        {"Credit limit", "Kreditlimit", "Limite de crédit", "Kreditgräns", "Kredittgrense"},
	"noLimit":      {"none can be given", "nicht bestimmbar", "non déterminable", "kan inte anges", "kan ikke angis"},
	"since":        {"As of", "Stand", "En date du", "Per", "Per"},
	"by":           {"Given by", "Vergeben von", "Attribuée par", "Från", "Fra"},
	"own":          {"our own scorecard", "eigener Bewertung", "notre propre grille", "vårt eget poängkort", "vårt eget poengkort"},
	"noRating":     {"Too little is known of this company to rate it.", "Über dieses Unternehmen ist zu wenig bekannt, um es zu bewerten.", "Trop peu d’éléments pour noter cette entreprise.", "För lite är känt för att sätta betyg på företaget.", "For lite er kjent til å vurdere selskapet."},
	"number":       {"Register number", "Registernummer", "Numéro d’immatriculation", "Organisationsnummer", "Organisasjonsnummer"},
	"id":           {"Connect id", "Connect-ID", "Identifiant", "Connect-id", "Connect-id"},
	"lei":          {"LEI", "LEI", "LEI", "LEI", "LEI"},
	"vat":          {"VAT number", "USt-IdNr.", "Numéro de TVA", "Momsnummer", "MVA-nummer"},
	"status":       {"Status", "Status", "Statut", "Status", "Status"},
	"form":         {"Legal form", "Rechtsform", "Forme juridique", "Företagsform", "Organisasjonsform"},
	"founded":      {"Founded", "Gegründet", "Création", "Bildat", "Stiftet"},
	"dissolved":    {"Dissolved", "Aufgelöst", "Dissolution", "Upplöst", "Oppløst"},
	"activity":     {"Activity", "Tätigkeit", "Activité", "Verksamhet", "Virksomhet"},
	"address":      {"Address", "Anschrift", "Adresse", "Adress", "Adresse"},
	"phone":        {"Telephone", "Telefon", "Téléphone", "Telefon", "Telefon"},
	"email":        {"E-mail", "E-Mail", "Courriel", "E-post", "E-post"},
	"website":      {"Website", "Website", "Site web", "Webbplats", "Nettsted"},
	"employees":    {"Employees", "Beschäftigte", "Salariés", "Anställda", "Ansatte"},
	"capital":      {"Share capital", "Stammkapital", "Capital social", "Aktiekapital", "Aksjekapital"},
	"otherNames":   {"Other names", "Weitere Namen", "Autres noms", "Andra namn", "Andre navn"},
	"accountsDue":  {"Accounts due", "Jahresabschluss fällig", "Échéance des comptes", "Årsredovisning ska lämnas", "Frist for årsregnskap"},
	"notices":      {"Notices", "Bekanntmachungen", "Annonces", "Kungörelser", "Kunngjøringer"},
	"charges":      {"Charges", "Sicherungsrechte", "Sûretés", "Panträtter", "Heftelser"},
	"chargesOf":    {"{} outstanding", "{} offen", "{} en cours", "{} utestående", "{} utestående"},
	"officers":     {"Officers", "Leitung", "Dirigeants", "Befattningshavare", "Rolleinnehavere"},
	"pastOfficers": {"Past officers", "Frühere Leitung", "Anciens dirigeants", "Tidigare befattningshavare", "Tidligere rolleinnehavere"},
	"name":         {"Name", "Name", "Nom", "Namn", "Navn"},
	"role":         {"Role", "Funktion", "Fonction", "Befattning", "Rolle"},
	"born":         {"Born", "Geboren", "Né(e)", "Född", "Født"},
	"from":         {"From", "Von", "Depuis", "Från", "Fra"},
	"until":        {"Until", "Bis", "Jusqu’au", "Till", "Til"},
	"owners":       {"Owners", "Eigentümer", "Détenteurs", "Ägare", "Eiere"},
	"share":        {"Share %", "Anteil %", "Part %", "Andel %", "Andel %"},
	"how":          {"How", "Wie", "Nature", "Hur", "Hvordan"},
	"group":        {"Group", "Konzern", "Groupe", "Koncern", "Konsern"},
	"company":      {"Company", "Unternehmen", "Entreprise", "Företag", "Selskap"},
	"country":      {"Country", "Land", "Pays", "Land", "Land"},
	"band":         {"Band", "Klasse", "Classe", "Klass", "Klasse"},
	"accounts":     {"Accounts", "Jahresabschlüsse", "Comptes annuels", "Årsredovisningar", "Årsregnskap"},
	"inThousands":  {"{}, in thousands", "{}, in Tausend", "{}, en milliers", "{}, i tusental", "{}, i tusen"},
	"inMillions":   {"{}, in millions", "{}, in Millionen", "{}, en millions", "{}, i miljoner", "{}, i millioner"},
	"changes":      {"What changed in the last year", "Was sich im letzten Jahr geändert hat", "Ce qui a changé depuis un an", "Vad som ändrats det senaste året", "Hva som har endret seg det siste året"},
	"noChanges":    {"Nothing changed in the last year.", "Im letzten Jahr hat sich nichts geändert.", "Rien n’a changé depuis un an.", "Inget har ändrats det senaste året.", "Ingenting har endret seg det siste året."},
	"date":         {"Date", "Datum", "Date", "Datum", "Dato"},
	"what":         {"What", "Was", "Quoi", "Vad", "Hva"},
	"before":       {"Before", "Vorher", "Avant", "Före", "Før"},
	"after":        {"After", "Nachher", "Après", "Efter", "Etter"},
	"source":       {"Sources: {}", "Quellen: {}", "Sources : {}", "Källor: {}", "Kilder: {}"},
	"page":         {"Page %s of %s", "Seite %s von %s", "Page %s sur %s", "Sida %s av %s", "Side %s av %s"},
	"romanised":    {"Some names are written in Latin letters here: the original is in a script that this document has no font for.", "Einige Namen stehen hier in lateinischen Buchstaben: Für ihre Schrift hat dieses Dokument keinen Zeichensatz.", "Certains noms sont écrits ici en lettres latines : ce document n’a pas de police pour leur écriture.", "Vissa namn är skrivna med latinska bokstäver: dokumentet saknar typsnitt för deras skrift.", "Noen navn er skrevet med latinske bokstaver: dokumentet mangler skrift for dem."},
	"more":         {"and {} more", "und {} weitere", "et {} de plus", "och {} till", "og {} til"},
	"withheld":     {"The publisher forbids showing who is behind this company.", "Der Herausgeber untersagt zu zeigen, wer hinter diesem Unternehmen steht.", "L’éditeur interdit de montrer qui est derrière cette entreprise.", "Utgivaren förbjuder att visa vem som står bakom företaget.", "Utgiveren forbyr å vise hvem som står bak selskapet."},
	"guide":        {"A guide, not advice. What is unknown counts as neither good nor bad.", "Eine Orientierung, kein Rat. Unbekanntes zählt weder gut noch schlecht.", "Une indication, pas un conseil. L’inconnu ne compte ni en bien ni en mal.", "En vägledning, inte ett råd. Det okända räknas varken som bra eller dåligt.", "En veiledning, ikke et råd. Det ukjente teller verken som godt eller dårlig."},
}

// An itemWord is a line of the printed accounts.
type itemWord struct {
	item  string
	words phrase
}

// itemWords are all of them, in their order.
var itemWords = []itemWord{
	{"turnover", phrase{"Turnover", "Umsatz", "Chiffre d’affaires", "Nettoomsättning", "Omsetning"}},
	{"operatingProfit", phrase{"Operating profit", "Betriebsergebnis", "Résultat d’exploitation", "Rörelseresultat", "Driftsresultat"}},
	{"profitBeforeTax", phrase{"Profit before tax", "Ergebnis vor Steuern", "Résultat avant impôt", "Resultat före skatt", "Resultat før skatt"}},
	{"profitAfterTax", phrase{"Profit after tax", "Ergebnis nach Steuern", "Résultat net", "Årets resultat", "Årsresultat"}},
	{"fixedAssets", phrase{"Fixed assets", "Anlagevermögen", "Actif immobilisé", "Anläggningstillgångar", "Anleggsmidler"}},
	{"currentAssets", phrase{"Current assets", "Umlaufvermögen", "Actif circulant", "Omsättningstillgångar", "Omløpsmidler"}},
	{"cash", phrase{"Cash", "Liquide Mittel", "Trésorerie", "Kassa och bank", "Bankinnskudd"}},
	{"totalAssets", phrase{"Total assets", "Bilanzsumme", "Total du bilan", "Summa tillgångar", "Sum eiendeler"}},
	{"currentLiabilities", phrase{"Due within a year", "Kurzfristige Schulden", "Dettes à court terme", "Kortfristiga skulder", "Kortsiktig gjeld"}},
	{"longTermLiabilities", phrase{"Due later", "Langfristige Schulden", "Dettes à long terme", "Långfristiga skulder", "Langsiktig gjeld"}},
	{"totalLiabilities", phrase{"Total liabilities", "Schulden gesamt", "Total des dettes", "Summa skulder", "Sum gjeld"}},
	{"equity", phrase{"Equity", "Eigenkapital", "Capitaux propres", "Eget kapital", "Egenkapital"}},
	{"netAssets", phrase{"Net assets", "Reinvermögen", "Actif net", "Nettotillgångar", "Netto eiendeler"}},
}

// say is a word of the printed report.
func (v vocabulary) say(key string) string { return v.sayOf(key, "") }

func (v vocabulary) sayOf(key, value string) string { return paperWords[key].in(v, value) }
