package console

import (
	"strconv"
	"time"

	"bureau/internal/auth"
	"bureau/internal/monitor"
)

type portfoliosData struct {
	Portfolios []portfolioRow
}

// portfolios lists what the visitor watches.
func (s *Server) portfolios(v *visit) error {
	if err := s.needs(v, auth.Monitoring, ""); err != nil {
		return err
	}
	list, err := s.portfolioRows(v.ctx(), v.by, s.Now().Add(-24*time.Hour))
	if err != nil {
		return err
	}
	return s.show(v, page{name: "portfolios", title: "Portfolios", here: "Portfolios", data: portfoliosData{list}})
}

// createPortfolio makes one.
func (s *Server) createPortfolio(v *visit) error {
	if err := s.needs(v, auth.Monitoring, ""); err != nil {
		return err
	}
	p, err := s.Portfolios.Create(v.ctx(), v.by, monitor.Portfolio{Name: v.text("name"), Digest: monitor.Digest{Language: "en"}})
	if err != nil {
		return err
	}
	return v.redirect(portfolioPath(p.ID), "portfolio")
}

func portfolioPath(id monitor.PortfolioID) string {
	return Path + "/portfolios/" + strconv.FormatInt(int64(id), 10)
}
