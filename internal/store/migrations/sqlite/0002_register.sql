-- The register of internal/company: companies, who said what, and the log of
-- what changed.

-- The end of the log. Whoever writes to the register holds this row.
CREATE TABLE change_log (
    id          INTEGER PRIMARY KEY CHECK (id = 1),
    last_number INTEGER NOT NULL
) STRICT;
INSERT INTO change_log (id, last_number) VALUES (1, 0);

-- said: what each source says, as company.Held writes it.
CREATE TABLE company (
    id      TEXT PRIMARY KEY,
    country TEXT NOT NULL,
    name    TEXT NOT NULL,
    status  TEXT NOT NULL,
    said    BLOB NOT NULL
) STRICT;

-- The other numbers that a company goes by.
CREATE TABLE company_ident (
    kind    TEXT NOT NULL,
    value   TEXT NOT NULL,
    company TEXT NOT NULL,
    PRIMARY KEY (kind, value, company)
) STRICT, WITHOUT ROWID;
CREATE INDEX company_ident_company ON company_ident (company);

-- What a source said, as a fingerprint: the same again need not be looked at.
CREATE TABLE statement (
    source  TEXT NOT NULL,
    key     INTEGER NOT NULL,
    company TEXT NOT NULL,
    hash    INTEGER NOT NULL,
    PRIMARY KEY (source, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE change (
    number  INTEGER PRIMARY KEY,
    company TEXT NOT NULL,
    field   TEXT NOT NULL,
    item    TEXT NOT NULL,
    old     TEXT NOT NULL,
    new     TEXT NOT NULL,
    source  TEXT NOT NULL,
    at      INTEGER NOT NULL
) STRICT;
CREATE INDEX change_company ON change (company, number);

-- Files that were read. A file that was not finished goes on under its row.
CREATE TABLE import (
    id          INTEGER PRIMARY KEY,
    source      TEXT NOT NULL,
    file        TEXT NOT NULL,
    mark        TEXT NOT NULL,
    started_at  INTEGER NOT NULL,
    finished_at INTEGER NOT NULL,
    records     INTEGER NOT NULL,
    refused     INTEGER NOT NULL,
    unchanged   INTEGER NOT NULL,
    changed     INTEGER NOT NULL,
    changes     INTEGER NOT NULL,
    removed     INTEGER NOT NULL,
    error       TEXT NOT NULL
) STRICT;
CREATE INDEX import_source ON import (source, mark);
