package console

import (
	"bureau/internal/fault"
	"bureau/internal/monitor"
)

// imports shows the files that were sent to a portfolio, and takes more.
func (s *Server) imports(v *visit) error {
	d, err := s.openPortfolio(v, "import")
	if err != nil {
		return err
	}
	d.Imports, _, err = s.Imports.List(v.ctx(), v.by, d.ID, monitor.ImportQuery{Limit: 20})
	if err != nil {
		return err
	}
	for _, i := range d.Imports {
		d.Busy = d.Busy || i.State == "waiting" || i.State == "working"
	}
	p := page{name: "portfolio", title: clip(d.Name, 100), here: "Portfolios", data: d}
	if v.partial() {
		return s.part(v, p, "importList")
	}
	return s.show(v, p)
}

// sendImport takes a file. It is worked on after the answer.
func (s *Server) sendImport(v *visit) error {
	d, err := s.openPortfolio(v, "import")
	if err != nil {
		return err
	}
	sync := v.r.FormValue("sync") != ""
	if err := s.Imports.May(v.ctx(), v.by, d.ID, sync); err != nil {
		return err
	}
	file, _, err := v.r.FormFile("file")
	if err != nil {
		return fault.Invalid.Errorf("choose a file: a CSV with a company on each line")
	}
	defer file.Close()
	up, err := s.Imports.Upload(v.ctx(), file)
	if err != nil {
		return err
	}
	if _, err := s.Imports.Begin(v.ctx(), v.by, d.ID, sync, up, ""); err != nil {
		return err
	}
	return v.redirect(portfolioPath(d.ID)+"/import", "")
}
