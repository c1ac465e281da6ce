-- Who signs in to the console: what an account may do there, the sealed secret
-- of its one-time codes, and the sessions that are open.
ALTER TABLE account ADD COLUMN role TEXT NOT NULL DEFAULT 'analyst';
ALTER TABLE account ADD COLUMN second BYTEA NOT NULL DEFAULT '';

-- key: the hash of the secret that the browser holds.
CREATE TABLE console_session (
    key        BYTEA PRIMARY KEY,
    account    BIGINT NOT NULL,
    epoch      BIGINT NOT NULL,
    waiting    BIGINT NOT NULL,
    agent      TEXT NOT NULL,
    source     TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    seen_at    BIGINT NOT NULL
);
CREATE INDEX console_session_account ON console_session (account);

-- step: that of the last right code. wrong: codes that were wrong since then or
-- since a time, whichever is later.
CREATE TABLE console_code (
    account BIGINT PRIMARY KEY,
    step    BIGINT NOT NULL,
    wrong   BIGINT NOT NULL,
    since   BIGINT NOT NULL
);
