-- What the register says of a portfolio's companies is read by way of their watchers,
-- which lie beside the companies on a distributed PostgreSQL. One watcher without an
-- end is there for each company of a portfolio.
CREATE INDEX watcher_portfolio ON watcher (portfolio, company, customer) WHERE until = 9223372036854775807;

-- Screening: whose it is becomes a part of every key, behind what was in it.
ALTER TABLE kyc_search DROP CONSTRAINT kyc_search_pkey, ADD PRIMARY KEY (id, customer);
ALTER TABLE kyc_hit DROP CONSTRAINT kyc_hit_pkey, ADD PRIMARY KEY (id, customer);
ALTER TABLE kyc_decision DROP CONSTRAINT kyc_decision_pkey, ADD PRIMARY KEY (hit, number, customer);
ALTER TABLE kyc_schedule DROP CONSTRAINT kyc_schedule_pkey, ADD PRIMARY KEY (id, customer);
ALTER TABLE kyc_profile DROP CONSTRAINT kyc_profile_pkey, ADD PRIMARY KEY (id, customer);
ALTER TABLE kyc_report DROP CONSTRAINT kyc_report_pkey, ADD PRIMARY KEY (id, customer);
ALTER TABLE kyc_batch DROP CONSTRAINT kyc_batch_pkey, ADD PRIMARY KEY (id, customer);

-- What belonged to a customer through something else says so itself.
ALTER TABLE kyc_note ADD COLUMN customer BIGINT NOT NULL DEFAULT 0;
UPDATE kyc_note SET customer = p.customer FROM kyc_profile AS p WHERE p.id = kyc_note.profile;
ALTER TABLE kyc_note DROP CONSTRAINT kyc_note_pkey, ADD PRIMARY KEY (id, customer);
DROP POLICY wall ON kyc_note;
CREATE POLICY wall ON kyc_note USING (customer = current_setting('bureau.customer')::bigint);
ALTER TABLE kyc_profile_search ADD COLUMN customer BIGINT NOT NULL DEFAULT 0;
UPDATE kyc_profile_search SET customer = p.customer FROM kyc_profile AS p WHERE p.id = kyc_profile_search.profile;
ALTER TABLE kyc_profile_search DROP CONSTRAINT kyc_profile_search_pkey, ADD PRIMARY KEY (profile, search, customer);
DROP POLICY wall ON kyc_profile_search;
CREATE POLICY wall ON kyc_profile_search USING (customer = current_setting('bureau.customer')::bigint);
ALTER TABLE kyc_batch_row ADD COLUMN customer BIGINT NOT NULL DEFAULT 0;
UPDATE kyc_batch_row SET customer = p.customer FROM kyc_batch AS p WHERE p.id = kyc_batch_row.batch;
ALTER TABLE kyc_batch_row DROP CONSTRAINT kyc_batch_row_pkey, ADD PRIMARY KEY (batch, number, customer);
DROP POLICY wall ON kyc_batch_row;
CREATE POLICY wall ON kyc_batch_row USING (customer = current_setting('bureau.customer')::bigint);
ALTER TABLE kyc_watch ADD COLUMN customer BIGINT NOT NULL DEFAULT 0;
UPDATE kyc_watch SET customer = p.customer FROM kyc_schedule AS p WHERE p.id = kyc_watch.schedule;
ALTER TABLE kyc_watch DROP CONSTRAINT kyc_watch_pkey, ADD PRIMARY KEY (version, customer);
DROP POLICY wall ON kyc_watch;
CREATE POLICY wall ON kyc_watch USING (customer = current_setting('bureau.customer')::bigint);
