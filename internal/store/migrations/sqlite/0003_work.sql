-- Who does which work, and how far each reader of a log has come.
CREATE TABLE lease (
    name       TEXT PRIMARY KEY,
    owner      TEXT NOT NULL,
    fence      INTEGER NOT NULL,
    held_until INTEGER NOT NULL
) STRICT;

CREATE TABLE place (
    name   TEXT PRIMARY KEY,
    number INTEGER NOT NULL
) STRICT;
