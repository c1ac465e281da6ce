-- The screening lists of internal/kyc: their entries in all versions, and the
-- log of what changed.

-- The ends of the log and of the versions. Whoever changes a list holds this row.
CREATE TABLE list_log (
    id           INTEGER PRIMARY KEY CHECK (id = 1),
    last_number  INTEGER NOT NULL,
    last_version INTEGER NOT NULL
) STRICT;
INSERT INTO list_log (id, last_number, last_version) VALUES (1, 0, 0);

-- version: the newest in force, 0 if none. aside: one that was begun. file: what
-- was imported last, whether or not it changed anything.
CREATE TABLE screening_list (
    name      TEXT PRIMARY KEY,
    version   INTEGER NOT NULL,
    aside     INTEGER NOT NULL,
    file      TEXT NOT NULL,
    entries   INTEGER NOT NULL,
    loaded_at INTEGER NOT NULL,
    as_of     INTEGER NOT NULL
) STRICT;

CREATE TABLE list_version (
    number  INTEGER PRIMARY KEY,
    list    TEXT NOT NULL,
    file    TEXT NOT NULL,
    at      INTEGER NOT NULL,
    as_of   TEXT NOT NULL,
    entries INTEGER NOT NULL,
    added   INTEGER NOT NULL,
    changed INTEGER NOT NULL,
    removed INTEGER NOT NULL
) STRICT;
CREATE INDEX list_version_list ON list_version (list, number);

-- An entry has its id for good. first_version: the one that it first came with.
CREATE TABLE list_entry (
    id            INTEGER PRIMARY KEY,
    list          TEXT NOT NULL,
    number        TEXT NOT NULL,
    first_version INTEGER NOT NULL,
    UNIQUE (list, number)
) STRICT;

-- What an entry says in the versions from since on and before until; until is 0
-- while it holds. Rows of a version that is not in force yet are nobody's to see.
CREATE TABLE entry_version (
    entry INTEGER NOT NULL,
    since INTEGER NOT NULL,
    until INTEGER NOT NULL,
    list  TEXT NOT NULL,
    hash  INTEGER NOT NULL,
    facts BLOB NOT NULL,
    PRIMARY KEY (entry, since)
) STRICT;
CREATE INDEX entry_version_since ON entry_version (list, since);
CREATE INDEX entry_version_until ON entry_version (list, until);

CREATE TABLE entry_change (
    number  INTEGER PRIMARY KEY,
    version INTEGER NOT NULL,
    list    TEXT NOT NULL,
    entry   INTEGER NOT NULL,
    kind    TEXT NOT NULL
) STRICT;
CREATE INDEX entry_change_entry ON entry_change (entry, number);
