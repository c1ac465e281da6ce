-- Who does which work, and how far each reader of a log has come.
CREATE TABLE lease (
    name       TEXT PRIMARY KEY,
    owner      TEXT NOT NULL,
    fence      BIGINT NOT NULL,
    held_until BIGINT NOT NULL
);

CREATE TABLE place (
    name   TEXT PRIMARY KEY,
    number BIGINT NOT NULL
);
