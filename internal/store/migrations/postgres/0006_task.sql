-- Tasks of internal/job, and the files that were sent with them or that they
-- made. Files lie in pieces, so that any node serves them and none holds a
-- whole one in memory.

CREATE TABLE task_counter (
    id   BIGINT PRIMARY KEY CHECK (id = 1),
    last BIGINT NOT NULL
);
INSERT INTO task_counter (id, last) VALUES (1, 100000);

CREATE TABLE task (
    id          BIGINT PRIMARY KEY,
    kind        TEXT NOT NULL,
    customer    BIGINT NOT NULL,
    account     BIGINT NOT NULL,
    about       TEXT NOT NULL,
    input       BYTEA NOT NULL,
    file        BIGINT NOT NULL,
    file_size   BIGINT NOT NULL,
    state       TEXT NOT NULL,
    done        BIGINT NOT NULL,
    done_of     BIGINT NOT NULL,
    notes       BYTEA NOT NULL,
    result      BYTEA NOT NULL,
    output      BIGINT NOT NULL,
    error       TEXT NOT NULL,
    attempts    BIGINT NOT NULL,
    created_at  BIGINT NOT NULL,
    started_at  BIGINT NOT NULL,
    finished_at BIGINT NOT NULL,
    due_at      BIGINT NOT NULL,
    owner       TEXT NOT NULL,
    fence       BIGINT NOT NULL,
    held_until  BIGINT NOT NULL
);
CREATE INDEX task_open ON task (id) WHERE state IN ('waiting', 'working');
CREATE INDEX task_about ON task (customer, about, id);
CREATE INDEX task_ended ON task (finished_at);

-- task: whose it is; 0 until one takes it up.
CREATE TABLE file (
    id       BIGINT PRIMARY KEY,
    task     BIGINT NOT NULL,
    size     BIGINT NOT NULL,
    begun_at BIGINT NOT NULL
);
CREATE INDEX file_task ON file (task);

-- start: how many bytes of the file lie before this piece.
CREATE TABLE file_chunk (
    file  BIGINT NOT NULL,
    start BIGINT NOT NULL,
    data  BYTEA NOT NULL,
    PRIMARY KEY (file, start)
);
