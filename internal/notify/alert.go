package notify

import (
	"fmt"
	"slices"

	"bureau/internal/kyc"
	"bureau/internal/monitor"
)

// alertPage is what the templates of AML alerts show. Mail passes through many
// hands: it names nobody.
type alertPage struct {
	frame
	Why    string
	Alerts []alertLine
}

type alertLine struct{ What, Link string }

// Alerts writes to whoever wants to hear of AML alerts: one mail of a schedule to
// each, however many there are at once.
func (w *Writer) Alerts(list []kyc.Alert) (out []monitor.Mail, err error) {
	of := map[kyc.ScheduleID][]kyc.Alert{}
	var order []kyc.ScheduleID
	for _, a := range list {
		if len(a.Recipients) == 0 {
			continue
		}
		if !slices.Contains(order, a.Schedule) {
			order = append(order, a.Schedule)
		}
		of[a.Schedule] = append(of[a.Schedule], a)
	}
	for _, id := range order {
		text, html, err := render("alert", w.alertPage(of[id]))
		if err != nil {
			return nil, fmt.Errorf("write of alerts: %w", err)
		}
		first := &of[id][0]
		for _, to := range first.Recipients {
			m := monitor.Mail{
				Key: fmt.Sprintf("alert %d %s", first.Number, to), Kind: monitor.AlertMail, Customer: first.Customer,
				To: monitor.Recipient{Address: to}, Subject: "AML alert", Text: text, HTML: html,
			}
			m.MessageID = w.messageIDOf(m.Key)
			out = append(out, m)
		}
	}
	return out, nil
}

func (w *Writer) alertPage(list []kyc.Alert) alertPage {
	p := alertPage{frame: frame{"en", "A search that is repeated has news"}, Why: "You receive this mail because a schedule of your company's screening names you."}
	for i := range list {
		a := &list[i]
		kind, what := "businesses", "found on "
		if a.Person {
			kind = "individuals"
		}
		if a.Cause == kyc.EntryLeft {
			what = "no longer on "
		}
		p.Alerts = append(p.Alerts, alertLine{
			clean(what+kyc.FindList(a.List).Title, 200), fmt.Sprintf("%s/v1/kyc-protect/searches/%s/%s/hits/%s", w.URL, kind, a.Search, a.ID),
		})
	}
	return p
}
