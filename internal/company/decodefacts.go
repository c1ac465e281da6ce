package company

// read takes one fact.
func (f *Facts) read(r *reader, key []byte) {
	switch string(key) {
	case "n":
		f.Name = r.quoted()
	case "nn":
		f.Names = readItems(r, readName)
	case "r":
		f.RegNo = r.quoted()
	case "ra":
		f.Register = r.quoted()
	case "l":
		f.LEI = r.quoted()
	case "v":
		f.VAT = r.texts()
	case "sn":
		f.SafeNo = r.quoted()
	case "s":
		f.Status = Status(r.quoted())
	case "st":
		f.StatusText = r.quoted()
	case "ss":
		f.StatusSince = Date(r.quoted())
	case "fd":
		f.Founded = Date(r.quoted())
	case "dd":
		f.Dissolved = Date(r.quoted())
	case "f":
		r.fields(func(key []byte) { readForm(r, &f.Form, key) })
	case "k":
		f.Kind = Kind(r.quoted())
	case "ju":
		f.Jurisdiction = r.quoted()
	case "ye":
		f.YearEnd = r.quoted()
	case "a":
		f.Activities = readItems(r, readActivity)
	case "ad":
		f.Addresses = readItems(r, readAddress)
	case "ph":
		f.Phones = r.texts()
	case "w":
		f.Websites = r.texts()
	case "du":
		r.fields(func(key []byte) { readDue(r, &f.Due, key) })
	default:
		f.readRest(r, key)
	}
}

// readRest takes a fact that fewer records have.
func (f *Facts) readRest(r *reader, key []byte) {
	switch string(key) {
	case "oi":
		f.OtherIDs = readItems(r, readOtherID)
	case "sg":
		f.Signing = r.quoted()
	case "em":
		f.Emails = r.texts()
	case "e":
		f.Employees = readItems(r, readEmployees)
	case "c":
		r.fields(func(key []byte) { readMoney(r, &f.Capital, key) })
	case "o":
		f.Officers = readItems(r, readOfficer)
	case "ow":
		f.Owners = readItems(r, readOwner)
	case "g":
		f.Links = readItems(r, readLink)
	case "ac":
		f.Accounts = readItems(r, readAccounts)
	case "fi":
		f.Filings = readItems(r, readFiling)
	case "no":
		f.Notices = readItems(r, readNotice)
	case "ls":
		f.LEIStatus = r.quoted()
	case "lr":
		f.LEIRenewal = Date(r.quoted())
	case "sc":
		f.Score = new(Score)
		r.fields(func(key []byte) { readScore(r, f.Score, key) })
	case "ch":
		f.Charges = new(Charges)
		r.fields(func(key []byte) { readCharges(r, f.Charges, key) })
	case "sup":
		f.Suppressed = r.texts()
	case "wh":
		f.Withheld = r.yes()
	default:
		r.failed = true
	}
}

func readName(r *reader, n *Name, key []byte) {
	switch string(key) {
	case "t":
		n.Text = r.quoted()
	case "k":
		n.Kind = NameKind(r.quoted())
	case "l":
		n.Lang = r.quoted()
	case "f":
		n.From = Date(r.quoted())
	case "u":
		n.Until = Date(r.quoted())
	default:
		r.failed = true
	}
}

func readForm(r *reader, f *Form, key []byte) {
	switch string(key) {
	case "c":
		f.Code = r.quoted()
	case "t":
		f.Text = r.quoted()
	default:
		r.failed = true
	}
}

func readActivity(r *reader, a *Activity, key []byte) {
	switch string(key) {
	case "s":
		a.Scheme = r.quoted()
	case "c":
		a.Code = r.quoted()
	case "t":
		a.Text = r.quoted()
	default:
		r.failed = true
	}
}

func readAddress(r *reader, a *Address, key []byte) {
	switch string(key) {
	case "k":
		a.Kind = AddressKind(r.quoted())
	case "co":
		a.CareOf = r.quoted()
	case "l":
		a.Lines = r.texts()
	case "s":
		a.Street = r.quoted()
	case "h":
		a.House = r.quoted()
	case "c":
		a.City = r.quoted()
	case "p":
		a.Post = r.quoted()
	case "r":
		a.Region = r.quoted()
	case "cc":
		a.Country = r.quoted()
	case "u":
		a.Until = Date(r.quoted())
	default:
		r.failed = true
	}
}

func readDue(r *reader, d *Due, key []byte) {
	switch string(key) {
	case "al":
		d.AccountsLast = Date(r.quoted())
	case "an":
		d.AccountsNext = Date(r.quoted())
	case "ak":
		d.AccountsKind = r.quoted()
	case "rl":
		d.ReturnLast = Date(r.quoted())
	case "rn":
		d.ReturnNext = Date(r.quoted())
	default:
		r.failed = true
	}
}

func readMoney(r *reader, m *Money, key []byte) {
	switch string(key) {
	case "m":
		m.Minor = r.number()
	case "c":
		m.Currency = r.quoted()
	default:
		r.failed = true
	}
}

func readScore(r *reader, s *Score, key []byte) {
	switch string(key) {
	case "v":
		s.Value = int(r.number())
	case "b":
		s.Band = r.quoted()
	case "l":
		r.fields(func(key []byte) { readMoney(r, &s.Limit, key) })
	case "at":
		s.At = Date(r.quoted())
	case "r":
		s.Reasons = r.texts()
	case "p":
		s.Points = readItems(r, readPoint)
	case "nx":
		s.Next = Date(r.quoted())
	default:
		r.failed = true
	}
}

func readPoint(r *reader, p *Point, key []byte) {
	switch string(key) {
	case "r":
		p.Rule = r.quoted()
	case "p":
		p.Points = int(r.number())
	case "v":
		p.Value = r.quoted()
	default:
		r.failed = true
	}
}

func readCharges(r *reader, c *Charges, key []byte) {
	switch string(key) {
	case "t":
		c.Total = int(r.number())
	case "o":
		c.Outstanding = int(r.number())
	case "p":
		c.PartSatisfied = int(r.number())
	case "s":
		c.Satisfied = int(r.number())
	default:
		r.failed = true
	}
}

func readOtherID(r *reader, i *OtherID, key []byte) {
	switch string(key) {
	case "s":
		i.Scheme = r.quoted()
	case "i":
		i.ID = r.quoted()
	default:
		r.failed = true
	}
}

func readEmployees(r *reader, e *Employees, key []byte) {
	switch string(key) {
	case "y":
		e.Year = int(r.number())
	case "n":
		e.Count = r.number()
	case "r":
		e.Range = r.quoted()
	default:
		r.failed = true
	}
}

func readLink(r *reader, l *Link, key []byte) {
	switch string(key) {
	case "k":
		l.Kind = LinkKind(r.quoted())
	case "l":
		l.LEI = r.quoted()
	case "i":
		l.ID = ID(r.quoted())
	case "n":
		l.Name = r.quoted()
	case "c":
		l.Country = r.quoted()
	case "re":
		l.Reason = r.quoted()
	case "f":
		l.From = Date(r.quoted())
	case "u":
		l.Until = Date(r.quoted())
	default:
		r.failed = true
	}
}

func readAccounts(r *reader, a *Accounts, key []byte) {
	switch string(key) {
	case "e":
		a.End = Date(r.quoted())
	case "s":
		a.Start = Date(r.quoted())
	case "m":
		a.Months = int(r.number())
	case "c":
		a.Currency = r.quoted()
	case "g":
		a.Consolidated = r.yes()
	case "k":
		a.Kind = r.quoted()
	case "i":
		a.Items = r.numbers()
	default:
		r.failed = true
	}
}

func readFiling(r *reader, f *Filing, key []byte) {
	switch string(key) {
	case "d":
		f.Date = Date(r.quoted())
	case "t":
		f.Type = r.quoted()
	case "x":
		f.Text = r.quoted()
	case "r":
		f.Ref = r.quoted()
	default:
		r.failed = true
	}
}

func readNotice(r *reader, n *Notice, key []byte) {
	switch string(key) {
	case "d":
		n.Date = Date(r.quoted())
	case "k":
		n.Kind = r.quoted()
	case "t":
		n.Text = r.quoted()
	case "r":
		n.Ref = r.quoted()
	default:
		r.failed = true
	}
}
