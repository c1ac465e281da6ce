-- Mail of internal/monitor on its way out. key says what a mail is about: there
-- is one of each. state: 0 waiting, 1 sent, 2 dead; what is sent or dead keeps
-- no text.
CREATE TABLE mail (
    key            TEXT PRIMARY KEY,
    kind           TEXT NOT NULL,
    customer       INTEGER NOT NULL,
    portfolio      INTEGER NOT NULL,
    recipient      TEXT NOT NULL,
    recipient_name TEXT NOT NULL,
    subject        TEXT NOT NULL,
    body_text      TEXT NOT NULL,
    body_html      TEXT NOT NULL,
    unsubscribe    TEXT NOT NULL,
    message_id     TEXT NOT NULL,
    state          INTEGER NOT NULL,
    tries          INTEGER NOT NULL,
    first_at       INTEGER NOT NULL,
    next_at        INTEGER NOT NULL,
    owner          TEXT NOT NULL,
    fence          INTEGER NOT NULL,
    held_until     INTEGER NOT NULL,
    error          TEXT NOT NULL,
    created_at     INTEGER NOT NULL,
    ended_at       INTEGER NOT NULL
) STRICT;
CREATE INDEX mail_waiting ON mail (next_at) WHERE state = 0;
CREATE INDEX mail_portfolio ON mail (portfolio) WHERE state = 0;
CREATE INDEX mail_ended ON mail (ended_at) WHERE state <> 0;

-- How far a portfolio's digests have come: the day of the last one, and the last
-- event before it.
CREATE TABLE digest (
    portfolio INTEGER PRIMARY KEY,
    day       INTEGER NOT NULL, -- since 1970
    event     INTEGER NOT NULL,
    event_at  INTEGER NOT NULL
) STRICT;
CREATE INDEX portfolio_digest ON portfolio (id) WHERE frequency > 0;

-- What the operator was warned of. told: its beginning was.
CREATE TABLE trouble (
    name  TEXT PRIMARY KEY,
    is_on INTEGER NOT NULL,
    told  INTEGER NOT NULL,
    since INTEGER NOT NULL,
    day   INTEGER NOT NULL
) STRICT;

CREATE INDEX delivery_dead ON delivery (since) WHERE state = 3;
