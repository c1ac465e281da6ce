package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"bureau/client"
)

// remote is how a command reaches a service through its API. Without flags and
// variables it is the sandbox of the data folder.
type remote struct {
	URL      string `name:"url" help:"The service's address (default: the sandbox of the data folder)." placeholder:"URL"`
	Username string `help:"The user key." placeholder:"KEY"`
	Password string `help:"Its password. Better set as BUREAU_PASSWORD." placeholder:"PASSWORD"`
	CACert   string `name:"cacert" help:"A certificate to trust (default: the one in the data folder)." placeholder:"FILE"`
	Data     string `help:"The data folder." default:"./data" placeholder:"DIR"`
}

func (r remote) client() (*client.Client, error) {
	c := &client.Client{BaseURL: r.URL, Username: r.Username, Password: r.Password}
	if c.BaseURL == "" || c.Username == "" {
		card, err := r.sandbox()
		if err != nil {
			return nil, err
		}
		if c.BaseURL == "" {
			c.BaseURL = card.BaseURL
		}
		if c.Username == "" {
			c.Username, c.Password = card.Username, card.Password
		}
	}
	path := r.CACert
	if path == "" {
		path = filepath.Join(r.Data, "cert.pem")
	}
	pem, err := os.ReadFile(path)
	switch {
	case errors.Is(err, os.ErrNotExist) && r.CACert == "":
		return c, nil
	case err != nil:
		return nil, fmt.Errorf("read the certificate: %w", err)
	}
	if c.HTTP, err = client.Trust(pem); err != nil {
		return nil, fmt.Errorf("read the certificate %s: %w", path, err)
	}
	return c, nil
}

type sandboxCard struct {
	BaseURL  string `json:"baseUrl"`
	Username string `json:"username"`
	Password string `json:"password"`
}

func (r remote) sandbox() (card sandboxCard, err error) {
	path := filepath.Join(r.Data, "sandbox.json")
	b, err := os.ReadFile(path)
	if err != nil {
		return card, misuse{fmt.Errorf("name the service with --url, and the account with BUREAU_USERNAME and BUREAU_PASSWORD (there is no sandbox: %w)", err)}
	}
	if err := json.Unmarshal(b, &card); err != nil {
		return card, fmt.Errorf("read %s: %w", path, err)
	}
	return card, nil
}
