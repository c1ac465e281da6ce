package api

import "bureau/internal/company"

// changeWords say what changed.
var changeWords = map[company.Field]phrase{
	company.Added:           {"Company taken in", "Unternehmen aufgenommen", "Entreprise enregistrée", "Företaget togs in", "Selskapet ble tatt inn"},
	company.Removed:         {"No longer in any register", "In keinem Register mehr", "Plus dans aucun registre", "Inte längre i något register", "Ikke lenger i noe register"},
	company.FieldName:       {"Name", "Name", "Nom", "Namn", "Navn"},
	company.OtherName:       {"Other name", "Weiterer Name", "Autre nom", "Annat namn", "Annet navn"},
	company.FieldStatus:     {"Status", "Status", "Statut", "Status", "Status"},
	company.StatusText:      {"The register’s word for the status", "Status im Wortlaut des Registers", "Statut selon le registre", "Registrets ord för status", "Registerets ord for status"},
	company.FieldForm:       {"Legal form", "Rechtsform", "Forme juridique", "Företagsform", "Organisasjonsform"},
	company.FieldKind:       {"Kind of company", "Art des Unternehmens", "Type d’entreprise", "Typ av företag", "Selskapstype"},
	company.Jurisdiction:    {"Law it is under", "Anwendbares Recht", "Droit applicable", "Tillämplig lag", "Lovvalg"},
	company.YearEnd:         {"End of the financial year", "Ende des Geschäftsjahres", "Clôture de l’exercice", "Räkenskapsårets slut", "Regnskapsårets slutt"},
	company.Founded:         {"Founding date", "Gründungsdatum", "Date de création", "Bildad", "Stiftet"},
	company.Dissolved:       {"Date of dissolution", "Auflösungsdatum", "Date de dissolution", "Upplöst", "Oppløst"},
	company.FieldActivity:   {"Activity", "Tätigkeit", "Activité", "Verksamhet", "Virksomhet"},
	company.FieldAddress:    {"Address", "Anschrift", "Adresse", "Adress", "Adresse"},
	company.Phone:           {"Telephone", "Telefon", "Téléphone", "Telefon", "Telefon"},
	company.Email:           {"E-mail", "E-Mail", "Courriel", "E-post", "E-post"},
	company.Website:         {"Website", "Website", "Site web", "Webbplats", "Nettsted"},
	company.FieldEmployees:  {"Employees", "Beschäftigte", "Salariés", "Anställda", "Ansatte"},
	company.Capital:         {"Share capital", "Stammkapital", "Capital social", "Aktiekapital", "Aksjekapital"},
	company.OfficerIn:       {"Officer appointed", "Bestellung", "Nomination", "Tillträdde", "Tiltrådte"},
	company.OfficerOut:      {"Officer left", "Ausscheiden", "Départ", "Avgick", "Fratrådte"},
	company.OfficerChanged:  {"Officer’s details", "Angaben zu einer Leitungsperson", "Données d’un dirigeant", "Uppgifter om befattningshavare", "Opplysninger om rolleinnehaver"},
	company.OfficerPast:     {"Past officer", "Frühere Leitungsperson", "Ancien dirigeant", "Tidigare befattningshavare", "Tidligere rolleinnehaver"},
	company.OwnerIn:         {"Owner added", "Neuer Eigentümer", "Nouveau détenteur", "Ny ägare", "Ny eier"},
	company.OwnerOut:        {"Owner ceased", "Eigentümer ausgeschieden", "Détenteur sortant", "Ägare utgick", "Eier gikk ut"},
	company.OwnerChanged:    {"Owner’s share or details", "Anteil oder Angaben eines Eigentümers", "Part ou données d’un détenteur", "Ägares andel eller uppgifter", "Eiers andel eller opplysninger"},
	company.Group:           {"Group", "Konzern", "Groupe", "Koncern", "Konsern"},
	company.AccountsFiled:   {"Accounts filed", "Jahresabschluss eingereicht", "Comptes déposés", "Årsredovisning lämnad", "Årsregnskap levert"},
	company.AccountsChanged: {"Accounts corrected", "Jahresabschluss berichtigt", "Comptes rectifiés", "Årsredovisning rättad", "Årsregnskap rettet"},
	company.AccountsDue:     {"Accounts due", "Jahresabschluss fällig", "Échéance des comptes", "Årsredovisning ska lämnas", "Frist for årsregnskap"},
	company.AccountsOverdue: {"Accounts overdue", "Jahresabschluss überfällig", "Comptes en retard", "Årsredovisning försenad", "Årsregnskap for sent"},
	company.ReturnDue:       {"Annual return due", "Jahresmeldung fällig", "Échéance de la déclaration", "Årsuppgift ska lämnas", "Frist for årsmelding"},
	company.NewFiling:       {"Document filed", "Dokument eingereicht", "Document déposé", "Handling inlämnad", "Dokument levert"},
	company.NewNotice:       {"Notice", "Bekanntmachung", "Annonce", "Kungörelse", "Kunngjøring"},
	company.ChargesChanged:  {"Charges", "Sicherungsrechte", "Sûretés", "Panträtter", "Heftelser"},
	company.ScoreValue:      {"Score", "Bonitätswert", "Note", "Poäng", "Poengsum"},
	company.ScoreBand:       {"Band", "Klasse", "Classe", "Klass", "Klasse"},
	company.ScoreLimit:      {"Credit limit", "Kreditlimit", "Limite de crédit", "Kreditgräns", "Kredittgrense"},
	company.LEI:             {"LEI", "LEI", "LEI", "LEI", "LEI"},
	company.LEIStatus:       {"LEI status", "LEI-Status", "Statut du LEI", "LEI-status", "LEI-status"},
	company.VAT:             {"VAT number", "USt-IdNr.", "Numéro de TVA", "Momsnummer", "MVA-nummer"},
	company.RegNo:           {"Register number", "Registernummer", "Numéro d’immatriculation", "Organisationsnummer", "Organisasjonsnummer"},
	company.FieldWithheld:   {"Withheld by the publisher", "Vom Herausgeber zurückgehalten", "Retenu par l’éditeur", "Undanhålls av utgivaren", "Holdes tilbake av utgiveren"},
	company.Listed:          {"On a sanctions list", "Auf einer Sanktionsliste", "Sur une liste de sanctions", "På en sanktionslista", "På en sanksjonsliste"},
}

// changed is what a change is about, in words.
func (v vocabulary) changed(f company.Field) string {
	if words, ok := changeWords[f]; ok {
		return words.in(v, "")
	}
	return string(f)
}
