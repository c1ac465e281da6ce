package console

import (
	"slices"
	"strconv"

	"bureau/internal/auth"
)

// jobs lists the work in the background of this node.
func (s *Server) jobs(v *visit) error {
	return s.show(v, page{name: "jobs", title: "Jobs", here: "Jobs", data: s.Health.Works()})
}

// keys lists what signs tokens and the audit log.
func (s *Server) keys(v *visit) error {
	list := s.Directory.Keys()
	slices.Reverse(list)
	return s.show(v, page{name: "keys", title: "Keys", here: "Keys", data: list})
}

// rotateKey makes a new signing key before its time.
func (s *Server) rotateKey(v *visit) error {
	if _, err := s.Office.RotateKey(v.ctx(), false); err != nil {
		return err
	}
	return v.redirect(Path+"/operator/keys", "key")
}

type auditData struct {
	List   []auditRow
	Head   int64
	Signed int
	Next   string
}

type auditRow struct {
	auth.Entry
	CustomerName, UserKey string
}

const auditPerPage = 200

// audit shows the audit log, the newest first.
func (s *Server) audit(v *visit) error {
	head, signed, err := s.Audit.AuditHead(v.ctx())
	if err != nil {
		return err
	}
	d := auditData{Head: head.Number, Signed: len(signed)}
	upTo := head.Number
	if n, err := strconv.ParseInt(v.query("before"), 10, 64); err == nil && n > 0 {
		upTo = min(upTo, n-1)
	}
	err = s.Audit.AuditLog(v.ctx(), max(0, upTo-auditPerPage), func(e auth.Entry) error {
		if e.Number > upTo {
			return errEnough
		}
		row := auditRow{Entry: e}
		if c, ok := s.Directory.Customer(e.Customer); ok {
			row.CustomerName = c.Name
		}
		if a, ok := s.Directory.Account(e.Account); ok {
			row.UserKey = a.UserKey
		}
		d.List = append(d.List, row)
		return nil
	})
	if err != nil && !isEnough(err) {
		return err
	}
	slices.Reverse(d.List)
	if n := len(d.List); n > 0 && d.List[n-1].Number > 1 {
		d.Next = v.with("before", strconv.FormatInt(d.List[n-1].Number, 10))
	}
	return s.show(v, page{name: "audit", title: "Audit", here: "Audit", data: d})
}

// health shows how the node is.
func (s *Server) health(v *visit) error {
	return s.show(v, page{name: "health", title: "Health", here: "Health", data: s.Health.Signs(v.ctx())})
}
