-- On PostgreSQL changes, events and entries of the audit log are kept by month.
-- Here one table each holds them all.
SELECT 1;
