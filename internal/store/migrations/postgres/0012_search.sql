-- What companies are looked for by, besides names and numbers: where they are,
-- how they are reached, who runs them. Kept by a reader of the log, so that
-- whoever writes companies does not wait for it.
CREATE TABLE search_key (
    company TEXT COLLATE "C" NOT NULL,
    kind    TEXT COLLATE "C" NOT NULL,
    value   TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (company, kind, value)
);
CREATE INDEX search_key_value ON search_key (kind, value, company);
