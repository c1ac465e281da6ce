-- Whom internal/kyc watches, so short that all of them can be read whenever a list
-- changes. One row for each schedule that has not ended, under the number of its
-- last change: who reads in their order meets every one, however they change
-- meanwhile. subjects: as the package writes them; '' if they were never written,
-- which means that the schedule itself is to be read.
CREATE TABLE kyc_watch (
    version   BIGINT PRIMARY KEY,
    schedule  TEXT COLLATE "C" NOT NULL,
    threshold BIGINT NOT NULL,
    subjects  TEXT NOT NULL
);
INSERT INTO kyc_watch (version, schedule, threshold, subjects)
SELECT version, id, threshold, '' FROM kyc_schedule WHERE search <> '';
