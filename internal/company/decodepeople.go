package company

func readOfficer(r *reader, o *Officer, key []byte) {
	switch string(key) {
	case "ro":
		o.Role = r.quoted()
	case "rt":
		o.RoleText = r.quoted()
	case "fr":
		o.From = Date(r.quoted())
	case "un":
		o.Until = Date(r.quoted())
	default:
		readPerson(r, &o.Person, key)
	}
}

func readOwner(r *reader, o *Owner, key []byte) {
	switch string(key) {
	case "nt":
		o.Natures = r.texts()
	case "sm":
		r.other(&o.ShareMin)
	case "sx":
		r.other(&o.ShareMax)
	case "in":
		o.Indirect = r.yes()
	case "fr":
		o.From = Date(r.quoted())
	case "un":
		o.Until = Date(r.quoted())
	default:
		readPerson(r, &o.Person, key)
	}
}

func readPerson(r *reader, p *Person, key []byte) {
	switch string(key) {
	case "i":
		p.ID = r.quoted()
	case "co":
		p.Company = r.yes()
	case "n":
		p.Name = r.quoted()
	case "t":
		p.Title = r.quoted()
	case "f":
		p.First = r.quoted()
	case "m":
		p.Middle = r.quoted()
	case "s":
		p.Surname = r.quoted()
	case "b":
		p.Birth = Date(r.quoted())
	case "na":
		p.Nationality = r.quoted()
	case "re":
		p.Residence = r.quoted()
	case "oc":
		p.Occupation = r.quoted()
	case "g":
		p.Gender = r.quoted()
	case "a":
		p.Address = new(Address)
		r.fields(func(key []byte) { readAddress(r, p.Address, key) })
	case "r":
		p.RegNo = r.quoted()
	case "cc":
		p.Country = r.quoted()
	case "l":
		p.LEI = r.quoted()
	case "p":
		p.Protected = r.yes()
	default:
		r.failed = true
	}
}
