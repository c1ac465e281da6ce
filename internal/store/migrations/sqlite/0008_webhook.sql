-- Webhooks of internal/monitor, and events on their way to them. A webhook that
-- was deleted keeps its row, without an address, so that every node hears of it.
CREATE TABLE webhook (
    id         INTEGER PRIMARY KEY,
    customer   INTEGER NOT NULL,
    account    INTEGER NOT NULL,
    url        TEXT NOT NULL,
    portfolios TEXT NOT NULL,
    rules      TEXT NOT NULL,
    disabled   INTEGER NOT NULL,
    reason     TEXT NOT NULL,
    secrets    TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    version    INTEGER NOT NULL,
    replays    INTEGER NOT NULL
) STRICT;
CREATE INDEX webhook_customer ON webhook (customer);
CREATE INDEX webhook_version ON webhook (version);
INSERT INTO monitor_log (name, last_number, last_at) VALUES ('webhook', 0, 0);

-- state: 0 waiting, 1 parked, 2 delivered, 3 dead. What is on its way is found
-- by two small indexes, however much was delivered.
CREATE TABLE delivery (
    event    INTEGER NOT NULL,
    webhook  INTEGER NOT NULL,
    customer INTEGER NOT NULL,
    company  TEXT NOT NULL,
    state    INTEGER NOT NULL,
    replay   INTEGER NOT NULL,
    since    INTEGER NOT NULL,
    next_at  INTEGER NOT NULL,
    tries    TEXT NOT NULL,
    PRIMARY KEY (event, webhook)
) STRICT, WITHOUT ROWID;
CREATE INDEX delivery_webhook ON delivery (webhook, event);
CREATE INDEX delivery_line ON delivery (webhook, replay, event) WHERE state = 0;
CREATE INDEX delivery_lane ON delivery (webhook, replay, company, event) WHERE state = 1;
