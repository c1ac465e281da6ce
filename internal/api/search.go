package api

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/fault"
)

// searchRows are the ways to find companies and people. What shows people counts
// itself, with who was looked at.
func (s *Server) searchRows() []route {
	return []route{
		get("/companies/searchcriteria", auth.Companies, "companySearchCriteria", "What companies can be searched by", s.companyCriteria, free,
			about("For the countries you name: the parameters of a search, what each takes, and which of them a search needs.")),
		get("/companies", auth.Companies, "companySearch", "Search for companies", s.companySearch, free, busy,
			about("All that is asked for must hold. A name is found however it is mistyped, reordered or written in another script, the likeliest first; everything else is compared as it is, but for case, accents and stops.")),
		get("/companies/match", auth.Companies, "companyMatch", "Which company is meant", s.companyMatch, busy, matchCountry,
			about("The companies that a name means, with how sure that is (893 to 999), a grade for each part that was asked and reasons in words. What is known besides the name can confirm it or weaken it, never replace it.")),
		get("/companies/global", auth.Companies, "companyGlobalSearch", "Search for the places of companies in all countries", s.companyGlobal, free, busy,
			about("Every place of the companies that are found, in every country that you may use: where they are registered, head offices, branches and trading addresses, and of the likeliest also their subsidiaries, whatever those are called. A company has an entry for each of its places.")),
		get("/people/searchcriteria", auth.People, "peopleSearchCriteria", "What people can be searched by", s.peopleCriteria, free,
			about("For the countries you name: the parameters of a search for directors, what each takes, and which of them a search needs.")),
		get("/people", auth.People, "peopleSearch", "Search for directors", s.peopleSearch, busy, free,
			about("An entry is a person, with the company that they were appointed to last. A name is found however it is written, the likeliest first. A date of birth is compared as far as the month.")),
		get("/people/{peopleId}", auth.People, "person", "A director and their companies", s.person, free,
			about("The companies on whose boards somebody sits, and those on whose boards they sat.")),
	}
}

// busy is for what needs the index of names, which takes a while to be ready
// after a start.
func busy(r *route) { r.fails = append(r.fails, 503) }

// PageFromOne is what lists take that count their pages from 1.
type PageFromOne struct {
	Page  int    `query:"page" minimum:"1" maximum:"1000000" default:"1" doc:"Which page, from 1."`
	Size  int    `query:"pageSize" minimum:"1" maximum:"1000" default:"50" doc:"Entries on a page."`
	After string `query:"after" doc:"Only what comes behind: the cursor of the answer before, with the same criteria. It neither skips nor repeats an entry."`
}

// skip is how many entries lie before the page. Behind a cursor none does.
func (f *PageFromOne) skip() int {
	if f.After != "" {
		return 0
	}
	return (f.Page - 1) * f.Size
}

// WhatToFind are the criteria of companySearch and companyGlobal.
type WhatToFind struct {
	ID         string `query:"id" maxLength:"100" doc:"A connectId, in any of its forms, or a safe number." example:"GB-0-99000001"`
	SafeNo     string `query:"safeNo" maxLength:"100" doc:"A safe number."`
	RegNo      string `query:"regNo" maxLength:"100" doc:"The number in the company's register."`
	VATNo      string `query:"vatNo" maxLength:"100" doc:"A VAT number, with or without its country."`
	Name       string `query:"name" maxLength:"200" doc:"A name: the present one, a former one, a trading name, or one in another script."`
	TradeName  string `query:"tradeName" maxLength:"200" doc:"A trading name."`
	Acronym    string `query:"acronym" maxLength:"200" doc:"A short name, as it is."`
	Exact      bool   `query:"exact" doc:"The name must be equal, but for case, accents and stops."`
	Address    string `query:"address" maxLength:"300" doc:"A free address: all its words are in one address of the company. It needs a post code, a town or a street."`
	Street     string `query:"street" maxLength:"200" doc:"A street, with or without a number."`
	HouseNo    string `query:"houseNo" maxLength:"50" doc:"The number of the house."`
	City       string `query:"city" maxLength:"200" doc:"A town."`
	PostCode   string `query:"postCode" maxLength:"50" doc:"A post code; SW1* finds all that begin so."`
	Province   string `query:"province" maxLength:"200" doc:"A province, county or state."`
	OfficeType string `query:"officeType" enum:"registered,trading,headOffice,branch,subsidiary,franchise,franchisor,singleOffice,other" doc:"What the place is."`
	PhoneNo    string `query:"phoneNo" maxLength:"300" doc:"A telephone number, or several with commas between them: any of them."`
	Status     string `query:"status" enum:"Active,NonActive,Pending,Other" doc:"What has become of the company."`
	Type       string `query:"type" enum:"NotSet,Ltd,NonLtd,NonLtdNonReg" doc:"The kind of company."`
	Website    string `query:"website" maxLength:"300" doc:"A web site: its host is compared."`

	PreviousNames    bool `query:"includePreviousName" default:"true" doc:"With false, former names do not count."`
	TradingNames     bool `query:"includeTradingNames" default:"true" doc:"With false, trading names do not count."`
	TradingAddresses bool `query:"includeTradingAddresses" default:"true" doc:"With false, trading addresses and branches do not count."`

	Language   string `query:"language" doc:"Two letters: the language of the words that we add."`
	CustomData string `query:"customData" doc:"Taken for the sake of clients that send it."`
	CallRef    string `query:"callRef" doc:"Your own reference for the call."`
}

// wrongs collects what is wrong with a call.
type wrongs []string

func (w *wrongs) say(field, format string, args ...any) {
	*w = append(*w, field+": "+fmt.Sprintf(format, args...))
}

// fault is nil where nothing is wrong.
func (w wrongs) fault() error {
	if len(w) == 0 {
		return nil
	}
	return fault.Invalid.Details("Bad request", w...)
}

// criteria reads what to find, and says of each value that is wrong why.
func (in *WhatToFind) criteria(wrong *wrongs) company.Criteria {
	in.trim()
	if in.Language != "" && !twoLetters.MatchString(in.Language) {
		wrong.say("language", "%q is not a language: use two letters such as en", fault.Clip(in.Language))
	}
	for _, t := range []struct{ field, text string }{
		{"name", in.Name},
		{"tradeName", in.TradeName},
		{"acronym", in.Acronym},
		{"street", in.Street},
		{"city", in.City},
		{"address", in.Address},
		{"province", in.Province},
	} {
		if t.text != "" && len([]rune(t.text)) < 2 {
			wrong.say(t.field, "%q is too short: at least 2 characters", t.text)
		}
	}
	for _, t := range []struct{ field, text string }{
		{"id", in.ID}, {"safeNo", in.SafeNo}, {"regNo", in.RegNo}, {"vatNo", in.VATNo}, {"phoneNo", in.PhoneNo},
	} {
		if t.text != "" && !strings.ContainsAny(t.text, "0123456789") {
			wrong.say(t.field, "%q has no digit", fault.Clip(t.text))
		}
	}
	if stem, wild := strings.CutSuffix(in.PostCode, "*"); strings.Contains(stem, "*") || wild && len(strings.ReplaceAll(stem, " ", "")) < 2 {
		wrong.say("postCode", "%q: a * stands at the end, behind at least 2 characters", fault.Clip(in.PostCode))
	}
	c := company.Criteria{
		ID: in.ID, SafeNo: in.SafeNo, RegNo: in.RegNo, VAT: in.VATNo, Name: in.Name, TradeName: in.TradeName, Acronym: in.Acronym,
		Exact: in.Exact, Address: in.Address, Street: in.Street, House: in.HouseNo, City: in.City, Post: in.PostCode, Region: in.Province,
		Phones: splitList(in.PhoneNo), Website: in.Website, Status: company.Status(in.Status), Kind: company.KindFilter(in.Type),
		Office:         company.Office(in.OfficeType),
		NoTradingNames: !in.TradingNames, NoFormerNames: !in.PreviousNames, NoTradingPlaces: !in.TradingAddresses,
	}
	if !in.namesAnything() {
		wrong.say("criteria", "there is nothing to look for: give at least one of %s", strings.Join(findingCriteria, ", "))
	}
	return c
}

// findingCriteria lead to companies; the others only narrow a search down.
var findingCriteria = []string{
	"id", "safeNo", "regNo", "vatNo", "name", "tradeName", "acronym", "address", "street", "city", "postCode", "province", "phoneNo", "website",
}

func (in *WhatToFind) namesAnything() bool {
	for _, text := range []string{
		in.ID, in.SafeNo, in.RegNo, in.VATNo, in.Name, in.TradeName, in.Acronym,
		in.Address, in.Street, in.City, in.PostCode, in.Province, in.PhoneNo, in.Website,
	} {
		if text != "" {
			return true
		}
	}
	return false
}

func (in *WhatToFind) trim() {
	for _, text := range []*string{
		&in.ID, &in.SafeNo, &in.RegNo, &in.VATNo, &in.Name, &in.TradeName, &in.Acronym, &in.Address, &in.Street,
		&in.HouseNo, &in.City, &in.PostCode, &in.Province, &in.PhoneNo, &in.Website, &in.Language,
	} {
		*text = strings.TrimSpace(*text)
	}
}

// anyCountry is what clients call the country that stands for all.
const anyCountry = "WW"

// countriesAsked reads a list of countries. WW stands for all that the caller
// may use, PLC for the listed companies in them.
func countriesAsked(text string, wrong *wrongs) (list []string, all, listed bool) {
	for _, part := range splitList(text) {
		code := strings.ToUpper(part)
		switch code {
		case anyCountry:
			all = true
		case listedCompanies:
			listed = true
		default:
			if _, err := knownCountry("countries", code); err != nil {
				wrong.say("countries", "%q is not a supported country: use two letters such as GB, with commas between several", fault.Clip(part))
			} else if !slices.Contains(list, code) {
				list = append(list, code)
			}
		}
	}
	if listed && (all || len(list) > 0) {
		wrong.say("countries", "%s stands alone: it means listed companies in all countries", listedCompanies)
	}
	slices.Sort(list)
	return list, all || listed, listed
}

// allowed checks that a caller may use a product in all countries of a list, or
// returns those in which they may where all are asked for.
func (s *Server) allowed(ctx context.Context, by auth.Caller, p auth.Product, list []string, all bool) ([]string, error) {
	if all {
		mine, everywhere := s.Gate.Countries(by, p)
		if everywhere {
			return nil, nil
		}
		return mine, nil
	}
	for _, country := range list {
		if err := s.Gate.Allow(ctx, by, p, country); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// cursorOf names a list: an operation and all that decides what is on it.
func cursorOf(operation string, criteria any) string {
	b, err := json.Marshal(criteria)
	if err != nil {
		panic(fmt.Sprintf("write criteria %T: %v", criteria, err)) // our own types
	}
	return operation + "\x00" + string(b)
}
