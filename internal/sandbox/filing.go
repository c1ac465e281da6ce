package sandbox

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"bureau/internal/company"
)

// filingDays are the days of the world's year on which a company's accounts and
// its return are due.
func (w World) filingDays(l land, n int) (accounts, annualReturn int) {
	r := w.random("filing "+l.code, n)
	return 1 + r.IntN(364), 1 + r.IntN(364)
}

// fileDue lets companies file what is due on this tick's day. A few do not.
func (c *Clock) fileDue(ctx context.Context, r *rand.Rand, tick int64) error {
	at := tickTime(tick)
	today, part := int(tick/TicksPerDay%365), int(tick%TicksPerDay)
	var list []company.Statement
	for _, l := range lands {
		for n := part; n < c.World.PerCountry; n += TicksPerDay {
			accounts, annualReturn := c.World.filingDays(l, n)
			if accounts != today && annualReturn != today || r.IntN(30) == 0 {
				continue
			}
			s, err := c.said(ctx, c.World.ID(l.code, n))
			if err != nil {
				return err
			}
			if s.Facts.Status != company.Active {
				continue
			}
			if accounts == today {
				fileAccounts(r, &s.Facts, at)
			} else {
				fileReturn(&s.Facts, at, fmt.Sprint(tick))
			}
			list = append(list, s)
		}
	}
	if len(list) == 0 {
		return nil
	}
	return c.write(ctx, list, at)
}

// fileAccounts lets a company file the figures of the twelve months up to the
// end of last month. They move its score, as they would anybody's.
func fileAccounts(r *rand.Rand, f *company.Facts, at time.Time) {
	end := day(time.Date(at.Year(), at.Month(), 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, -1))
	last := f.Accounts[0]
	if last.End == end {
		last, f.Accounts = f.Accounts[1], f.Accounts[1:] // filed again, corrected
	}
	f.Accounts = append([]company.Accounts{follow(r, last, end)}, f.Accounts...)
	f.Employees = []company.Employees{{Year: at.Year(), Count: f.Accounts[0].Items[company.EmployeesAverage]}}
	f.Due.AccountsLast, f.Due.AccountsNext = end, day(at.AddDate(1, 0, 0))
}

func fileReturn(f *company.Facts, at time.Time, mark string) {
	f.Filings = append([]company.Filing{{Date: day(at), Type: "return", Text: "Annual return", Ref: mark}}, f.Filings...)
	f.Due.ReturnNext = day(at.AddDate(1, 0, 0))
}
