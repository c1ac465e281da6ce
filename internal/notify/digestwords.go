package notify

import "strings"

// words are what stands in a mail beside the facts.
type words struct {
	Title       string // of a digest
	Portfolio   string
	Events      string
	Until       string
	Company     string
	Reference   string
	Limit       string
	Notes       string
	Event       string
	Old, New    string
	More        string // {count} more
	Why         string
	Unsubscribe string

	Done, Undone string // titles of an import
	Import       string
	Rows         string
	Added        string
	There        string
	Unknown      string
	Refused      string
	Removed      string
	Kept         string
	Line         string
	Value        string
	Reason       string
	WhyImport    string
}

// languages are the languages that mail is written in. In English, the words of
// a digest's table are those that programs look for which read such mail.
var languages = map[string]words{
	"en": {
		Title: "Monitoring Alert", Portfolio: "Portfolio", Events: "Events", Until: "Until",
		Company: "Company No.", Reference: "Reference", Limit: "Personal Limit", Notes: "Notes", Event: "Event",
		Old: "Previous Value", New: "New Value", More: "and {count} more",
		Why: "You receive this mail because your address is in this portfolio.", Unsubscribe: "Unsubscribe",
		Done: "Your file was imported", Undone: "Your file could not be imported", Import: "Import",
		Rows: "Lines", Added: "Added", There: "Already there", Unknown: "Unknown", Refused: "Refused", Removed: "Removed", Kept: "Kept",
		Line: "Line", Value: "Company", Reason: "Reason",
		WhyImport: "You receive this mail because your address was given with the file.",
	},
	"de": {
		Title: "Meldungen zu Ihrem Portfolio", Portfolio: "Portfolio", Events: "Ereignisse", Until: "Bis",
		Company: "Firmennr.", Reference: "Referenz", Limit: "Eigenes Limit", Notes: "Notizen", Event: "Ereignis",
		Old: "Bisher", New: "Neu", More: "und {count} weitere",
		Why: "Sie erhalten diese Mail, weil Ihre Adresse in diesem Portfolio steht.", Unsubscribe: "Abbestellen",
		Done: "Ihre Datei wurde importiert", Undone: "Ihre Datei konnte nicht importiert werden", Import: "Import",
		Rows: "Zeilen", Added: "Hinzugefügt", There: "Schon vorhanden", Unknown: "Unbekannt", Refused: "Abgelehnt", Removed: "Entfernt", Kept: "Behalten",
		Line: "Zeile", Value: "Firma", Reason: "Grund",
		WhyImport: "Sie erhalten diese Mail, weil Ihre Adresse mit der Datei angegeben wurde.",
	},
	"fr": {
		Title: "Alertes de surveillance", Portfolio: "Portefeuille", Events: "Événements", Until: "Jusqu’au",
		Company: "N° d’entreprise", Reference: "Référence", Limit: "Limite personnelle", Notes: "Notes", Event: "Événement",
		Old: "Ancienne valeur", New: "Nouvelle valeur", More: "et {count} de plus",
		Why: "Vous recevez ce message parce que votre adresse figure dans ce portefeuille.", Unsubscribe: "Se désabonner",
		Done: "Votre fichier a été importé", Undone: "Votre fichier n’a pas pu être importé", Import: "Importation",
		Rows: "Lignes", Added: "Ajoutées", There: "Déjà présentes", Unknown: "Inconnues", Refused: "Refusées", Removed: "Retirées", Kept: "Gardées",
		Line: "Ligne", Value: "Entreprise", Reason: "Raison",
		WhyImport: "Vous recevez ce message parce que votre adresse a été indiquée avec le fichier.",
	},
	"sv": {
		Title: "Bevakningshändelser", Portfolio: "Portfölj", Events: "Händelser", Until: "Till och med",
		Company: "Organisationsnr", Reference: "Referens", Limit: "Egen limit", Notes: "Anteckningar", Event: "Händelse",
		Old: "Tidigare värde", New: "Nytt värde", More: "och {count} till",
		Why: "Du får det här mejlet eftersom din adress finns i portföljen.", Unsubscribe: "Avsluta utskick",
		Done: "Din fil har importerats", Undone: "Din fil kunde inte importeras", Import: "Import",
		Rows: "Rader", Added: "Tillagda", There: "Fanns redan", Unknown: "Okända", Refused: "Avvisade", Removed: "Borttagna", Kept: "Behållna",
		Line: "Rad", Value: "Företag", Reason: "Orsak",
		WhyImport: "Du får det här mejlet eftersom din adress angavs med filen.",
	},
	"nb": {
		Title: "Overvåkingshendelser", Portfolio: "Portefølje", Events: "Hendelser", Until: "Til og med",
		Company: "Organisasjonsnr.", Reference: "Referanse", Limit: "Egen grense", Notes: "Notater", Event: "Hendelse",
		Old: "Tidligere verdi", New: "Ny verdi", More: "og {count} til",
		Why: "Du får denne e-posten fordi adressen din står i porteføljen.", Unsubscribe: "Meld av",
		Done: "Filen din er importert", Undone: "Filen din kunne ikke importeres", Import: "Import",
		Rows: "Linjer", Added: "Lagt til", There: "Fantes allerede", Unknown: "Ukjente", Refused: "Avvist", Removed: "Fjernet", Kept: "Beholdt",
		Line: "Linje", Value: "Selskap", Reason: "Årsak",
		WhyImport: "Du får denne e-posten fordi adressen din ble oppgitt sammen med filen.",
	},
	"nl": {
		Title: "Bewakingsmeldingen", Portfolio: "Portefeuille", Events: "Gebeurtenissen", Until: "Tot en met",
		Company: "Bedrijfsnr.", Reference: "Referentie", Limit: "Eigen limiet", Notes: "Notities", Event: "Gebeurtenis",
		Old: "Vorige waarde", New: "Nieuwe waarde", More: "en nog {count}",
		Why: "U ontvangt deze mail omdat uw adres in deze portefeuille staat.", Unsubscribe: "Afmelden",
		Done: "Uw bestand is geïmporteerd", Undone: "Uw bestand kon niet worden geïmporteerd", Import: "Import",
		Rows: "Regels", Added: "Toegevoegd", There: "Al aanwezig", Unknown: "Onbekend", Refused: "Geweigerd", Removed: "Verwijderd", Kept: "Behouden",
		Line: "Regel", Value: "Bedrijf", Reason: "Reden",
		WhyImport: "U ontvangt deze mail omdat uw adres bij het bestand is opgegeven.",
	},
	"es": {
		Title: "Alertas de seguimiento", Portfolio: "Cartera", Events: "Eventos", Until: "Hasta",
		Company: "N.º de empresa", Reference: "Referencia", Limit: "Límite propio", Notes: "Notas", Event: "Evento",
		Old: "Valor anterior", New: "Valor nuevo", More: "y {count} más",
		Why: "Recibe este correo porque su dirección está en esta cartera.", Unsubscribe: "Darse de baja",
		Done: "Su archivo se ha importado", Undone: "Su archivo no se ha podido importar", Import: "Importación",
		Rows: "Líneas", Added: "Añadidas", There: "Ya presentes", Unknown: "Desconocidas", Refused: "Rechazadas", Removed: "Retiradas", Kept: "Conservadas",
		Line: "Línea", Value: "Empresa", Reason: "Motivo",
		WhyImport: "Recibe este correo porque su dirección se indicó con el archivo.",
	},
	"it": {
		Title: "Avvisi di monitoraggio", Portfolio: "Portafoglio", Events: "Eventi", Until: "Fino al",
		Company: "N. azienda", Reference: "Riferimento", Limit: "Limite personale", Notes: "Note", Event: "Evento",
		Old: "Valore precedente", New: "Nuovo valore", More: "e altri {count}",
		Why: "Riceve questa e-mail perché il suo indirizzo è in questo portafoglio.", Unsubscribe: "Annulla l’iscrizione",
		Done: "Il suo file è stato importato", Undone: "Non è stato possibile importare il suo file", Import: "Importazione",
		Rows: "Righe", Added: "Aggiunte", There: "Già presenti", Unknown: "Sconosciute", Refused: "Rifiutate", Removed: "Rimosse", Kept: "Mantenute",
		Line: "Riga", Value: "Azienda", Reason: "Motivo",
		WhyImport: "Riceve questa e-mail perché il suo indirizzo è stato indicato con il file.",
	},
}

// wordsIn are the words of a language such as "de" or "de-AT", and the language
// that they are in: English, where we have no others.
func wordsIn(language string) (string, words) {
	l, _, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(language, "_", "-")), "-")
	if l == "no" || l == "nn" {
		l = "nb"
	}
	if w, ok := languages[l]; ok {
		return l, w
	}
	return "en", languages["en"]
}
