-- Version 1. A released version is never edited: its checksum is written down in every database.

-- The journal, as pekko-persistence-jdbc 1.1 reads and writes it.
CREATE TABLE event_journal (
  ordering           BIGSERIAL,
  persistence_id     VARCHAR(255) NOT NULL,
  sequence_number    BIGINT NOT NULL,
  deleted            BOOLEAN DEFAULT FALSE NOT NULL,
  writer             VARCHAR(255) NOT NULL,
  write_timestamp    BIGINT NOT NULL,
  adapter_manifest   VARCHAR(255) NOT NULL,
  event_ser_id       INTEGER NOT NULL,
  event_ser_manifest VARCHAR(255) NOT NULL,
  event_payload      BYTEA NOT NULL,
  meta_ser_id        INTEGER,
  meta_ser_manifest  VARCHAR(255),
  meta_payload       BYTEA,
  PRIMARY KEY (persistence_id, sequence_number)
);
CREATE UNIQUE INDEX event_journal_ordering_idx ON event_journal (ordering);

CREATE TABLE event_tag (
  event_id BIGINT NOT NULL,
  tag      VARCHAR(255) NOT NULL,
  PRIMARY KEY (event_id, tag),
  CONSTRAINT fk_event_journal FOREIGN KEY (event_id) REFERENCES event_journal (ordering) ON DELETE CASCADE
);

CREATE INDEX IF NOT EXISTS event_tag_by_tag ON event_tag (tag, event_id);

-- Where each projection has got to, as pekko-projection-jdbc 1.0 keeps it.
CREATE TABLE pekko_projection_offset_store (
  projection_name VARCHAR(255) NOT NULL,
  projection_key  VARCHAR(255) NOT NULL,
  current_offset  VARCHAR(255) NOT NULL,
  manifest        VARCHAR(4) NOT NULL,
  mergeable       BOOLEAN NOT NULL,
  last_updated    BIGINT NOT NULL,
  PRIMARY KEY (projection_name, projection_key)
);
CREATE INDEX projection_name_index ON pekko_projection_offset_store (projection_name);

CREATE TABLE pekko_projection_management (
  projection_name VARCHAR(255) NOT NULL,
  projection_key  VARCHAR(255) NOT NULL,
  paused          BOOLEAN NOT NULL,
  last_updated    BIGINT NOT NULL,
  PRIMARY KEY (projection_name, projection_key)
);

-- Held calls for lists. `deadline` is expires_at, or the greatest bigint where there is none: the lists' order.
CREATE TABLE call_index (
  held_id         VARCHAR(64) PRIMARY KEY,
  org             TEXT NOT NULL,
  project         TEXT NOT NULL,
  principal       TEXT NOT NULL,
  session_id      TEXT NOT NULL,
  turn_id         TEXT NOT NULL,
  call_id         TEXT NOT NULL,
  session_key     TEXT NOT NULL,
  slice           SMALLINT NOT NULL,
  tool            TEXT NOT NULL,
  state           VARCHAR(16) NOT NULL,
  phase           VARCHAR(32) NOT NULL,
  expires_at      BIGINT,
  deadline        BIGINT NOT NULL,
  created_at      BIGINT NOT NULL,
  due_at          BIGINT,
  waiting_classes TEXT NOT NULL,
  generation      INTEGER NOT NULL,
  seq_nr          BIGINT NOT NULL,
  summary         TEXT NOT NULL,
  ended           BOOLEAN NOT NULL
);
CREATE INDEX call_index_by_state ON call_index (org, state, deadline, held_id);
CREATE INDEX call_index_by_deadline ON call_index (org, deadline, held_id);
CREATE INDEX call_index_by_session ON call_index (session_key, created_at, held_id);
CREATE INDEX call_index_by_principal ON call_index (org, project, principal, ended);
CREATE INDEX call_index_by_due ON call_index (slice, due_at) WHERE due_at IS NOT NULL;

CREATE TABLE call_edge (
  dependent  VARCHAR(64) NOT NULL,
  dependency VARCHAR(64) NOT NULL,
  kind       VARCHAR(16) NOT NULL,
  PRIMARY KEY (dependent, dependency, kind)
);
CREATE INDEX call_edge_by_dependency ON call_edge (dependency, dependent);

-- A session's deliveries. The row of mailbox_head is the lock under which a seq is taken.
CREATE TABLE mailbox_head (
  session_key TEXT PRIMARY KEY,
  last_seq    BIGINT NOT NULL
);
CREATE TABLE mailbox (
  session_key  TEXT NOT NULL,
  seq          BIGINT NOT NULL,
  delivery_id  TEXT NOT NULL,
  held_id      VARCHAR(64) NOT NULL,
  acknowledged BOOLEAN NOT NULL,
  item         TEXT NOT NULL,
  PRIMARY KEY (session_key, seq)
);
CREATE UNIQUE INDEX mailbox_by_delivery ON mailbox (delivery_id);

CREATE TABLE idempotency_key (
  org         TEXT NOT NULL,
  project     TEXT NOT NULL,
  principal   TEXT NOT NULL,
  request_key TEXT NOT NULL,
  held_id     VARCHAR(64) NOT NULL,
  PRIMARY KEY (org, project, principal, request_key)
);

-- The keys that permits are signed with, shared by all nodes.
CREATE TABLE issuer_key (
  id         VARCHAR(128) PRIMARY KEY,
  jwk        TEXT NOT NULL,
  created_at BIGINT NOT NULL
);
