-- PostgreSQL gets the company into the keys of statements and documents here. An
-- SQLite file lies on one machine and keeps its keys.
SELECT 1;
