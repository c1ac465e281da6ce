-- Publishers' files that are fetched on a schedule.
CREATE TABLE fetched (
    source      TEXT PRIMARY KEY,
    url         TEXT NOT NULL,
    etag        TEXT NOT NULL,
    modified    TEXT NOT NULL,
    asked_at    BIGINT NOT NULL,
    good_at     BIGINT NOT NULL,
    imported_at BIGINT NOT NULL,
    error       TEXT NOT NULL
);
