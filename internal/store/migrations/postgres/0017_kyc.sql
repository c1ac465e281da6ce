-- What customers of internal/kyc searched for on the lists, what was found, and
-- what they decided.

-- What a customer wants of every search.
CREATE TABLE kyc_setting (
    customer     BIGINT PRIMARY KEY,
    dob_required BIGINT NOT NULL,
    bodies       TEXT NOT NULL
);

-- Somebody whom a customer asked about. sought: a keyed hash of the name.
-- secret: what they are named by in the audit log, together with a key that is
-- not in the database. Without the row nobody can tell whom the log speaks of.
CREATE TABLE kyc_subject (
    customer   BIGINT NOT NULL,
    sought     TEXT COLLATE "C" NOT NULL,
    secret     BYTEA NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (customer, sought)
);

-- asked: the subject and the options as JSON. looked: what was looked at, with
-- the versions of lists and engine. schedule: '' if it is not on one.
CREATE TABLE kyc_search (
    id          TEXT COLLATE "C" PRIMARY KEY,
    customer    BIGINT NOT NULL,
    sought      TEXT COLLATE "C" NOT NULL,
    person      BIGINT NOT NULL,
    asked       TEXT NOT NULL,
    looked      TEXT NOT NULL,
    status      TEXT COLLATE "C" NOT NULL,
    risk        TEXT COLLATE "C" NOT NULL,
    assigned_to BIGINT NOT NULL,
    note        TEXT NOT NULL,
    schedule    TEXT COLLATE "C" NOT NULL,
    created_at  BIGINT NOT NULL,
    created_by  BIGINT NOT NULL,
    modified_at BIGINT NOT NULL,
    modified_by BIGINT NOT NULL
);
CREATE INDEX kyc_search_newest ON kyc_search (customer, person, created_at, id);
CREATE INDEX kyc_search_sought ON kyc_search (customer, sought);

-- entry and since: what was found, in the version in which it was found.
-- verdict: how the two compare. supersedes: the hit whose place this one took,
-- '' for none. current: 0 once another took its place. alert: the number of the
-- alert that told of it, 0 if a customer's own search found it.
CREATE TABLE kyc_hit (
    id         TEXT COLLATE "C" PRIMARY KEY,
    customer   BIGINT NOT NULL,
    search     TEXT COLLATE "C" NOT NULL,
    entry      BIGINT NOT NULL,
    since      BIGINT NOT NULL,
    score      BIGINT NOT NULL,
    verdict    TEXT NOT NULL,
    decision   TEXT COLLATE "C" NOT NULL,
    note       TEXT NOT NULL,
    decided_at BIGINT NOT NULL,
    decided_by BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    supersedes TEXT COLLATE "C" NOT NULL,
    current    BIGINT NOT NULL,
    alert      BIGINT NOT NULL
);
CREATE INDEX kyc_hit_search ON kyc_hit (search, current, score, id);
CREATE INDEX kyc_hit_alert ON kyc_hit (customer, alert) WHERE alert > 0;

-- Every decision about a hit, in order. basis: what it was made on.
CREATE TABLE kyc_decision (
    hit        TEXT COLLATE "C" NOT NULL,
    number     BIGINT NOT NULL,
    customer   BIGINT NOT NULL,
    sought     TEXT COLLATE "C" NOT NULL,
    entry      BIGINT NOT NULL,
    decision   TEXT COLLATE "C" NOT NULL,
    note       TEXT NOT NULL,
    decided_at BIGINT NOT NULL,
    decided_by BIGINT NOT NULL,
    basis      TEXT NOT NULL,
    PRIMARY KEY (hit, number)
);
CREATE INDEX kyc_decision_sought ON kyc_decision (customer, sought, entry, decided_at);

-- Searches that are repeated whenever a list changes. version grows with every
-- change of any of them, so that who holds them in memory hears of it; a
-- schedule that ended keeps its row, without its search.
CREATE TABLE kyc_schedule (
    id          TEXT COLLATE "C" PRIMARY KEY,
    customer    BIGINT NOT NULL,
    search      TEXT COLLATE "C" NOT NULL,
    threshold   BIGINT NOT NULL,
    datasets    TEXT NOT NULL,
    email       BIGINT NOT NULL,
    recipients  TEXT NOT NULL,
    created_at  BIGINT NOT NULL,
    created_by  BIGINT NOT NULL,
    modified_at BIGINT NOT NULL,
    modified_by BIGINT NOT NULL,
    version     BIGINT NOT NULL
);
CREATE INDEX kyc_schedule_newest ON kyc_schedule (customer, created_at, id);
CREATE INDEX kyc_schedule_version ON kyc_schedule (version);
INSERT INTO monitor_log (name, last_number, last_at) VALUES ('kyc schedule', 0, 0), ('kyc alert', 0, 0);
