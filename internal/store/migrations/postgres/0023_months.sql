-- Changes, events and entries of the audit log are kept by month: old ones go with
-- a whole table, and the indexes of the month in which everything happens stay
-- small. months.go makes the months ahead; what belongs to none is in the rest,
-- together with all that was there before.

ALTER TABLE change RENAME TO change_rest;
ALTER TABLE change_rest DROP CONSTRAINT change_pkey;
ALTER INDEX change_company RENAME TO change_rest_company;
CREATE TABLE change (LIKE change_rest, PRIMARY KEY (number, at)) PARTITION BY RANGE (at);
CREATE INDEX change_company ON change (company, number);
ALTER TABLE change ATTACH PARTITION change_rest DEFAULT;

ALTER TABLE audit RENAME TO audit_rest;
ALTER TABLE audit_rest DROP CONSTRAINT audit_pkey;
ALTER INDEX audit_kyc RENAME TO audit_rest_kyc;
CREATE TABLE audit (LIKE audit_rest, PRIMARY KEY (number, at)) PARTITION BY RANGE (at);
CREATE INDEX audit_kyc ON audit (customer, number)
    WHERE action IN ('kyc', 'screened', 'search changed', 'hit decided', 'schedule changed');
ALTER TABLE audit ATTACH PARTITION audit_rest DEFAULT;

-- An event belongs to the month of its change, not to that in which it was made:
-- it happens once, whenever it is told.
ALTER TABLE event RENAME TO event_rest;
ALTER TABLE event_rest DROP CONSTRAINT event_pkey;
ALTER INDEX event_once RENAME TO event_rest_once;
ALTER INDEX event_name RENAME TO event_rest_name;
ALTER INDEX event_at RENAME TO event_rest_at;
ALTER INDEX event_created RENAME TO event_rest_created;
ALTER INDEX event_country RENAME TO event_rest_country;
ALTER INDEX event_company RENAME TO event_rest_company;
CREATE TABLE event (LIKE event_rest, PRIMARY KEY (id, at)) PARTITION BY RANGE (at);
CREATE UNIQUE INDEX event_once ON event (portfolio, at, change, rule);
CREATE INDEX event_name ON event (portfolio, processed, sort_name, id);
CREATE INDEX event_at ON event (portfolio, processed, at, id);
CREATE INDEX event_created ON event (portfolio, processed, created_at, id);
CREATE INDEX event_country ON event (portfolio, processed, country, id);
CREATE INDEX event_company ON event (portfolio, company, at, id);
ALTER TABLE event ATTACH PARTITION event_rest DEFAULT;
