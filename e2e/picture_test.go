package e2e

import (
	"os"
	"testing"

	"github.com/chromedp/chromedp"
)

// The picture in the README is a company's page as the sandbox shows it.
func TestPicture(t *testing.T) {
	t.Parallel()
	b := signedIn(t, desk)
	b.scheme("light")
	b.visit("/companies/" + home.card.CompanyID)
	b.until("the chart", `document.querySelector(".chart canvas") || document.querySelector("main h1")`)
	png := ask(b, chromedp.CaptureScreenshot())
	if os.Getenv("BUREAU_UPDATE") == "1" {
		if err := os.WriteFile("../docs/console.png", png, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat("../docs/console.png"); err != nil {
		t.Errorf("the README has no picture: %v", err)
	}
}
