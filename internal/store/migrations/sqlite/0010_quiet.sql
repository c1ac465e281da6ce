-- What portfolios do not want to hear: a silence until a time, or a window of
-- hours in which a value that goes to and fro is told once.
CREATE TABLE quiet (
    id         INTEGER PRIMARY KEY,
    portfolio  INTEGER NOT NULL,
    company    TEXT NOT NULL,
    rule       INTEGER NOT NULL,
    until_at   INTEGER NOT NULL,
    hours      INTEGER NOT NULL,
    note       TEXT NOT NULL,
    account    INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    since      INTEGER NOT NULL,
    until      INTEGER NOT NULL,
    number     INTEGER NOT NULL
) STRICT;
CREATE INDEX quiet_portfolio ON quiet (portfolio);
CREATE INDEX quiet_number ON quiet (number);
