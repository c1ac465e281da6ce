package kyc

import (
	"slices"
	"time"

	"bureau/internal/company"
)

// A List is one that we can read, whether or not it is loaded.
type List struct {
	Name     string
	Title    string
	Bodies   []Body
	Datasets []Dataset     // what its entries can be listed for
	Limit    time.Duration // how old it may grow before every answer says so; 0: it does not age
}

const day = 24 * time.Hour

// Names of lists, as they are stored.
const (
	OFACSDN          = "ofac-sdn"
	OFACConsolidated = "ofac-consolidated"
	UNSanctions      = "un-sanctions"
	EUSanctions      = "eu-sanctions"
	UKSanctions      = "uk-sanctions"
	UKOFSI           = "uk-ofsi"
	SwissSanctions   = "seco"
	CanadaSanctions  = "canada-sanctions"
	DeniedPersons    = "bis-denied"
	OpenSanctions    = "opensanctions"
	Watchlist        = "watchlist"
	Sandbox          = "sandbox"
)

// Lists are all of them. The publishers of sanctions change their lists from one
// day to the next; a week is what a missed refresh may cost before it is told.
var Lists = []List{
	{OFACSDN, "OFAC Specially Designated Nationals", []Body{OFAC}, []Dataset{SANCurrent}, 7 * day},
	{OFACConsolidated, "OFAC Consolidated (non-SDN) list", []Body{OFAC}, []Dataset{SANCurrent}, 7 * day},
	{UNSanctions, "UN Security Council Consolidated List", []Body{UN}, []Dataset{SANCurrent}, 7 * day},
	{EUSanctions, "EU consolidated list of financial sanctions", []Body{EU}, []Dataset{SANCurrent}, 7 * day},
	{UKSanctions, "UK Sanctions List", []Body{UK}, []Dataset{SANCurrent}, 7 * day},
	{UKOFSI, "OFSI consolidated list of UK financial sanctions targets", []Body{UK}, []Dataset{SANCurrent}, 7 * day},
	{SwissSanctions, "SECO sanctions list of Switzerland", []Body{SECO}, []Dataset{SANCurrent, SANFormer}, 7 * day},
	{CanadaSanctions, "Consolidated Canadian Autonomous Sanctions List", []Body{Canada}, []Dataset{SANCurrent}, 7 * day},
	{DeniedPersons, "BIS Denied Persons List", []Body{BIS}, []Dataset{SANCurrent}, 30 * day},
	{OpenSanctions, "OpenSanctions", bodies, datasets, 7 * day},
	{Watchlist, "The operator's own watchlist", nil, datasets, 0},
	{Sandbox, "The sandbox's list of invented people, companies and ships", []Body{SandboxBody}, datasets, 0},
}

// FindList returns a list by its name. One that we do not know has nothing but
// that name.
func FindList(name string) List {
	if i := slices.IndexFunc(Lists, func(l List) bool { return l.Name == name }); i >= 0 {
		return Lists[i]
	}
	return List{Name: name, Title: name}
}

// A Loaded is a list that is in the store.
type Loaded struct {
	List     string
	Version  int64     // the newest; 0 if none was finished
	File     string    // what was imported last, by its name or the address it was fetched from
	Entries  int64     // how many there are in it
	LoadedAt time.Time // when an import of it last ended
	AsOf     time.Time // what day it speaks of: the publisher's own if it names one
}

// Age is how old what the list says is.
func (l Loaded) Age(now time.Time) time.Duration { return max(0, now.Sub(l.AsOf)) }

// Old says whether a list is older than it may grow.
func (l Loaded) Old(now time.Time) bool {
	limit := FindList(l.List).Limit
	return limit > 0 && l.Age(now) > limit
}

// A Version is a list as one import left it.
type Version struct {
	Number  int64 // grows from import to import, over all lists
	List    string
	File    string
	At      time.Time    // when it came into force
	AsOf    company.Date // the publisher's own date; empty if it names none
	Entries int64
	Added   int64
	Changed int64
	Removed int64
}

// A Change is an entry that came, changed or went.
type Change struct {
	Number  int64
	Version int64
	List    string
	Entry   EntryID
	Kind    ChangeKind
}

// An EntryID is an entry's number with us: the same for all of its versions, and
// never another's.
type EntryID int64

// A ChangeKind is what happened to an entry.
type ChangeKind string

const (
	Added   ChangeKind = "added"
	Changed ChangeKind = "changed"
	Removed ChangeKind = "removed"
)
