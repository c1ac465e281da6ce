-- Stretches of the audit log that were let go: where each began and ended, and
-- the sums before it and at its end, signed.
CREATE TABLE audit_gone (
    first     INTEGER PRIMARY KEY,
    last      INTEGER NOT NULL,
    month     TEXT NOT NULL,
    before    BLOB NOT NULL,
    sum       BLOB NOT NULL,
    at        INTEGER NOT NULL,
    key_id    TEXT NOT NULL,
    signature BLOB NOT NULL
);
