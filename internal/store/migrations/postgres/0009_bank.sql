-- The bank checks of internal/bank: what was imported, and what was asked.

-- Branches, banks and accounts, each found by one key. place: the country of a
-- bank, the branch of an account. turn: the import that last had the record.
CREATE TABLE bank_record (
    kind  TEXT COLLATE "C" NOT NULL,
    key   TEXT COLLATE "C" NOT NULL,
    place TEXT COLLATE "C" NOT NULL,
    facts TEXT NOT NULL,
    turn  BIGINT NOT NULL,
    PRIMARY KEY (kind, key)
);
CREATE INDEX bank_record_place ON bank_record (kind, place);

-- The modulus tables, in versions. number grows with each change.
CREATE TABLE modulus_table (
    kind       TEXT COLLATE "C" NOT NULL,
    valid_from TEXT COLLATE "C" NOT NULL,
    number     BIGINT NOT NULL,
    table_rows TEXT NOT NULL,
    kept_at    BIGINT NOT NULL,
    PRIMARY KEY (kind, valid_from)
);

-- What customers asked about an account, and what they were told. fingerprint
-- is that of the account number, which is kept nowhere. sought: the name as it
-- is searched for.
CREATE TABLE bank_verification (
    id          TEXT COLLATE "C" PRIMARY KEY,
    customer    BIGINT NOT NULL,
    account     BIGINT NOT NULL,
    at          BIGINT NOT NULL,
    name        TEXT NOT NULL,
    sought      TEXT NOT NULL,
    type        TEXT NOT NULL,
    reference   TEXT NOT NULL,
    match       TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    answer      TEXT NOT NULL
);
CREATE INDEX bank_verification_newest ON bank_verification (customer, at, id);

CREATE TABLE bank_match (
    id       TEXT PRIMARY KEY,
    customer BIGINT NOT NULL,
    account  BIGINT NOT NULL,
    at       BIGINT NOT NULL,
    answer   TEXT NOT NULL
);
