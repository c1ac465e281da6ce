-- The screening lists of internal/kyc: their entries in all versions, and the
-- log of what changed.

-- The ends of the log and of the versions. Whoever changes a list holds this row.
CREATE TABLE list_log (
    id           BIGINT PRIMARY KEY CHECK (id = 1),
    last_number  BIGINT NOT NULL,
    last_version BIGINT NOT NULL
);
INSERT INTO list_log (id, last_number, last_version) VALUES (1, 0, 0);

-- version: the newest in force, 0 if none. aside: one that was begun. file: what
-- was imported last, whether or not it changed anything.
CREATE TABLE screening_list (
    name      TEXT COLLATE "C" PRIMARY KEY,
    version   BIGINT NOT NULL,
    aside     BIGINT NOT NULL,
    file      TEXT NOT NULL,
    entries   BIGINT NOT NULL,
    loaded_at BIGINT NOT NULL,
    as_of     BIGINT NOT NULL
);

CREATE TABLE list_version (
    number  BIGINT PRIMARY KEY,
    list    TEXT COLLATE "C" NOT NULL,
    file    TEXT NOT NULL,
    at      BIGINT NOT NULL,
    as_of   TEXT NOT NULL,
    entries BIGINT NOT NULL,
    added   BIGINT NOT NULL,
    changed BIGINT NOT NULL,
    removed BIGINT NOT NULL
);
CREATE INDEX list_version_list ON list_version (list, number);

-- An entry has its id for good. first_version: the one that it first came with.
CREATE TABLE list_entry (
    id            BIGINT PRIMARY KEY,
    list          TEXT COLLATE "C" NOT NULL,
    number        TEXT COLLATE "C" NOT NULL,
    first_version BIGINT NOT NULL,
    UNIQUE (list, number)
);

-- What an entry says in the versions from since on and before until; until is 0
-- while it holds. Rows of a version that is not in force yet are nobody's to see.
CREATE TABLE entry_version (
    entry BIGINT NOT NULL,
    since BIGINT NOT NULL,
    until BIGINT NOT NULL,
    list  TEXT COLLATE "C" NOT NULL,
    hash  BIGINT NOT NULL,
    facts BYTEA NOT NULL,
    PRIMARY KEY (entry, since)
);
CREATE INDEX entry_version_since ON entry_version (list, since);
CREATE INDEX entry_version_until ON entry_version (list, until);

CREATE TABLE entry_change (
    number  BIGINT PRIMARY KEY,
    version BIGINT NOT NULL,
    list    TEXT COLLATE "C" NOT NULL,
    entry   BIGINT NOT NULL,
    kind    TEXT NOT NULL
);
CREATE INDEX entry_change_entry ON entry_change (entry, number);
