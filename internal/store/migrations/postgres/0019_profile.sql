-- Profiles of internal/kyc: a customer's files on those it does business with.

-- facts: what is only ever read whole, as JSON. folded: the names and the
-- internal number as they are searched for. sorted: the name as it is sorted.
CREATE TABLE kyc_profile (
    id          TEXT COLLATE "C" PRIMARY KEY,
    customer    BIGINT NOT NULL,
    name        TEXT NOT NULL,
    sorted      TEXT COLLATE "C" NOT NULL,
    folded      TEXT NOT NULL,
    type        TEXT COLLATE "C" NOT NULL,
    status      TEXT COLLATE "C" NOT NULL,
    risk        TEXT COLLATE "C" NOT NULL,
    internal_id TEXT COLLATE "C" NOT NULL,
    assigned    BIGINT NOT NULL,
    review_on   TEXT COLLATE "C" NOT NULL,
    created_at  BIGINT NOT NULL,
    created_by  BIGINT NOT NULL,
    modified_at BIGINT NOT NULL,
    modified_by BIGINT NOT NULL,
    facts       TEXT NOT NULL
);
CREATE INDEX kyc_profile_newest ON kyc_profile (customer, created_at, id);
CREATE UNIQUE INDEX kyc_profile_internal ON kyc_profile (customer, internal_id) WHERE internal_id <> '';

CREATE TABLE kyc_note (
    id          TEXT COLLATE "C" PRIMARY KEY,
    profile     TEXT COLLATE "C" NOT NULL,
    body        TEXT NOT NULL,
    folded      TEXT NOT NULL,
    archived    BIGINT NOT NULL,
    created_at  BIGINT NOT NULL,
    created_by  BIGINT NOT NULL,
    modified_at BIGINT NOT NULL,
    modified_by BIGINT NOT NULL
);
CREATE INDEX kyc_note_of ON kyc_note (profile, created_at, id);

-- What was done with profiles and searches, in the audit log.
CREATE INDEX audit_kyc ON audit (customer, number)
    WHERE action IN ('kyc', 'screened', 'search changed', 'hit decided', 'schedule changed');

-- Reports that customers asked for. task: what makes it, and its file. folded:
-- the file's name as it is searched for.
CREATE TABLE kyc_report (
    id         TEXT COLLATE "C" PRIMARY KEY,
    customer   BIGINT NOT NULL,
    account    BIGINT NOT NULL,
    task       BIGINT NOT NULL,
    type       TEXT COLLATE "C" NOT NULL,
    format     TEXT COLLATE "C" NOT NULL,
    file_name  TEXT COLLATE "C" NOT NULL,
    folded     TEXT NOT NULL,
    criteria   TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    UNIQUE (customer, file_name)
);
CREATE INDEX kyc_report_newest ON kyc_report (customer, created_at, id);

-- Which searches are about the subject of a profile.
CREATE TABLE kyc_profile_search (
    profile TEXT COLLATE "C" NOT NULL,
    search  TEXT COLLATE "C" NOT NULL,
    at      BIGINT NOT NULL,
    account BIGINT NOT NULL,
    PRIMARY KEY (profile, search)
);
CREATE INDEX kyc_profile_search_of ON kyc_profile_search (search);
