-- The people of internal/identity: who was loaded, what they asked of us, and
-- what customers asked about them.

-- facts: the consumer as JSON. turn: the import that last had them.
CREATE TABLE consumer (
    id    TEXT COLLATE "C" PRIMARY KEY,
    facts TEXT NOT NULL,
    turn  BIGINT NOT NULL
);
CREATE INDEX consumer_turn ON consumer (turn);

-- What consumers are found by: a word of a name, a day, a postcode.
CREATE TABLE consumer_key (
    key      TEXT COLLATE "C" NOT NULL,
    consumer TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (key, consumer)
);
CREATE INDEX consumer_key_of ON consumer_key (consumer);

-- Corrections, objections and statements. They outlive the consumer, so that
-- one who is loaded again is still the one who objected.
CREATE TABLE consumer_right (
    consumer   TEXT COLLATE "C" NOT NULL,
    number     BIGINT NOT NULL,
    kind       TEXT COLLATE "C" NOT NULL,
    at         BIGINT NOT NULL,
    note       TEXT NOT NULL,
    correction TEXT NOT NULL,
    PRIMARY KEY (consumer, number)
);

CREATE TABLE consumer_change (
    consumer TEXT COLLATE "C" NOT NULL,
    at       BIGINT NOT NULL,
    field    TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (consumer, at, field)
);

-- What customers asked, and what they were told. consumer: who was found, ''
-- for nobody. sought: the name and the reference as they are searched for.
CREATE TABLE identity_search (
    id          TEXT COLLATE "C" PRIMARY KEY,
    customer    BIGINT NOT NULL,
    account     BIGINT NOT NULL,
    at          BIGINT NOT NULL,
    service     TEXT COLLATE "C" NOT NULL,
    consumer    TEXT COLLATE "C" NOT NULL,
    reason      TEXT COLLATE "C" NOT NULL,
    products    TEXT COLLATE "C" NOT NULL,
    result      TEXT COLLATE "C" NOT NULL,
    sought      TEXT NOT NULL,
    reference   TEXT NOT NULL,
    question    TEXT NOT NULL,
    options     TEXT NOT NULL,
    answer      TEXT NOT NULL,
    revalidated BIGINT NOT NULL
);
CREATE INDEX identity_search_newest ON identity_search (customer, at, id);
CREATE INDEX identity_search_of ON identity_search (consumer, at);

-- The copies that people get of what was told about them.
CREATE TABLE consumer_letter (
    id       TEXT COLLATE "C" PRIMARY KEY,
    consumer TEXT COLLATE "C" NOT NULL,
    at       BIGINT NOT NULL,
    customer BIGINT NOT NULL,
    service  TEXT COLLATE "C" NOT NULL,
    told     TEXT NOT NULL
);
CREATE INDEX consumer_letter_of ON consumer_letter (consumer, at);

-- The numbers by which German companies that are not limited are ordered.
CREATE TABLE company_number (
    number  BIGINT PRIMARY KEY,
    company TEXT COLLATE "C" NOT NULL UNIQUE
);
