package notify

import "net/netip"

// special are the ranges that are not simply addresses on the Internet: the
// IANA registries of special-purpose addresses (RFC 6890 and its successors),
// multicast, and what was once set aside. Nothing is posted to them, unless
// the operator says so.
var special = prefixes(
	// IPv4.
	"0.0.0.0/8",       // this network
	"10.0.0.0/8",      // private
	"100.64.0.0/10",   // shared by carriers
	"127.0.0.0/8",     // loopback
	"168.63.129.16",   // a public address at which some clouds keep their host's agent
	"169.254.0.0/16",  // link-local, and the metadata services of clouds
	"172.16.0.0/12",   // private
	"192.0.0.0/24",    // protocol assignments
	"192.0.2.0/24",    // documentation
	"192.31.196.0/24", // AS112
	"192.52.193.0/24", // AMT
	"192.88.99.0/24",  // 6to4 relays, retired
	"192.168.0.0/16",  // private
	"192.175.48.0/24", // AS112
	"198.18.0.0/15",   // benchmarks
	"198.51.100.0/24", // documentation
	"203.0.113.0/24",  // documentation
	"224.0.0.0/4",     // multicast
	"240.0.0.0/4",     // reserved, and broadcast

	// IPv6. Of all addresses only 2000::/3 is in use on the Internet; what lies
	// outside is listed for those who read, and refused in any case.
	"::/128",            // unspecified
	"::1/128",           // loopback
	"::/96",             // compatible with IPv4, retired
	"::ffff:0:0/96",     // mapped from IPv4
	"::ffff:0:0:0/96",   // translated
	"64:ff9b::/96",      // NAT64
	"64:ff9b:1::/48",    // NAT64, local
	"100::/64",          // discarded
	"100:0:0:1::/64",    // dummies
	"2001::/23",         // protocol assignments, with Teredo, ORCHID and benchmarks
	"2001:db8::/32",     // documentation
	"2002::/16",         // 6to4: an IPv4 address in disguise
	"2620:4f:8000::/48", // AS112
	"3fff::/20",         // documentation
	"3ffe::/16",         // the 6bone, retired
	"5f00::/16",         // segment routing
	"fc00::/7",          // unique local
	"fe80::/10",         // link-local
	"fec0::/10",         // site-local, retired
	"ff00::/8",          // multicast
)

// internet6 is what is given out for use on the Internet.
var internet6 = netip.MustParsePrefix("2000::/3")

func prefixes(texts ...string) []netip.Prefix {
	var out []netip.Prefix
	for _, s := range texts {
		p, err := netip.ParsePrefix(s)
		if err != nil {
			a := netip.MustParseAddr(s)
			p = netip.PrefixFrom(a, a.BitLen())
		}
		out = append(out, p)
	}
	return out
}

// public reports whether anyone on the Internet may connect to an address.
func public(a netip.Addr) bool {
	if !a.IsValid() || a.Zone() != "" || a.Is6() && !internet6.Contains(a) {
		return false
	}
	return !within(a, special)
}

func within(a netip.Addr, list []netip.Prefix) bool {
	for _, p := range list {
		if p.Contains(a) {
			return true
		}
	}
	return false
}

// innerPorts are above 1023 and yet no place for a webhook: services that
// believe whoever reaches them.
var innerPorts = []struct{ from, to uint16 }{
	{1080, 1080},   // SOCKS
	{1099, 1099},   // Java RMI
	{1433, 1434},   // SQL Server
	{1521, 1521},   // Oracle
	{2049, 2049},   // NFS
	{2181, 2181},   // ZooKeeper
	{2375, 2380},   // Docker, etcd
	{3128, 3128},   // proxies
	{3306, 3306},   // MySQL
	{3389, 3389},   // remote desktop
	{4369, 4369},   // Erlang
	{5432, 5433},   // PostgreSQL
	{5671, 5672},   // AMQP
	{5900, 5910},   // VNC
	{5984, 5986},   // CouchDB, WinRM
	{6000, 6010},   // X11
	{6379, 6380},   // Redis
	{6443, 6443},   // Kubernetes
	{6660, 6669},   // IRC
	{7000, 7001},   // Cassandra
	{7687, 7687},   // Neo4j
	{8125, 8125},   // StatsD
	{8300, 8302},   // Consul
	{8500, 8500},   // Consul
	{9042, 9042},   // Cassandra
	{9092, 9093},   // Kafka
	{9200, 9200},   // Elasticsearch
	{9300, 9300},   // Elasticsearch
	{9418, 9418},   // git
	{10250, 10259}, // Kubernetes
	{11211, 11211}, // memcached
	{26257, 26257}, // CockroachDB
	{27017, 27019}, // MongoDB
	{61613, 61616}, // message brokers
}

// usualPort reports whether a web service may be at a port.
func usualPort(port uint16) bool {
	if port < 1024 {
		return port == 443 || port == 80
	}
	for _, r := range innerPorts {
		if r.from <= port && port <= r.to {
			return false
		}
	}
	return true
}
