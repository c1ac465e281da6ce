package sirene

import (
	"strings"

	"bureau/internal/company"
)

// establishments reads the rows of StockEtablissement.
type establishments struct {
	siren, siret, shown, head, state, since         int
	extra, house, repeat, way, street, box          int
	post, city, cedexPost, cedexCity                int
	foreignCity, foreignCountry, foreignCountryName int
	names                                           [4]int
}

func newEstablishments(h header) *establishments {
	at := func(name string) int { return h[name+"Etablissement"] }
	return &establishments{
		siren: h["siren"], siret: h["siret"], head: h["etablissementSiege"], since: h["dateDebut"],
		shown: at("statutDiffusion"), state: at("etatAdministratif"),
		extra: at("complementAdresse"), house: at("numeroVoie"), repeat: at("indiceRepetition"),
		way: at("typeVoie"), street: at("libelleVoie"), box: at("distributionSpeciale"),
		post: at("codePostal"), city: at("libelleCommune"),
		cedexPost: at("codeCedex"), cedexCity: at("libelleCedex"),
		foreignCity: at("libelleCommuneEtranger"), foreignCountry: at("codePaysEtranger"),
		foreignCountryName: at("libellePaysEtranger"),
		names:              [4]int{at("enseigne1"), at("enseigne2"), at("enseigne3"), at("denominationUsuelle")},
	}
}

func (e *establishments) read(r row) (company.Statement, error) {
	siren, siret := r.at(e.siren), r.at(e.siret)
	if err := checkSiren(siren); err != nil {
		return company.Statement{}, err
	}
	if err := checkSiret(siret, siren); err != nil {
		return company.Statement{}, err
	}
	s := company.Statement{Country: "FR", Number: siren, Part: siret}
	s.Facts.OtherIDs = []company.OtherID{{Scheme: "SIRET", ID: siret}}
	if !shown(r.at(e.shown)) || r.hides(e.street, e.house, e.extra, e.names[0], e.names[3]) {
		s.Facts.Withheld = true
		return s, nil
	}
	if a, ok := e.address(r); ok {
		s.Facts.Addresses = []company.Address{a}
	}
	if r.at(e.state) != "A" {
		return s, nil // what a closed shop was called is no name of the company's
	}
	for _, c := range e.names {
		if text := r.at(c); text != "" {
			s.Facts.Names = append(s.Facts.Names, company.Name{Text: text, Kind: company.Trading})
		}
	}
	return s, nil
}

func (e *establishments) address(r row) (company.Address, bool) {
	a := company.Address{
		House:  strings.TrimSpace(r.at(e.house) + " " + r.at(e.repeat)),
		Street: strings.TrimSpace(r.at(e.way) + " " + r.at(e.street)),
		Post:   r.at(e.post), City: r.at(e.city), Country: "FR",
	}
	for _, c := range []int{e.extra, e.box} {
		if text := r.at(c); text != "" {
			a.Lines = append(a.Lines, text)
		}
	}
	if a.City == "" {
		a.Post, a.City = r.at(e.cedexPost), r.at(e.cedexCity)
	}
	if abroad := r.at(e.foreignCountry); abroad != "" {
		a.City = r.at(e.foreignCity)
		if a.Country = countries[abroad]; a.Country == "" && r.at(e.foreignCountryName) != "" {
			a.Lines = append(a.Lines, r.at(e.foreignCountryName))
		}
	}
	if a.Street == "" && a.City == "" && len(a.Lines) == 0 {
		return a, false
	}
	switch {
	case r.at(e.head) == "true":
		a.Kind = company.Registered
	case r.at(e.state) == "A":
		a.Kind = company.Branch
	default:
		a.Kind, a.Until = company.FormerAddress, date(r.at(e.since))
	}
	return a, true
}

// countries are those that most addresses abroad are in, by the publisher's
// code.
var countries = map[string]string{
	"99101": "DK", "99102": "IS", "99103": "NO", "99104": "SE", "99105": "FI", "99106": "EE", "99107": "LV",
	"99108": "LT", "99109": "DE", "99110": "AT", "99111": "BG", "99112": "HU", "99113": "LI", "99114": "RO",
	"99116": "CZ", "99117": "SK", "99118": "BA", "99119": "HR", "99121": "RS", "99122": "PL", "99123": "RU",
	"99125": "AL", "99126": "GR", "99127": "IT", "99128": "SM", "99130": "AD", "99131": "BE", "99132": "GB",
	"99134": "ES", "99135": "NL", "99136": "IE", "99137": "LU", "99138": "MC", "99139": "PT", "99140": "CH",
	"99144": "MT", "99145": "SI", "99155": "UA", "99207": "IL", "99208": "TR", "99216": "CN", "99217": "JP",
	"99226": "SG", "99230": "HK", "99239": "KR", "99247": "AE", "99254": "CY", "99350": "MA", "99351": "TN",
	"99352": "DZ", "99401": "CA", "99404": "US", "99405": "MX", "99416": "BR", "99501": "AU",
}
