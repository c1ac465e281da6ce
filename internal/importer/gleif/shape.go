package gleif

// A kind is one of the three files that the publisher makes.
type kind int

const (
	leis kind = iota + 1
	relationships
	exceptions
)

// A record is one of any kind, as it was read: what its kind does not have is
// empty.
type record struct {
	lei       string
	deleted   string // when, in a delta
	regStatus string
	updated   string
	renewal   string

	// of LEI records
	name           text
	others, ascii  []text
	legal, head    place
	authority      string
	otherAuthority string
	number         string
	jurisdiction   string
	category       string
	form, formText string
	status         string
	created        string
	expired        string
	family         node
	familyKind     string
	successors     []node
	events         []event

	// of relationships
	start, end node
	relation   string
	relStatus  string
	periods    []period

	// of reporting exceptions
	exception string
	reasons   []string
}

type text struct{ text, lang, kind string }

type place struct {
	first, number, inner, routing string
	more                          []string
	city, region, country, post   string
}

// A node is another entity that a record names.
type node struct{ lei, kind, name string }

type event struct{ kind, status, effective, recorded string }

type period struct{ kind, from, until string }

// reset empties a record and keeps its room.
func (r *record) reset() {
	legal, head := r.legal.more[:0], r.head.more[:0]
	*r = record{
		others: r.others[:0], ascii: r.ascii[:0], successors: r.successors[:0], events: r.events[:0],
		periods: r.periods[:0], reasons: r.reasons[:0],
	}
	r.legal.more, r.head.more = legal, head
}

// A place in the tree of a record: where the text of an element goes, and which
// elements there are in it. In a list, i is which of them.
type elem struct {
	text  func(r *record, i int) *string
	own   *elem            // with the text only, for formats that give it a name
	attrs map[string]*elem // their text only
	in    map[string]*elem
	count func(r *record) int // of a list: how many there are
}

// maxItems bounds the lists of a record. No real record comes near it.
const maxItems = 1000

// at is the i-th of a list, which grows as needed.
func at[T any](list *[]T, i int) *T {
	i = min(i, maxItems)
	for len(*list) <= i {
		*list = append(*list, *new(T))
	}
	return &(*list)[i]
}

func leaf(to func(r *record) *string) *elem {
	text := func(r *record, _ int) *string { return to(r) }
	return &elem{text: text, own: &elem{text: text}}
}

func branch(in map[string]*elem) *elem { return &elem{in: in} }

// list is an element that may come more than once.
func list[T any](of func(r *record) *[]T, text func(t *T) *string, attrs map[string]func(t *T) *string, in map[string]func(t *T) *string) *elem {
	field := func(f func(t *T) *string) *elem {
		text := func(r *record, i int) *string { return f(at(of(r), i)) }
		return &elem{text: text, own: &elem{text: text}}
	}
	e := &elem{
		count: func(r *record) int { return len(*of(r)) },
		attrs: map[string]*elem{}, in: map[string]*elem{},
	}
	if text != nil {
		e.own = field(text)
		e.text = e.own.text
	}
	for name, f := range attrs {
		e.attrs[name] = field(f)
	}
	for name, f := range in {
		e.in[name] = field(f)
	}
	return e
}

type fields[T any] = map[string]func(t *T) *string

func texts(of func(r *record) *[]text) *elem {
	return list(of, func(t *text) *string { return &t.text }, fields[text]{
		"lang": func(t *text) *string { return &t.lang },
		"type": func(t *text) *string { return &t.kind },
	}, nil)
}

func address(of func(r *record) *place) *elem {
	field := func(f func(p *place) *string) *elem {
		return leaf(func(r *record) *string { return f(of(r)) })
	}
	return branch(map[string]*elem{
		"FirstAddressLine":            field(func(p *place) *string { return &p.first }),
		"AddressNumber":               field(func(p *place) *string { return &p.number }),
		"AddressNumberWithinBuilding": field(func(p *place) *string { return &p.inner }),
		"MailRouting":                 field(func(p *place) *string { return &p.routing }),
		"AdditionalAddressLine": list(func(r *record) *[]string { return &of(r).more },
			func(s *string) *string { return s }, nil, nil),
		"City":       field(func(p *place) *string { return &p.city }),
		"Region":     field(func(p *place) *string { return &p.region }),
		"Country":    field(func(p *place) *string { return &p.country }),
		"PostalCode": field(func(p *place) *string { return &p.post }),
	})
}

// tree draws the records of each kind. What is not in it is passed over.
func tree(k kind) *elem {
	switch k {
	case leis:
		return branch(map[string]*elem{
			"LEI":          leaf(func(r *record) *string { return &r.lei }),
			"Entity":       entityElem(),
			"Registration": registration(),
			"Extension":    extension(),
		})
	case relationships:
		e := branch(map[string]*elem{
			"Relationship": relationshipElem(),
			"Registration": registration(),
			"Extension":    extension(),
		})
		// JSON wraps each record once more than XML does.
		e.in["RelationshipRecord"] = branch(map[string]*elem{
			"Relationship": e.in["Relationship"], "Registration": e.in["Registration"], "Extension": e.in["Extension"],
		})
		return e
	}
	return branch(map[string]*elem{
		"LEI":               leaf(func(r *record) *string { return &r.lei }),
		"ExceptionCategory": leaf(func(r *record) *string { return &r.exception }),
		"ExceptionReason": list(func(r *record) *[]string { return &r.reasons },
			func(s *string) *string { return s }, nil, nil),
		"Extension": extension(),
	})
}

func registration() *elem {
	return branch(map[string]*elem{
		"RegistrationStatus": leaf(func(r *record) *string { return &r.regStatus }),
		"LastUpdateDate":     leaf(func(r *record) *string { return &r.updated }),
		"NextRenewalDate":    leaf(func(r *record) *string { return &r.renewal }),
	})
}

// extension finds the mark of a deletion. Full files hold empty ones, which
// mean nothing.
func extension() *elem {
	when := leaf(func(r *record) *string { return &r.deleted })
	when.in = map[string]*elem{"DeletedAt": leaf(func(r *record) *string { return &r.deleted })}
	return branch(map[string]*elem{"Deletion": when})
}

func entityElem() *elem {
	name := leaf(func(r *record) *string { return &r.name.text })
	name.attrs = map[string]*elem{"lang": leaf(func(r *record) *string { return &r.name.lang })}
	family := branch(map[string]*elem{
		"AssociatedLEI":        leaf(func(r *record) *string { return &r.family.lei }),
		"AssociatedEntityName": leaf(func(r *record) *string { return &r.family.name }),
	})
	family.attrs = map[string]*elem{"type": leaf(func(r *record) *string { return &r.familyKind })}
	return branch(map[string]*elem{
		"LegalName": name,
		"OtherEntityNames": branch(map[string]*elem{
			"OtherEntityName": texts(func(r *record) *[]text { return &r.others }),
		}),
		"TransliteratedOtherEntityNames": branch(map[string]*elem{
			"TransliteratedOtherEntityName": texts(func(r *record) *[]text { return &r.ascii }),
		}),
		"LegalAddress":        address(func(r *record) *place { return &r.legal }),
		"HeadquartersAddress": address(func(r *record) *place { return &r.head }),
		"RegistrationAuthority": branch(map[string]*elem{
			"RegistrationAuthorityID":       leaf(func(r *record) *string { return &r.authority }),
			"OtherRegistrationAuthorityID":  leaf(func(r *record) *string { return &r.otherAuthority }),
			"RegistrationAuthorityEntityID": leaf(func(r *record) *string { return &r.number }),
		}),
		"LegalJurisdiction": leaf(func(r *record) *string { return &r.jurisdiction }),
		"EntityCategory":    leaf(func(r *record) *string { return &r.category }),
		"LegalForm": branch(map[string]*elem{
			"EntityLegalFormCode": leaf(func(r *record) *string { return &r.form }),
			"OtherLegalForm":      leaf(func(r *record) *string { return &r.formText }),
		}),
		"AssociatedEntity":     family,
		"EntityStatus":         leaf(func(r *record) *string { return &r.status }),
		"EntityCreationDate":   leaf(func(r *record) *string { return &r.created }),
		"EntityExpirationDate": leaf(func(r *record) *string { return &r.expired }),
		"SuccessorEntity": list(func(r *record) *[]node { return &r.successors }, nil, nil, fields[node]{
			"SuccessorLEI":        func(n *node) *string { return &n.lei },
			"SuccessorEntityName": func(n *node) *string { return &n.name },
		}),
		"LegalEntityEvents": branch(map[string]*elem{
			"LegalEntityEvent": list(func(r *record) *[]event { return &r.events }, nil, fields[event]{
				"event_status": func(e *event) *string { return &e.status },
			}, fields[event]{
				"LegalEntityEventType":          func(e *event) *string { return &e.kind },
				"LegalEntityEventEffectiveDate": func(e *event) *string { return &e.effective },
				"LegalEntityEventRecordedDate":  func(e *event) *string { return &e.recorded },
			}),
		}),
	})
}

func relationshipElem() *elem {
	nodeElem := func(of func(r *record) *node) *elem {
		return branch(map[string]*elem{
			"NodeID":     leaf(func(r *record) *string { return &of(r).lei }),
			"NodeIDType": leaf(func(r *record) *string { return &of(r).kind }),
		})
	}
	return branch(map[string]*elem{
		"StartNode":          nodeElem(func(r *record) *node { return &r.start }),
		"EndNode":            nodeElem(func(r *record) *node { return &r.end }),
		"RelationshipType":   leaf(func(r *record) *string { return &r.relation }),
		"RelationshipStatus": leaf(func(r *record) *string { return &r.relStatus }),
		"RelationshipPeriods": branch(map[string]*elem{
			"RelationshipPeriod": list(func(r *record) *[]period { return &r.periods }, nil, nil, fields[period]{
				"StartDate":  func(p *period) *string { return &p.from },
				"EndDate":    func(p *period) *string { return &p.until },
				"PeriodType": func(p *period) *string { return &p.kind },
			}),
		}),
	})
}
