package sandbox

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"

	"bureau/internal/company"
)

// DocumentFill gives some companies of the world documents to look at.
type DocumentFill struct {
	World World
	Store company.DocumentStore
	// Print makes a PDF with a title and lines of text.
	Print func(title string, lines []string) ([]byte, error)
}

// documented is how many companies of each country have documents.
const documented = 4

// Fill makes the documents. Those that are there stay as they are.
func (f DocumentFill) Fill(ctx context.Context) error {
	for c, l := range lands {
		for n := range min(documented, f.World.PerCountry) {
			s := f.World.company(c, l, n)
			id := f.World.ID(l.code, n)
			if err := f.accounts(ctx, id, s.Facts); err != nil {
				return fmt.Errorf("documents of %s: %w", id, err)
			}
			if err := f.certificate(ctx, id, s.Facts, n); err != nil {
				return fmt.Errorf("documents of %s: %w", id, err)
			}
		}
	}
	return nil
}

// accounts are the last year's figures, printed.
func (f DocumentFill) accounts(ctx context.Context, id company.ID, facts company.Facts) error {
	a := facts.Accounts[0]
	lines := []string{"An invented company's invented accounts, up to " + string(a.End) + "."}
	for _, item := range []string{company.Turnover, company.ProfitBeforeTax, company.TotalAssets, company.Equity} {
		lines = append(lines, fmt.Sprintf("%s: %d %s", item, a.Items[item]/100, a.Currency))
	}
	b, err := f.Print(facts.Name, lines)
	if err != nil {
		return err
	}
	_, _, err = f.Store.PutDocument(ctx, company.Document{
		Company: id, Kind: "accounts", Text: "Annual accounts", Media: company.PDF, Language: "en",
		Reference: "accounts-" + string(a.End), Filed: facts.Filings[0].Date, AccountsTo: a.End, Source: Source,
	}, bytes.NewReader(b), 1)
	return err
}

// certificate is a seal, drawn from the company's number alone.
func (f DocumentFill) certificate(ctx context.Context, id company.ID, facts company.Facts, n int) error {
	const size = 160
	img := image.NewGray(image.Rect(0, 0, size, size))
	for x := range size {
		for y := range size {
			dx, dy := x-size/2, y-size/2
			ring := (dx*dx + dy*dy) / (120 + 17*n)
			shade := uint8(250)
			if ring%7 < 2 && dx*dx+dy*dy < size*size/5 {
				shade = 60
			}
			img.SetGray(x, y, color.Gray{Y: shade})
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		return err
	}
	_, _, err := f.Store.PutDocument(ctx, company.Document{
		Company: id, Kind: "incorporation", Text: "Certificate of registration", Media: company.PNG, Language: "en",
		Reference: "certificate", Filed: facts.Founded, Source: Source,
	}, &b, 1)
	return err
}
