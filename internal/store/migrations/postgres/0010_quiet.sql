-- What portfolios do not want to hear: a silence until a time, or a window of
-- hours in which a value that goes to and fro is told once.
CREATE TABLE quiet (
    id         BIGINT PRIMARY KEY,
    portfolio  BIGINT NOT NULL,
    company    TEXT COLLATE "C" NOT NULL,
    rule       BIGINT NOT NULL,
    until_at   BIGINT NOT NULL,
    hours      BIGINT NOT NULL,
    note       TEXT NOT NULL,
    account    BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    since      BIGINT NOT NULL,
    until      BIGINT NOT NULL,
    number     BIGINT NOT NULL
);
CREATE INDEX quiet_portfolio ON quiet (portfolio);
CREATE INDEX quiet_number ON quiet (number);
