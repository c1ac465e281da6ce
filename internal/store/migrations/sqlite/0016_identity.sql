-- The people of internal/identity: who was loaded, what they asked of us, and
-- what customers asked about them.

-- facts: the consumer as JSON. turn: the import that last had them.
CREATE TABLE consumer (
    id    TEXT PRIMARY KEY,
    facts TEXT NOT NULL,
    turn  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX consumer_turn ON consumer (turn);

-- What consumers are found by: a word of a name, a day, a postcode.
CREATE TABLE consumer_key (
    key      TEXT NOT NULL,
    consumer TEXT NOT NULL,
    PRIMARY KEY (key, consumer)
) STRICT, WITHOUT ROWID;
CREATE INDEX consumer_key_of ON consumer_key (consumer);

-- Corrections, objections and statements. They outlive the consumer, so that
-- one who is loaded again is still the one who objected.
CREATE TABLE consumer_right (
    consumer   TEXT NOT NULL,
    number     INTEGER NOT NULL,
    kind       TEXT NOT NULL,
    at         INTEGER NOT NULL,
    note       TEXT NOT NULL,
    correction TEXT NOT NULL,
    PRIMARY KEY (consumer, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE consumer_change (
    consumer TEXT NOT NULL,
    at       INTEGER NOT NULL,
    field    TEXT NOT NULL,
    PRIMARY KEY (consumer, at, field)
) STRICT, WITHOUT ROWID;

-- What customers asked, and what they were told. consumer: who was found, ''
-- for nobody. sought: the name and the reference as they are searched for.
CREATE TABLE identity_search (
    id          TEXT PRIMARY KEY,
    customer    INTEGER NOT NULL,
    account     INTEGER NOT NULL,
    at          INTEGER NOT NULL,
    service     TEXT NOT NULL,
    consumer    TEXT NOT NULL,
    reason      TEXT NOT NULL,
    products    TEXT NOT NULL,
    result      TEXT NOT NULL,
    sought      TEXT NOT NULL,
    reference   TEXT NOT NULL,
    question    TEXT NOT NULL,
    options     TEXT NOT NULL,
    answer      TEXT NOT NULL,
    revalidated INTEGER NOT NULL
) STRICT;
CREATE INDEX identity_search_newest ON identity_search (customer, at, id);
CREATE INDEX identity_search_of ON identity_search (consumer, at);

-- The copies that people get of what was told about them.
CREATE TABLE consumer_letter (
    id       TEXT PRIMARY KEY,
    consumer TEXT NOT NULL,
    at       INTEGER NOT NULL,
    customer INTEGER NOT NULL,
    service  TEXT NOT NULL,
    told     TEXT NOT NULL
) STRICT;
CREATE INDEX consumer_letter_of ON consumer_letter (consumer, at);

-- The numbers by which German companies that are not limited are ordered.
CREATE TABLE company_number (
    number  INTEGER PRIMARY KEY,
    company TEXT NOT NULL UNIQUE
) STRICT;
