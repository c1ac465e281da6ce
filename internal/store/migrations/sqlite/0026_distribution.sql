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

-- What belongs to a customer through something else says so itself: see wall.go. A
-- file is nobody's until a task takes it up, or everybody's if it is a document;
-- customer is 0 then, and -1 if it is for no customer to see.
ALTER TABLE rule_setting ADD COLUMN customer INTEGER NOT NULL DEFAULT 0;
UPDATE rule_setting SET customer = COALESCE((SELECT p.customer FROM portfolio AS p WHERE p.id = rule_setting.portfolio), 0);
ALTER TABLE quiet ADD COLUMN customer INTEGER NOT NULL DEFAULT 0;
UPDATE quiet SET customer = COALESCE((SELECT p.customer FROM portfolio AS p WHERE p.id = quiet.portfolio), 0);
ALTER TABLE file ADD COLUMN customer INTEGER NOT NULL DEFAULT 0;
UPDATE file SET customer = COALESCE(NULLIF((SELECT t.customer FROM task AS t WHERE t.id = file.task), 0), -1) WHERE task > 0;
ALTER TABLE file_chunk ADD COLUMN customer INTEGER NOT NULL DEFAULT 0;
UPDATE file_chunk SET customer = (SELECT f.customer FROM file AS f WHERE f.id = file_chunk.file)
WHERE file IN (SELECT f.id FROM file AS f WHERE f.customer <> 0);
