package api_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"bureau/client"
	"bureau/internal/api"
	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/pdf/pdftest"
)

func (w *world) pdf(c *client.Client, id string, r client.ReportRequest) string {
	w.t.Helper()
	b, err := c.CompanyReportPDF(w.t.Context(), id, r)
	must(w.t, err)
	text, err := pdftest.Lines(b)
	must(w.t, err)
	return text
}

// rated is acorn with a score of our own scorecard, and a history.
func (w *world) rated() {
	s := acorn()
	s.Facts.Score = nil
	w.know(s)
	scorer := &company.Scorer{
		Store: w.db, Now: func(ctx ctxt) (time.Time, error) { return w.clock.Now(), nil },
		Boards: func(ctxt, company.PersonID, int) ([]company.ID, error) { return nil, nil },
	}
	rate := func() {
		list, err := w.db.Changes(w.t.Context(), 0, 1000)
		must(w.t, err)
		must(w.t, scorer.Handle(w.t.Context(), list, company.Reached{Reader: company.ScorerName, Number: int64(len(list))}))
	}
	rate()
	w.clock.Step(24 * time.Hour)
	s.Facts.Notices = append(s.Facts.Notices, company.Notice{Date: "2026-03-02", Kind: "court", Text: "A second judgment"})
	s.Facts.Form.Text = "Public limited company"
	w.know(s)
	rate()
}

func TestReportAsPDF(t *testing.T) {
	w := newWorld(t, plan{})
	child := simple("GB", "00000003", "Sapling Limited")
	child.Facts.Links = []company.Link{{Kind: company.Parent, ID: "GB-0-00000001"}}
	w.know(child)
	w.rated()
	l := w.join("acme", everywhere(auth.Companies)...)
	c := w.client(l)
	golden(t, "testdata/report_pdf.txt", []byte(w.pdf(c, "GB-0-00000001", client.ReportRequest{})))
	for lang, word := range map[string]string{"de": "Wie der Wert zustande kommt", "fr": "Comment la note se forme", "sv": "Hur poängen blir till", "nb": "Slik blir poengsummen til"} {
		if text := w.pdf(c, "GB-0-00000001", client.ReportRequest{Language: lang}); !strings.Contains(text, word) {
			t.Errorf("%s: %q is not in:\n%s", lang, word, text)
		}
	}
	a := w.send("GET", "/companies/GB-0-00000001", "", "Authorization", w.token(l), "Accept", "text/html, application/json+pdf;q=0.9")
	var body map[string]any
	must(t, json.Unmarshal([]byte(a.body), &body))
	for _, key := range []string{"correlationID", "pdfReportStream", "companyID", "dateOfOrder", "language", "userID", "failedSections"} {
		if _, ok := body[key]; !ok {
			t.Errorf("%s is not in the answer", key)
		}
	}
	if a.status != 200 || a.header.Get("Content-Type") != "application/json+pdf" {
		t.Errorf("got %d %s", a.status, a.header.Get("Content-Type"))
	}
	if text := w.pdf(c, "GB-0-00000001", client.ReportRequest{}); strings.Contains(text, "Hidden Person") || strings.Contains(text, "1970-04-17") {
		t.Errorf("the PDF shows what may not be shown:\n%s", text)
	}
}

// A report shows every point of the score, in the tree and in each language.
func TestReportShowsWhy(t *testing.T) {
	w := newWorld(t, plan{})
	w.rated()
	token := w.token(w.join("acme", everywhere(auth.Companies)...))
	for _, lang := range api.Languages() {
		var out struct {
			Report struct {
				Score struct {
					Current struct {
						Assessment string `json:"assessment"`
						Provider   struct {
							Value string `json:"value"`
						} `json:"providerValue"`
					} `json:"currentCreditRating"`
					Previous struct {
						Provider struct {
							Value string `json:"value"`
						} `json:"providerValue"`
					} `json:"previousCreditRating"`
					Changed string `json:"latestRatingChangeDate"`
				} `json:"creditScore"`
				Additional struct {
					Commentaries []struct {
						Text   string `json:"commentaryText"`
						Sign   string `json:"positiveOrNegative"`
						Points int    `json:"points"`
					} `json:"commentaries"`
					History []struct {
						Description string `json:"description"`
					} `json:"companyHistory"`
					Ratings []struct {
						Value int `json:"companyValue"`
					} `json:"ratingHistory"`
				} `json:"additionalInformation"`
				Identification struct {
					Forms []struct {
						Form struct {
							Description string `json:"description"`
						} `json:"legalForm"`
					} `json:"previousLegalForms"`
				} `json:"companyIdentification"`
			} `json:"report"`
		}
		a := w.send("GET", "/companies/GB-0-00000001?language="+lang, "", "Authorization", token)
		must(t, json.Unmarshal([]byte(a.body), &out))
		r := out.Report
		sum := 0
		for _, c := range r.Additional.Commentaries {
			sum += c.Points
			if c.Text == "" || (c.Points < 0) != (c.Sign == "Negative") || !strings.Contains(r.Score.Current.Assessment, c.Text) {
				t.Errorf("%s: %+v", lang, c)
			}
		}
		if r.Score.Current.Provider.Value != "63" || sum != 63 {
			t.Errorf("%s: the points come to %d, the score is %s", lang, sum, r.Score.Current.Provider.Value)
		}
		if r.Score.Previous.Provider.Value != "69" || r.Score.Changed != "2026-03-03T00:00:00Z" {
			t.Errorf("%s: before it was %q, until %s", lang, r.Score.Previous.Provider.Value, r.Score.Changed)
		}
		if len(r.Additional.History) == 0 || len(r.Additional.Ratings) != 1 || r.Additional.Ratings[0].Value != 63 {
			t.Errorf("%s: the history is %+v, %+v", lang, r.Additional.History, r.Additional.Ratings)
		}
		if len(r.Identification.Forms) != 1 || !strings.Contains(r.Identification.Forms[0].Form.Description, "Private limited company") {
			t.Errorf("%s: past forms are %+v", lang, r.Identification.Forms)
		}
	}
}

func TestReportTemplates(t *testing.T) {
	w := newWorld(t, plan{})
	w.know(acorn())
	token := w.token(w.join("acme", everywhere(auth.Companies)...))
	for query, want := range map[string]string{
		"template=summary":                          "companySummary companyIdentification creditScore contactInformation",
		"template=Financial":                        "companySummary creditScore shareCapitalStructure otherInformation financialStatements",
		"template=people":                           "companySummary shareCapitalStructure directors groupStructure extendedGroupStructure",
		"template=summary&reportSections=Directors": "directors",
	} {
		a := w.send("GET", "/companies/GB-0-00000001?"+query, "", "Authorization", token)
		var out struct {
			Report map[string]json.RawMessage `json:"report"`
		}
		must(t, json.Unmarshal([]byte(a.body), &out))
		for _, name := range strings.Fields(want) {
			if _, ok := out.Report[name]; !ok && name != "extendedGroupStructure" {
				t.Errorf("%s: %s is missing", query, name)
			}
			delete(out.Report, name)
		}
		delete(out.Report, "companyId")
		delete(out.Report, "language")
		if len(out.Report) > 0 {
			t.Errorf("%s: %d sections too many", query, len(out.Report))
		}
	}
}

// The longest of everything, and names that mean harm, still make a document.
func TestPDFOfTheWorst(t *testing.T) {
	w := newWorld(t, plan{})
	long := strings.Repeat("Donaudampfschifffahrtsgesellschaft ", 300)
	s := acorn()
	f := &s.Facts
	f.Name = "<script>alert(1)</script> \u202eevil\u202c " + strings.Repeat("A", 10_000)
	f.Form.Text, f.StatusText = long, long
	f.Activities[0].Text, f.Addresses[0].Street = long, long
	for i := range 200 {
		f.Names = append(f.Names, company.Name{Text: "株式会社東京 " + long[:40], Kind: company.Trading, Lang: string(rune('a' + i%26))})
		f.Officers = append(f.Officers, company.Officer{Person: company.Person{ID: string(rune(0x400 + i)), Name: "Εταιρεία " + long}, Role: long[:300], From: "2020-01-01"})
		f.Owners = append(f.Owners, company.Owner{Person: company.Person{ID: string(rune(0x400 + i)), Name: long}, Natures: []string{long}})
		f.Notices = append(f.Notices, company.Notice{Date: "2026-01-01", Kind: "court", Text: long, Ref: string(rune(0x400 + i))})
	}
	f.Accounts[0].Items[company.Turnover] = 1<<62 + 1
	f.Accounts[0].Items[company.ProfitBeforeTax] = -1 << 62
	w.know(s)
	text := w.pdf(w.client(w.join("acme", everywhere(auth.Companies)...)), "GB-0-00000001", client.ReportRequest{})
	for _, want := range []string{"<script>alert(1)</script> evil", "Εταιρεία", "Latin letters", "more", "GBP, in millions"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in the document", want)
		}
	}
	if n := strings.Count(text, "--- page"); n > 60 {
		t.Errorf("it has %d pages", n)
	}
}
