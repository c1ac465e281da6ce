package storetest

import (
	"net/url"
)

// Replica makes a server that follows this one. From then on a commit is
// acknowledged when both have it on disk.
func (s *Server) Replica() *Server {
	s.tb.Helper()
	r := s.Follower()
	for _, sql := range []string{"ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()"} {
		s.admin(sql)
	}
	return r
}

// Follower makes a server that follows this one, and that nobody waits for.
func (s *Server) Follower() *Server {
	s.tb.Helper()
	c, err := copyCluster(s.c.dir)
	if err != nil {
		s.tb.Fatal(err)
	}
	return newServer(s.tb, c)
}

// Pause keeps a replica from showing what it hears of; Resume lets it.
func (s *Server) Pause() {
	s.tb.Helper()
	s.admin("SELECT pg_wal_replay_pause()")
}

func (s *Server) Resume() {
	s.tb.Helper()
	s.admin("SELECT pg_wal_replay_resume()")
}

// Promote makes a replica a server of its own, which takes writes when it
// returns.
func (s *Server) Promote() {
	s.tb.Helper()
	s.admin("SELECT pg_promote()")
}

func (s *Server) admin(sql string) {
	s.tb.Helper()
	if err := s.c.admin(sql); err != nil {
		s.tb.Fatal(err)
	}
}

// URLWith is the address of a database on this server or its replica, whichever
// takes writes.
func (s *Server) URLWith(replica *Server, db string) string {
	q := url.Values{
		"host": {s.c.dir + "," + replica.c.dir}, "port": {"5432,5432"}, "user": {"postgres"}, "sslmode": {"disable"},
		"target_session_attrs": {"read-write"},
	}
	return "postgres:///" + url.PathEscape(db) + "?" + q.Encode()
}
