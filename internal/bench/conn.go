package bench

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http/httputil"
	"os"
	"strconv"
	"time"
)

// A conn is one kept-alive connection: HTTP/1.1 over TLS 1.3. It is much leaner
// than an http.Client, since it runs on the same cores as what it measures: the
// cheaper the asking, the less it flatters the ratio.
type conn struct {
	net net.Conn
	in  *bufio.Reader
}

// largest is how long a body may be that is kept.
const largest = 16 << 20

// patience is how long one answer may take before the run is given up.
const patience = 20 * time.Second

func clientTLS(certFile string) (*tls.Config, error) {
	pem, err := os.ReadFile(certFile)
	if err != nil {
		return nil, fmt.Errorf("read the certificate: %w", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(pem) {
		return nil, errors.New("the certificate cannot be read")
	}
	return &tls.Config{
		RootCAs: pool, ServerName: "localhost",
		MinVersion: tls.VersionTLS13, NextProtos: []string{"http/1.1"},
	}, nil
}

func dial(address string, c *tls.Config) (*conn, error) {
	raw, err := net.DialTimeout("tcp", address, patience)
	if err != nil {
		return nil, err
	}
	t := tls.Client(raw, c)
	if err := t.Handshake(); err != nil {
		raw.Close()
		return nil, fmt.Errorf("greet %s: %w", address, err)
	}
	return &conn{t, bufio.NewReaderSize(t, 16<<10)}, nil
}

// call sends a request as it is and reads the answer. With keep the body is
// returned, otherwise it is thrown away.
func (c *conn) call(request []byte, keep bool) (status int, body []byte, err error) {
	if err := c.net.SetDeadline(time.Now().Add(patience)); err != nil {
		return 0, nil, err
	}
	if _, err := c.net.Write(request); err != nil {
		return 0, nil, err
	}
	line, err := c.in.ReadSlice('\n')
	if err != nil {
		return 0, nil, err
	}
	if len(line) < 12 || !bytes.HasPrefix(line, []byte("HTTP/1.1 ")) {
		return 0, nil, fmt.Errorf("an answer that begins with %q", line)
	}
	if status, err = strconv.Atoi(string(line[9:12])); err != nil {
		return 0, nil, fmt.Errorf("an answer with the status %q", line[9:12])
	}
	length, chunked := -1, false
	for {
		line, err := c.in.ReadSlice('\n')
		if err != nil {
			return 0, nil, err
		}
		if len(bytes.TrimSpace(line)) == 0 {
			break
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		if bytes.EqualFold(name, []byte("Content-Length")) {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return 0, nil, fmt.Errorf("an answer with the length %q", value)
			}
		}
		chunked = chunked || bytes.EqualFold(name, []byte("Transfer-Encoding"))
	}
	if chunked {
		body, err = c.chunks(keep)
		return status, body, err
	}
	if length < 0 {
		return 0, nil, errors.New("an answer of unknown length")
	}
	if !keep {
		_, err = c.in.Discard(length)
		return status, nil, err
	}
	body = make([]byte, length)
	_, err = io.ReadFull(c.in, body)
	return status, body, err
}

// chunks reads a body that comes in pieces, to the empty line behind it.
func (c *conn) chunks(keep bool) (body []byte, err error) {
	pieces := httputil.NewChunkedReader(c.in)
	if keep {
		body, err = io.ReadAll(io.LimitReader(pieces, largest))
	} else {
		_, err = io.Copy(io.Discard, pieces)
	}
	if err == nil {
		_, err = c.in.ReadSlice('\n')
	}
	return body, err
}

func (c *conn) close() { _ = c.net.Close() }
