-- The distribution column of a large table (docs/scaling.md) becomes a part of its
-- keys, and of the indexes that are read without the rows. It stands behind what was
-- in them: numbers are given once for all customers, so each row is found as before.

ALTER TABLE delivery DROP CONSTRAINT delivery_pkey, ADD PRIMARY KEY (event, webhook, customer);
DROP INDEX delivery_line;
CREATE INDEX delivery_line ON delivery (webhook, customer, replay, event) WHERE state = 0;
DROP INDEX delivery_lane;
CREATE INDEX delivery_lane ON delivery (webhook, customer, replay, company, event) WHERE state = 1;
