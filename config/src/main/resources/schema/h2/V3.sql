-- Version 3: how the asking of witnesses stands, a row for each provider that is asked about a generation of a call.
CREATE TABLE IF NOT EXISTS witness_route (
  held_id         VARCHAR(64) NOT NULL,
  generation      INTEGER NOT NULL,
  provider        VARCHAR(64) NOT NULL,
  org             VARCHAR NOT NULL,
  tool            VARCHAR NOT NULL,
  contract_digest VARCHAR(71) NOT NULL,
  state           VARCHAR(16) NOT NULL,
  round           INTEGER NOT NULL,
  attempts        INTEGER NOT NULL,
  reference       VARCHAR(512),
  asked_at        BIGINT,
  next_at         BIGINT,
  wake_at         BIGINT,
  reminded        INTEGER NOT NULL,
  note            VARCHAR(600),
  updated_at      BIGINT NOT NULL,
  version         BIGINT NOT NULL,
  PRIMARY KEY (held_id, generation, provider)
);
CREATE INDEX IF NOT EXISTS witness_route_by_due ON witness_route (wake_at);
CREATE INDEX IF NOT EXISTS witness_route_by_reference ON witness_route (provider, reference);
