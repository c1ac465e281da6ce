-- How many events a webhook was asked to send again on a day: replayed on the day
-- that begins at replay_day.
ALTER TABLE webhook ADD COLUMN replay_day INTEGER NOT NULL DEFAULT 0;
ALTER TABLE webhook ADD COLUMN replayed INTEGER NOT NULL DEFAULT 0;
