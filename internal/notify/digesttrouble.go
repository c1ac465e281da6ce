package notify

import (
	"fmt"
	"time"

	"bureau/internal/monitor"
)

// troublePage is what the templates of a warning show.
type troublePage struct {
	frame
	About, Since, Service, Why string
}

// Trouble writes to the operator.
func (w *Writer) Trouble(n monitor.TroubleNews) (monitor.Mail, error) {
	p := troublePage{
		frame: frame{"en", "Needs a look: " + clean(n.Name, 100)}, About: clean(n.About, 1000),
		Since: n.Since.UTC().Format(time.RFC3339), Service: w.URL,
		Why: "You receive this mail once a day while it lasts, and once when it is over, because --operator-mail names you.",
	}
	if n.Over {
		p.Title = "Over: " + clean(n.Name, 100)
	}
	text, html, err := render("trouble", p)
	if err != nil {
		return monitor.Mail{}, fmt.Errorf("write a warning: %w", err)
	}
	m := monitor.Mail{
		Key: n.Key, Kind: monitor.TroubleMail, To: monitor.Recipient{Address: w.Operator}, Subject: clean("Bureau: "+p.Title, 200),
		Text: text, HTML: html,
	}
	m.MessageID = w.messageIDOf(m.Key)
	return m, nil
}
