-- What the register says of a portfolio's companies is read by way of their watchers,
-- as on PostgreSQL. One watcher without an end is there for each company of a portfolio.
CREATE INDEX watcher_portfolio ON watcher (portfolio, company, customer) WHERE until = 9223372036854775807;

-- What of screening belonged to a customer through something else says so itself. The
-- keys stay as they are: an SQLite file lies on one machine.
ALTER TABLE kyc_note ADD COLUMN customer INTEGER NOT NULL DEFAULT 0;
UPDATE kyc_note SET customer = COALESCE((SELECT p.customer FROM kyc_profile AS p WHERE p.id = kyc_note.profile), 0);
ALTER TABLE kyc_profile_search ADD COLUMN customer INTEGER NOT NULL DEFAULT 0;
UPDATE kyc_profile_search SET customer = COALESCE((SELECT p.customer FROM kyc_profile AS p WHERE p.id = kyc_profile_search.profile), 0);
ALTER TABLE kyc_batch_row ADD COLUMN customer INTEGER NOT NULL DEFAULT 0;
UPDATE kyc_batch_row SET customer = COALESCE((SELECT p.customer FROM kyc_batch AS p WHERE p.id = kyc_batch_row.batch), 0);
ALTER TABLE kyc_watch ADD COLUMN customer INTEGER NOT NULL DEFAULT 0;
UPDATE kyc_watch SET customer = COALESCE((SELECT p.customer FROM kyc_schedule AS p WHERE p.id = kyc_watch.schedule), 0);
