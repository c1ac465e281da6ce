-- Stretches of the audit log that were let go: where each began and ended, and
-- the sums before it and at its end, signed.
CREATE TABLE audit_gone (
    first     BIGINT PRIMARY KEY,
    last      BIGINT NOT NULL,
    month     TEXT NOT NULL,
    before    BYTEA NOT NULL,
    sum       BYTEA NOT NULL,
    at        BIGINT NOT NULL,
    key_id    TEXT NOT NULL,
    signature BYTEA NOT NULL
);
