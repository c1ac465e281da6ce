-- The shared record of internal/auth: who is known, who tried, what happened.
CREATE TABLE setting (
    name  TEXT PRIMARY KEY,
    value BLOB NOT NULL
) STRICT;

-- The ends of the record. Whoever adds to it holds this row.
CREATE TABLE record (
    id           INTEGER PRIMARY KEY CHECK (id = 1),
    access       INTEGER NOT NULL,
    attempts     INTEGER NOT NULL,
    next_id      INTEGER NOT NULL,
    audit_number INTEGER NOT NULL,
    audit_sum    BLOB NOT NULL,
    audit_seal   BLOB NOT NULL
) STRICT;
INSERT INTO record (id, access, attempts, next_id, audit_number, audit_sum, audit_seal)
VALUES (1, 0, 0, 1001, 0, x'', x'');

-- access: the number of the turn that last changed the row.
CREATE TABLE customer (
    id         INTEGER PRIMARY KEY,
    name       TEXT NOT NULL UNIQUE,
    grants     TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    access     INTEGER NOT NULL
) STRICT;
CREATE INDEX customer_access ON customer (access);

CREATE TABLE account (
    id         INTEGER PRIMARY KEY,
    customer   INTEGER NOT NULL REFERENCES customer (id),
    user_key   TEXT NOT NULL UNIQUE,
    email      TEXT UNIQUE,
    title      TEXT NOT NULL,
    first_name TEXT NOT NULL,
    surname    TEXT NOT NULL,
    language   TEXT NOT NULL,
    operator   INTEGER NOT NULL,
    disabled   INTEGER NOT NULL,
    epoch      INTEGER NOT NULL,
    password   TEXT NOT NULL,
    console    TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    access     INTEGER NOT NULL
) STRICT;
CREATE INDEX account_access ON account (access);

CREATE TABLE signing_key (
    id         TEXT PRIMARY KEY,
    alg        TEXT NOT NULL,
    public     BLOB NOT NULL,
    sealed     BLOB NOT NULL,
    audit      INTEGER NOT NULL,
    made_at    INTEGER NOT NULL,
    active_at  INTEGER NOT NULL,
    revoked    INTEGER NOT NULL,
    access     INTEGER NOT NULL
) STRICT;

CREATE TABLE revoked_token (
    id         TEXT PRIMARY KEY,
    expires_at INTEGER NOT NULL,
    access     INTEGER NOT NULL
) STRICT;

-- One row for the attempts of one turn; see attempts.go for their form.
CREATE TABLE login_attempts (
    number   INTEGER PRIMARY KEY,
    at       INTEGER NOT NULL,
    attempts BLOB NOT NULL
) STRICT;

CREATE TABLE audit (
    number   INTEGER PRIMARY KEY,
    at       INTEGER NOT NULL,
    action   TEXT NOT NULL,
    customer INTEGER NOT NULL,
    account  INTEGER NOT NULL,
    person   TEXT NOT NULL,
    source   TEXT NOT NULL,
    detail   TEXT NOT NULL,
    sum      BLOB NOT NULL
) STRICT;

CREATE TABLE audit_signed (
    number    INTEGER PRIMARY KEY,
    sum       BLOB NOT NULL,
    at        INTEGER NOT NULL,
    key_id    TEXT NOT NULL,
    signature BLOB NOT NULL
) STRICT;

CREATE TABLE usage (
    customer INTEGER NOT NULL,
    account  INTEGER NOT NULL,
    product  TEXT NOT NULL,
    country  TEXT NOT NULL,
    day      TEXT NOT NULL,
    calls    INTEGER NOT NULL,
    PRIMARY KEY (customer, day, account, product, country)
) STRICT, WITHOUT ROWID;

CREATE TABLE call_count (
    slot    INTEGER NOT NULL,
    node    TEXT NOT NULL,
    account INTEGER NOT NULL,
    calls   INTEGER NOT NULL,
    PRIMARY KEY (slot, node, account)
) STRICT, WITHOUT ROWID;

-- What a POST with an Idempotency-Key was answered. status is 0 while the
-- first of them is still at work.
CREATE TABLE idempotent_reply (
    account    INTEGER NOT NULL,
    name       TEXT NOT NULL,
    request    BLOB NOT NULL,
    started_at INTEGER NOT NULL,
    status     INTEGER NOT NULL,
    headers    TEXT NOT NULL,
    body       BLOB NOT NULL,
    PRIMARY KEY (account, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotent_reply_age ON idempotent_reply (started_at);
