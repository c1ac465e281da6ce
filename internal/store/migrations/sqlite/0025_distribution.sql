-- PostgreSQL gets the distribution column of large tables into their keys here. An
-- SQLite file lies on one machine and keeps its keys; but queries are the same on
-- both, so the indexes that are read without the rows have the column as well.

DROP INDEX delivery_line;
CREATE INDEX delivery_line ON delivery (webhook, customer, replay, event) WHERE state = 0;
DROP INDEX delivery_lane;
CREATE INDEX delivery_lane ON delivery (webhook, customer, replay, company, event) WHERE state = 1;
