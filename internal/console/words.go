package console

import (
	"fmt"
	"html/template"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"bureau/internal/auth"
	"bureau/internal/bank"
	"bureau/internal/company"
	"bureau/internal/kyc"
	"bureau/internal/monitor"
)

// funcs are what templates may call.
func (s *Server) funcs() template.FuncMap {
	return template.FuncMap{
		"asset":    s.assets.URL,
		"when":     when,
		"stamp":    func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
		"day":      day,
		"ago":      func(t time.Time) string { return ago(s.Now().Sub(t)) },
		"money":    money,
		"num":      num[int64],
		"count":    func(n int) string { return num(n) },
		"plural":   plural,
		"field":    fieldWords,
		"reason":   reasonWords,
		"status":   statusWords,
		"clip":     clip,
		"signed":   func(n int) string { return fmt.Sprintf("%+d", n) },
		"ruleName": ruleName,
		"percent":  func(f float64) string { return strconv.Itoa(int(f*100+0.5)) + " %" },
		"role":     roleWord,
		"bandWord": func(b string) string { return bandWords[b] },
		"lower":    strings.ToLower,
		"title":    title,
		"amounts":  amounts,
		"likeness": likeness,
		"word":     word,
		"int64":    func(n int) int64 { return int64(n) },
		"sub":      sub,
		"stateClass": func(s bank.State) string {
			return map[bank.State]string{bank.Passes: "good", bank.Fails: "bad", bank.Unknown: "warn"}[s]
		},
		"split":      strings.Fields,
		"last":       lastTry,
		"place":      place,
		"statusName": func(s company.Status) string { return statusNames[s] },
		"choices":    choices,
		"len64":      length,
		"plus":       func(n int) int { return n + 1 },
		"kilobytes":  func(n int64) string { return num((n + 1023) / 1024) },
		"decided":    func(d kyc.Decision) string { return decisionWords[d] },
		"camel":      camelWords,
		"reportWord": func(t kyc.ReportType) string { return reportWords[t] },
	}
}

// when is a moment, to the minute. All of the console is in UTC, and says so
// once in the frame.
func when(t time.Time) string {
	if t.IsZero() {
		return "never"
	}
	return t.UTC().Format("2 Jan 2006 15:04")
}

func day(t time.Time) string {
	if t.IsZero() {
		return "–"
	}
	return t.UTC().Format("2 Jan 2006")
}

// ago is how long something was, in the one unit that matters.
func ago(d time.Duration) string {
	switch {
	case d < 0:
		return "in " + span(-d)
	case d < time.Minute:
		return "just now"
	}
	return span(d) + " ago"
}

func span(d time.Duration) string {
	switch {
	case d < time.Hour:
		return plural(int64(d/time.Minute), "minute", "minutes")
	case d < 48*time.Hour:
		return plural(int64(d/time.Hour), "hour", "hours")
	case d < 120*24*time.Hour:
		return plural(int64(d/(24*time.Hour)), "day", "days")
	}
	return plural(int64(d/(30*24*time.Hour)), "month", "months")
}

// exact is an amount as changes hold it: to the cent, for programs.
var exact = regexp.MustCompile(`\b(\d+)\.(\d\d) ([A-Z]{3})\b`)

// amounts is a text with its amounts of money as they are elsewhere on the pages:
// in groups of three digits, without cents that are none.
func amounts(text string) string {
	return exact.ReplaceAllStringFunc(text, func(amount string) string {
		part := exact.FindStringSubmatch(amount)
		whole, err := strconv.ParseInt(part[1], 10, 64)
		if err != nil {
			return amount
		}
		if part[2] != "00" {
			return num(whole) + "." + part[2] + " " + part[3]
		}
		return num(whole) + " " + part[3]
	})
}

// title is a text with a capital at its beginning.
func title(text string) string {
	r, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[n:]
}

func itoa(n int) string { return strconv.Itoa(n) }

// sub is what a template hands to another: the same view with other data.
func sub(v view, data any) view {
	v.Data = data
	return v
}

// lastTry is the newest of a delivery's tries; nil if there were none.
func lastTry(list []monitor.Try) *monitor.Try {
	if len(list) == 0 {
		return nil
	}
	return &list[len(list)-1]
}

// likeness is how near a name is to what was asked for. Of a few letters of a
// long name the figure would say little.
func likeness(score float64) string {
	switch {
	case score == 0:
		return "by number"
	case score < 0.5:
		return "in part"
	}
	return strconv.Itoa(int(score*100+0.5)) + " %"
}

// camelWords are the words of a name such as notApplicable.
func camelWords(name any) string {
	var b strings.Builder
	for i, r := range reflect.ValueOf(name).String() {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// length is how long a list is, as plural takes it.
func length(list any) int64 { return int64(reflect.ValueOf(list).Len()) }

func plural(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return num(n) + " " + many
}

// num is a number with thin spaces between thousands, which no language takes
// for a decimal point.
func num[T int | int64](n T) string {
	digits := strconv.FormatInt(int64(n), 10)
	sign := ""
	if digits[0] == '-' {
		sign, digits = "−", digits[1:]
	}
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteRune('\u202f')
		}
		b.WriteRune(d)
	}
	return sign + b.String()
}

// money is an amount in whole units of its currency.
func money(m company.Money) string {
	if m == (company.Money{}) {
		return "–"
	}
	return num(m.Minor/100) + " " + m.Currency
}

// clip keeps a text that somebody else wrote within bounds.
func clip(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most-1]) + "…"
}

var statusNames = map[company.Status]string{
	company.Active: "Active", company.NonActive: "Not active", company.Pending: "In proceedings", company.Other: "Other",
}

func statusWords(f company.Facts) string {
	word := statusNames[f.Status]
	if word == "" {
		word = "Status not known"
	}
	if f.StatusText != "" && !strings.EqualFold(f.StatusText, word) {
		word += " (" + clip(f.StatusText, 60) + ")"
	}
	return word
}

var bandWords = map[string]string{
	"A": "very low risk", "B": "low risk", "C": "medium risk", "D": "high risk", "E": "very high risk, or not rated sound",
}

func roleWord(a auth.Account) string {
	if a.Operator {
		return "operator"
	}
	if a.Role == auth.Admin {
		return "customer admin"
	}
	return string(a.Role)
}

// ruleName is what a rule of an event is called, without its parameters.
func ruleName(e monitor.Event) string {
	r, ok := monitor.FindRule(e.Country, e.Rule)
	if !ok {
		return fieldWords(e.Field)
	}
	name, _, _ := strings.Cut(r.Name, " | ")
	return name
}
