package sirene

import "bureau/internal/company"

// forms are the names of the legal forms that are common, by the publisher's
// code, or by its first two digits.
var forms = map[string]string{
	"10": "Entrepreneur individuel", "1000": "Entrepreneur individuel",
	"21": "Indivision", "22": "Société créée de fait", "23": "Société en participation", "24": "Fiducie",
	"31": "Société étrangère immatriculée au RCS", "32": "Personne morale de droit étranger",
	"41": "Établissement public industriel ou commercial",
	"52": "Société en nom collectif (SNC)", "53": "Société en commandite",
	"5308": "Société en commandite par actions (SCA)",
	"54":   "Société à responsabilité limitée (SARL)", "5498": "SARL unipersonnelle (EURL)",
	"55": "Société anonyme à conseil d'administration (SA)",
	"56": "Société anonyme à directoire (SA)",
	"57": "Société par actions simplifiée (SAS)", "5720": "SAS à associé unique (SASU)",
	"58": "Société européenne (SE)",
	"61": "Caisse d'épargne et de prévoyance", "62": "Groupement d'intérêt économique (GIE)",
	"63": "Société coopérative agricole", "64": "Société d'assurance mutuelle",
	"65": "Société civile", "6540": "Société civile immobilière (SCI)",
	"71": "Administration de l'État", "72": "Collectivité territoriale", "73": "Établissement public administratif",
	"81": "Organisme de sécurité sociale", "83": "Comité d'entreprise", "84": "Organisme professionnel",
	"91": "Syndicat de copropriété", "92": "Association", "93": "Fondation",
}

// form tells what a legal form is called, and whether its members answer with
// what they paid in only.
func form(code string) (company.Form, company.Kind) {
	if len(code) != 4 {
		return company.Form{Code: code}, ""
	}
	text, ok := forms[code]
	if !ok {
		text = forms[code[:2]]
	}
	f := company.Form{Code: code, Text: text}
	switch code[:2] {
	case "54", "55", "56", "57", "58", "51":
		return f, company.Ltd
	case "53":
		// Of partnerships with shares (SCA) the shareholders are limited.
		if code == "5308" || code == "5309" || code == "5385" {
			return f, company.Ltd
		}
		return f, company.NonLtd
	case "31", "32", "00":
		return f, "" // a foreign form, or a fund: the code does not say
	}
	return f, company.NonLtd
}
