package console

import (
	"slices"
	"strconv"

	"bureau/internal/company"
	"bureau/internal/fault"
)

// importsMost is how many imports are listed, and refusedMost how many refused
// records are shown.
const (
	importsMost = 100
	refusedMost = 200
)

type importsData struct {
	List      []company.Import
	Companies int64
	Busy      bool // one of them may be under way
}

// registerImports lists what was imported into the register and the lists.
func (s *Server) registerImports(v *visit) error {
	list, err := s.Companies.Store.Imports(v.ctx(), importsMost)
	if err != nil {
		return err
	}
	n, err := s.Companies.Store.Count(v.ctx())
	if err != nil {
		return err
	}
	d := importsData{List: list, Companies: n}
	d.Busy = slices.ContainsFunc(list, func(i company.Import) bool { return i.FinishedAt.IsZero() && i.Error == "" })
	p := page{name: "imports", title: "Imports", here: "Imports", data: d}
	if v.partial() {
		return s.part(v, p, "importRows")
	}
	return s.show(v, p)
}

// A Refused is a record that an import put aside.
type Refused struct {
	File   string `json:"file"`
	Line   int64  `json:"line"`
	Error  string `json:"error"`
	Record string `json:"record"`
}

type importData struct {
	company.Import
	Shown []Refused
}

// registerImport shows one import, with what it refused and why.
func (s *Server) registerImport(v *visit) error {
	list, err := s.Companies.Store.Imports(v.ctx(), importsMost)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(list, func(i company.Import) bool { return strconv.FormatInt(i.ID, 10) == v.r.PathValue("id") })
	if i < 0 {
		return fault.Missing.Errorf("Import not found")
	}
	d := importData{Import: list[i]}
	if d.Shown, err = s.Refused(list[i], refusedMost); err != nil {
		return err
	}
	return s.show(v, page{name: "import", title: "Import of " + d.Source, here: "Imports", data: d})
}
