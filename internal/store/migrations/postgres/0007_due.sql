-- The day on which a company's next accounts are due, or nothing. Of companies
-- that were kept before there was this column it is not known yet.
ALTER TABLE company ADD COLUMN accounts_due TEXT COLLATE "C" NOT NULL DEFAULT '?';
CREATE INDEX company_due ON company (accounts_due, id) WHERE accounts_due <> '';
