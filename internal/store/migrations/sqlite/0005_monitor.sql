-- Portfolios of internal/monitor, the companies and rules in them, and the
-- events that they were told.

CREATE TABLE portfolio (
    id         INTEGER PRIMARY KEY,
    customer   INTEGER NOT NULL,
    account    INTEGER NOT NULL,
    name       TEXT NOT NULL,
    is_default INTEGER NOT NULL,
    subject    TEXT NOT NULL,
    language   TEXT NOT NULL,
    frequency  INTEGER NOT NULL,
    recipients TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX portfolio_name ON portfolio (customer, account, name);
CREATE UNIQUE INDEX portfolio_default ON portfolio (customer, account) WHERE is_default = 1;

CREATE TABLE portfolio_share (
    portfolio INTEGER NOT NULL,
    account   INTEGER NOT NULL,
    customer  INTEGER NOT NULL,
    rights    INTEGER NOT NULL,
    PRIMARY KEY (portfolio, account)
) STRICT, WITHOUT ROWID;
CREATE INDEX portfolio_share_account ON portfolio_share (account);

-- What is in a portfolio now, for those who read it.
CREATE TABLE member (
    customer   INTEGER NOT NULL,
    portfolio  INTEGER NOT NULL,
    company    TEXT NOT NULL,
    reference  TEXT NOT NULL,
    notes      TEXT NOT NULL,
    own_limit  TEXT NOT NULL,
    added_at   INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    PRIMARY KEY (portfolio, company)
) STRICT, WITHOUT ROWID;

-- The same for the engine, which asks by company: who watches it, for the
-- changes above since, up to until.
CREATE TABLE watcher (
    company   TEXT NOT NULL,
    portfolio INTEGER NOT NULL,
    since     INTEGER NOT NULL,
    until     INTEGER NOT NULL,
    customer  INTEGER NOT NULL,
    PRIMARY KEY (company, portfolio, since)
) STRICT, WITHOUT ROWID;
CREATE INDEX watcher_ended ON watcher (until) WHERE until < 9223372036854775807;

-- Whoever switches rules holds this row, and so does whoever makes events: each
-- log has its own.
CREATE TABLE monitor_log (
    name        TEXT PRIMARY KEY,
    last_number INTEGER NOT NULL,
    last_at     INTEGER NOT NULL
) STRICT;
INSERT INTO monitor_log (name, last_number, last_at) VALUES ('portfolio', 0, 0), ('setting', 0, 0), ('event', 0, 0), ('forgotten', 0, 0);

-- Rules as portfolios have them on, now and before.
CREATE TABLE rule_setting (
    id        INTEGER PRIMARY KEY,
    portfolio INTEGER NOT NULL,
    country   TEXT NOT NULL,
    code      INTEGER NOT NULL,
    param0    TEXT NOT NULL,
    param1    TEXT NOT NULL,
    param2    TEXT NOT NULL,
    since     INTEGER NOT NULL,
    until     INTEGER NOT NULL,
    number    INTEGER NOT NULL
) STRICT;
CREATE INDEX rule_setting_portfolio ON rule_setting (portfolio, country, code);
CREATE INDEX rule_setting_number ON rule_setting (number);

-- sort_name, country and processed are part of the orders in which events are
-- read. at is the time of the change, created_at that of the event: it grows
-- with id.
CREATE TABLE event (
    id           INTEGER PRIMARY KEY,
    customer     INTEGER NOT NULL,
    portfolio    INTEGER NOT NULL,
    company      TEXT NOT NULL,
    name         TEXT NOT NULL,
    sort_name    TEXT NOT NULL,
    country      TEXT NOT NULL,
    rule_country TEXT NOT NULL,
    rule         INTEGER NOT NULL,
    version      INTEGER NOT NULL,
    setting      INTEGER NOT NULL,
    change       INTEGER NOT NULL,
    field        TEXT NOT NULL,
    source       TEXT NOT NULL,
    old          TEXT NOT NULL,
    new          TEXT NOT NULL,
    why          TEXT NOT NULL,
    at           INTEGER NOT NULL,
    created_at   INTEGER NOT NULL,
    processed    INTEGER NOT NULL,
    processed_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX event_once ON event (portfolio, at, change, rule);
CREATE INDEX event_name ON event (portfolio, processed, sort_name, id);
CREATE INDEX event_at ON event (portfolio, processed, at, id);
CREATE INDEX event_created ON event (portfolio, processed, created_at, id);
CREATE INDEX event_country ON event (portfolio, processed, country, id);
CREATE INDEX event_company ON event (portfolio, company, at, id);

-- How many events a portfolio has of each day: by the day of the change, by the
-- day they were made, and in all.
CREATE TABLE event_total (
    portfolio INTEGER NOT NULL,
    made      INTEGER NOT NULL, -- 1: day is that of created_at; 2: all days, and day is 0
    day       INTEGER NOT NULL, -- since 1970
    processed INTEGER NOT NULL,
    customer  INTEGER NOT NULL,
    events    INTEGER NOT NULL,
    PRIMARY KEY (portfolio, made, day, processed)
) STRICT, WITHOUT ROWID;
CREATE INDEX event_total_day ON event_total (made, day);

ALTER TABLE company ADD COLUMN band TEXT NOT NULL DEFAULT '';
