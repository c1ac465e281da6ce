-- PostgreSQL gets the distribution column of large tables into their keys here. An
-- SQLite file lies on one machine and keeps its keys; but queries are the same on
-- both, so the indexes that are read without the rows have the column as well.

DROP INDEX delivery_line;
CREATE INDEX delivery_line ON delivery (webhook, customer, replay, event) WHERE state = 0;
DROP INDEX delivery_lane;
CREATE INDEX delivery_lane ON delivery (webhook, customer, replay, company, event) WHERE state = 1;

DROP INDEX event_name;
CREATE INDEX event_name ON event (portfolio, customer, processed, sort_name, id);
DROP INDEX event_at;
CREATE INDEX event_at ON event (portfolio, customer, processed, at, id);
DROP INDEX event_created;
CREATE INDEX event_created ON event (portfolio, customer, processed, created_at, id);
DROP INDEX event_country;
CREATE INDEX event_country ON event (portfolio, customer, processed, country, id);
DROP INDEX event_company;
CREATE INDEX event_company ON event (portfolio, customer, company, at, id);
