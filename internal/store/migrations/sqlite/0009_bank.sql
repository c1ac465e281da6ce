-- The bank checks of internal/bank: what was imported, and what was asked.

-- Branches, banks and accounts, each found by one key. place: the country of a
-- bank, the branch of an account. turn: the import that last had the record.
CREATE TABLE bank_record (
    kind  TEXT NOT NULL,
    key   TEXT NOT NULL,
    place TEXT NOT NULL,
    facts TEXT NOT NULL,
    turn  INTEGER NOT NULL,
    PRIMARY KEY (kind, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX bank_record_place ON bank_record (kind, place);

-- The modulus tables, in versions. number grows with each change.
CREATE TABLE modulus_table (
    kind       TEXT NOT NULL,
    valid_from TEXT NOT NULL,
    number     INTEGER NOT NULL,
    table_rows TEXT NOT NULL,
    kept_at    INTEGER NOT NULL,
    PRIMARY KEY (kind, valid_from)
) STRICT;

-- What customers asked about an account, and what they were told. fingerprint
-- is that of the account number, which is kept nowhere. sought: the name as it
-- is searched for.
CREATE TABLE bank_verification (
    id          TEXT PRIMARY KEY,
    customer    INTEGER NOT NULL,
    account     INTEGER NOT NULL,
    at          INTEGER NOT NULL,
    name        TEXT NOT NULL,
    sought      TEXT NOT NULL,
    type        TEXT NOT NULL,
    reference   TEXT NOT NULL,
    match       TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    answer      TEXT NOT NULL
) STRICT;
CREATE INDEX bank_verification_newest ON bank_verification (customer, at, id);

CREATE TABLE bank_match (
    id       TEXT PRIMARY KEY,
    customer INTEGER NOT NULL,
    account  INTEGER NOT NULL,
    at       INTEGER NOT NULL,
    answer   TEXT NOT NULL
) STRICT;
