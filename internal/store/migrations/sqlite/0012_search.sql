-- What companies are looked for by, besides names and numbers: where they are,
-- how they are reached, who runs them. Kept by a reader of the log, so that
-- whoever writes companies does not wait for it.
CREATE TABLE search_key (
    company TEXT NOT NULL,
    kind    TEXT NOT NULL,
    value   TEXT NOT NULL,
    PRIMARY KEY (company, kind, value)
) STRICT, WITHOUT ROWID;
CREATE INDEX search_key_value ON search_key (kind, value, company);
