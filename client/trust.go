package client

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net/http"
)

// Trust makes an HTTP client that also trusts the certificates in pem, such as
// the one that a service made for itself.
func Trust(pem []byte) (*http.Client, error) {
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool() // a system without certificates of its own
	}
	if !pool.AppendCertsFromPEM(pem) {
		return nil, errors.New("there is no certificate in it")
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.TLSClientConfig = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
	return &http.Client{Transport: transport}, nil
}
