-- PostgreSQL gets its second wall between customers here. An SQLite file has one
-- user, who sees all of it.
SELECT 1;
