-- Many searches of internal/kyc at once: files that were uploaded, and jobs of a
-- profile. task: what works on it. entries, done and failed count its rows.
CREATE TABLE kyc_batch (
    id         TEXT COLLATE "C" PRIMARY KEY,
    customer   BIGINT NOT NULL,
    account    BIGINT NOT NULL,
    kind       TEXT COLLATE "C" NOT NULL,
    name       TEXT NOT NULL,
    profile    TEXT COLLATE "C" NOT NULL,
    task       BIGINT NOT NULL,
    entries    BIGINT NOT NULL,
    done       BIGINT NOT NULL,
    failed     BIGINT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX kyc_batch_newest ON kyc_batch (customer, kind, created_at, id);

-- id: also the number of its search. asked: as it was sent, as JSON. state:
-- submitted, completed or failed. noted: the audit log tells of its search.
CREATE TABLE kyc_batch_row (
    batch    TEXT COLLATE "C" NOT NULL,
    number   BIGINT NOT NULL,
    id       TEXT COLLATE "C" NOT NULL,
    line     BIGINT NOT NULL,
    asked    TEXT NOT NULL,
    state    TEXT COLLATE "C" NOT NULL,
    error    TEXT NOT NULL,
    noted    BIGINT NOT NULL,
    ended_at BIGINT NOT NULL,
    PRIMARY KEY (batch, number)
);
CREATE INDEX kyc_batch_row_state ON kyc_batch_row (batch, state, number);
