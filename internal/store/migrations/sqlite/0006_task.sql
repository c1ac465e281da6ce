-- Tasks of internal/job, and the files that were sent with them or that they
-- made. Files lie in pieces, so that any node serves them and none holds a
-- whole one in memory.

CREATE TABLE task_counter (
    id   INTEGER PRIMARY KEY CHECK (id = 1),
    last INTEGER NOT NULL
) STRICT;
INSERT INTO task_counter (id, last) VALUES (1, 100000);

CREATE TABLE task (
    id          INTEGER PRIMARY KEY,
    kind        TEXT NOT NULL,
    customer    INTEGER NOT NULL,
    account     INTEGER NOT NULL,
    about       TEXT NOT NULL,
    input       BLOB NOT NULL,
    file        INTEGER NOT NULL,
    file_size   INTEGER NOT NULL,
    state       TEXT NOT NULL,
    done        INTEGER NOT NULL,
    done_of     INTEGER NOT NULL,
    notes       BLOB NOT NULL,
    result      BLOB NOT NULL,
    output      INTEGER NOT NULL,
    error       TEXT NOT NULL,
    attempts    INTEGER NOT NULL,
    created_at  INTEGER NOT NULL,
    started_at  INTEGER NOT NULL,
    finished_at INTEGER NOT NULL,
    due_at      INTEGER NOT NULL,
    owner       TEXT NOT NULL,
    fence       INTEGER NOT NULL,
    held_until  INTEGER NOT NULL
) STRICT;
CREATE INDEX task_open ON task (id) WHERE state IN ('waiting', 'working');
CREATE INDEX task_about ON task (customer, about, id);
CREATE INDEX task_ended ON task (finished_at);

-- task: whose it is; 0 until one takes it up.
CREATE TABLE file (
    id       INTEGER PRIMARY KEY,
    task     INTEGER NOT NULL,
    size     INTEGER NOT NULL,
    begun_at INTEGER NOT NULL
) STRICT;
CREATE INDEX file_task ON file (task);

-- start: how many bytes of the file lie before this piece.
CREATE TABLE file_chunk (
    file  INTEGER NOT NULL,
    start INTEGER NOT NULL,
    data  BLOB NOT NULL,
    PRIMARY KEY (file, start)
) STRICT;
