-- Who signs in to the console: what an account may do there, the sealed secret
-- of its one-time codes, and the sessions that are open.
ALTER TABLE account ADD COLUMN role TEXT NOT NULL DEFAULT 'analyst';
ALTER TABLE account ADD COLUMN second BLOB NOT NULL DEFAULT x'';

-- key: the hash of the secret that the browser holds.
CREATE TABLE console_session (
    key        BLOB PRIMARY KEY,
    account    INTEGER NOT NULL,
    epoch      INTEGER NOT NULL,
    waiting    INTEGER NOT NULL,
    agent      TEXT NOT NULL,
    source     TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    seen_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX console_session_account ON console_session (account);

-- step: that of the last right code. wrong: codes that were wrong since then or
-- since a time, whichever is later.
CREATE TABLE console_code (
    account INTEGER PRIMARY KEY,
    step    INTEGER NOT NULL,
    wrong   INTEGER NOT NULL,
    since   INTEGER NOT NULL
) STRICT;
