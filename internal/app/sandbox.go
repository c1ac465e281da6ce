package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"bureau/internal/sandbox"
)

// A Welcome is how to get into the sandbox.
type Welcome struct {
	File     string `json:"file"` // where the rest is
	BaseURL  string `json:"baseUrl"`
	Username string `json:"username"`
	Password string `json:"password"`
}

// OpenSandbox fills the database with the invented world, once, and keeps what
// there is to try in sandbox.json.
func (a *App) OpenSandbox(ctx context.Context) (Welcome, error) {
	card, path, err := a.openSandbox(ctx)
	return Welcome{path, card.BaseURL, card.Username, card.Password}, err
}

func (a *App) openSandbox(ctx context.Context) (sandbox.Card, string, error) {
	path := filepath.Join(a.Config.Data, "sandbox.json")
	var card sandbox.Card
	b, err := os.ReadFile(path)
	switch {
	case err == nil:
		if err := json.Unmarshal(b, &card); err != nil {
			return card, path, fmt.Errorf("read %s: %w (delete it and new passwords are made)", path, err)
		}
	case !errors.Is(err, fs.ErrNotExist):
		return card, path, fmt.Errorf("read %s: %w", path, err)
	}
	card, err = sandbox.Accounts(ctx, a.Office, a.Directory, card)
	if err != nil {
		return card, path, fmt.Errorf("make the sandbox: %w", err)
	}
	card.BaseURL = a.Config.publicURL()
	b, err = json.MarshalIndent(card, "", "  ")
	if err != nil {
		return card, path, fmt.Errorf("write %s: %w", path, err)
	}
	if err := os.MkdirAll(a.Config.Data, 0o700); err != nil {
		return card, path, fmt.Errorf("make the data folder: %w", err)
	}
	return card, path, writeWhole(path, append(b, '\n'), 0o600)
}

// CertificatePath is where the certificate that Bureau made itself lies, or ""
// when it serves with another.
func (c Config) CertificatePath() string {
	if c.HTTP || c.TLSCert != "" || len(c.ACMEHost) > 0 {
		return ""
	}
	return filepath.Join(c.Data, "cert.pem")
}
