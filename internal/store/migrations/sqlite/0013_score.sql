-- The day on which time alone may change a company's score, or nothing.
ALTER TABLE company ADD COLUMN rerate TEXT NOT NULL DEFAULT '';
CREATE INDEX company_rerate ON company (rerate, id) WHERE rerate <> '';

-- Documents that were filed. What is in them lies in pieces, as the files of
-- tasks do; those have the task -1.
CREATE TABLE document (
    id          TEXT PRIMARY KEY,
    company     TEXT NOT NULL,
    country     TEXT NOT NULL,
    kind        TEXT NOT NULL,
    text        TEXT NOT NULL,
    media       TEXT NOT NULL,
    language    TEXT NOT NULL,
    comment     TEXT NOT NULL,
    reference   TEXT NOT NULL,
    filed       TEXT NOT NULL,
    accounts    TEXT NOT NULL,
    source      TEXT NOT NULL,
    digest      TEXT NOT NULL,
    size        INTEGER NOT NULL,
    file        INTEGER NOT NULL,
    turn        INTEGER NOT NULL,
    uploaded_at INTEGER NOT NULL
) STRICT;
CREATE INDEX document_company ON document (company, filed DESC, id);
CREATE INDEX document_source ON document (source, turn);
