-- Version 2: nodes write the read side themselves, and the journal's tail is held against it. Nothing reads
-- tags any more, and no projection keeps an offset.
DROP TABLE event_tag;
DROP TABLE pekko_projection_offset_store;
DROP TABLE pekko_projection_management;

-- How far the journal was held against the read side: one row.
CREATE TABLE read_side_progress (
  ordering BIGINT NOT NULL
);
INSERT INTO read_side_progress (ordering) VALUES (0);
