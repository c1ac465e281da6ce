-- What customers of internal/kyc searched for on the lists, what was found, and
-- what they decided.

-- What a customer wants of every search.
CREATE TABLE kyc_setting (
    customer     INTEGER PRIMARY KEY,
    dob_required INTEGER NOT NULL,
    bodies       TEXT NOT NULL
) STRICT;

-- Somebody whom a customer asked about. sought: a keyed hash of the name.
-- secret: what they are named by in the audit log, together with a key that is
-- not in the database. Without the row nobody can tell whom the log speaks of.
CREATE TABLE kyc_subject (
    customer   INTEGER NOT NULL,
    sought     TEXT NOT NULL,
    secret     BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (customer, sought)
) STRICT, WITHOUT ROWID;

-- asked: the subject and the options as JSON. looked: what was looked at, with
-- the versions of lists and engine. schedule: '' if it is not on one.
CREATE TABLE kyc_search (
    id          TEXT PRIMARY KEY,
    customer    INTEGER NOT NULL,
    sought      TEXT NOT NULL,
    person      INTEGER NOT NULL,
    asked       TEXT NOT NULL,
    looked      TEXT NOT NULL,
    status      TEXT NOT NULL,
    risk        TEXT NOT NULL,
    assigned_to INTEGER NOT NULL,
    note        TEXT NOT NULL,
    schedule    TEXT NOT NULL,
    created_at  INTEGER NOT NULL,
    created_by  INTEGER NOT NULL,
    modified_at INTEGER NOT NULL,
    modified_by INTEGER NOT NULL
) STRICT;
CREATE INDEX kyc_search_newest ON kyc_search (customer, person, created_at, id);
CREATE INDEX kyc_search_sought ON kyc_search (customer, sought);

-- entry and since: what was found, in the version in which it was found.
-- verdict: how the two compare. supersedes: the hit whose place this one took,
-- '' for none. current: 0 once another took its place. alert: the number of the
-- alert that told of it, 0 if a customer's own search found it.
CREATE TABLE kyc_hit (
    id         TEXT PRIMARY KEY,
    customer   INTEGER NOT NULL,
    search     TEXT NOT NULL,
    entry      INTEGER NOT NULL,
    since      INTEGER NOT NULL,
    score      INTEGER NOT NULL,
    verdict    TEXT NOT NULL,
    decision   TEXT NOT NULL,
    note       TEXT NOT NULL,
    decided_at INTEGER NOT NULL,
    decided_by INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    supersedes TEXT NOT NULL,
    current    INTEGER NOT NULL,
    alert      INTEGER NOT NULL
) STRICT;
CREATE INDEX kyc_hit_search ON kyc_hit (search, current, score, id);
CREATE INDEX kyc_hit_alert ON kyc_hit (customer, alert) WHERE alert > 0;

-- Every decision about a hit, in order. basis: what it was made on.
CREATE TABLE kyc_decision (
    hit        TEXT NOT NULL,
    number     INTEGER NOT NULL,
    customer   INTEGER NOT NULL,
    sought     TEXT NOT NULL,
    entry      INTEGER NOT NULL,
    decision   TEXT NOT NULL,
    note       TEXT NOT NULL,
    decided_at INTEGER NOT NULL,
    decided_by INTEGER NOT NULL,
    basis      TEXT NOT NULL,
    PRIMARY KEY (hit, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX kyc_decision_sought ON kyc_decision (customer, sought, entry, decided_at);

-- Searches that are repeated whenever a list changes. version grows with every
-- change of any of them, so that who holds them in memory hears of it; a
-- schedule that ended keeps its row, without its search.
CREATE TABLE kyc_schedule (
    id          TEXT PRIMARY KEY,
    customer    INTEGER NOT NULL,
    search      TEXT NOT NULL,
    threshold   INTEGER NOT NULL,
    datasets    TEXT NOT NULL,
    email       INTEGER NOT NULL,
    recipients  TEXT NOT NULL,
    created_at  INTEGER NOT NULL,
    created_by  INTEGER NOT NULL,
    modified_at INTEGER NOT NULL,
    modified_by INTEGER NOT NULL,
    version     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX kyc_schedule_newest ON kyc_schedule (customer, created_at, id);
CREATE INDEX kyc_schedule_version ON kyc_schedule (version);
INSERT INTO monitor_log (name, last_number, last_at) VALUES ('kyc schedule', 0, 0), ('kyc alert', 0, 0);
