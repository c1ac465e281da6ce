-- The register of internal/company: companies, who said what, and the log of
-- what changed.

-- The end of the log. Whoever writes to the register holds this row.
CREATE TABLE change_log (
    id          BIGINT PRIMARY KEY CHECK (id = 1),
    last_number BIGINT NOT NULL
);
INSERT INTO change_log (id, last_number) VALUES (1, 0);

-- said: what each source says, as company.Held writes it.
CREATE TABLE company (
    id      TEXT COLLATE "C" PRIMARY KEY,
    country TEXT NOT NULL,
    name    TEXT NOT NULL,
    status  TEXT NOT NULL,
    said    BYTEA NOT NULL
);

-- The other numbers that a company goes by.
CREATE TABLE company_ident (
    kind    TEXT NOT NULL,
    value   TEXT COLLATE "C" NOT NULL,
    company TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (kind, value, company)
);
CREATE INDEX company_ident_company ON company_ident (company);

-- What a source said, as a fingerprint: the same again need not be looked at.
CREATE TABLE statement (
    source  TEXT COLLATE "C" NOT NULL,
    key     BIGINT NOT NULL,
    company TEXT COLLATE "C" NOT NULL,
    hash    BIGINT NOT NULL,
    PRIMARY KEY (source, key)
);

CREATE TABLE change (
    number  BIGINT PRIMARY KEY,
    company TEXT COLLATE "C" NOT NULL,
    field   TEXT NOT NULL,
    item    TEXT NOT NULL,
    old     TEXT NOT NULL,
    new     TEXT NOT NULL,
    source  TEXT COLLATE "C" NOT NULL,
    at      BIGINT NOT NULL
);
CREATE INDEX change_company ON change (company, number);

-- Files that were read. A file that was not finished goes on under its row.
CREATE TABLE import (
    id          BIGINT PRIMARY KEY,
    source      TEXT NOT NULL,
    file        TEXT NOT NULL,
    mark        TEXT NOT NULL,
    started_at  BIGINT NOT NULL,
    finished_at BIGINT NOT NULL,
    records     BIGINT NOT NULL,
    refused     BIGINT NOT NULL,
    unchanged   BIGINT NOT NULL,
    changed     BIGINT NOT NULL,
    changes     BIGINT NOT NULL,
    removed     BIGINT NOT NULL,
    error       TEXT NOT NULL
);
CREATE INDEX import_source ON import (source, mark);
