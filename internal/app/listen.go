package app

import (
	"errors"
	"fmt"
	"net"
	"os"
)

// Bind takes the address to serve on. It comes before all else: where the
// address is taken, nothing has been opened or written yet. Port 0 is any free
// one; c.Listen then names the one that was found.
func (c *Config) Bind() (net.Listener, error) {
	l, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w (is another program there? choose another address with --listen)", c.Listen, unwrapListen(err))
	}
	host, port, _ := net.SplitHostPort(c.Listen)
	if _, found, err := net.SplitHostPort(l.Addr().String()); err == nil && port == "0" {
		c.Listen = net.JoinHostPort(host, found)
	}
	return l, nil
}

// checkListen refuses an address that nobody could listen on, on any machine.
func checkListen(address string) error {
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("%q is not an address: write HOST:PORT", address)
	}
	if _, err := net.LookupPort("tcp", port); err != nil {
		return fmt.Errorf("%q is not an address: there is no port %s, they go up to 65535", address, port)
	}
	return nil
}

// unwrapListen shortens "listen tcp 127.0.0.1:8443: bind: address already in
// use" to its end.
func unwrapListen(err error) error {
	var op *net.OpError
	if errors.As(err, &op) {
		var sys *os.SyscallError
		if errors.As(op.Err, &sys) {
			return sys.Err
		}
		return op.Err
	}
	return err
}
