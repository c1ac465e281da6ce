-- Webhooks of internal/monitor, and events on their way to them. A webhook that
-- was deleted keeps its row, without an address, so that every node hears of it.
CREATE TABLE webhook (
    id         BIGINT PRIMARY KEY,
    customer   BIGINT NOT NULL,
    account    BIGINT NOT NULL,
    url        TEXT NOT NULL,
    portfolios TEXT NOT NULL,
    rules      TEXT NOT NULL,
    disabled   BIGINT NOT NULL,
    reason     TEXT NOT NULL,
    secrets    TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    changed_at BIGINT NOT NULL,
    version    BIGINT NOT NULL,
    replays    BIGINT NOT NULL
);
CREATE INDEX webhook_customer ON webhook (customer);
CREATE INDEX webhook_version ON webhook (version);
INSERT INTO monitor_log (name, last_number, last_at) VALUES ('webhook', 0, 0);

-- state: 0 waiting, 1 parked, 2 delivered, 3 dead. What is on its way is found
-- by two small indexes, however much was delivered.
CREATE TABLE delivery (
    event    BIGINT NOT NULL,
    webhook  BIGINT NOT NULL,
    customer BIGINT NOT NULL,
    company  TEXT COLLATE "C" NOT NULL,
    state    BIGINT NOT NULL,
    replay   BIGINT NOT NULL,
    since    BIGINT NOT NULL,
    next_at  BIGINT NOT NULL,
    tries    TEXT NOT NULL,
    PRIMARY KEY (event, webhook)
);
CREATE INDEX delivery_webhook ON delivery (webhook, event);
CREATE INDEX delivery_line ON delivery (webhook, replay, event) WHERE state = 0;
CREATE INDEX delivery_lane ON delivery (webhook, replay, company, event) WHERE state = 1;
