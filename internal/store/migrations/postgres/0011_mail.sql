-- Mail of internal/monitor on its way out. key says what a mail is about: there
-- is one of each. state: 0 waiting, 1 sent, 2 dead; what is sent or dead keeps
-- no text.
CREATE TABLE mail (
    key            TEXT COLLATE "C" PRIMARY KEY,
    kind           TEXT NOT NULL,
    customer       BIGINT NOT NULL,
    portfolio      BIGINT NOT NULL,
    recipient      TEXT NOT NULL,
    recipient_name TEXT NOT NULL,
    subject        TEXT NOT NULL,
    body_text      TEXT NOT NULL,
    body_html      TEXT NOT NULL,
    unsubscribe    TEXT NOT NULL,
    message_id     TEXT NOT NULL,
    state          BIGINT NOT NULL,
    tries          BIGINT NOT NULL,
    first_at       BIGINT NOT NULL,
    next_at        BIGINT NOT NULL,
    owner          TEXT NOT NULL,
    fence          BIGINT NOT NULL,
    held_until     BIGINT NOT NULL,
    error          TEXT NOT NULL,
    created_at     BIGINT NOT NULL,
    ended_at       BIGINT NOT NULL
);
CREATE INDEX mail_waiting ON mail (next_at) WHERE state = 0;
CREATE INDEX mail_portfolio ON mail (portfolio) WHERE state = 0;
CREATE INDEX mail_ended ON mail (ended_at) WHERE state <> 0;

-- How far a portfolio's digests have come: the day of the last one, and the last
-- event before it.
CREATE TABLE digest (
    portfolio BIGINT PRIMARY KEY,
    day       BIGINT NOT NULL, -- since 1970
    event     BIGINT NOT NULL,
    event_at  BIGINT NOT NULL
);
CREATE INDEX portfolio_digest ON portfolio (id) WHERE frequency > 0;

-- What the operator was warned of. told: its beginning was.
CREATE TABLE trouble (
    name  TEXT COLLATE "C" PRIMARY KEY,
    is_on BIGINT NOT NULL,
    told  BIGINT NOT NULL,
    since BIGINT NOT NULL,
    day   BIGINT NOT NULL
);

CREATE INDEX delivery_dead ON delivery (since) WHERE state = 3;
