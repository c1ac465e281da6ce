-- What the register says of a portfolio's companies is read by way of their watchers,
-- as on PostgreSQL. One watcher without an end is there for each company of a portfolio.
CREATE INDEX watcher_portfolio ON watcher (portfolio, company, customer) WHERE until = 9223372036854775807;
