-- The shared record of internal/auth: who is known, who tried, what happened.
CREATE TABLE setting (
    name  TEXT PRIMARY KEY,
    value BYTEA NOT NULL
);

-- The ends of the record. Whoever adds to it holds this row.
CREATE TABLE record (
    id           BIGINT PRIMARY KEY CHECK (id = 1),
    access       BIGINT NOT NULL,
    attempts     BIGINT NOT NULL,
    next_id      BIGINT NOT NULL,
    audit_number BIGINT NOT NULL,
    audit_sum    BYTEA NOT NULL,
    audit_seal   BYTEA NOT NULL
);
INSERT INTO record (id, access, attempts, next_id, audit_number, audit_sum, audit_seal)
VALUES (1, 0, 0, 1001, 0, '', '');

-- access: the number of the turn that last changed the row.
CREATE TABLE customer (
    id         BIGINT PRIMARY KEY,
    name       TEXT NOT NULL UNIQUE,
    grants     TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    access     BIGINT NOT NULL
);
CREATE INDEX customer_access ON customer (access);

CREATE TABLE account (
    id         BIGINT PRIMARY KEY,
    customer   BIGINT NOT NULL REFERENCES customer (id),
    user_key   TEXT NOT NULL UNIQUE,
    email      TEXT UNIQUE,
    title      TEXT NOT NULL,
    first_name TEXT NOT NULL,
    surname    TEXT NOT NULL,
    language   TEXT NOT NULL,
    operator   BIGINT NOT NULL,
    disabled   BIGINT NOT NULL,
    epoch      BIGINT NOT NULL,
    password   TEXT NOT NULL,
    console    TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    access     BIGINT NOT NULL
);
CREATE INDEX account_access ON account (access);

CREATE TABLE signing_key (
    id         TEXT PRIMARY KEY,
    alg        TEXT NOT NULL,
    public     BYTEA NOT NULL,
    sealed     BYTEA NOT NULL,
    audit      BIGINT NOT NULL,
    made_at    BIGINT NOT NULL,
    active_at  BIGINT NOT NULL,
    revoked    BIGINT NOT NULL,
    access     BIGINT NOT NULL
);

CREATE TABLE revoked_token (
    id         TEXT PRIMARY KEY,
    expires_at BIGINT NOT NULL,
    access     BIGINT NOT NULL
);

-- One row for the attempts of one turn; see attempts.go for their form.
CREATE TABLE login_attempts (
    number   BIGINT PRIMARY KEY,
    at       BIGINT NOT NULL,
    attempts BYTEA NOT NULL
);

CREATE TABLE audit (
    number   BIGINT PRIMARY KEY,
    at       BIGINT NOT NULL,
    action   TEXT NOT NULL,
    customer BIGINT NOT NULL,
    account  BIGINT NOT NULL,
    person   TEXT NOT NULL,
    source   TEXT NOT NULL,
    detail   TEXT NOT NULL,
    sum      BYTEA NOT NULL
);

CREATE TABLE audit_signed (
    number    BIGINT PRIMARY KEY,
    sum       BYTEA NOT NULL,
    at        BIGINT NOT NULL,
    key_id    TEXT NOT NULL,
    signature BYTEA NOT NULL
);

CREATE TABLE usage (
    customer BIGINT NOT NULL,
    account  BIGINT NOT NULL,
    product  TEXT NOT NULL,
    country  TEXT NOT NULL,
    day      TEXT NOT NULL,
    calls    BIGINT NOT NULL,
    PRIMARY KEY (customer, day, account, product, country)
);

CREATE TABLE call_count (
    slot    BIGINT NOT NULL,
    node    TEXT NOT NULL,
    account BIGINT NOT NULL,
    calls   BIGINT NOT NULL,
    PRIMARY KEY (slot, node, account)
);

-- What a POST with an Idempotency-Key was answered. status is 0 while the
-- first of them is still at work.
CREATE TABLE idempotent_reply (
    account    BIGINT NOT NULL,
    name       TEXT NOT NULL,
    request    BYTEA NOT NULL,
    started_at BIGINT NOT NULL,
    status     BIGINT NOT NULL,
    headers    TEXT NOT NULL,
    body       BYTEA NOT NULL,
    PRIMARY KEY (account, name)
);
CREATE INDEX idempotent_reply_age ON idempotent_reply (started_at);
