-- Version 2: nodes write the read side themselves, and the journal's tail is held against it. Nothing reads
-- tags any more, and no projection keeps an offset.
DROP TABLE IF EXISTS event_tag;
DROP TABLE IF EXISTS pekko_projection_offset_store;
DROP TABLE IF EXISTS pekko_projection_management;

-- How far the journal was held against the read side: one row.
CREATE TABLE IF NOT EXISTS read_side_progress (
  ordering BIGINT NOT NULL
);
INSERT INTO read_side_progress (ordering) SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM read_side_progress);

-- Numbers are drawn from memory, a stretch at a time; what is left of a stretch at a crash is skipped.
ALTER TABLE event_journal ALTER COLUMN ordering SET CACHE 10000;
