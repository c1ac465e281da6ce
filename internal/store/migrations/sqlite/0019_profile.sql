-- Profiles of internal/kyc: a customer's files on those it does business with.

-- facts: what is only ever read whole, as JSON. folded: the names and the
-- internal number as they are searched for. sorted: the name as it is sorted.
CREATE TABLE kyc_profile (
    id          TEXT PRIMARY KEY,
    customer    INTEGER NOT NULL,
    name        TEXT NOT NULL,
    sorted      TEXT NOT NULL,
    folded      TEXT NOT NULL,
    type        TEXT NOT NULL,
    status      TEXT NOT NULL,
    risk        TEXT NOT NULL,
    internal_id TEXT NOT NULL,
    assigned    INTEGER NOT NULL,
    review_on   TEXT NOT NULL,
    created_at  INTEGER NOT NULL,
    created_by  INTEGER NOT NULL,
    modified_at INTEGER NOT NULL,
    modified_by INTEGER NOT NULL,
    facts       TEXT NOT NULL
) STRICT;
CREATE INDEX kyc_profile_newest ON kyc_profile (customer, created_at, id);
CREATE UNIQUE INDEX kyc_profile_internal ON kyc_profile (customer, internal_id) WHERE internal_id <> '';

CREATE TABLE kyc_note (
    id          TEXT PRIMARY KEY,
    profile     TEXT NOT NULL,
    body        TEXT NOT NULL,
    folded      TEXT NOT NULL,
    archived    INTEGER NOT NULL,
    created_at  INTEGER NOT NULL,
    created_by  INTEGER NOT NULL,
    modified_at INTEGER NOT NULL,
    modified_by INTEGER NOT NULL
) STRICT;
CREATE INDEX kyc_note_of ON kyc_note (profile, created_at, id);

-- What was done with profiles and searches, in the audit log.
CREATE INDEX audit_kyc ON audit (customer, number)
    WHERE action IN ('kyc', 'screened', 'search changed', 'hit decided', 'schedule changed');

-- Reports that customers asked for. task: what makes it, and its file. folded:
-- the file's name as it is searched for.
CREATE TABLE kyc_report (
    id         TEXT PRIMARY KEY,
    customer   INTEGER NOT NULL,
    account    INTEGER NOT NULL,
    task       INTEGER NOT NULL,
    type       TEXT NOT NULL,
    format     TEXT NOT NULL,
    file_name  TEXT NOT NULL,
    folded     TEXT NOT NULL,
    criteria   TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    UNIQUE (customer, file_name)
) STRICT;
CREATE INDEX kyc_report_newest ON kyc_report (customer, created_at, id);

-- Which searches are about the subject of a profile.
CREATE TABLE kyc_profile_search (
    profile TEXT NOT NULL,
    search  TEXT NOT NULL,
    at      INTEGER NOT NULL,
    account INTEGER NOT NULL,
    PRIMARY KEY (profile, search)
) STRICT;
CREATE INDEX kyc_profile_search_of ON kyc_profile_search (search);
