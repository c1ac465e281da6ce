package console

import "html/template"

// A railWord is one word of the rail.
type railWord struct {
	Word, Link string
	Here       bool
	Icon       template.HTML
}

// word makes one for the page that is shown.
func word(on view, text, link string) railWord {
	return railWord{Word: text, Link: link, Here: on.Here == text, Icon: icons[text]}
}

// icon is a drawing of lines on a grid of 20, which always stands beside a word.
func icon(path string) template.HTML {
	return template.HTML(`<svg class="icon" viewBox="0 0 20 20" aria-hidden="true"><path d="` + path + `"/></svg>`) //nolint:gosec // our own text
}

var icons = map[string]template.HTML{
	"Today":      icon("M3 5h14v12H3zM3 9h14M7 3v4M13 3v4"),
	"Companies":  icon("M4 17V4h7v13M11 8h5v9M2 17h16M6.5 7h2M6.5 10h2M6.5 13h2"),
	"Portfolios": icon("M3 7h14v9H3zM7 7V4h6v3M3 11h14"),
	"Events":     icon("M3 12h3l2-7 4 11 2-6h3"),
	"KYC":        icon("M10 3l6 2v5c0 4-3 6-6 7-3-1-6-3-6-7V5zM7.5 10l2 2 3.5-4"),
	"Checks":     icon("M3 8l7-4 7 4M4 8v7M8 8v7M12 8v7M16 8v7M2 17h16"),
}
