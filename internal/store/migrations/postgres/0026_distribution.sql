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

ALTER TABLE bank_verification DROP CONSTRAINT bank_verification_pkey, ADD PRIMARY KEY (id, customer);
ALTER TABLE bank_match DROP CONSTRAINT bank_match_pkey, ADD PRIMARY KEY (id, customer);
ALTER TABLE identity_search DROP CONSTRAINT identity_search_pkey, ADD PRIMARY KEY (id, customer);
ALTER TABLE consumer_letter DROP CONSTRAINT consumer_letter_pkey, ADD PRIMARY KEY (id, customer);

-- Changes are read by company and by number. What was an index by company is the key.
ALTER TABLE change DROP CONSTRAINT change_pkey, ADD PRIMARY KEY (company, number, at);
DROP INDEX change_company;
CREATE INDEX change_number ON change (number);

-- What belonged to a customer through something else says so itself: a distributed
-- PostgreSQL takes no policy that asks another table. A file is nobody's until a task
-- takes it up, or everybody's if it is a document; customer is 0 then, and -1 if it is
-- for no customer to see.
ALTER TABLE rule_setting ADD COLUMN customer BIGINT NOT NULL DEFAULT 0;
UPDATE rule_setting SET customer = p.customer FROM portfolio AS p WHERE p.id = rule_setting.portfolio;
DROP POLICY wall ON rule_setting;
CREATE POLICY wall ON rule_setting USING (customer = current_setting('bureau.customer')::bigint);
ALTER TABLE quiet ADD COLUMN customer BIGINT NOT NULL DEFAULT 0;
UPDATE quiet SET customer = p.customer FROM portfolio AS p WHERE p.id = quiet.portfolio;
DROP POLICY wall ON quiet;
CREATE POLICY wall ON quiet USING (customer = current_setting('bureau.customer')::bigint);
ALTER TABLE file ADD COLUMN customer BIGINT NOT NULL DEFAULT 0;
UPDATE file SET customer = COALESCE(NULLIF((SELECT t.customer FROM task AS t WHERE t.id = file.task), 0), -1) WHERE task > 0;
DROP POLICY wall ON file;
CREATE POLICY wall ON file USING (customer = 0 OR customer = current_setting('bureau.customer')::bigint);
ALTER TABLE file_chunk ADD COLUMN customer BIGINT NOT NULL DEFAULT 0;
UPDATE file_chunk SET customer = f.customer FROM file AS f WHERE f.id = file_chunk.file AND f.customer <> 0;
DROP POLICY wall ON file_chunk;
CREATE POLICY wall ON file_chunk USING (customer = 0 OR customer = current_setting('bureau.customer')::bigint);
