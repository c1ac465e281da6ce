-- Many searches of internal/kyc at once: files that were uploaded, and jobs of a
-- profile. task: what works on it. entries, done and failed count its rows.
CREATE TABLE kyc_batch (
    id         TEXT PRIMARY KEY,
    customer   INTEGER NOT NULL,
    account    INTEGER NOT NULL,
    kind       TEXT NOT NULL,
    name       TEXT NOT NULL,
    profile    TEXT NOT NULL,
    task       INTEGER NOT NULL,
    entries    INTEGER NOT NULL,
    done       INTEGER NOT NULL,
    failed     INTEGER NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX kyc_batch_newest ON kyc_batch (customer, kind, created_at, id);

-- id: also the number of its search. asked: as it was sent, as JSON. state:
-- submitted, completed or failed. noted: the audit log tells of its search.
CREATE TABLE kyc_batch_row (
    batch    TEXT NOT NULL,
    number   INTEGER NOT NULL,
    id       TEXT NOT NULL,
    line     INTEGER NOT NULL,
    asked    TEXT NOT NULL,
    state    TEXT NOT NULL,
    error    TEXT NOT NULL,
    noted    INTEGER NOT NULL,
    ended_at INTEGER NOT NULL,
    PRIMARY KEY (batch, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX kyc_batch_row_state ON kyc_batch_row (batch, state, number);
