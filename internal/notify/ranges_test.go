package notify

import (
	"net/netip"
	"strings"
	"testing"
)

// B1: the special-purpose registries as their publisher writes them, by the
// first and the last address of each block. The list is not made from the table
// that it is held against: a block that is missing there, or is too small, is
// missed here. What lies right beside a block is an address like any other,
// unless another block begins there.
func TestSpecialPurposeBlocksToTheirEdges(t *testing.T) {
	for _, block := range []string{
		"0.0.0.0 0.255.255.255", "10.0.0.0 10.255.255.255", "100.64.0.0 100.127.255.255", "127.0.0.0 127.255.255.255",
		"169.254.0.0 169.254.255.255", "172.16.0.0 172.31.255.255", "192.0.0.0 192.0.0.255", "192.0.2.0 192.0.2.255",
		"192.31.196.0 192.31.196.255", "192.52.193.0 192.52.193.255", "192.88.99.0 192.88.99.255", "192.168.0.0 192.168.255.255",
		"192.175.48.0 192.175.48.255", "198.18.0.0 198.19.255.255", "198.51.100.0 198.51.100.255", "203.0.113.0 203.0.113.255",
		"224.0.0.0 239.255.255.255", "240.0.0.0 255.255.255.255",
		":: ::1", "::ffff:0.0.0.0 ::ffff:255.255.255.255", "64:ff9b:: 64:ff9b::ffff:ffff",
		"64:ff9b:1:: 64:ff9b:1:ffff:ffff:ffff:ffff:ffff", "100:: 100::ffff:ffff:ffff:ffff", "100:0:0:1:: 100::1:ffff:ffff:ffff:ffff",
		"2001:: 2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db8:: 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff",
		"2002:: 2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2620:4f:8000:: 2620:4f:8000:ffff:ffff:ffff:ffff:ffff",
		"3fff:: 3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", "5f00:: 5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
		"fc00:: fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "fe80:: febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
		"ff00:: ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
	} {
		first, last, _ := strings.Cut(block, " ")
		for _, text := range []string{first, last} {
			if a := netip.MustParseAddr(text); public(a) {
				t.Errorf("%s, of %s, counts as an address on the Internet", a, block)
			}
		}
	}
	for _, text := range []string{
		"1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0", "169.253.255.255",
		"169.255.0.0", "172.15.255.255", "172.32.0.0", "191.255.255.255", "192.0.1.0", "192.0.3.0", "192.167.255.255", "192.169.0.0",
		"198.17.255.255", "198.20.0.0", "198.51.99.255", "198.51.101.0", "203.0.112.255", "203.0.114.0", "223.255.255.255",
		"2001:200::", "2001:db7:ffff::", "2001:db9::", "2003::", "2620:4f:7fff::", "2620:4f:8001::", "2a00::1",
	} {
		if a := netip.MustParseAddr(text); !public(a) {
			t.Errorf("%s is refused, and is an address on the Internet", a)
		}
	}
}
