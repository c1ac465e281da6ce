package eu

import (
	"errors"
	"io"
	"strings"

	"bureau/internal/company"
	"bureau/internal/importer/listfile"
	"bureau/internal/kyc"
)

// An entity is a sanctionEntity.
type entity struct {
	ID          string   `xml:"logicalId,attr"`
	Reference   string   `xml:"euReferenceNumber,attr"`
	UN          string   `xml:"unitedNationId,attr"`
	Details     string   `xml:"designationDetails,attr"`
	Remarks     []string `xml:"remark"`
	Regulations []struct {
		Title     string `xml:"numberTitle,attr"`
		Programme string `xml:"programme,attr"`
		Published string `xml:"publicationDate,attr"`
		Link      string `xml:"publicationUrl"`
	} `xml:"regulation"`
	Subject struct {
		Code  string `xml:"code,attr"`
		Class string `xml:"classificationCode,attr"`
	} `xml:"subjectType"`
	Names []struct {
		First    string `xml:"firstName,attr"`
		Middle   string `xml:"middleName,attr"`
		Last     string `xml:"lastName,attr"`
		Whole    string `xml:"wholeName,attr"`
		Function string `xml:"function,attr"`
		Gender   string `xml:"gender,attr"`
		Title    string `xml:"title,attr"`
		Strong   string `xml:"strong,attr"`
	} `xml:"nameAlias"`
	Citizenships []struct {
		Country string `xml:"countryIso2Code,attr"`
	} `xml:"citizenship"`
	Births []struct {
		Date     string `xml:"birthdate,attr"`
		Day      string `xml:"dayOfMonth,attr"`
		Month    string `xml:"monthOfYear,attr"`
		Year     string `xml:"year,attr"`
		From     string `xml:"yearRangeFrom,attr"`
		To       string `xml:"yearRangeTo,attr"`
		Circa    string `xml:"circa,attr"`
		Calendar string `xml:"calendarType,attr"`
		City     string `xml:"city,attr"`
		Place    string `xml:"place,attr"`
		Region   string `xml:"region,attr"`
		Country  string `xml:"countryIso2Code,attr"`
	} `xml:"birthdate"`
	IDs []struct {
		Number  string `xml:"number,attr"`
		Code    string `xml:"identificationTypeCode,attr"`
		Word    string `xml:"identificationTypeDescription,attr"`
		Country string `xml:"countryIso2Code,attr"`
		False   string `xml:"knownFalse,attr"`
		Remark  string `xml:"remark"`
	} `xml:"identification"`
	Addresses []struct {
		City    string `xml:"city,attr"`
		Street  string `xml:"street,attr"`
		Box     string `xml:"poBox,attr"`
		Post    string `xml:"zipCode,attr"`
		Region  string `xml:"region,attr"`
		Place   string `xml:"place,attr"`
		Country string `xml:"countryIso2Code,attr"`
		Remark  string `xml:"remark"`
	} `xml:"address"`
}

func readXML(in io.Reader, yield listfile.Reading) error {
	x := listfile.NewXML(in)
	var asOf company.Date
	for {
		path, err := x.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case !strings.HasPrefix(path, "export"):
			return errOtherFile
		case path == "export":
			day, _, _ := strings.Cut(x.Attr("generationDate"), "T")
			asOf = listfile.Day(day)
			continue
		case path != "export/sanctionEntity":
			continue
		}
		var from entity
		if err := x.Read(&from); err != nil {
			return err
		}
		rec := kyc.Record{Entry: from.entry(), AsOf: asOf}
		if from.ID == "" {
			err = x.Bad(rec.Main(), errors.New("it has no logicalId"))
		}
		if !yield(rec, err) {
			return nil
		}
	}
}

func (f *entity) entry() kyc.Entry {
	e := newEntry(f.ID)
	e.Kind = kindOf(f.Subject.Code, f.Subject.Class)
	numbers(&e, f.Reference, f.UN)
	for _, r := range f.Regulations {
		addSource(&e, regulation{r.Title, r.Programme, r.Published, strings.TrimSpace(r.Link)})
	}
	e.Remarks, e.Reasons = f.Remarks, []string{f.Details}
	for _, n := range f.Names {
		name := kyc.Name{Text: n.Whole, First: n.First, Middle: n.Middle, Last: n.Last, Weak: n.Strong == "false"}
		addName(&e, name, n.Gender, n.Title, n.Function)
	}
	for _, c := range f.Citizenships {
		e.Nationalities = append(e.Nationalities, country(c.Country))
	}
	for _, b := range f.Births {
		if d, ok := (birth{b.Date, b.Day, b.Month, b.Year, b.From, b.To, b.Circa, b.Calendar}).kept(); ok {
			e.Born = append(e.Born, d)
		}
		e.BirthPlaces = append(e.BirthPlaces, listfile.Join(", ", b.City, b.Place, b.Region, country(b.Country)))
	}
	for _, i := range f.IDs {
		if i.False == "true" {
			continue // the publisher knows that it is not the subject's
		}
		addIdentification(&e, identification{i.Number, i.Code, i.Word, i.Country, i.Remark})
	}
	for _, a := range f.Addresses {
		e.Addresses = append(e.Addresses, kyc.Address{
			Line: listfile.Join(", ", a.Street, a.Box, a.Place), City: a.City, Region: a.Region, Post: a.Post, Country: country(a.Country), Note: a.Remark,
		})
	}
	return e
}
