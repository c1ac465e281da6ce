package kyc

import (
	"context"
	"strconv"
	"time"

	"bureau/internal/auth"
)

// auditSheet is what was done, by whom.
func (s *Reports) auditSheet(ctx context.Context, by auth.Caller, c ReportCriteria) Sheet {
	q := DeedQuery{
		Categories: criteriaWords[DeedCategory](c, "categories"), Subcategories: criteriaWords[DeedSubcategory](c, "subcategories"),
		Actions: criteriaWords[DeedAction](c, "actions"), Profiles: criteriaWords[ProfileID](c, "profileIds"), Accounts: c.accounts("userIds"),
	}
	q.From, q.Until = c.span()
	sheet := s.Trail.Sheet(ctx, by, q)
	rows := sheet.Rows
	sheet.Rows = func(yield func([]string, error) bool) {
		for row, err := range rows {
			if err == nil {
				id, _ := strconv.ParseInt(row[1], 10, 64)
				row[1] = s.Called(auth.AccountID(id))
			}
			if !yield(row, err) {
				return
			}
		}
	}
	return sheet
}

var profileReportColumns = []SheetColumn{
	{"Profile", 2.6},
	{"Name", 2},
	{"Legal name", 2},
	{"Type", 1},
	{"Internal ID", 1},
	{"Status", 1},
	{"Risk", 1},
	{"Country", 0.7},
	{"Assigned to", 1.2},
	{"Review on", 1},
	{"Created", 1.2},
	{"Notes", 0.6},
}

// profileSheet is the profiles that were made on some days, the oldest first.
func (s *Reports) profileSheet(ctx context.Context, by auth.Caller, c ReportCriteria) Sheet {
	q := ProfileQuery{
		Types: criteriaWords[ProfileType](c, "types"), Statuses: criteriaWords[ProfileStatus](c, "statuses"),
		Risks: criteriaWords[RiskRating](c, "riskRatings"), Assigned: c.accounts("assignees"), Sort: ByCreated, Limit: sheetPage,
	}
	q.From, q.Until = c.span()
	return Sheet{Title: "Profiles", Columns: profileReportColumns, Rows: func(yield func([]string, error) bool) {
		for {
			list, _, err := s.Profiles.Profiles(ctx, by, q)
			if err != nil {
				yield(nil, err)
				return
			}
			for i := range list {
				p := &list[i]
				if !yield(s.profileRow(p), nil) {
					return
				}
				q.After = &ProfilePlace{p.Created.At, p.ID}
			}
			if len(list) < sheetPage {
				return
			}
		}
	}}
}

func (s *Reports) profileRow(p *Profile) []string {
	assigned := ""
	if p.Assigned != 0 {
		assigned = s.Called(p.Assigned)
	}
	return []string{
		string(p.ID), p.Name, p.Details.LegalName, string(p.Type), p.InternalID, string(p.Status), string(p.Risk), p.Details.Country,
		assigned, string(p.ReviewOn), p.Created.At.UTC().Format(time.DateTime), strconv.Itoa(p.Notes),
	}
}
