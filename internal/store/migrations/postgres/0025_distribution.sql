-- The distribution column of a large table (docs/scaling.md) becomes a part of its
-- keys, and of the indexes that are read without the rows. It stands behind what was
-- in them: numbers are given once for all customers, so each row is found as before.

ALTER TABLE delivery DROP CONSTRAINT delivery_pkey, ADD PRIMARY KEY (event, webhook, customer);
DROP INDEX delivery_line;
CREATE INDEX delivery_line ON delivery (webhook, customer, replay, event) WHERE state = 0;
DROP INDEX delivery_lane;
CREATE INDEX delivery_lane ON delivery (webhook, customer, replay, company, event) WHERE state = 1;

ALTER TABLE event DROP CONSTRAINT event_pkey, ADD PRIMARY KEY (id, at, customer);
DROP INDEX event_once;
CREATE UNIQUE INDEX event_once ON event (portfolio, at, change, rule, customer);
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
ALTER TABLE event_total DROP CONSTRAINT event_total_pkey, ADD PRIMARY KEY (portfolio, made, day, processed, customer);

ALTER TABLE portfolio DROP CONSTRAINT portfolio_pkey, ADD PRIMARY KEY (id, customer);
ALTER TABLE portfolio_share DROP CONSTRAINT portfolio_share_pkey, ADD PRIMARY KEY (portfolio, account, customer);
ALTER TABLE member DROP CONSTRAINT member_pkey, ADD PRIMARY KEY (portfolio, company, customer);
